//! The five verdicts, revisions, and attempts.

use std::sync::Arc;

use serde_json::json;
use tributary::domain::event::{SenderStatus, raw_output};
use tributary::domain::position::Sequence;
use tributary::domain::record::{Answer, StepStatus, SubagentStatus};
use tributary::domain::session::{Command, commands_again};
use tributary::domain::verdict::{Code, Verdict};

use super::{Scene, failure, partial, success};
use crate::fixtures::{Post, post, progress, say};

fn one() -> Post {
    post("p").expects("crm", "r").with("deadline_ms", 1_000)
}

#[test]
fn the_first_event_announces_its_output_and_a_success_ends_output_and_step() {
    let mut scene = Scene::after(&one());
    assert_eq!(scene.hears(success("p", "crm")), Verdict::Accepted);
    assert_eq!(
        scene.shown(0),
        [
            "step_started p",
            "subagent_started r",
            "planner_stream r success",
            "subagent_completed r success",
            "step_completed p completed",
            "aggregation p",
            "synthesis p",
            "plan_step_completed p completed"
        ]
    );
}

#[test]
fn the_same_revision_again_is_a_duplicate_of_the_first() {
    let mut scene = Scene::after(&one());
    let first = scene.decides(partial("p", "crm").revision(4));
    let again = scene.decides(partial("p", "crm").revision(4));
    assert_eq!((again.verdict, again.sequence), (Verdict::Duplicate, first.sequence));
}

#[test]
fn the_same_revision_with_other_content_is_a_conflict_and_overwrites_nothing() {
    let mut scene = Scene::after(&one());
    scene.then(&partial("p", "crm").revision(4).content(1).command());
    let before = scene.state.clone();
    assert_eq!(scene.hears(partial("p", "crm").revision(4).content(2)), Verdict::Conflict);
    assert_eq!(scene.hears(success("p", "crm").revision(4).content(1)), Verdict::Conflict);
    assert_eq!(scene.state, before);
    assert_eq!(scene.hears(partial("p", "crm").revision(4).content(1)), Verdict::Duplicate);
}

#[test]
fn a_lower_revision_is_stale_whatever_it_says() {
    let mut scene = Scene::after(&one());
    scene.then(&partial("p", "crm").revision(4).command());
    let stale = scene.decides(success("p", "crm").revision(3));
    assert_eq!((stale.verdict, stale.sequence), (Verdict::Stale, None));
    assert_eq!(scene.output("p", "r"), SubagentStatus::Partial);
}

#[test]
fn a_gap_between_revisions_is_no_reason_to_wait() {
    let mut scene = Scene::after(&one());
    assert_eq!(scene.hears(partial("p", "crm").revision(2)), Verdict::Accepted);
    assert_eq!(scene.hears(partial("p", "crm").revision(9)), Verdict::Accepted);
    assert_eq!(scene.last("planner_stream")["revision"], 9);
}

#[test]
fn nothing_but_an_end_follows_the_highest_revision() {
    const HIGHEST: u64 = 9_007_199_254_740_991;
    let mut scene = Scene::after(&one());
    scene.then(&partial("p", "crm").revision(HIGHEST - 1).command());
    assert_eq!(scene.hears(partial("p", "crm")), Verdict::Accepted);
    assert_eq!(scene.last("planner_stream")["revision"], HIGHEST);
    let before = scene.state.clone();
    assert_eq!(scene.refuses(&partial("p", "crm").command()), Code::InvalidEvent);
    assert_eq!(scene.state, before);
    assert_eq!(scene.hears(partial("p", "crm").revision(1)), Verdict::Stale);
    assert_eq!(scene.hears(success("p", "crm")), Verdict::Accepted);
    assert_eq!(scene.last("planner_stream")["revision"], HIGHEST + 1);
    // What Tributary says of an output isn't counted by anybody else.
    let mut scene = Scene::after(&one());
    scene.then(&partial("p", "crm").revision(HIGHEST).command());
    scene.at(1_000).then(&Command::Deadlines);
    assert_eq!(scene.last("planner_stream")["status"], "timeout");
}

#[test]
fn without_a_revision_the_next_one_is_taken_and_a_repeat_is_another_event() {
    let mut scene = Scene::after(&one());
    scene.then(&partial("p", "crm").revision(4).command());
    let (first, second) = (scene.decides(partial("p", "crm")), scene.decides(partial("p", "crm")));
    assert_eq!((first.verdict, second.verdict), (Verdict::Accepted, Verdict::Accepted));
    assert_eq!(scene.last("planner_stream")["revision"], 6);
    assert_eq!(scene.hears(partial("p", "crm").revision(6)), Verdict::Duplicate);
    assert_eq!(scene.hears(partial("p", "crm").revision(5)), Verdict::Stale);
}

#[test]
fn after_the_terminal_a_duplicate_is_a_duplicate_and_news_is_late() {
    let mut scene = Scene::after(&one());
    let done = scene.decides(success("p", "crm").revision(2));
    assert_eq!(scene.decides(success("p", "crm").revision(2)).sequence, done.sequence);
    assert_eq!(scene.hears(success("p", "crm").revision(2).content(9)), Verdict::Conflict);
    assert_eq!(scene.hears(partial("p", "crm").revision(1)), Verdict::Stale);
    let entries = scene.log.len();
    let late = scene.decides(success("p", "crm").revision(3));
    assert_eq!((late.verdict, late.sequence), (Verdict::Late, None));
    assert_eq!(scene.hears(success("p", "crm")), Verdict::Late);
    assert_eq!(scene.log.len(), entries);
}

