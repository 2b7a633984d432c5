//! The seam between replay and live: while events are published without a pause, 1,000 readers connect at random
//! cursors, and what each one's frames cover is exactly what came after its cursor.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use parking_lot::Mutex;
use serde_json::json;
use tokio::sync::oneshot;

use crate::harness::{Client, Coverage, Planner, TestApp, eventually, open_plan, within};

const READERS: usize = 1_000;
/// Events are published for at least this long, and until every reader is there.
const PUBLISHING: Duration = Duration::from_secs(4);
const PACE: Duration = Duration::from_millis(3);
/// Events that a reader sees live before it leaves.
const LIVE: u64 = 30;

/// Publishes until all readers have connected, and ends the step; returns how many events were acknowledged.
async fn publish(planner: Planner, connected: Arc<AtomicU64>) -> u64 {
    let begin = Instant::now();
    let (mut a, b) =
        (planner.subagent("p", "a").upload("application/x-ndjson").await, planner.subagent("p", "b"));
    let (mut revision, mut acknowledged) = (0, 0);
    let mut pace = tokio::time::interval(PACE);
    while begin.elapsed() < PUBLISHING || connected.load(Ordering::SeqCst) < READERS as u64 {
        revision += 1;
        let line = json!({"status": "partial", "revision": revision, "payload": {"content": "text ".repeat(8), "sources": []}});
        a.send(&format!("{line}\n")).await;
        if revision % 10 == 0 {
            assert_eq!(b.say("partial", revision, "now and then").await["verdict"], "accepted");
            acknowledged += 1;
        }
        pace.tick().await;
    }
    a.send("{\"status\":\"success\"}\n").await;
    acknowledged += a.finish().await.expect(200)["accepted"].as_u64().unwrap();
    acknowledged + b.succeed().await["accepted"].as_u64().unwrap()
}

/// Runs apart from the readers, who would make it wait.
fn on_its_own_thread<T: Send + 'static>(
    future: impl Future<Output = T> + Send + 'static,
) -> oneshot::Receiver<T> {
    let (sender, done) = oneshot::channel();
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _ = sender.send(runtime.block_on(future));
    });
    done
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

/// A place, mostly among the last ones: there a reader goes over from replay to live.
fn choose(cursors: &[String]) -> Option<String> {
    let back = fastrand::usize(..cursors.len().max(1)) >> fastrand::u32(..8);
    cursors.iter().rev().nth(back).cloned()
}

/// Reads from `cursor` to the end, or until it has been live for a while.
async fn read(client: Client, path: &str, cursor: &str, stays: bool, connected: &AtomicU64) -> Coverage {
    let mut reader = client.get(path).header("last-event-id", cursor).sse().await;
    let (open, mut coverage) = reader.open().await;
    connected.fetch_add(1, Ordering::SeqCst);
    assert_eq!((open["reason"].as_str(), open["recovered"].as_bool()), (Some("ok"), Some(true)), "{cursor}");
    let enough = if stays { u64::MAX } else { open["tail"].as_u64().unwrap() + LIVE };
    while let Some(event) = reader.next().await {
        match event.name.as_str() {
            "planner_stream" => coverage.take(&event),
            "end" => assert_eq!(event.json()["sequence"].as_u64(), Some(coverage.to)),
            "heartbeat" => {}
            other => panic!("{other}: {}", event.data),
        }
        if coverage.to >= enough {
            break;
        }
    }
    coverage
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousand_readers_at_random_cursors_cover_exactly_what_came_after() {
    // However slow the machine is: nothing is trimmed, and nobody is taken for gone.
    let app = TestApp::new().env("CACHE__RING_ENTRIES", 1_000_000).env("CACHE__RING_BYTES", 512 << 20);
    let app = app.env("SERVER__TCP_USER_TIMEOUT_MS", 600_000).start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let (client, path) = (app.client(), planner.events("p"));
    let (connected, cursors) = (Arc::new(AtomicU64::new(0)), Arc::new(Mutex::new(Vec::new())));
    let collecting = tokio::spawn(collect_cursors(client, path.clone(), cursors.clone()));
    let publishing = on_its_own_thread(publish(planner.clone(), connected.clone()));
    let (mut readers, mut pace) = (Vec::with_capacity(READERS), tokio::time::interval(PACE));
    for number in 0..READERS {
        let (known, connected) = (cursors.clone(), connected.clone());
        // Every second one may be given the coalesced view; every fifth one stays to the end.
        let (whole, stays) = (number % 2 == 0, number % 5 == 0);
        let path = format!("{path}{}", if whole { "?coalesce=never" } else { "" });
        readers.push(tokio::spawn(async move {
            let cursor = eventually("a first cursor", || async { choose(&known.lock()) }).await;
            let coverage = read(client, &path, &cursor, stays, &connected).await;
            (cursor, whole, stays, coverage)
        }));
        pace.tick().await;
    }
    let acknowledged = within("the publisher to finish", publishing).await.unwrap();
    collecting.await.unwrap();
    let page = planner.page("/events?type=planner_stream&limit=5000&last=5000").await;
    let stored = page["events"].as_array().unwrap().len() as u64;
    assert_eq!(stored, acknowledged.min(5_000), "what was acknowledged is in the log, once");
    assert!(stored > 100, "{stored} events are too few to meet the readers");
    let end = planner.step("p").await["sequence"]["tail"].as_u64().unwrap();
    assert_eq!(cursors.lock().len() as u64, end + 1, "the collector saw every entry");
    for reader in join_all(readers).await {
        let (cursor, whole, stays, coverage) = reader.unwrap();
        assert_eq!(coverage.from, cursor.split('_').nth(1).unwrap().parse::<u64>().unwrap());
        coverage.assert_whole(if stays { end } else { coverage.to });
        assert!(!whole || coverage.coalesced.is_empty());
    }
}
