//! Deadlines, cancels, close, and what `now` has to do with it.

use tributary::domain::event::SenderStatus;
use tributary::domain::position::Sequence;
use tributary::domain::record::{Answer, StepStatus, SubagentStatus};
use tributary::domain::session::Command;
use tributary::domain::time::Timestamp;
use tributary::domain::verdict::{Code, Verdict};

use super::{Scene, partial, success};
use crate::fixtures::{Post, cancel, post, say};
use crate::telling::BEGIN;

/// `fast` within 100 ms, `slow` as long as the step: 1,000 ms.
fn two() -> Post {
    let fast = post("p").with("deadline_ms", 1_000).expects("crm", "fast").of_which("deadline_ms", 100);
    fast.expects("voice", "slow")
}

#[test]
fn nothing_ends_a_millisecond_early() {
    let mut scene = Scene::after(&two());
    scene.at(99).then(&Command::Deadlines);
    assert_eq!(scene.log.len(), 1);
    assert_eq!(scene.state.next_deadline(), Some(Timestamp(BEGIN + 100)));
}

#[test]
fn an_output_times_out_at_its_deadline_and_the_step_goes_on() {
    let mut scene = Scene::after(&two());
    scene.at(100).then(&Command::Deadlines);
    assert_eq!(scene.shown(1), ["planner_stream fast timeout", "subagent_completed fast timeout"]);
    assert_eq!(scene.last("planner_stream")["reason"], "deadline");
    assert_eq!(scene.state.next_deadline(), Some(Timestamp(BEGIN + 1_000)));
    scene.then(&success("p", "voice").command());
    assert_eq!(scene.status("p"), StepStatus::PartialFailure);
}

#[test]
fn a_steps_deadline_ends_all_that_is_open_and_the_step() {
    let mut scene = Scene::after(&two().of_which("deadline_ms", 5_000));
    scene.then(&success("p", "crm").command()).then(&partial("p", "voice").command());
    let before = scene.log.len();
    scene.at(1_000).then(&Command::Deadlines);
    assert_eq!(
        scene.shown(before),
        [
            "planner_stream slow timeout",
            "subagent_completed slow timeout",
            "step_completed p partial_failure",
            "aggregation p",
            "synthesis p",
            "plan_step_completed p partial_failure"
        ]
    );
    assert_eq!((scene.state.next_deadline(), scene.state.last_deadline()), (None, None));
}

#[test]
fn a_deadline_that_fires_twice_changes_nothing_the_second_time() {
    let mut scene = Scene::after(&two());
    scene.at(5_000).then(&Command::Deadlines);
    let before = scene.state.clone();
    scene.at(9_000).then(&Command::Deadlines);
    assert_eq!((scene.state.clone(), scene.status("p")), (before, StepStatus::Failed));
}

#[test]
fn what_comes_before_the_deadline_fired_counts_even_if_it_is_later() {
    let mut scene = Scene::after(&two());
    assert_eq!(scene.at(150).hears(success("p", "crm")), Verdict::Accepted, "nobody had fired it");
    scene.then(&Command::Deadlines);
    assert_eq!(scene.output("p", "fast"), SubagentStatus::Success);
}

#[test]
fn a_clock_that_jumps_back_neither_moves_time_nor_a_deadline() {
    let mut scene = Scene::after(&two());
    scene.at(50).then(&partial("p", "voice").command());
    scene.at(-10_000).then(&partial("p", "voice").command());
    assert_eq!(scene.state.last_at, Timestamp(BEGIN + 50));
    scene.at(-10_000).then(&post("q").expects("crm", "r").with("deadline_ms", 10).command());
    assert_eq!(scene.state.step(&"q".parse().unwrap()).unwrap().deadline, Timestamp(BEGIN + 60));
}

#[test]
fn latency_is_what_the_sender_says_or_the_time_since_the_step_began() {
    let mut scene = Scene::after(&two());
    scene.at(70).then(&success("p", "crm").command());
    assert_eq!(scene.last("subagent_completed")["latency_ms"], 70);
}

