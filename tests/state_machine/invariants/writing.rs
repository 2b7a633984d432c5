//! Answers that language models write: one writer, one answer, one end, whatever happens meanwhile.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;
use tributary::domain::entry::Entry;
use tributary::domain::event::SenderStatus;
use tributary::domain::limits::SessionLimits;
use tributary::domain::position::AppendId;
use tributary::domain::record::Record;
use tributary::domain::session::{Batch, Command, Field, ReplicaId, SessionState, WritingTicket};
use tributary::domain::synthesis::draft::Delta;
use tributary::domain::time::Timestamp;

use super::stories;
use crate::fixtures::{cancel, combine, id, post, say, synthesised};
use crate::telling::{BEGIN, empty};

/// A child and the step above it; each is written.
const STEPS: [&str; 2] = ["child", "top"];

#[derive(Debug, Clone)]
enum Happens {
    Succeeds { step: usize },
    Take { step: usize, replica: u64, lease: bool },
    Said { step: usize, replica: u64, number: u64 },
    Written { step: usize, replica: u64, number: u64 },
    Renew { replica: u64 },
    Release { replica: u64 },
    Cancel { step: usize },
    Wait { ms: i64 },
}

fn happens() -> impl Strategy<Value = Happens> {
    let (step, replica, number) = (0..2_usize, 0..2_u64, 1..4_u64);
    prop_oneof![
        3 => step.clone().prop_map(|step| Happens::Succeeds { step }),
        6 => (step.clone(), replica.clone(), any::<bool>())
            .prop_map(|(step, replica, lease)| Happens::Take { step, replica, lease }),
        5 => (step.clone(), replica.clone(), number.clone())
            .prop_map(|(step, replica, number)| Happens::Said { step, replica, number }),
        3 => (step.clone(), replica.clone(), number)
            .prop_map(|(step, replica, number)| Happens::Written { step, replica, number }),
        1 => replica.clone().prop_map(|replica| Happens::Renew { replica }),
        1 => replica.prop_map(|replica| Happens::Release { replica }),
        1 => step.prop_map(|step| Happens::Cancel { step }),
        4 => (0..2_500_i64).prop_map(|ms| Happens::Wait { ms }),
    ]
}

struct Told {
    state: SessionState,
    limits: SessionLimits,
    log: Vec<Entry>,
    stored: std::collections::BTreeMap<String, Vec<u8>>,
    now: i64,
}

impl Told {
    fn new() -> Self {
        let limits = SessionLimits { writing_ms: Some(3_000), ..SessionLimits::default() };
        let (log, stored) = (Vec::new(), std::collections::BTreeMap::new());
        let mut told = Self { state: empty(), limits, log, stored, now: BEGIN };
        for step in STEPS {
            let mut directive = post(step)
                .expects("crm", "r")
                .with("synthesis", json!({"mode": "llm"}))
                .with("deadline_ms", 8_000);
            if step == "top" {
                directive = directive.expects_child("child");
            }
            told.tell(&directive.command());
        }
        told
    }

    fn tell(&mut self, command: &Command) {
        let append_id = AppendId(self.log.len() as u64);
        let mut batch = Batch::new(&self.state, &self.limits, Timestamp(self.now), append_id);
        // What is over is refused: nothing follows from it.
        let _ = batch.decide(command);
        combine(&mut batch);
        let (entries, decided) = batch.into_parts();
        entries.iter().for_each(|entry| self.state.apply(entry));
        assert_eq!(decided, self.state, "what was decided is the fold");
        let changed: Vec<Field> = self.state.fields_changed_by(entries.iter().map(Arc::as_ref));
        self.stored.extend(changed);
        self.log.extend(entries.into_iter().map(Arc::unwrap_or_clone));
    }

