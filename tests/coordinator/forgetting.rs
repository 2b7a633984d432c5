//! Forgetting a session while it runs: what runs of it ends without a word, and it may begin anew.

use std::time::Duration;

use tokio::time::{sleep, timeout};
use tributary::domain::position::Sequence;
use tributary::domain::record::Answer;
use tributary::domain::verdict::Code;
use tributary::engine::coordinator::SubmitError;
use tributary::engine::ports::result_cache::{Presence, ResultCache};

use crate::fixtures::post;
use crate::scene::{Scene, partial, success};

async fn is_unknown(scene: &Scene) -> bool {
    matches!(scene.store.inner.load(&scene.key).await.unwrap().presence, Presence::Unknown)
}

#[tokio::test(start_paused = true)]
async fn a_forgotten_session_is_unknown_and_its_deadline_brings_nothing_back() {
    let scene = Scene::running().await;
    assert!(scene.coordinator.forget(&scene.key).await.unwrap());
    assert_eq!(scene.coordinator.active(), 0);
    assert_eq!(scene.submits(vec![partial(1)], None).await.unwrap_err(), SubmitError::UnknownSession);
    sleep(Duration::from_secs(120)).await;
    assert!(is_unknown(&scene).await);
    assert!(!scene.coordinator.forget(&scene.key).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn a_forgotten_session_may_begin_anew() {
    let scene = Scene::running().await;
    let before = scene.state().await.position.epoch;
    scene.coordinator.forget(&scene.key).await.unwrap();
    let scene = scene.begun().await;
    let position = scene.state().await.position;
    assert_eq!(position.sequence, Sequence(1));
    assert_ne!(position.epoch, before, "another life of the log");
    scene.tells(success()).await.unwrap();
    sleep(Duration::from_secs(120)).await;
    assert_eq!(scene.contents().await, [0], "the old task did nothing more");
}

#[tokio::test(start_paused = true)]
async fn what_was_being_stored_when_it_was_forgotten_is_refused_not_revived() {
    let scene = Scene::running().await;
    let gate = scene.store.hold_next();
    let storing = scene.has_submitted(vec![partial(1)]).await;
    gate.holds_one().await;
    let waiting = scene.has_submitted(vec![partial(2)]).await;
    scene.coordinator.forget(&scene.key).await.unwrap();
    gate.open();
    for submitted in [storing, waiting] {
        let reply =
            timeout(Duration::from_secs(60), submitted).await.expect("everybody is answered").unwrap();
        assert_eq!(reply.answers[0].as_ref().unwrap_err().code, Code::UnknownStep);
    }
    assert!(is_unknown(&scene).await);
}

#[tokio::test(start_paused = true)]
async fn a_directive_that_was_being_stored_begins_the_session_anew() {
    let scene = Scene::running().await;
    let gate = scene.store.hold_next();
    let storing = scene.has_submitted(vec![post("q").expects("crm", "r").command()]).await;
    gate.holds_one().await;
    scene.coordinator.forget(&scene.key).await.unwrap();
    gate.open();
    assert_eq!(storing.await.unwrap().answers, [Ok(Answer::Step { created: true })]);
    let state = scene.state().await;
    assert_eq!((state.steps.len(), state.position.sequence), (1, Sequence(1)));
}

#[tokio::test(start_paused = true)]
async fn sessions_are_counted_and_listed_by_what_is_there() {
    let scene = Scene::running().await;
    let listed = scene.coordinator.sessions(&scene.key.tenant, None, 9).await.unwrap();
    assert_eq!(listed, [scene.state().await.into()]);
    scene.coordinator.forget(&scene.key).await.unwrap();
    assert!(scene.coordinator.sessions(&scene.key.tenant, None, 9).await.unwrap().is_empty());
}
