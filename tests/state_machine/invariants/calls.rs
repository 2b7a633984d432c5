//! Calls of subagents under anything that may happen: one maker at a time, and nothing of one who lost it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use tributary::domain::entry::Entry;
use tributary::domain::event::{EventError, SenderStatus};
use tributary::domain::limits::{SafetyFailure, SafetyRules, SessionLimits};
use tributary::domain::policy::PolicyDecision;
use tributary::domain::position::{AppendId, Sequence};
use tributary::domain::record::{Answer, Record};
use tributary::domain::session::{
    Batch, CallFailure, CallGate, CallTicket, Command, NoticeTicket, ReplicaId, SessionState,
};
use tributary::domain::time::Timestamp;

use super::stories;
use crate::fixtures::{cancel, combine, id, post, safety, say};
use crate::telling::{BEGIN, empty};

const OUTPUTS: [&str; 3] = ["a", "b", "s"];

/// What may happen: by a replica (0 or 1), about an output, with the number of a fence.
#[derive(Debug, Clone)]
enum Happens {
    Take { replica: u64, output: usize, lease: bool, degraded: bool },
    Said { output: usize, number: u64, status: SenderStatus },
    Failed { output: usize, number: u64, retry: bool },
    LeftOpen { output: usize, number: u64 },
    Renew { replica: u64 },
    Release { replica: u64 },
    Pushed { output: usize, status: SenderStatus },
    Safety { decision: PolicyDecision },
    TakeNotice { replica: u64, place: usize },
    NoticeTried { place: usize, number: u64, again: bool },
    Cancel,
    Deadlines,
    Wait { ms: i64 },
}

fn happens() -> impl Strategy<Value = Happens> {
    let status = prop_oneof![
        2 => Just(SenderStatus::Partial),
        1 => Just(SenderStatus::Success),
        1 => Just(SenderStatus::InProgress),
    ];
    let pushed = prop_oneof![3 => Just(SenderStatus::Partial), 1 => Just(SenderStatus::Success)];
    let decision = prop_oneof![
        Just(PolicyDecision::Allow),
        Just(PolicyDecision::Escalate),
        Just(PolicyDecision::Refuse)
    ];
    let (replica, output, number) = (0..2_u64, 0..OUTPUTS.len(), 1..4_u64);
    prop_oneof![
        12 => (replica.clone(), output.clone(), any::<bool>(), prop::bool::weighted(0.1))
            .prop_map(|(replica, output, lease, degraded)| Happens::Take { replica, output, lease, degraded }),
        8 => (output.clone(), number.clone(), status)
            .prop_map(|(output, number, status)| Happens::Said { output, number, status }),
        5 => (output.clone(), number.clone(), any::<bool>())
            .prop_map(|(output, number, retry)| Happens::Failed { output, number, retry }),
        1 => (output.clone(), number.clone()).prop_map(|(output, number)| Happens::LeftOpen { output, number }),
        2 => replica.clone().prop_map(|replica| Happens::Renew { replica }),
        2 => replica.clone().prop_map(|replica| Happens::Release { replica }),
        3 => (output, pushed).prop_map(|(output, status)| Happens::Pushed { output, status }),
        1 => decision.prop_map(|decision| Happens::Safety { decision }),
        3 => (replica, 0..2_usize).prop_map(|(replica, place)| Happens::TakeNotice { replica, place }),
        2 => (0..2_usize, number, any::<bool>())
            .prop_map(|(place, number, again)| Happens::NoticeTried { place, number, again }),
        1 => Just(Happens::Cancel),
        4 => Just(Happens::Deadlines),
        8 => (0..900_i64).prop_map(|ms| Happens::Wait { ms }),
    ]
}

/// Whoever looks only at the outputs that it is told of misses no call that began or ended.
fn assert_changes_are_told(before: &SessionState, after: &SessionState) {
    let own = |state: &SessionState| -> BTreeSet<CallTicket> {
        (0..2).flat_map(|replica| state.calls_of(ReplicaId(replica)).map(|(ticket, _)| ticket)).collect()
    };
    let told: Vec<_> = after.called_since(Some(before)).map(|(_, subagent)| &subagent.output).collect();
    for changed in own(before).symmetric_difference(&own(after)) {
        assert!(told.iter().any(|output| output.result_key == changed.result_key), "{changed:?}: {told:?}");
    }
}

