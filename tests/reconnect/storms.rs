//! Sessions that come and go under their readers: what a reader is told stays true, whatever happens when.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures::future::join_all;
use serde_json::json;

use crate::harness::{Client, Coverage, TestApp, within};

const READERS: usize = 24;
const LIVES: u64 = 60;

/// Reads the step again and again, as a browser does, until the last life of the session has ended. Returns how many
/// streams it had.
async fn follow(client: Client, path: String, last: Arc<AtomicBool>) -> u64 {
    let (mut last_id, mut streams) = (None::<String>, 0);
    loop {
        let was_last = last.load(Ordering::SeqCst);
        let mut request = client.get(&path).header("accept", "text/event-stream");
        if let Some(id) = &last_id {
            request = request.header("last-event-id", id);
        }
        let incoming = request.open().await.unwrap();
        if incoming.status == 204 {
            if was_last {
                return streams;
            }
            // What was read has ended; the next life begins without what is remembered of this one.
            last_id = None;
            tokio::task::yield_now().await;
            continue;
        }
        streams += 1;
        let mut reader = crate::harness::SseClient::new(incoming);
        let mut coverage = None;
        while let Some(event) = reader.next().await {
            match event.name.as_str() {
                "open" if event.json()["reason"] == "unknown" => {}
                "open" => coverage = Some(Coverage::after(&event.json())),
                "planner_stream" | "snapshot" => coverage.as_mut().unwrap().take(&event),
                "heartbeat" => {}
                "error" => {
                    assert!(matches!(event.json()["code"].as_str(), Some("unknown_session" | "unknown_step")))
                }
                "end" => assert_eq!(event.json()["sequence"].as_u64(), Some(coverage.as_ref().unwrap().to)),
                other => panic!("{other}: {}", event.data),
            }
            last_id = event.id.or(last_id.take());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_of_a_session_that_is_forgotten_again_and_again_are_never_misled() {
    let app =
        TestApp::new().env("LIMITS__SESSIONS", 1).env("STREAMING__UNKNOWN_PATIENCE_MS", 300).start().await;
    let planner = app.planner("s");
    let last = Arc::new(AtomicBool::new(false));
    let readers = (0..READERS).map(|_| tokio::spawn(follow(app.client(), planner.events("p"), last.clone())));
    let readers: Vec<_> = readers.collect();
    for life in 1..=LIVES {
        // With room for one session: each one before must have been forgotten whole.
        planner.start("p", &["a"]).await;
        let events: Vec<_> =
            (1..=life % 40 + 1).map(|revision| json!({"status": "partial", "revision": revision})).collect();
        planner.subagent("p", "a").post(&json!(events)).await.expect(200);
        if life % 3 == 0 {
            planner.subagent("p", "a").succeed().await;
        }
        if life < LIVES {
            assert_eq!(app.request("DELETE", planner.path("")).send().await.status, 204);
        }
    }
    planner.tell("/cancel", json!({})).await;
    last.store(true, Ordering::SeqCst);
    let streams: Vec<u64> = join_all(readers).await.into_iter().map(Result::unwrap).collect();
    assert!(streams.iter().all(|streams| *streams > 0), "{streams:?}");
    app.settled("readers", 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_sessions_at_once_do_not_mix() {
    let app = TestApp::new().start().await;
    let finished = Arc::new(AtomicU64::new(0));
    let lives = (0..150).map(|number| {
        let (client, finished) = (app.client(), finished.clone());
        tokio::spawn(async move {
            let planner = client.planner(&format!("session-{number}"));
            let path = planner.events("p");
            let reading = tokio::spawn(async move {
                let mut reader = client.sse(path).await;
                let events = reader.until("end").await;
                let frames: Vec<_> =
                    events.into_iter().filter(|event| event.name == "planner_stream").collect();
                frames.iter().flat_map(crate::harness::events_of).collect::<Vec<_>>()
            });
            planner.start("p", &["a"]).await;
            for revision in 1..=number % 7 + 1 {
                planner.subagent("p", "a").say("partial", revision, &format!("{number}")).await;
            }
            planner.subagent("p", "a").succeed().await;
            let events = within("a reader", reading).await.unwrap();
            assert!(events.iter().all(|event| event["session_id"] == planner.session));
            let sequences: Vec<_> = events.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
            assert!(sequences.iter().copied().eq(1..=sequences.len() as u64), "{sequences:?}");
            assert_eq!(planner.step("p").await["sequence"]["tail"], sequences.len());
            finished.fetch_add(1, Ordering::SeqCst);
        })
    });
    join_all(lives).await.into_iter().for_each(|life| life.unwrap());
    assert_eq!(finished.load(Ordering::SeqCst), 150);
}
