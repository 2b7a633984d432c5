//! A store without room: what runs can still end, or nothing would ever be let go.

use std::time::Duration;

use tokio::time::sleep;
use tributary::domain::record::{Answer, StepStatus};
use tributary::domain::session::Command;
use tributary::engine::coordinator::SubmitError;
use tributary::engine::ports::result_cache::{ResultCache, StoreError};

use crate::fixtures::{cancel, post, progress};
use crate::scene::{Scene, memory, partial, settings};
use crate::scripted::ScriptedStore;

/// A session with a running step that has a minute, in a store that is full.
async fn full() -> Scene {
    let store = ScriptedStore::over(memory(|settings| settings.bytes_max = 20_000));
    let scene = Scene::over(store, settings()).begun().await;
    let mut stored = 0;
    // The smaller ones take what room the others leave.
    for more in [partial(0), progress("p", "half"), progress("p", "")] {
        while scene.submits(vec![more.clone()], None).await.is_ok() {
            stored += 1;
        }
    }
    assert!(stored > 3);
    scene
}

fn is_full<T>(told: &Result<T, SubmitError>) -> bool {
    matches!(told, Err(SubmitError::Store(StoreError::Full(_))))
}

#[tokio::test(start_paused = true)]
async fn a_full_store_takes_a_cancel_and_nothing_new() {
    let scene = full().await;
    for more in [partial(99), progress("p", "half"), post("q").expects("crm", "r").command()] {
        assert!(is_full(&scene.submits(vec![more], None).await));
    }
    assert!(matches!(scene.tells(cancel(Some("p"))).await, Ok(Answer::Done(Some(_)))));
    assert_eq!(scene.state().await.steps[0].status, StepStatus::Cancelled);
    assert!(matches!(scene.tells(Command::Close).await, Ok(Answer::Done(Some(_)))));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_fires_in_a_full_store_also_while_others_want_more() {
    let scene = full().await;
    sleep(Duration::from_millis(59_900)).await;
    assert_eq!(scene.state().await.steps[0].status, StepStatus::InProgress);
    for _ in 0..20 {
        sleep(Duration::from_millis(10)).await;
        // Whichever comes first: they are in one append, or the step is over.
        let _ = scene.submits(vec![progress("p", "half")], None).await;
    }
    assert_eq!(scene.state().await.steps[0].status, StepStatus::Failed);
    assert!(scene.state().await.steps[0].ended.is_some());
}

#[tokio::test(start_paused = true)]
async fn what_ends_passes_what_it_came_together_with() {
    let scene = full().await;
    let gate = scene.store.hold_next();
    let held = scene.has_submitted(vec![partial(1)]).await;
    gate.holds_one().await;
    let before = scene.has_submitted(vec![partial(2)]).await;
    let ends = scene.has_submitted(vec![cancel(Some("p"))]).await;
    let after = scene.has_submitted(vec![progress("p", "half")]).await;
    gate.open();
    assert!(is_full(&held.await) && is_full(&before.await) && is_full(&after.await));
    assert!(ends.await.unwrap().answers[0].is_ok());
    assert_eq!(scene.state().await.steps[0].status, StepStatus::Cancelled);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_ended_in_a_full_store_makes_room() {
    let scene = full().await;
    sleep(Duration::from_secs(61)).await;
    assert!(scene.state().await.steps[0].ended.is_some(), "by its deadline, though nobody spoke");
    let other = Scene { key: crate::fixtures::session_key("sess-2"), ..scene };
    assert!(other.begun().await.store.health().is_ok());
}
