//! Stopping: what is being stored is stored and answered, what isn't decided yet is told so, and everybody is told.

use std::time::Duration;

use futures::future::join_all;
use tokio::time::timeout;
use tributary::engine::coordinator::{CoordinatorSettings, SubmitError};

use crate::scene::{Scene, accepted, partial, settings};
use crate::scripted::Fault;

#[tokio::test(start_paused = true)]
async fn what_is_being_stored_is_answered_and_what_waits_is_told_that_it_stops() {
    let scene = Scene::running().await;
    let gate = scene.store.hold_next();
    let storing = scene.has_submitted(vec![partial(1)]).await;
    gate.holds_one().await;
    let waiting = scene.has_submitted(vec![partial(2)]).await;
    scene.coordinator.drain();
    assert_eq!(scene.submits(vec![partial(3)], None).await.unwrap_err(), SubmitError::Draining);
    gate.open();
    assert!(accepted(&storing.await.unwrap().answers[0]).is_some());
    assert_eq!(waiting.await.unwrap_err(), SubmitError::Draining);
    scene.coordinator.drained().await;
    assert_eq!((scene.contents().await, scene.coordinator.active()), (vec![1], 0));
}

#[tokio::test(start_paused = true)]
async fn what_was_stored_of_a_long_submission_is_said_when_the_rest_is_not_decided() {
    let scene = Scene::with(CoordinatorSettings { batch_entries: 10, ..settings() }).begun().await;
    let gate = scene.store.hold_next();
    let submitted = scene.has_submitted((0..30).map(partial).collect()).await;
    gate.holds_one().await;
    scene.coordinator.drain();
    gate.open();
    let reply = submitted.await.unwrap();
    assert_eq!(reply.stopped, Some(SubmitError::Draining));
    assert_eq!(reply.answers.len(), scene.contents().await.len());
    assert!(reply.answers.len() < 30);
}

#[tokio::test(start_paused = true)]
async fn senders_who_wait_for_a_place_in_a_full_inbox_are_told_too() {
    for opens_first in [true, false] {
        let scene = Scene::with(CoordinatorSettings { inbox: 1, ..settings() }).begun().await;
        let gate = scene.store.hold_next();
        let mut waiting = vec![scene.has_submitted(vec![partial(0)]).await];
        gate.holds_one().await;
        for content in 1..=9 {
            waiting.push(scene.has_submitted(vec![partial(content)]).await);
        }
        if opens_first {
            gate.open();
            scene.coordinator.drain();
        } else {
            scene.coordinator.drain();
            gate.open();
        }
        let replies = timeout(Duration::from_secs(60), join_all(waiting)).await.expect("everybody is told");
        let told = replies.iter().filter(|reply| matches!(reply, Err(SubmitError::Draining))).count();
        let stored = scene.contents().await.len();
        assert_eq!(
            (told + stored, replies[0].is_ok()),
            (10, true),
            "answered or told, never both or neither"
        );
        timeout(Duration::from_secs(60), scene.coordinator.drained()).await.expect("the task is gone");
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_that_is_idle_goes_at_once_and_deadlines_do_not_hold_it() {
    let scene = Scene::running().await;
    scene.coordinator.drain();
    timeout(Duration::from_millis(1), scene.coordinator.drained()).await.expect("nothing holds it");
    assert_eq!(scene.state().await.steps[0].ended, None, "a step that runs goes on elsewhere");
}

#[tokio::test(start_paused = true)]
async fn a_store_that_is_down_holds_stopping_up_no_longer_than_one_append() {
    let scene = Scene::running().await;
    scene.store.always_from_now(Some(Fault::Unavailable));
    let mut waiting = Vec::new();
    for content in 0..5 {
        waiting.push(scene.has_submitted(vec![partial(content)]).await);
    }
    // The task has begun to store when a timer is armed.
    tokio::time::advance(Duration::from_millis(1)).await;
    scene.coordinator.drain();
    let stopped = timeout(Duration::from_secs(6), scene.coordinator.drained()).await;
    stopped.expect("within the bound of an append");
    for reply in join_all(waiting).await {
        assert!(reply.is_err());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn stopping_under_load_answers_everybody_and_loses_nothing_it_acknowledged() {
    for round in 0..30 {
        let scene = Scene::with(CoordinatorSettings { inbox: 2, ..settings() }).begun().await;
        let senders = (0..8_u64).map(|sender| {
            let (coordinator, key) = (scene.coordinator.clone(), scene.key.clone());
            tokio::spawn(async move {
                let mut stored = Vec::new();
                for n in 0.. {
                    let content = sender * 1_000_000 + n;
                    let submission = tributary::engine::coordinator::Submission::one(partial(content), None);
                    match coordinator.submit(&key, submission).await {
                        Ok(_) => stored.push(content),
                        Err(error) => return (error, stored),
                    }
                }
                unreachable!("it stops")
            })
        });
        let senders: Vec<_> = senders.collect();
        // So many appends, and the service stops in the middle of it.
        while scene.store.attempts.load(std::sync::atomic::Ordering::Relaxed) < 5 + round {
            tokio::task::yield_now().await;
        }
        scene.coordinator.drain();
        timeout(Duration::from_secs(60), scene.coordinator.drained()).await.expect("the task is gone");
        let contents: std::collections::HashSet<u64> = scene.contents().await.into_iter().collect();
        for sender in senders {
            let told = timeout(Duration::from_secs(60), sender).await.expect("everybody is told");
            let (error, stored) = told.unwrap();
            assert_eq!(error, SubmitError::Draining);
            assert!(stored.iter().all(|content| contents.contains(content)));
        }
    }
}