#[test]
fn a_cancel_ends_what_is_open_and_keeps_what_was_found() {
    let mut scene = Scene::after(&two());
    scene.then(&success("p", "crm").command());
    assert_eq!(scene.tell(&cancel(Some("p"))), Ok(Answer::Done(Some(Sequence(7)))));
    assert_eq!(scene.output("p", "fast"), SubagentStatus::Success);
    assert_eq!(scene.output("p", "slow"), SubagentStatus::Cancelled);
    assert_eq!(scene.status("p"), StepStatus::Cancelled);
    assert_eq!(scene.last("step_completed")["counts"]["success"], 1);
    assert_eq!(scene.last("planner_stream")["reason"], "cancelled by the planner");
}

#[test]
fn a_cancelled_step_may_be_cancelled_again_and_an_ended_one_may_not() {
    let mut scene = Scene::after(&two());
    scene.then(&cancel(Some("p")));
    assert_eq!(scene.tell(&cancel(Some("p"))), Ok(Answer::Done(None)));
    scene.then(&post("q").expects("crm", "r").command()).then(&success("q", "crm").command());
    assert_eq!(scene.refuses(&cancel(Some("q"))), Code::StepEnded);
    assert_eq!(scene.refuses(&cancel(Some("z"))), Code::UnknownStep);
}

#[test]
fn a_cancel_of_the_session_ends_all_that_runs() {
    let mut scene = Scene::after(&two());
    scene.then(&post("q").expects("crm", "r").command()).then(&success("q", "crm").command());
    scene.then(&post("s").expects("crm", "r").command()).then(&cancel(None));
    let statuses = ["p", "q", "s"].map(|step| scene.status(step));
    assert_eq!(statuses, [StepStatus::Cancelled, StepStatus::Completed, StepStatus::Cancelled]);
    assert_eq!(scene.tell(&cancel(None)), Ok(Answer::Done(None)), "nothing runs");
}

#[test]
fn a_session_ends_when_it_is_closed_and_its_steps_are_over() {
    let mut scene = Scene::after(&two().with("more_steps", true));
    scene.then(&Command::Close);
    assert!(!scene.state.is_ended(), "a step runs");
    assert_eq!(scene.tell(&Command::Close), Ok(Answer::Done(None)));
    scene.then(&cancel(None));
    assert!(scene.state.is_ended());
    scene.then(&post("q").expects("crm", "r").with("more_steps", true).command());
    assert!(!scene.state.is_ended() && !scene.state.closed, "a later directive opens it again");
}

#[test]
fn a_session_without_more_steps_ends_with_its_last_step() {
    let mut scene = Scene::after(&two().with("more_steps", true));
    scene.then(&cancel(Some("p")));
    assert!(!scene.state.is_ended(), "more steps were announced");
    assert_eq!(scene.last("plan_step_completed")["more_steps"], true);
    scene.then(&post("q").expects("crm", "r").command()).then(&success("q", "crm").command());
    assert!(scene.state.is_ended());
}

#[test]
fn a_session_of_which_nothing_is_known_can_only_begin() {
    let mut scene = Scene::new();
    for command in [cancel(None), Command::Close] {
        assert_eq!(scene.refuses(&command), Code::UnknownSession);
    }
    assert_eq!(scene.refuses(&cancel(Some("p"))), Code::UnknownStep);
    scene.then(&Command::Deadlines);
    assert!(scene.log.is_empty() && !scene.state.is_ended());
}

#[test]
fn a_subagent_that_is_switched_off_is_degraded_at_once() {
    let scene = Scene::after(&two().disabled("crm"));
    assert_eq!(scene.shown(1), ["planner_stream fast degraded", "subagent_completed fast degraded"]);
    assert_eq!(scene.last("planner_stream")["reason"], "disabled");
    let alone = Scene::after(&post("p").expects("crm", "r").disabled("crm"));
    assert_eq!(alone.status("p"), StepStatus::Failed);
}

#[test]
fn pending_and_in_progress_come_in_any_order() {
    let mut scene = Scene::after(&two());
    for status in
        [SenderStatus::Partial, SenderStatus::Pending, SenderStatus::InProgress, SenderStatus::Partial]
    {
        assert_eq!(scene.hears(say("p", "crm", status)), Verdict::Accepted);
    }
    assert_eq!(scene.shown(1).iter().filter(|event| event.starts_with("subagent_started")).count(), 1);
}
