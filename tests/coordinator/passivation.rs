//! A session that nobody speaks to leaves memory, and comes back as it was; nobody notices.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use tokio::time::{sleep, timeout};
use tributary::engine::coordinator::CoordinatorSettings;

use crate::scene::{Scene, accepted, partial, settings, success};

fn idle_after(idle: Duration) -> Scene {
    Scene::with(CoordinatorSettings { idle, ..settings() })
}

#[tokio::test(start_paused = true)]
async fn an_idle_session_leaves_memory_and_comes_back_as_it_was() {
    let scene = idle_after(Duration::from_secs(60)).begun().await;
    scene.tells(success()).await.unwrap();
    let before = scene.state().await;
    sleep(Duration::from_secs(59)).await;
    assert_eq!(scene.coordinator.active(), 1);
    sleep(Duration::from_secs(2)).await;
    assert_eq!(scene.coordinator.active(), 0);
    scene.tells(partial(1)).await.unwrap();
    assert_eq!((scene.coordinator.active(), scene.state().await), (1, before), "the event was late");
}

#[tokio::test(start_paused = true)]
async fn a_session_with_a_running_step_stays_for_its_deadline() {
    let scene = idle_after(Duration::from_secs(1)).begun().await;
    sleep(Duration::from_secs(59)).await;
    assert_eq!(scene.coordinator.active(), 1);
    sleep(Duration::from_secs(3)).await;
    assert_eq!(scene.coordinator.active(), 0);
    assert!(scene.state().await.is_ended());
}

#[tokio::test(start_paused = true)]
async fn who_speaks_starts_the_idle_time_anew() {
    let scene = idle_after(Duration::from_secs(60)).begun().await;
    scene.tells(success()).await.unwrap();
    for _ in 0..5 {
        sleep(Duration::from_secs(40)).await;
        scene.tells(partial(1)).await.unwrap();
        assert_eq!(scene.coordinator.active(), 1);
    }
}

/// The session has ended, so that it goes whenever its inbox is empty; senders that wait for a place in the inbox have
/// been given one but haven't used it yet when it looks.
#[tokio::test(start_paused = true)]
async fn a_sender_who_waits_for_a_place_in_the_inbox_is_never_left_behind() {
    let scene =
        Scene::with(CoordinatorSettings { idle: Duration::ZERO, inbox: 1, ..settings() }).begun().await;
    scene.tells(success()).await.unwrap();
    for round in 0..50 {
        let senders = (0..6).map(|n| scene.submits(vec![partial(round * 10 + n)], None));
        let replies = timeout(Duration::from_secs(60), join_all(senders)).await;
        for reply in replies.expect("everyone is answered") {
            reply.expect("nothing stands against it: the service isn't stopping");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn passivation_and_submissions_meet_often_and_nothing_is_lost() {
    const SENDERS: u64 = 4;
    // Enough that the two meet on a busy machine too.
    const EACH: u64 = 6_000;
    // Each round a step that ends at once, so that the session may go between any two submissions.
    let scene = Scene::with(CoordinatorSettings { idle: Duration::ZERO, inbox: 2, ..settings() });
    let scene = Arc::new(scene.begun().await);
    scene.tells(success()).await.unwrap();
    let senders = (0..SENDERS).map(|sender| {
        let scene = scene.clone();
        tokio::spawn(async move {
            for n in 0..EACH {
                let step = format!("step-{sender}-{}", n / 2);
                let directive = crate::fixtures::post(&step).expects("crm", "r").disabled("crm").command();
                // Every other one is a repeat, which stores nothing.
                if n % 40 < 2 {
                    scene.tells(directive).await.unwrap();
                } else {
                    let reply =
                        scene.submits(vec![partial(n)], None).await.expect("the service isn't stopping");
                    assert_eq!(accepted(&reply.answers[0]), None, "late");
                }
                tokio::task::yield_now().await;
            }
        })
    });
    let all = async {
        for sender in join_all(senders).await {
            sender.unwrap();
        }
    };
    timeout(Duration::from_secs(120), all).await.expect("everyone is answered");
    let log = scene.log().await;
    assert!(log.windows(2).all(|pair| pair[1].previous_chain == pair[0].chain));
    assert_eq!(scene.state().await.steps.len() as u64, 1 + SENDERS * EACH / 40);
}