/// One session, told one thing after the other.
struct Told {
    state: SessionState,
    limits: SessionLimits,
    log: Vec<Entry>,
    stored: BTreeMap<String, Vec<u8>>,
    now: i64,
}

impl Told {
    fn new(rule: SafetyFailure) -> Self {
        let rules = SafetyRules { on_failure: rule, notifies: true };
        let limits = SessionLimits { safety: rules, ..SessionLimits::default() };
        let mut told = Self { state: empty(), limits, log: Vec::new(), stored: BTreeMap::new(), now: BEGIN };
        let invoke = serde_json::json!({"url": "https://crm.test/", "protocol": "json"});
        let mut step = post("p").with("deadline_ms", 5_000);
        for (output, key) in OUTPUTS.into_iter().zip(["crm", "crm", "safety"]) {
            step = step.expects(key, output).of_which("invoke", invoke.clone()).of_which("max_attempts", 2);
        }
        told.tell(&step.command());
        told
    }

    fn tell(&mut self, command: &Command) -> Answer {
        let (append_id, before) = (AppendId(self.log.len() as u64), self.state.clone());
        let mut batch = Batch::new(&self.state, &self.limits, Timestamp(self.now), append_id);
        let answer = batch.decide(command).expect("nothing here is refused but by the step's end");
        combine(&mut batch);
        let (entries, decided) = batch.into_parts();
        entries.iter().for_each(|entry| self.state.apply(entry));
        assert_eq!(decided, self.state, "what was decided is the fold");
        for after in [&decided, &self.state] {
            assert_changes_are_told(&before, after);
        }
        self.stored.extend(self.state.fields_changed_by(entries.iter().map(Arc::as_ref)));
        self.log.extend(entries.into_iter().map(Arc::unwrap_or_clone));
        answer
    }

    /// A ticket of whoever makes the call, most often.
    fn ticket(&self, output: usize, number: u64) -> CallTicket {
        let result_key = id(OUTPUTS[output]);
        let mut makers = (0..2).map(ReplicaId).flat_map(|replica| self.state.calls_of(replica));
        let maker = makers.find(|(known, _)| known.result_key == result_key);
        let replica = maker.filter(|_| number < 3).map_or(ReplicaId(0), |(known, _)| known.replica);
        CallTicket { step: id("p"), result_key, number, replica }
    }

    /// Whether the fence of a ticket stands.
    fn holds(&self, ticket: &CallTicket) -> bool {
        let mut own = (0..2).flat_map(|replica| self.state.calls_of(ReplicaId(replica)));
        own.any(|(known, _)| known == *ticket)
    }

    fn decision(&self, place: usize) -> Sequence {
        let decisions = self.log.iter().filter(|entry| matches!(entry.record, Record::Policy { .. }));
        decisions.map(|entry| entry.sequence).nth(place).unwrap_or(Sequence(1))
    }

    fn command(&self, happens: &Happens) -> Option<Command> {
        Some(match happens {
            Happens::Take { replica, output, lease, degraded } => Command::TakeCall {
                step: id("p"),
                result_key: id(OUTPUTS[*output]),
                replica: ReplicaId(*replica),
                lease_ms: lease.then_some(500),
                gate: match degraded {
                    true => CallGate::Degraded { reason: "it fails".into(), since: Timestamp(BEGIN) },
                    false => CallGate::Open,
                },
            },
            Happens::Said { output, number, status } => {
                let Command::Event { event, .. } = say("p", "crm", *status).command() else { return None };
                Command::CallSaid { ticket: self.ticket(*output, *number), event }
            }
            Happens::Failed { output, number, retry } => {
                let error =
                    EventError { code: Some("x".into()), message: None, retryable: retry.then_some(true) };
                let retry_at = retry.then_some(Timestamp(self.now + 200));
                let failure = CallFailure { error, retry_at };
                Command::CallFailed { ticket: self.ticket(*output, *number), failure }
            }
            Happens::LeftOpen { output, number } => {
                Command::CallLeftOpen { ticket: self.ticket(*output, *number) }
            }
            Happens::Renew { replica } => Command::RenewCalls { replica: ReplicaId(*replica), lease_ms: 500 },
            Happens::Release { replica } => Command::ReleaseCalls { replica: ReplicaId(*replica) },
            Happens::Pushed { output, status } => {
                let key = if *output == 2 { "safety" } else { "crm" };
                say("p", key, *status).about(OUTPUTS[*output]).command()
            }
            Happens::Safety { decision } => {
                self.is_running().then(|| safety(Some("p"), *decision, None, Some(false)))?
            }
            Happens::TakeNotice { replica, place } => Command::TakeNotice {
                decision: self.decision(*place),
                replica: ReplicaId(*replica),
                lease_ms: Some(500),
            },
            Happens::NoticeTried { place, number, again } => Command::NoticeTried {
                ticket: NoticeTicket {
                    decision: self.decision(*place),
                    number: *number,
                    replica: ReplicaId(number % 2),
                },
                retry_at: again.then_some(Timestamp(self.now + 300)),
            },
            Happens::Cancel => self.is_running().then(|| cancel(Some("p")))?,
            Happens::Deadlines | Happens::Wait { .. } => Command::Deadlines,
        })
    }

