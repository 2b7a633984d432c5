//! Answers that a language model writes: who writes, what readers see, what ends it.

use serde_json::json;
use tributary::domain::policy::PolicyDecision;
use tributary::domain::record::{Answer, Record, StepStatus};
use tributary::domain::session::{Command, ReplicaId, Spent, WritingTicket};
use tributary::domain::synthesis::budget::Price;
use tributary::domain::synthesis::draft::Delta;
use tributary::domain::time::Timestamp;

use super::{Scene, success};
use crate::fixtures::{Post, cancel, id, post, safety, synthesised};
use crate::telling::BEGIN;

const HERE: ReplicaId = ReplicaId(1);
const THERE: ReplicaId = ReplicaId(2);
const WRITING_MS: u64 = 5_000;

fn written_by_a_model(step: &str) -> Post {
    post(step).expects("crm", "r").with("deadline_ms", 60_000).with("synthesis", json!({"mode": "llm"}))
}

/// A session with a language model, after this directive and the success of its only output.
fn completed(directive: &Post) -> Scene {
    let mut scene = Scene::new();
    scene.limits.writing_ms = Some(WRITING_MS);
    scene.then(&directive.command()).then(&success("p", "crm").command());
    scene
}

fn take(replica: ReplicaId) -> Command {
    Command::TakeWriting { step: id("p"), replica, lease_ms: Some(1_000) }
}

fn ticket(replica: ReplicaId, number: u64) -> WritingTicket {
    WritingTicket { step: id("p"), number, replica }
}

fn said(replica: ReplicaId, number: u64, text: &str) -> Command {
    let delta = Delta { path: "summary".into(), offset: 0, text: text.into() };
    Command::WritingSaid { ticket: ticket(replica, number), deltas: vec![delta] }
}

fn written(replica: ReplicaId, number: u64) -> Command {
    Command::Written { ticket: ticket(replica, number), synthesised: Box::new(synthesised("llm")) }
}

#[test]
fn a_step_ends_when_its_answer_is_written() {
    let mut scene = completed(&written_by_a_model("p"));
    assert_eq!(scene.shown(0).last().unwrap(), "aggregation p");
    assert_eq!(scene.status("p"), StepStatus::Completed);
    assert_eq!(scene.state.next_writing(HERE), Some(Timestamp(BEGIN)));
    assert_eq!(scene.state.next_deadline(), Some(Timestamp(BEGIN + 5_000)));
    assert!(!scene.state.is_ended());
    let before = scene.log.len();
    scene.then(&take(HERE)).then(&said(HERE, 1, "It ")).then(&written(HERE, 1));
    assert_eq!(scene.shown(before), ["synthesis_delta p", "synthesis p", "plan_step_completed p completed"]);
    assert_eq!(scene.last("synthesis_delta"), json!({"path": "summary", "offset": 0, "text": "It "}));
    assert_eq!(scene.last("synthesis")["method"], "llm");
    assert_eq!(scene.state.spent, Spent { tokens: 7, calls: 1, micros: 3 });
    assert!(scene.state.is_ended());
    assert_eq!((scene.state.next_writing(HERE), scene.state.next_deadline()), (None, None));
}

#[test]
fn without_a_language_model_the_answer_is_extracted_at_once() {
    let mut scene = Scene::after(&written_by_a_model("p"));
    scene.then(&success("p", "crm").command());
    assert_eq!(scene.last("synthesis")["method"], "extractive");
    assert!(scene.state.is_ended());
}

#[test]
fn who_takes_it_over_begins_a_new_draft_and_what_the_other_says_is_dropped() {
    let mut scene = completed(&written_by_a_model("p"));
    scene.then(&take(HERE)).then(&said(HERE, 1, "old")).then(&take(THERE));
    assert_eq!(scene.state.next_writing(THERE), Some(Timestamp(BEGIN + 1_000)), "its time isn't over");
    scene.at(1_000).then(&take(THERE));
    let before = scene.log.len();
    scene.then(&said(HERE, 1, "late")).then(&written(HERE, 1));
    assert_eq!(scene.log.len(), before);
    scene.then(&said(THERE, 2, "new")).then(&written(THERE, 2));
    assert_eq!(scene.last("synthesis_delta")["text"], "new");
    assert!(scene.state.is_ended());
}