#[test]
fn the_services_timeout_is_no_revision_of_the_sender() {
    let mut scene = Scene::after(&one());
    scene.then(&partial("p", "crm").revision(3).command());
    scene.at(1_000).then(&Command::Deadlines);
    assert_eq!(scene.last("planner_stream")["revision"], 4);
    assert_eq!(scene.hears(partial("p", "crm").revision(3)), Verdict::Duplicate);
    assert_eq!(scene.hears(success("p", "crm").revision(4)), Verdict::Late, "higher than the sender's last");
    assert_eq!(scene.hears(success("p", "crm").revision(9)), Verdict::Late);
}

#[test]
fn a_sender_of_whom_nothing_was_heard_is_late_after_the_timeout() {
    let mut scene = Scene::after(&one());
    scene.at(1_000).then(&Command::Deadlines);
    assert_eq!(scene.hears(success("p", "crm").revision(1)), Verdict::Late);
}

#[test]
fn a_retryable_error_is_a_retry_while_attempts_are_left() {
    let mut scene = Scene::after(&one().of_which("max_attempts", 2));
    assert_eq!(scene.hears(failure("p", "crm").revision(1)), Verdict::Accepted);
    let retry = scene.last("planner_stream");
    assert_eq!(
        (&retry["status"], &retry["attempt"], &retry["error"]["retryable"]),
        (&"retry".into(), &2.into(), &true.into())
    );
    assert_eq!(scene.status("p"), StepStatus::InProgress);
    assert_eq!(scene.hears(failure("p", "crm").revision(2)), Verdict::Accepted);
    let ended = scene.last("subagent_completed");
    assert_eq!((&ended["status"], &ended["attempts"]), (&"error".into(), &2.into()));
    assert_eq!(scene.status("p"), StepStatus::Failed);
}

#[test]
fn an_error_that_is_not_retryable_ends_the_first_attempt() {
    let mut scene = Scene::after(&one());
    scene.then(&say("p", "crm", SenderStatus::Error).command());
    assert_eq!((scene.output("p", "r"), scene.status("p")), (SubagentStatus::Error, StepStatus::Failed));
}

#[test]
fn a_retry_can_still_succeed() {
    let mut scene = Scene::after(&one());
    scene.then(&failure("p", "crm").command()).then(&success("p", "crm").command());
    assert_eq!(scene.status("p"), StepStatus::Completed);
    assert_eq!(scene.last("subagent_completed")["attempts"], 2);
}

#[test]
fn an_event_needs_a_step_that_expects_it() {
    let mut scene = Scene::after(&one().expects("crm", "other"));
    assert_eq!(scene.refuses(&success("q", "crm").command()), Code::UnknownStep);
    assert_eq!(scene.refuses(&success("p", "voice").command()), Code::UnknownSubagent);
    assert_eq!(scene.refuses(&success("p", "crm").about("third").command()), Code::UnknownSubagent);
    assert_eq!(scene.refuses(&success("p", "crm").command()), Code::InvalidEvent, "which of the two?");
    assert_eq!(scene.hears(success("p", "crm").about("other")), Verdict::Accepted);
}

#[test]
fn the_same_directive_again_changes_nothing_and_another_is_refused() {
    let mut scene = Scene::after(&one());
    let before = scene.state.clone();
    assert_eq!(scene.tell(&one().command()), Ok(Answer::Step { created: false }));
    assert_eq!(scene.refuses(&one().with("goal", "another").command()), Code::DirectiveConflict);
    assert_eq!(scene.state, before);
    scene.then(&success("p", "crm").command());
    assert_eq!(scene.tell(&one().command()), Ok(Answer::Step { created: false }), "also after its end");
}

#[test]
fn progress_is_an_event_of_a_running_step() {
    let mut scene = Scene::after(&one());
    assert_eq!(scene.tell(&progress("p", "half")), Ok(Answer::Done(Some(Sequence(2)))));
    assert_eq!(scene.last("planner_progress")["percent"], 12.5);
    scene.then(&success("p", "crm").command());
    assert_eq!(scene.refuses(&progress("p", "more")), Code::StepEnded);
    assert_eq!(scene.refuses(&progress("q", "more")), Code::UnknownStep);
}

/// docs/subagents.md: with `?raw=true` a body is a success. What it says of its failure stands beside, also where its branch was lost.
#[test]
fn raw_output_that_says_that_it_failed_is_a_success_that_says_so() {
    let raw = |text: &str| {
        let event = raw_output(text).unwrap();
        Command::Event { step: "p".parse().unwrap(), key: "crm".parse().unwrap(), event }
    };
    for (text, reason) in [
        (r#"{"error":{"code":"rate_limited","message":"Too many","retryable":true}}"#, Some("failed_output")),
        (r#"{"ok":false,"answer":"42"}"#, None),
    ] {
        let mut scene = Scene::after(&one());
        scene.then(&raw(text));
        let told = scene.last("planner_stream");
        assert_eq!((&told["status"], told["attempt"].as_u64()), (&json!("success"), Some(1)), "{text}");
        assert_eq!(told["reason"].as_str(), reason, "{text}");
        assert_eq!(told["error"].is_object(), reason.is_some(), "{text}");
        assert_eq!(scene.status("p"), StepStatus::Completed);
        let lost: Vec<_> = scene.log.iter().cloned().map(Arc::new).collect();
        let mut again = Scene::new();
        for command in commands_again(&lost) {
            again.then(&command);
        }
        assert_eq!(again.last("planner_stream"), told, "{text}");
    }
}