    fn is_running(&self) -> bool {
        self.state.step(&id("p")).is_some_and(|step| step.is_running())
    }
}

fn rule() -> impl Strategy<Value = SafetyFailure> {
    prop_oneof![Just(SafetyFailure::FailOpen), Just(SafetyFailure::FailClosed)]
}

proptest! {
    #![proptest_config(stories())]

    #[test]
    fn a_call_has_one_maker_and_what_others_say_of_it_is_dropped(
        story in vec(happens(), 1..60),
        rule in rule(),
    ) {
        let mut told = Told::new(rule);
        for happens in &story {
            if let Happens::Wait { ms } = happens {
                told.now += ms;
            }
            let Some(command) = told.command(happens) else { continue };
            let before = told.log.len();
            let held = match &command {
                Command::CallSaid { ticket, .. }
                | Command::CallFailed { ticket, .. }
                | Command::CallLeftOpen { ticket } => Some(told.holds(ticket)),
                _ => None,
            };
            told.tell(&command);
            if held == Some(false) {
                prop_assert_eq!(told.log.len(), before, "{:?} had no fence", happens);
            }
            let makers: Vec<_> = (0..2).flat_map(|replica| told.state.calls_of(ReplicaId(replica))).collect();
            let mut outputs: Vec<_> = makers.iter().map(|(ticket, _)| &ticket.result_key).collect();
            outputs.dedup();
            prop_assert_eq!(outputs.len(), makers.len());
            if !told.is_running() {
                prop_assert!(makers.is_empty(), "a step that is over calls nobody");
                prop_assert_eq!(told.state.next_call(ReplicaId(9)), None);
            }
        }
    }

    #[test]
    fn numbers_of_fences_only_rise(story in vec(happens(), 1..60), rule in rule()) {
        let mut told = Told::new(rule);
        for happens in &story {
            if let Happens::Wait { ms } = happens {
                told.now += ms;
            }
            if let Some(command) = told.command(happens) {
                told.tell(&command);
            }
        }
        let mut last = BTreeMap::new();
        for entry in &told.log {
            let taken = match &entry.record {
                Record::CallTaken { output, fence } => (output.result_key.to_string(), fence.number),
                Record::NoticeTaken { decision, fence } => (decision.to_string(), fence.number),
                _ => continue,
            };
            let before = last.insert(taken.0, taken.1).unwrap_or(0);
            prop_assert_eq!(taken.1, before + 1);
        }
    }

    #[test]
    fn calls_and_notices_are_restored_from_fields(story in vec(happens(), 1..60), rule in rule()) {
        let mut told = Told::new(rule);
        for happens in &story {
            if let Happens::Wait { ms } = happens {
                told.now += ms;
            }
            if let Some(command) = told.command(happens) {
                told.tell(&command);
            }
        }
        let fields: Vec<(&str, &[u8])> = told.stored.iter().map(|(name, value)| (&**name, &**value)).collect();
        let restored = SessionState::from_fields(told.state.session.clone(), told.state.position, &fields).unwrap();
        prop_assert_eq!(restored, told.state);
    }
}
