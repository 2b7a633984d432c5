//! Safety: allow, refuse, escalate; a subagent, a step, the session.

use tributary::domain::limits::SafetyFailure;
use tributary::domain::policy::PolicyDecision::{Allow, Escalate, Refuse};
use tributary::domain::record::{StepStatus, SubagentStatus};
use tributary::domain::session::{Command, commands_again};
use tributary::domain::verdict::{Code, Verdict};

use super::{Scene, success};
use crate::fixtures::{Post, post, safety};

fn two(step: &str) -> Post {
    post(step).expects("crm", "c").expects("voice", "v")
}

#[test]
fn allow_and_escalate_are_shown_and_end_nothing() {
    let mut scene = Scene::after(&two("p"));
    for decision in [Allow, Escalate] {
        scene.then(&safety(Some("p"), decision, None, None)).then(&safety(
            Some("p"),
            decision,
            Some("crm"),
            None,
        ));
    }
    assert_eq!(scene.shown(1), ["policy_outcome p"; 4]);
    assert_eq!(scene.last("policy_outcome")["terminate"], false);
    assert_eq!(scene.status("p"), StepStatus::InProgress);
}

#[test]
fn refusing_a_subagent_ends_that_one_and_the_step_goes_on() {
    let mut scene = Scene::after(&two("p").expects("crm", "c2"));
    scene.then(&safety(Some("p"), Refuse, Some("crm"), None));
    assert_eq!(scene.shown(1)[0], "policy_outcome p");
    assert_eq!(scene.last("policy_outcome")["stage"], "crm");
    let outputs = ["c", "c2", "v"].map(|output| scene.output("p", output));
    assert_eq!(outputs, [SubagentStatus::Refused, SubagentStatus::Refused, SubagentStatus::Pending]);
    assert_eq!(scene.hears(success("p", "crm").about("c")), Verdict::Late);
    scene.then(&success("p", "voice").command());
    assert_eq!(scene.status("p"), StepStatus::PartialFailure, "by count: the step itself wasn't refused");
}

#[test]
fn refusing_the_last_open_subagent_ends_the_step_by_count() {
    let mut scene = Scene::after(&post("p").expects("crm", "c"));
    scene.then(&safety(Some("p"), Refuse, Some("crm"), None));
    assert_eq!(scene.status("p"), StepStatus::Failed);
}

#[test]
fn refusing_a_step_ends_what_is_open_and_keeps_what_was_found() {
    let mut scene = Scene::after(&two("p"));
    scene.then(&success("p", "crm").command()).then(&safety(Some("p"), Refuse, None, None));
    assert_eq!(
        (scene.output("p", "c"), scene.output("p", "v")),
        (SubagentStatus::Success, SubagentStatus::Refused)
    );
    assert_eq!(scene.status("p"), StepStatus::Refused);
    assert_eq!(scene.last("policy_outcome")["terminate"], true);
    assert_eq!(scene.last("planner_stream")["reason"], "it names a secret");
}

#[test]
fn refusing_a_step_without_terminating_it_only_speaks() {
    let mut scene = Scene::after(&two("p"));
    scene.then(&safety(Some("p"), Refuse, None, Some(false)));
    assert_eq!((scene.status("p"), scene.log.len()), (StepStatus::InProgress, 2));
}

#[test]
fn what_terminates_about_one_subagent_ends_the_whole_step() {
    let mut scene = Scene::after(&two("p"));
    scene.then(&safety(Some("p"), Escalate, Some("crm"), Some(true)));
    assert_eq!((scene.output("p", "v"), scene.status("p")), (SubagentStatus::Refused, StepStatus::Refused));
}

#[test]
fn refusing_the_session_ends_all_that_runs() {
    let mut scene = Scene::after(&two("p"));
    scene.then(&post("q").expects("crm", "c").command()).then(&success("q", "crm").command());
    scene.then(&two("s").command()).then(&safety(None, Refuse, None, None));
    let statuses = ["p", "q", "s"].map(|step| scene.status(step));
    assert_eq!(statuses, [StepStatus::Refused, StepStatus::Completed, StepStatus::Refused]);
    let outcomes = scene.shown(0).into_iter().filter(|event| event.starts_with("policy_outcome"));
    assert_eq!(outcomes.collect::<Vec<_>>(), ["policy_outcome"], "once, of the session");
}

#[test]
fn a_plan_that_was_refused_expects_no_other_step_until_one_comes() {
    let mut scene = Scene::after(&two("p").with("more_steps", true));
    scene.then(&safety(Some("p"), Refuse, None, None));
    assert!(!scene.state.is_ended(), "only the step was refused");
    scene.then(&safety(None, Refuse, None, None));
    assert!(scene.state.is_ended() && scene.state.closed);
    let entries = scene.log.len();
    scene.then(&safety(None, Escalate, None, Some(true)));
    assert_eq!(scene.log.len(), entries + 1, "it is closed once");
    scene.then(&two("q").with("more_steps", true).command());
    assert!(!scene.state.closed && scene.state.more_steps);
}

