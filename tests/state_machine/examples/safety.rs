//! Safety: allow, refuse, escalate; a subagent, a step, the session.

use tributary::domain::policy::PolicyDecision::{Allow, Escalate, Refuse};
use tributary::domain::record::{StepStatus, SubagentStatus};
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
