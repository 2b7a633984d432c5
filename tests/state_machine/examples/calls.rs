//! Calls of subagents as work: who makes them, what comes of them, who is dropped.

use tributary::domain::directive::OnDegraded;
use tributary::domain::event::{EventError, SenderStatus};
use tributary::domain::policy::PolicyDecision;
use tributary::domain::record::{Answer, StepStatus, SubagentStatus};
use tributary::domain::session::{CallFailure, CallGate, CallTicket, Command, ReplicaId};
use tributary::domain::time::Timestamp;
use tributary::domain::verdict::Verdict;

use super::{Scene, success};
use crate::fixtures::{Post, cancel, id, post, safety, say};
use crate::telling::BEGIN;

const HERE: ReplicaId = ReplicaId(1);
const THERE: ReplicaId = ReplicaId(2);
const LEASE_MS: u64 = 1_000;

/// `r` of `crm`, which is called, and `v` of `voice`, which pushes; two attempts, a minute.
fn called() -> Post {
    let invoke = serde_json::json!({"url": "https://crm.test/", "protocol": "json"});
    let step = post("p").with("deadline_ms", 60_000);
    step.expects("crm", "r").of_which("invoke", invoke).of_which("max_attempts", 2).expects("voice", "v")
}

fn take(replica: ReplicaId) -> Command {
    gated(replica, CallGate::Open)
}

fn gated(replica: ReplicaId, gate: CallGate) -> Command {
    Command::TakeCall { step: id("p"), result_key: id("r"), replica, lease_ms: Some(LEASE_MS), gate }
}

fn degraded() -> CallGate {
    CallGate::Degraded { reason: "7 of 10 calls failed".into(), since: Timestamp(BEGIN - 5_000) }
}

/// A fence of this replica's.
fn ticket(number: u64) -> CallTicket {
    ticket_of(HERE, number)
}

fn ticket_of(replica: ReplicaId, number: u64) -> CallTicket {
    CallTicket { step: id("p"), result_key: id("r"), number, replica }
}

fn said(number: u64, status: SenderStatus) -> Command {
    said_by(ticket(number), status)
}

fn said_by(ticket: CallTicket, status: SenderStatus) -> Command {
    let Command::Event { event, .. } = say("p", "crm", status).content(ticket.number).command() else {
        unreachable!("an event is one")
    };
    Command::CallSaid { ticket, event }
}

fn failed(number: u64, retry_at: Option<i64>) -> Command {
    let error = EventError { code: Some("status_503".into()), message: None, retryable: Some(true) };
    let retry_at = retry_at.map(|ms| Timestamp(BEGIN + ms));
    Command::CallFailed { ticket: ticket(number), failure: CallFailure { error, retry_at } }
}

fn call_of(scene: &Scene) -> Option<tributary::domain::session::CallState> {
    scene.state.calls().map(|(_, call)| *call).next()
}

#[test]
fn a_call_begins_when_it_is_taken_and_its_answer_ends_it() {
    let mut scene = Scene::after(&called());
    assert_eq!(scene.state.next_call(HERE), Some(Timestamp(BEGIN)));
    scene.then(&take(HERE));
    assert_eq!(scene.shown(1), ["subagent_started r", "planner_stream r in_progress"]);
    assert_eq!(scene.last("subagent_started")["mode"], "invoke");
    assert_eq!(scene.state.calls_of(HERE).next(), Some((ticket(1), Some(Timestamp(BEGIN + 1_000)))));
    let before = scene.log.len();
    scene.then(&said(1, SenderStatus::Partial)).then(&said(1, SenderStatus::Success));
    assert_eq!(
        scene.shown(before),
        ["planner_stream r partial", "planner_stream r success", "subagent_completed r success"]
    );
    assert_eq!((scene.state.next_call(HERE), call_of(&scene)), (None, None));
    assert_eq!(scene.last("planner_stream")["revision"], 3);
}

#[test]
fn a_call_is_taken_once() {
    let mut scene = Scene::after(&called());
    scene.then(&take(HERE));
    let before = scene.log.len();
    scene.then(&take(THERE)).then(&take(HERE));
    assert_eq!(scene.log.len(), before);
}

#[test]
fn what_comes_of_a_call_that_was_taken_over_is_dropped() {
    let mut scene = Scene::after(&called());
    scene.then(&take(HERE));
    assert_eq!(scene.state.next_call(THERE), Some(Timestamp(BEGIN + 1_000)));
    scene.at(1_000).then(&take(THERE));
    assert_eq!(call_of(&scene).and_then(|call| call.fence).map(|fence| fence.number), Some(2));
    let before = scene.log.len();
    for late in
        [said(1, SenderStatus::Success), failed(1, Some(2_000)), Command::CallLeftOpen { ticket: ticket(1) }]
    {
        assert_eq!(scene.tell(&late), Ok(Answer::Done(None)), "{late:?}");
    }
    assert_eq!(scene.log.len(), before);
    let same_number = said(2, SenderStatus::Success);
    assert_eq!(scene.tell(&same_number), Ok(Answer::Done(None)), "another's fence of that number");
    scene.then(&said_by(ticket_of(THERE, 2), SenderStatus::Success));
    assert_eq!(scene.last("subagent_completed")["attempts"], 1, "a take-over is the same attempt");
}

