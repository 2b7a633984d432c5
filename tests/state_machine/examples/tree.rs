//! Steps below steps.

use tributary::domain::record::{StepStatus, SubagentStatus};
use tributary::domain::session::Command;
use tributary::domain::verdict::{Code, Verdict};

use super::{Scene, success};
use crate::fixtures::{Post, cancel, post};

fn leaf(step: &str) -> Post {
    post(step).expects("crm", "r").with("deadline_ms", 1_000)
}

fn below(parent: &str, step: &str) -> Post {
    leaf(step).with("parent_step_id", parent)
}

/// A step with nothing of its own.
fn over(step: &str, children: &[&str]) -> Post {
    children
        .iter()
        .fold(post(step).with("deadline_ms", 1_000), |directive, child| directive.expects_child(child))
}

#[test]
fn a_parent_waits_for_the_children_that_it_expects() {
    let mut scene = Scene::after(&leaf("top").expects_child("child"));
    scene.then(&success("top", "crm").command());
    assert_eq!(scene.status("top"), StepStatus::InProgress, "the child wasn't even posted");
    scene.then(&leaf("child").command()).then(&success("child", "crm").command());
    assert_eq!(scene.status("top"), StepStatus::Completed);
    assert_eq!(scene.last("step_completed")["counts"]["children"]["completed"], 1);
}

#[test]
fn a_parent_waits_for_the_children_that_name_it() {
    let mut scene = Scene::after(&leaf("top"));
    scene.then(&below("top", "child").command()).then(&success("top", "crm").command());
    assert_eq!(scene.status("top"), StepStatus::InProgress);
    scene.then(&success("child", "crm").command());
    assert_eq!(scene.status("top"), StepStatus::Completed);
}

#[test]
fn children_may_come_and_end_before_their_parent() {
    let mut scene = Scene::after(&below("top", "named"));
    scene.then(&leaf("expected").command());
    scene.then(&success("named", "crm").command()).then(&success("expected", "crm").command());
    let before = scene.log.len();
    scene.then(&over("top", &["expected"]).command());
    assert_eq!(scene.shown(before)[0], "step_started top");
    assert_eq!(scene.status("top"), StepStatus::Completed, "all it waits for is over");
    assert_eq!(scene.last("step_completed")["counts"]["children"]["expected"], 2);
}

#[test]
fn an_end_goes_up_the_whole_tree_in_one_append() {
    let mut scene = Scene::after(&over("top", &["middle"]));
    scene.then(&over("middle", &["leaf"]).command()).then(&leaf("leaf").command());
    let before = scene.log.len();
    scene.then(&success("leaf", "crm").command());
    let shown = scene.shown(before);
    let ends: Vec<_> = shown.iter().filter(|event| event.starts_with("plan_step_completed")).collect();
    assert_eq!(
        ends,
        [
            "plan_step_completed leaf completed",
            "plan_step_completed middle completed",
            "plan_step_completed top completed"
        ]
    );
}

#[test]
fn a_partial_failure_of_a_child_is_one_of_its_parent() {
    let mut scene = Scene::after(&over("top", &["child"]));
    scene.then(&leaf("child").expects("voice", "v").command()).then(&success("child", "crm").command());
    scene.at(1_000).then(&Command::Deadlines);
    assert_eq!(scene.status("child"), StepStatus::PartialFailure);
    assert_eq!(scene.status("top"), StepStatus::PartialFailure);
}

#[test]
fn a_child_that_was_never_posted_is_a_failure_at_the_parents_deadline() {
    let mut scene = Scene::after(&leaf("top").expects_child("child"));
    scene.then(&success("top", "crm").command());
    scene.at(1_000).then(&Command::Deadlines);
    assert_eq!(scene.status("top"), StepStatus::PartialFailure);
    let children = scene.last("step_completed")["counts"]["children"].clone();
    assert_eq!((&children["expected"], &children["failed"]), (&1.into(), &1.into()));
    scene.then(&leaf("child").command());
    assert_eq!(scene.status("child"), StepStatus::InProgress, "it may come all the same, on its own");
}

#[test]
fn a_child_that_still_runs_is_a_failure_at_the_parents_deadline_and_goes_on() {
    let mut scene = Scene::after(&over("top", &["child"]));
    scene.at(500).then(&leaf("child").command());
    scene.at(1_000).then(&Command::Deadlines);
    assert_eq!((scene.status("top"), scene.status("child")), (StepStatus::Failed, StepStatus::InProgress));
    assert_eq!(scene.hears(success("child", "crm")), Verdict::Accepted);
}

#[test]
fn where_parent_and_child_are_overdue_together_the_parent_counts_what_its_child_came_to() {
    let mut scene = Scene::after(&over("top", &["child"]));
    scene.then(&leaf("child").expects("voice", "v").command()).then(&success("child", "crm").command());
    let before = scene.log.len();
    scene.at(60_000).then(&Command::Deadlines);
    let ends: Vec<_> =
        scene.shown(before).into_iter().filter(|e| e.starts_with("plan_step_completed")).collect();
    assert_eq!(
        ends,
        ["plan_step_completed child partial_failure", "plan_step_completed top partial_failure"]
    );
}

#[test]
fn a_child_that_ends_with_the_overdue_step_below_it_is_counted_by_the_overdue_one_above() {
    let mut scene = Scene::after(&over("top", &["middle"]));
    scene.then(&leaf("middle").with("deadline_ms", 100_000).command());
    scene.then(&below("middle", "low").command()).then(&success("middle", "crm").command());
    scene.at(60_000).then(&Command::Deadlines);
    let statuses = ["low", "middle", "top"].map(|step| scene.status(step));
    assert_eq!(statuses, [StepStatus::Failed, StepStatus::PartialFailure, StepStatus::PartialFailure]);
}

