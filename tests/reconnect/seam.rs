//! The seam between replay and live: while events are published without a pause, 1,000 readers connect at random
//! cursors, and what each one's frames cover is exactly what came after its cursor.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use parking_lot::Mutex;
use serde_json::json;

use crate::harness::{Client, Coverage, Planner, TestApp, open_plan};

const READERS: usize = 1_000;
/// Events are published for at least this long, and until every reader is there.
const PUBLISHING: Duration = Duration::from_secs(4);
const PACE: Duration = Duration::from_millis(2);

/// Publishes until `readers` have connected; returns when the step is over.
async fn publish(planner: Planner, connected: Arc<AtomicU64>) {
    let begin = Instant::now();
    let (mut a, b) =
        (planner.subagent("p", "a").upload("application/x-ndjson").await, planner.subagent("p", "b"));
    let mut revision = 0;
    let mut pace = tokio::time::interval(PACE);
    while begin.elapsed() < PUBLISHING || connected.load(Ordering::SeqCst) < READERS as u64 {
        revision += 1;
        let line = json!({"status": "partial", "revision": revision, "payload": {"content": "text ".repeat(8), "sources": []}});
        a.send(&format!("{line}\n")).await;
        if revision % 10 == 0 {
            b.say("partial", revision, "now and then").await;
        }
        pace.tick().await;
    }
    a.send("{\"status\":\"success\"}\n").await;
    a.finish().await.expect(200);
    b.succeed().await;
    planner.tell("/close", json!({})).await;
}

/// Keeps the cursor after every entry, as it comes.
async fn collect_cursors(client: Client, path: String, cursors: Arc<Mutex<Vec<String>>>) {
    let mut reader = client.sse(format!("{path}?batch=1&coalesce=never")).await;
    while let Some(event) = reader.next().await {
        if event.name == "open" || event.name == "planner_stream" {
            cursors.lock().push(event.id.unwrap());
        }
    }
}

/// Reads from `cursor` to the end.
async fn read(client: Client, path: &str, cursor: &str, query: &str, connected: &AtomicU64) -> Coverage {
    let request = client.get(format!("{path}{query}")).header("last-event-id", cursor);
    let mut reader = request.sse().await;
    let (open, mut coverage) = reader.open().await;
    connected.fetch_add(1, Ordering::SeqCst);
    assert_eq!((open["reason"].as_str(), open["recovered"].as_bool()), (Some("ok"), Some(true)), "{cursor}");
    while let Some(event) = reader.next().await {
        match event.name.as_str() {
            "planner_stream" => coverage.take(&event),
            "end" => assert_eq!(event.json()["sequence"].as_u64(), Some(coverage.to)),
            "heartbeat" => {}
            other => panic!("{other}: {}", event.data),
        }
    }
    coverage
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousand_readers_at_random_cursors_cover_exactly_what_came_after() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let (client, path) = (app.client(), planner.events("p"));
    let (connected, cursors) = (Arc::new(AtomicU64::new(0)), Arc::new(Mutex::new(Vec::new())));
    let collecting = tokio::spawn(collect_cursors(client, path.clone(), cursors.clone()));
    let publishing = tokio::spawn(publish(planner.clone(), connected.clone()));
    let (mut readers, mut pace) = (Vec::with_capacity(READERS), tokio::time::interval(PACE));
    for number in 0..READERS {
        let known = cursors.clone();
        let (path, connected) = (path.clone(), connected.clone());
        // Every second one may be given the coalesced view.
        let query = if number % 2 == 0 { "?coalesce=never" } else { "" };
        readers.push(tokio::spawn(async move {
            let cursor = loop {
                if let Some(cursor) = fastrand::choice(known.lock().iter()) {
                    break cursor.clone();
                }
                tokio::task::yield_now().await;
            };
            let coverage = read(client, &path, &cursor, query, &connected).await;
            (cursor, query, coverage)
        }));
        pace.tick().await;
    }
    publishing.await.unwrap();
    collecting.await.unwrap();
    let end = planner.step("p").await["sequence"]["tail"].as_u64().unwrap();
    assert_eq!(cursors.lock().len() as u64, end + 1, "the collector saw every entry");
    for reader in join_all(readers).await {
        let (cursor, query, coverage) = reader.unwrap();
        assert_eq!(coverage.from, cursor.split('_').nth(1).unwrap().parse::<u64>().unwrap());
        coverage.assert_whole(end);
        assert!(query.is_empty() || coverage.coalesced.is_empty());
    }
}