#[test]
fn a_renewed_call_is_left_alone_and_a_released_one_is_not() {
    let mut scene = Scene::after(&called());
    scene.then(&take(HERE));
    scene.at(700).then(&Command::RenewCalls { replica: HERE, lease_ms: LEASE_MS });
    assert_eq!(scene.state.next_call(THERE), Some(Timestamp(BEGIN + 1_700)));
    scene.at(1_200).then(&take(THERE));
    assert_eq!(scene.state.calls_of(THERE).count(), 0);
    scene.then(&Command::ReleaseCalls { replica: HERE }).then(&take(THERE));
    assert_eq!(scene.state.calls_of(THERE).count(), 1);
}

#[test]
fn a_failure_is_a_retry_with_its_cause_while_attempts_are_left() {
    let mut scene = Scene::after(&called());
    scene.then(&take(HERE)).then(&failed(1, Some(300)));
    let retry = scene.last("planner_stream");
    assert_eq!(
        (&retry["status"], &retry["attempt"], &retry["revision"]),
        (&"retry".into(), &2.into(), &2.into())
    );
    assert_eq!(retry["error"]["code"], "status_503");
    assert_eq!(scene.state.next_call(HERE), Some(Timestamp(BEGIN + 300)));
    let before = scene.log.len();
    scene.at(299).then(&take(HERE));
    assert_eq!(scene.log.len(), before, "not a millisecond early");
    scene.at(300).then(&take(HERE)).then(&failed(2, Some(900)));
    assert_eq!(scene.last("subagent_completed")["status"], "error", "two attempts are all");
    assert_eq!(scene.last("subagent_completed")["attempts"], 2);
}

#[test]
fn a_failure_that_is_not_tried_again_ends_the_output() {
    let mut scene = Scene::after(&called());
    scene.then(&take(HERE)).then(&failed(1, None)).then(&success("p", "voice").command());
    assert_eq!(scene.status("p"), StepStatus::PartialFailure);
}

#[test]
fn an_answer_after_the_deadline_is_late() {
    let mut scene = Scene::after(&called().with("deadline_ms", 500));
    scene.then(&take(HERE)).at(500).then(&Command::Deadlines);
    assert_eq!(scene.state.calls_of(HERE).count(), 0, "its call is over");
    let Ok(Answer::Event(decided)) = scene.tell(&said(1, SenderStatus::Success)) else { panic!("an event") };
    assert_eq!(decided.verdict, Verdict::Late);
}

#[test]
fn a_call_that_was_only_accepted_leaves_its_subagent_to_push() {
    let mut scene = Scene::after(&called());
    scene.then(&take(HERE)).then(&Command::CallLeftOpen { ticket: ticket(1) });
    assert_eq!((scene.state.next_call(HERE), scene.state.next_call(THERE)), (None, None));
    scene.then(&success("p", "crm").command());
    assert_eq!(scene.last("subagent_completed")["status"], "success");
}

#[test]
fn what_a_subagent_pushes_while_it_is_called_counts_too() {
    let mut scene = Scene::after(&called());
    scene.then(&take(HERE)).then(&success("p", "crm").command());
    assert_eq!(scene.state.calls_of(HERE).count(), 0, "its call is over");
}

#[test]
fn whoever_ends_the_step_ends_its_calls() {
    for end in [cancel(Some("p")), safety(Some("p"), PolicyDecision::Refuse, None, None)] {
        let mut scene = Scene::after(&called());
        scene.then(&take(HERE)).then(&end);
        assert_eq!((scene.state.calls_of(HERE).count(), scene.state.next_call(THERE)), (0, None), "{end:?}");
    }
}

#[test]
fn a_degraded_subagent_is_skipped_tried_or_fails_the_step() {
    for (wanted, shown, status) in [
        (OnDegraded::Skip, SubagentStatus::Degraded, StepStatus::InProgress),
        (OnDegraded::Try, SubagentStatus::InProgress, StepStatus::InProgress),
        (OnDegraded::Fail, SubagentStatus::Degraded, StepStatus::Failed),
    ] {
        let word = serde_json::to_value(wanted).unwrap();
        let step = post("p").with("deadline_ms", 60_000).expects("voice", "v").expects("crm", "r");
        let invoke = serde_json::json!({"url": "https://crm.test/", "protocol": "json"});
        let mut scene = Scene::after(&step.of_which("invoke", invoke).of_which("on_degraded", word));
        scene.then(&gated(HERE, degraded()));
        let told = scene.last_of("r", "planner_stream");
        assert_eq!(told["status"], shown.as_str(), "{wanted:?}");
        assert_eq!(
            (&told["reason"], &told["since"]),
            (&"7 of 10 calls failed".into(), &"2024-03-04T02:15:25.000Z".into())
        );
        assert_eq!(scene.status("p"), status, "{wanted:?}");
        assert_eq!(scene.state.calls_of(HERE).count(), usize::from(wanted == OnDegraded::Try));
    }
}

#[test]
fn the_only_process_takes_over_what_another_one_left() {
    let mut scene = Scene::after(&called());
    let alone = |replica| Command::TakeCall {
        step: id("p"),
        result_key: id("r"),
        replica,
        lease_ms: None,
        gate: CallGate::Open,
    };
    scene.then(&alone(HERE));
    assert_eq!((scene.state.next_call(HERE), scene.state.next_call(THERE)), (None, Some(Timestamp(BEGIN))));
    scene.then(&alone(THERE));
    assert_eq!(scene.state.calls_of(THERE).next(), Some((ticket_of(THERE, 2), None)));
}