#[test]
fn a_replica_that_stops_gives_it_back_and_one_that_goes_on_renews_it() {
    let mut scene = completed(&written_by_a_model("p"));
    scene.then(&take(HERE)).at(500).then(&Command::RenewCalls { replica: HERE, lease_ms: 1_000 });
    assert_eq!(scene.state.writings_of(HERE).next(), Some((ticket(HERE, 1), Some(Timestamp(BEGIN + 1_500)))));
    scene.then(&Command::ReleaseCalls { replica: HERE });
    assert_eq!(scene.state.next_writing(THERE), Some(Timestamp(BEGIN)));
    scene.then(&take(THERE));
    assert_eq!(scene.state.writings_of(THERE).next().map(|(ticket, _)| ticket.number), Some(2));
}

#[test]
fn what_takes_too_long_is_extracted() {
    let mut scene = completed(&written_by_a_model("p"));
    scene.then(&take(HERE)).at(4_999).then(&Command::Deadlines);
    assert!(!scene.state.is_ended());
    let before = scene.log.len();
    scene.at(5_000).then(&Command::Deadlines).then(&written(HERE, 1));
    assert_eq!(scene.shown(before), ["synthesis p", "plan_step_completed p completed"]);
    assert_eq!(scene.last("synthesis")["method"], "extractive");
}

#[test]
fn a_directive_may_give_it_less_time() {
    let budget = json!({"mode": "llm", "budget": {"time_ms": 100}});
    let scene = completed(&written_by_a_model("p").with("synthesis", budget));
    assert_eq!(scene.state.next_deadline(), Some(Timestamp(BEGIN + 100)));
}

#[test]
fn cancelling_the_step_ends_it_at_once_and_keeps_what_it_found() {
    for whole_session in [false, true] {
        let mut scene = completed(&written_by_a_model("p"));
        scene.then(&take(HERE)).then(&cancel((!whole_session).then_some("p")));
        assert_eq!(scene.last("step_completed")["status"], "completed", "its outputs had all come");
        assert_eq!(scene.last("synthesis")["method"], "extractive");
        assert_eq!(scene.last("plan_step_completed")["status"], "cancelled");
        assert!(scene.state.writings_of(HERE).next().is_none(), "nobody writes any more");
        assert_eq!(scene.tell(&cancel(Some("p"))), Ok(Answer::Done(None)), "it is cancelled already");
    }
}

#[test]
fn a_refusal_of_the_step_or_the_session_ends_it_too() {
    for step in [Some("p"), None] {
        let mut scene = completed(&written_by_a_model("p"));
        scene.then(&take(HERE)).then(&safety(step, PolicyDecision::Refuse, None, None));
        assert_eq!(scene.last("synthesis")["method"], "extractive");
        assert_eq!(scene.last("plan_step_completed")["status"], "refused");
        assert_eq!(scene.status("p"), StepStatus::Refused);
        assert!(scene.state.is_ended());
    }
}

#[test]
fn a_refusal_of_one_whose_words_are_written_about_ends_the_writing_and_not_the_step() {
    for step in [Some("p"), None] {
        let mut scene = completed(&written_by_a_model("p"));
        scene.then(&take(HERE)).then(&safety(step, PolicyDecision::Refuse, Some("crm"), None));
        assert_eq!(scene.last("synthesis")["method"], "extractive");
        assert_eq!(scene.last("plan_step_completed")["status"], "completed");
        assert!(scene.state.writings_of(HERE).next().is_none(), "nobody writes any more");
    }
}

#[test]
fn a_writing_that_is_given_up_has_cost_something() {
    let mut scene = completed(&written_by_a_model("p"));
    let writing = |scene: &Scene| *scene.state.step(&id("p")).unwrap().writing().unwrap();
    let price = Price { input_micros: 2_000_000, output_micros: 5_000_000 };
    assert!(writing(&scene).given_up(4_000, price, None).is_nothing(), "nobody was asked");
    scene.then(&take(HERE)).then(&said(HERE, 1, "It "));
    let about = Spent { tokens: 1_008, calls: 1, micros: 2_040 };
    assert_eq!(writing(&scene).given_up(4_000, price, None), about);
    // Whoever writes it knows better; of the one before nobody does.
    let known = Spent { tokens: 700, calls: 2, micros: 900 };
    assert_eq!(writing(&scene).given_up(4_000, price, Some(known)), known);
    scene.then(&Command::ReleaseCalls { replica: HERE }).then(&take(THERE));
    let both = Spent { tokens: 1_700, calls: 3, micros: 2_900 };
    assert_eq!(writing(&scene).given_up(4_000, price, Some(known)), both);
}

