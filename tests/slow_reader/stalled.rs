//! 200 readers who never read: the service's memory stays bounded, and the others' latency is as before.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Client, Incoming, Planner, SseClient, TestApp, open_plan, within};

const STALLED: usize = 200;
/// What the service may keep of the session.
const RING_BYTES: u64 = 4 << 20;
/// What a stalled reader may hold: its own last chunk, which the ring has let go.
const READER_BYTES: u64 = 96 << 10;
/// What is published while nobody of them reads.
const PUBLISHED_BYTES: usize = 32 << 20;
const EVENT_BYTES: usize = 8 << 10;

/// Readers with a small receive buffer who have read the head of their answer and no more.
async fn stall(client: Client, path: &str) -> Vec<Incoming> {
    let mut stalled = Vec::with_capacity(STALLED);
    for _ in 0..STALLED {
        let request = client.get(path).header("accept", "text/event-stream").receive_buffer(2_048);
        stalled.push(within("a reader to be let in", request.open()).await.unwrap());
    }
    stalled
}

async fn publish(planner: &Planner, first: u64, count: usize) {
    let content = "x".repeat(EVENT_BYTES);
    for (revision, _) in (first..).step_by(16).zip(0..count.div_ceil(16)) {
        let event = |revision| json!({"status": "partial", "revision": revision, "payload": {"content": content, "sources": []}});
        let events: Vec<Value> = (revision..revision + 16).map(event).collect();
        planner.subagent("p", "big").post(&json!(events)).await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_stays_bounded_however_much_is_published() {
    let app = TestApp::new().env("CACHE__RING_BYTES", RING_BYTES).start().await;
    let planner = open_plan(app.client(), "s", &["big"]).await;
    let path = format!("{}?coalesce=never", planner.events("p"));
    let stalled = stall(app.client(), &path).await;
    app.settled("readers", STALLED as u64).await;
    // Fills the ring, the sockets and the allocator's pools first: what is measured is what comes on top.
    publish(&planner, 1, (2 * RING_BYTES as usize) / EVENT_BYTES).await;
    let before = app.rss_bytes();
    publish(&planner, 1_000_001, PUBLISHED_BYTES / EVENT_BYTES).await;
    let grown = app.rss_bytes().saturating_sub(before);
    let bound = RING_BYTES + STALLED as u64 * READER_BYTES;
    assert!(grown < bound, "{grown} bytes more than {before}, at most {bound} are fine");
    assert!(before < 64 * 1_024 * 1_024 + bound, "{before} bytes with {STALLED} readers");
    assert_eq!(app.gauge("readers").await, STALLED as u64, "they are still there");
    drop(stalled);
    app.settled("readers", 0).await;
}

/// The median time from the moment an event is sent until a reader at the tail has it.
async fn median_latency(planner: &Planner, reader: &mut SseClient, first: u64) -> Duration {
    let quick = planner.subagent("p", "quick");
    let mut latencies = Vec::new();
    for revision in first..first + 101 {
        let (begin, marker) = (Instant::now(), format!("marker-{revision}"));
        let saying = quick.say("partial", revision, &marker);
        let seeing = async {
            while !reader.next().await.unwrap().data.contains(&marker) {}
            begin.elapsed()
        };
        latencies.push(tokio::join!(saying, seeing).1);
    }
    latencies.sort();
    latencies[latencies.len() / 2]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn others_are_served_as_fast_as_before() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["big", "quick"]).await;
    let mut reader = app.sse(format!("{}?subagent=quick", planner.events("p"))).await;
    reader.open().await;
    let alone = median_latency(&planner, &mut reader, 1).await;
    let stalled = stall(app.client(), &planner.events("p")).await;
    app.settled("readers", STALLED as u64 + 1).await;
    publish(&planner, 1, 256).await;
    let beside = median_latency(&planner, &mut reader, 1_000).await;
    let most = alone * 4 + Duration::from_millis(20);
    assert!(beside < most, "{beside:?} beside {STALLED} stalled readers, {alone:?} alone");
    drop(stalled);
}
