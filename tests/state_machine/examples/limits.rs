//! Bounds: what would take a session over one is refused, what ends something never is.

use tributary::domain::limits::SessionLimits;
use tributary::domain::policy::PolicyDecision::{Allow, Refuse};
use tributary::domain::position::AppendId;
use tributary::domain::record::{StepStatus, SubagentStatus};
use tributary::domain::session::{Batch, Command};
use tributary::domain::time::Timestamp;
use tributary::domain::verdict::{Code, Verdict};

use super::{Scene, failure, partial, success};
use crate::fixtures::{Post, cancel, post, progress, safety};

fn one(step: &str) -> Post {
    post(step).expects("crm", "r").with("deadline_ms", 1_000)
}

/// A session that has all the events that it may have, and a step that still runs.
fn full() -> Scene {
    let mut scene = Scene::after(&one("p"));
    scene.then(&partial("p", "crm").revision(1).command());
    scene.limits.events_per_session = scene.log.len() as u64;
    scene
}

#[test]
fn a_session_has_its_bound_of_steps() {
    let mut scene = Scene::new();
    scene.limits.steps_per_session = 2;
    scene.then(&one("1").command()).then(&one("2").command());
    assert_eq!(scene.refuses(&one("3").command()), Code::LimitReached);
    scene.then(&one("2").command());
    scene.then(&cancel(None));
    assert_eq!(scene.refuses(&one("3").command()), Code::LimitReached, "ended ones count");
}

#[test]
fn a_full_session_takes_nothing_new() {
    let mut scene = full();
    for command in [
        one("q").command(),
        partial("p", "crm").command(),
        progress("p", "half"),
        safety(Some("p"), Allow, None, None),
        safety(None, Refuse, None, Some(false)),
    ] {
        let before = scene.state.clone();
        assert_eq!(scene.refuses(&command), Code::LimitReached, "{command:?}");
        assert_eq!(scene.state, before);
    }
}

/// The step would wait for its deadline otherwise, though nothing could come any more.
#[test]
fn a_full_session_still_takes_what_ends_an_output_or_an_attempt() {
    let two = one("p").of_which("max_attempts", 2).expects("voice", "v").of_which("max_attempts", 2);
    let mut scene = Scene::after(&two.with("deadline_ms", 60_000));
    scene.limits.events_per_session = scene.log.len() as u64;
    assert_eq!(scene.refuses(&partial("p", "crm").command()), Code::LimitReached);
    assert_eq!(scene.hears(failure("p", "crm").revision(1)), Verdict::Accepted);
    assert_eq!(scene.output("p", "r"), SubagentStatus::Retry);
    assert_eq!(scene.refuses(&partial("p", "crm").revision(2).command()), Code::LimitReached, "as before");
    assert_eq!(scene.hears(success("p", "crm").revision(2)), Verdict::Accepted);
    for end in [SubagentStatus::Retry, SubagentStatus::Error] {
        assert_eq!(scene.hears(failure("p", "voice")), Verdict::Accepted);
        assert_eq!(scene.output("p", "v"), end);
    }
    assert_eq!(scene.status("p"), StepStatus::PartialFailure);
    assert_eq!(scene.hears(success("p", "crm").revision(3)), Verdict::Late, "no more than one each");
}

#[test]
fn a_full_session_still_says_what_is_done_already() {
    let mut scene = full();
    scene.then(&one("p").command());
    assert_eq!(scene.hears(partial("p", "crm").revision(1)), Verdict::Duplicate);
    assert_eq!(scene.hears(partial("p", "crm").revision(1).content(8)), Verdict::Conflict);
}

#[test]
fn what_ends_something_is_never_refused() {
    for (ending, status) in [
        (cancel(Some("p")), StepStatus::Cancelled),
        (cancel(None), StepStatus::Cancelled),
        (safety(Some("p"), Refuse, None, None), StepStatus::Refused),
        (safety(None, Refuse, None, None), StepStatus::Refused),
        (safety(Some("p"), Refuse, Some("crm"), None), StepStatus::Failed),
        (safety(None, Refuse, Some("crm"), None), StepStatus::Failed),
        (Command::Deadlines, StepStatus::Failed),
    ] {
        let mut scene = full();
        scene.at(1_000).tell(&ending).unwrap_or_else(|refusal| panic!("{ending:?}: {refusal}"));
        assert_eq!(scene.status("p"), status, "{ending:?}");
    }
    let mut scene = full();
    scene.then(&Command::Close);
    assert!(scene.state.closed);
}

#[test]
fn a_refusal_that_ends_nothing_more_is_only_an_event_and_needs_room() {
    let mut scene = full();
    scene.then(&cancel(None));
    assert_eq!(scene.refuses(&safety(None, Refuse, None, None)), Code::LimitReached);
}

#[test]
fn bytes_are_bounded_as_events_are() {
    let mut scene = Scene::after(&one("p"));
    assert_eq!(scene.state.bytes, scene.log.iter().map(|entry| entry.weight() as u64).sum::<u64>());
    scene.limits.bytes_per_session = scene.state.bytes;
    assert_eq!(scene.refuses(&partial("p", "crm").command()), Code::LimitReached);
    scene.limits.bytes_per_session += 1;
    assert_eq!(scene.hears(partial("p", "crm")), Verdict::Accepted);
    assert_eq!(scene.refuses(&partial("p", "crm").command()), Code::LimitReached);
    assert_eq!(scene.hears(success("p", "crm")), Verdict::Accepted, "what ends it has its place");
}

#[test]
fn the_default_limits_stand_above_the_loads_of_the_design() {
    let limits = SessionLimits::default();
    assert!(
        limits.events_per_session >= 100_000 && limits.steps_per_session >= 100 && limits.tree_depth >= 3
    );
}

#[test]
fn a_batch_knows_whether_it_only_ends_something() {
    let scene = Scene::after(&one("p"));
    let only_ends = |commands: &[Command]| {
        let mut batch = Batch::new(&scene.state, &scene.limits, Timestamp(scene.now + 1_000), AppendId(1));
        for command in commands {
            batch.decide(command).unwrap();
        }
        batch.only_ends()
    };
    for ending in [
        cancel(Some("p")),
        Command::Close,
        Command::Deadlines,
        safety(Some("p"), Refuse, None, None),
        safety(None, Refuse, Some("crm"), None),
    ] {
        assert!(only_ends(std::slice::from_ref(&ending)), "{ending:?}");
    }
    for more in [
        one("q").command(),
        partial("p", "crm").command(),
        success("p", "crm").command(),
        progress("p", "half"),
        safety(Some("p"), Allow, None, None),
    ] {
        assert!(!only_ends(std::slice::from_ref(&more)), "{more:?}");
        assert!(!only_ends(&[more, cancel(None)]));
    }
    assert!(!only_ends(&[cancel(None), safety(None, Refuse, None, None)]), "there was nothing left to end");
}