    fn happens(&mut self, happens: &Happens) {
        let ticket = |step: usize, replica, number| WritingTicket {
            step: id(STEPS[step]),
            number,
            replica: ReplicaId(replica),
        };
        let command = match *happens {
            Happens::Succeeds { step } => say(STEPS[step], "crm", SenderStatus::Success).command(),
            Happens::Take { step, replica, lease } => Command::TakeWriting {
                step: id(STEPS[step]),
                replica: ReplicaId(replica),
                lease_ms: lease.then_some(500),
            },
            Happens::Said { step, replica, number } => {
                let delta = Delta { path: "summary".into(), offset: 0, text: "so".into() };
                Command::WritingSaid { ticket: ticket(step, replica, number), deltas: vec![delta] }
            }
            Happens::Written { step, replica, number } => Command::Written {
                ticket: ticket(step, replica, number),
                synthesised: Box::new(synthesised("llm")),
            },
            Happens::Renew { replica } => Command::RenewCalls { replica: ReplicaId(replica), lease_ms: 500 },
            Happens::Release { replica } => Command::ReleaseCalls { replica: ReplicaId(replica) },
            Happens::Cancel { step } => cancel(Some(STEPS[step])),
            Happens::Wait { ms } => {
                self.now += ms;
                Command::Deadlines
            }
        };
        self.tell(&command);
    }

    /// Lets all the time pass that there is.
    fn end(&mut self) {
        for _ in 0..4 {
            self.now += 10_000;
            self.tell(&Command::Deadlines);
        }
    }
}

fn of_step(log: &[Entry], step: &str, is: impl Fn(&Record) -> bool) -> Vec<usize> {
    let places = log.iter().enumerate();
    let of = |record: &Record| record.step().is_some_and(|id| id.as_str() == step) && is(record);
    places.filter(|(_, entry)| of(&entry.record)).map(|(place, _)| place).collect()
}

proptest! {
    #![proptest_config(stories())]

    #[test]
    fn every_step_gets_one_answer_and_one_end(story in vec(happens(), 1..60)) {
        let mut told = Told::new();
        story.iter().for_each(|happens| told.happens(happens));
        told.end();
        prop_assert!(told.state.is_ended());
        for step in STEPS {
            let answers = of_step(&told.log, step, |record| matches!(record, Record::Synthesised { .. }));
            let ends = of_step(&told.log, step, |record| matches!(record, Record::StepEnded { .. }));
            let aggregations = of_step(&told.log, step, |record| matches!(record, Record::Aggregated { .. }));
            prop_assert_eq!((aggregations.len(), answers.len(), ends.len()), (1, 1, 1));
            prop_assert_eq!(answers[0] + 1, ends[0], "the end follows the answer");
            let last = of_step(&told.log, step, |_| true).pop();
            prop_assert_eq!(last, Some(ends[0]), "nothing follows the end");
        }
        let end = |step: &str| of_step(&told.log, step, |record| matches!(record, Record::StepEnded { .. }))[0];
        let counted = |step: &str| of_step(&told.log, step, |record| matches!(record, Record::Aggregated { .. }))[0];
        prop_assert!(end("child") < counted("top"), "a parent's result has its child's");
    }

    #[test]
    fn a_draft_has_one_writer_and_its_pieces_are_counted(story in vec(happens(), 1..60)) {
        let mut told = Told::new();
        let mut last = std::collections::BTreeMap::new();
        for happens in &story {
            let before = told.log.len();
            let fences: Vec<_> = (0..2).flat_map(|replica| told.state.writings_of(ReplicaId(replica))).collect();
            told.happens(happens);
            for entry in &told.log[before..] {
                if let Record::SynthesisDelta { step, number, place, .. } = &entry.record {
                    let holder = fences.iter().any(|(ticket, _)| ticket.step == *step && ticket.number == *number);
                    prop_assert!(holder, "{happens:?} had no fence");
                    let expected = match last.insert(step.clone(), (*number, *place)) {
                        Some((before, at)) if before == *number => at + 1,
                        _ => 0,
                    };
                    prop_assert_eq!(*place, expected);
                }
            }
        }
    }

    #[test]
    fn writings_are_restored_from_fields(story in vec(happens(), 1..60)) {
        let mut told = Told::new();
        story.iter().for_each(|happens| told.happens(happens));
        let fields: Vec<(&str, &[u8])> = told.stored.iter().map(|(name, value)| (&**name, &**value)).collect();
        let restored = SessionState::from_fields(told.state.session.clone(), told.state.position, &fields).unwrap();
        prop_assert_eq!(restored, told.state);
    }
}