#[test]
fn refusing_a_subagent_in_the_session_ends_it_in_every_step() {
    let mut scene = Scene::after(&two("p"));
    scene.then(&two("q").command()).then(&safety(None, Refuse, Some("voice"), None));
    let outputs = [("p", "c"), ("p", "v"), ("q", "v")].map(|(step, output)| scene.output(step, output));
    assert_eq!(outputs, [SubagentStatus::Pending, SubagentStatus::Refused, SubagentStatus::Refused]);
}

#[test]
fn refusing_a_tree_refuses_it_up_to_its_top() {
    let mut scene = Scene::after(&post("top").expects_child("child"));
    scene.then(&two("child").command()).then(&safety(Some("top"), Refuse, None, None));
    assert_eq!((scene.status("child"), scene.status("top")), (StepStatus::Refused, StepStatus::Refused));
}

#[test]
fn a_decision_needs_something_to_decide_about() {
    let mut scene = Scene::new();
    assert_eq!(scene.refuses(&safety(None, Refuse, None, None)), Code::UnknownSession);
    assert_eq!(scene.refuses(&safety(Some("p"), Refuse, None, None)), Code::UnknownStep);
    scene.then(&post("p").expects("crm", "c").command());
    assert_eq!(scene.refuses(&safety(Some("p"), Refuse, Some("voice"), None)), Code::UnknownSubagent);
    scene.then(&success("p", "crm").command());
    assert_eq!(scene.refuses(&safety(Some("p"), Refuse, None, None)), Code::StepEnded);
    scene.then(&safety(None, Escalate, None, None));
    assert_eq!(
        scene.shown(0).last().unwrap(),
        "policy_outcome",
        "of a session that has ended, it is still shown"
    );
}

/// A safety subagent beside another, and its success with a payload or without.
fn guarded(payload: Option<serde_json::Value>) -> (Scene, Command) {
    let scene = Scene::after(&post("p").expects("safety", "s").expects("crm", "c"));
    let mut command = success("p", "safety").command();
    if let Command::Event { event, .. } = &mut command {
        event.payload = payload.as_ref().map(crate::fixtures::raw);
    }
    (scene, command)
}

#[test]
fn a_success_without_a_decision_is_no_allowance() {
    for (rule, status) in
        [(SafetyFailure::FailClosed, StepStatus::Refused), (SafetyFailure::FailOpen, StepStatus::InProgress)]
    {
        let (mut scene, silent) = guarded(None);
        scene.limits.safety.on_failure = rule;
        scene.then(&silent);
        assert_eq!(scene.last("policy_outcome")["policy"], "safety_unavailable");
        assert_eq!(scene.status("p"), status, "{rule:?}");
    }
}

#[test]
fn nor_is_one_that_nobody_could_read() {
    for (rule, policy, status) in [
        (SafetyFailure::FailClosed, "safety_unavailable", StepStatus::Refused),
        (SafetyFailure::FailOpen, "unreadable", StepStatus::InProgress),
    ] {
        let (mut scene, unread) = guarded(Some(serde_json::json!({
            "decision": "escalate", "policy": "unreadable", "reason": "It could not be understood.",
            "severity": "unknown", "terminate": false,
        })));
        scene.limits.safety.on_failure = rule;
        scene.then(&unread);
        assert_eq!(scene.last("policy_outcome")["policy"], policy);
        assert_eq!(scene.status("p"), status, "{rule:?}");
    }
}

#[test]
fn a_refusal_that_names_nobody_of_the_step_is_about_the_step() {
    for (named, status) in [
        ("output", StepStatus::Refused),
        ("safety", StepStatus::Refused),
        ("crm", StepStatus::PartialFailure),
    ] {
        let decision = serde_json::json!({
            "decision": "refuse", "policy": "pii", "reason": "a name", "severity": "high", "terminate": false,
            "subagent": named,
        });
        let (mut scene, refusal) = guarded(Some(decision));
        scene.then(&refusal);
        assert_eq!(scene.status("p"), status, "{named}");
    }
}

#[test]
fn no_more_decisions_wait_to_be_posted_than_there_is_room_for() {
    let mut scene = Scene::after(&two("p"));
    scene.limits.safety.notifies = true;
    for _ in 0..70 {
        scene.then(&safety(Some("p"), Escalate, None, None));
    }
    assert_eq!(scene.state.notices.iter().count(), 64);
}

#[test]
fn what_followed_from_a_subagent_is_not_decided_again() {
    let mut scene = Scene::new();
    scene.then(&post("p").expects("safety", "s").expects("crm", "c").disabled("crm").command());
    scene.then(&safety(Some("p"), Escalate, None, None)).then(&success("p", "safety").command());
    let log: Vec<_> = scene.log.iter().cloned().map(std::sync::Arc::new).collect();
    let again = commands_again(&log);
    let kinds: Vec<_> = again
        .iter()
        .map(|command| match command {
            Command::StartStep(new) => format!("start without {:?}", new.disabled),
            Command::Safety { outcome, .. } => format!("safety {}", outcome.policy),
            Command::Event { .. } => "event".to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds.len(), 3, "{kinds:?}");
    assert!(kinds[0].contains("crm") && kinds[1..] == ["safety no-secrets", "event"], "{kinds:?}");
}