#[test]
fn a_replica_without_a_model_waits_for_what_another_writes() {
    let mut scene = completed(&written_by_a_model("p").with("parent_step_id", "top"));
    scene.then(&post("top").expects_child("p").expects("crm", "r").with("deadline_ms", 60_000).command());
    scene.then(&take(HERE));
    scene.limits.writing_ms = None;
    scene.then(&success("top", "crm").command()).at(100).then(&Command::Deadlines);
    assert_eq!(scene.status("top"), StepStatus::InProgress);
    scene.then(&written(HERE, 1));
    assert_eq!(scene.status("top"), StepStatus::Completed);
}

#[test]
fn drafts_that_grow_at_once_have_lanes_of_their_own() {
    let mut scene = completed(&written_by_a_model("p"));
    scene.then(&written_by_a_model("q").command()).then(&success("q", "crm").command());
    scene.then(&take(HERE)).then(&Command::TakeWriting { step: id("q"), replica: HERE, lease_ms: None });
    let of_q = WritingTicket { step: id("q"), number: 1, replica: HERE };
    let delta = Delta { path: "summary".into(), offset: 0, text: "x".into() };
    scene.then(&said(HERE, 1, "p")).then(&Command::WritingSaid { ticket: of_q, deltas: vec![delta] });
    let lanes = scene.log.iter().filter_map(|entry| match &entry.record {
        Record::SynthesisDelta { lane, .. } => Some(*lane),
        _ => None,
    });
    assert_eq!(lanes.collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn a_step_that_was_cancelled_before_its_end_is_never_written() {
    let mut scene = Scene::new();
    scene.limits.writing_ms = Some(WRITING_MS);
    scene.then(&written_by_a_model("p").command()).then(&cancel(Some("p")));
    assert_eq!(scene.last("synthesis")["method"], "extractive");
    assert_eq!(scene.last("plan_step_completed")["status"], "cancelled");
}

#[test]
fn a_parent_waits_for_what_its_child_writes() {
    let mut scene = completed(&written_by_a_model("p").with("parent_step_id", "top"));
    scene.then(&post("top").expects_child("p").with("deadline_ms", 60_000).command());
    assert_eq!(scene.status("top"), StepStatus::InProgress);
    scene.then(&take(HERE)).then(&written(HERE, 1));
    assert_eq!(scene.status("top"), StepStatus::Completed);
}

#[test]
fn a_parent_that_runs_out_of_time_takes_it_from_its_child() {
    let mut scene = completed(&written_by_a_model("p").with("parent_step_id", "top"));
    scene.then(&post("top").expects_child("p").with("deadline_ms", 1_000).command()).then(&take(HERE));
    let before = scene.log.len();
    scene.at(1_000).then(&Command::Deadlines);
    let shown = scene.shown(before);
    let place = |event: &str| shown.iter().position(|shown| shown == event).unwrap();
    assert!(place("plan_step_completed p completed") < place("aggregation top"), "{shown:?}");
    assert_eq!(scene.status("top"), StepStatus::Completed);
    assert!(scene.state.is_ended());
}

#[test]
fn a_step_whose_own_time_is_over_is_still_written() {
    let mut scene = Scene::new();
    scene.limits.writing_ms = Some(WRITING_MS);
    scene.then(&written_by_a_model("p").expects("voice", "v").with("deadline_ms", 1_000).command());
    scene.then(&success("p", "crm").command()).at(1_000).then(&Command::Deadlines);
    assert_eq!(scene.status("p"), StepStatus::PartialFailure);
    assert_eq!(scene.state.next_deadline(), Some(Timestamp(BEGIN + 6_000)));
    assert_eq!(scene.tell(&take(HERE)), Ok(Answer::Done(None)));
    scene.then(&written(HERE, 1));
    assert!(scene.state.is_ended());
}