#[test]
fn a_cancel_of_a_step_ends_all_below_it_and_nothing_above() {
    let mut scene = Scene::after(&leaf("top").expects_child("middle"));
    scene.then(&leaf("middle").command()).then(&below("middle", "low").command());
    scene.then(&cancel(Some("middle")));
    assert_eq!(scene.output("low", "r"), SubagentStatus::Cancelled);
    let statuses = ["low", "middle", "top"].map(|step| scene.status(step));
    assert_eq!(statuses, [StepStatus::Cancelled, StepStatus::Cancelled, StepStatus::InProgress]);
}

#[test]
fn a_cancelled_tree_is_cancelled_up_to_its_top_even_if_only_children_were_open() {
    for cancel in [cancel(Some("top")), cancel(None)] {
        let mut scene = Scene::after(&below("middle", "low"));
        scene
            .then(&over("middle", &[]).expects_child("low").command())
            .then(&over("top", &["middle"]).command());
        scene.then(&cancel);
        let statuses = ["low", "middle", "top"].map(|step| scene.status(step));
        assert_eq!(statuses, [StepStatus::Cancelled; 3], "by {cancel:?}");
    }
}

#[test]
fn a_cancel_reaches_what_runs_below_a_step_that_has_ended() {
    let mut scene = Scene::after(&leaf("top").with("deadline_ms", 9_000).expects_child("middle"));
    scene.then(&leaf("middle").command());
    scene.then(&below("middle", "low").with("deadline_ms", 9_000).command());
    scene.at(1_000).then(&Command::Deadlines);
    assert_eq!((scene.status("middle"), scene.status("low")), (StepStatus::Failed, StepStatus::InProgress));
    scene.then(&cancel(Some("top")));
    assert_eq!((scene.status("middle"), scene.status("low")), (StepStatus::Failed, StepStatus::Cancelled));
}

#[test]
fn no_step_is_below_itself() {
    let closes = |scene: &mut Scene, post: &Post| {
        let refusal = scene.tell(&post.command()).expect_err("it closes a ring");
        assert_eq!(refusal.code, Code::InvalidEvent);
        refusal.issues[0].pointer.clone()
    };
    let mut scene = Scene::after(&below("b", "a"));
    assert_eq!(closes(&mut scene, &below("a", "b")), "/parent_step_id", "by parents");
    let mut scene = Scene::after(&over("a", &["b"]));
    assert_eq!(closes(&mut scene, &over("b", &["a"])), "/expected_children/0", "by children");
    assert_eq!(closes(&mut scene, &over("b", &["c", "a"])), "/expected_children/1", "by one of them");
    let mut scene = Scene::after(&below("b", "a"));
    scene.then(&below("c", "b").command());
    assert_eq!(closes(&mut scene, &below("a", "c")), "/parent_step_id", "over three");
    let mut scene = Scene::after(&leaf("b"));
    scene.then(&over("c", &["b"]).command());
    let mixed = over("a", &["d"]).with("parent_step_id", "c");
    scene.then(&mixed.command());
    assert_eq!(closes(&mut scene, &over("d", &["c"])), "/expected_children/0", "mixed");
    let mut scene = Scene::after(&over("x", &["z"]));
    assert_eq!(closes(&mut scene, &over("y", &["x"]).with("parent_step_id", "z")), "/expected_children/0");
}

#[test]
fn no_step_waits_for_one_that_it_does_not_see() {
    let refused = |scene: &mut Scene, post: &Post| {
        let refusal = scene.tell(&post.command()).expect_err("it would be waited for in vain");
        (refusal.code, refusal.issues[0].pointer.clone())
    };
    for shadow in [false, true] {
        let mut scene = Scene::after(&over("root", &["c"]).with("shadow", shadow));
        let child = leaf("c").with("shadow", !shadow);
        assert_eq!(refused(&mut scene, &child), (Code::InvalidEvent, "/shadow".to_owned()));
        scene.then(&leaf("c").with("shadow", shadow).command());
        let mut scene = Scene::after(&leaf("c").with("shadow", shadow));
        let parent = over("root", &["d", "c"]).with("shadow", !shadow);
        assert_eq!(refused(&mut scene, &parent), (Code::InvalidEvent, "/expected_children/1".to_owned()));
        // Who only names a parent isn't waited for.
        scene.then(&below("c", "e").with("shadow", !shadow).command());
    }
}

#[test]
fn a_tree_that_is_too_deep_is_told_at_a_member_that_is_there() {
    let mut scene = Scene::after(&leaf("1"));
    scene.limits.tree_depth = 1;
    for (post, wanted) in [(over("0", &["1"]), "/expected_children"), (below("1", "2"), "/parent_step_id")] {
        let refusal = scene.tell(&post.command()).unwrap_err();
        assert_eq!((refusal.code, refusal.issues[0].pointer.as_str()), (Code::LimitReached, wanted));
    }
}

#[test]
fn a_tree_has_its_bound_from_whichever_end_it_grows() {
    let mut scene = Scene::new();
    scene.limits.tree_depth = 3;
    scene.then(&leaf("1").command()).then(&below("1", "2").command()).then(&below("2", "3").command());
    assert_eq!(scene.refuses(&below("3", "4").command()), Code::LimitReached, "one more below");
    assert_eq!(scene.refuses(&over("0", &["1"]).command()), Code::LimitReached, "one more above");
    scene.then(&below("1", "2b").command()).then(&over("3c", &["4c"]).command());
    assert_eq!(
        scene.refuses(&below("2b", "3b").expects_child("3c").command()),
        Code::LimitReached,
        "two trees"
    );
}
