//! Steps in the shadow: what nobody sees changes nothing that everybody sees.

use tributary::domain::policy::PolicyDecision;
use tributary::domain::record::StepStatus;
use tributary::domain::session::Command;

use super::{Scene, success};
use crate::fixtures::{Post, post, safety};

/// A step beside the others that nobody sees.
fn unseen() -> Post {
    post("shadow").with("shadow", true).expects("voice", "v")
}

#[test]
fn its_events_are_kept_unseen() {
    let mut scene = Scene::after(&unseen());
    scene.then(&success("shadow", "voice").command());
    assert!(scene.log.iter().all(|entry| entry.unseen || entry.wire().is_none()));
    assert_eq!(scene.status("shadow"), StepStatus::Completed);
}

#[test]
fn it_says_nothing_of_steps_that_follow() {
    let mut scene = Scene::after(&post("p").with("more_steps", true).expects("crm", "c"));
    scene.then(&unseen().command()).then(&success("p", "crm").command());
    assert_eq!(scene.last("plan_step_completed")["more_steps"], true);
    assert!(!scene.state.is_ended());
}

#[test]
fn it_opens_no_closed_session_and_keeps_none_open() {
    let mut scene = Scene::after(&post("p").expects("crm", "c"));
    scene.then(&success("p", "crm").command()).then(&Command::Close);
    scene.then(&unseen().command());
    assert!(scene.state.closed && scene.state.is_ended(), "it still runs, and nobody waits for it");
}

#[test]
fn it_is_no_child_of_a_step_that_is_shown() {
    let mut scene = Scene::after(&post("p").expects("crm", "c"));
    scene.then(&unseen().with("parent_step_id", "p").command());
    scene.then(&success("p", "crm").command());
    assert_eq!(scene.status("p"), StepStatus::Completed);
    assert!(scene.last("step_completed")["counts"]["children"].is_null());
}

#[test]
fn its_decisions_are_not_posted() {
    let mut scene = Scene::new();
    scene.limits.safety.notifies = true;
    for (step, posted) in [(unseen(), 0), (post("p").expects("crm", "c"), 1)] {
        let name = if posted == 0 { "shadow" } else { "p" };
        scene.then(&step.command()).then(&safety(Some(name), PolicyDecision::Escalate, None, None));
        assert_eq!(scene.state.notices.iter().count(), posted, "{name}");
    }
}
