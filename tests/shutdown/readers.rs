//! Thousands of open streams: each ends cleanly, with a `drain` event that has its resume point.

use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Client, Coverage, TestApp, open_plan, within};

const READERS: usize = 2_000;
const WINDOW: Duration = Duration::from_secs(12);

/// How a reader's stream ended.
struct Left {
    coverage: Coverage,
    drain: Value,
    id: Option<String>,
}

async fn read_to_the_drain(client: Client, path: String) -> Left {
    let mut reader = client.sse(path).await;
    let (_, mut coverage) = reader.open().await;
    loop {
        let event = reader.next().await.unwrap_or_else(|| panic!("a stream ended without a drain"));
        match event.name.as_str() {
            "drain" => {
                assert_eq!(reader.next().await, None, "nothing after a drain, and a clean end");
                return Left { coverage, drain: event.json(), id: event.id };
            }
            "heartbeat" => {}
            _ => coverage.take(&event),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_streams_end_inside_the_window_each_with_its_place() {
    let mut app = TestApp::new().env("SERVER__DRAIN_WINDOW_MS", WINDOW.as_millis()).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let paths =
        [planner.events("p"), planner.path("/events"), format!("{}?subagent=nobody", planner.events("p"))];
    let mut readers = Vec::with_capacity(READERS);
    for number in 0..READERS {
        readers.push(tokio::spawn(read_to_the_drain(app.client(), paths[number % paths.len()].clone())));
        if number % 100 == 99 {
            app.settled("readers", number as u64 + 1).await;
        }
    }
    let mut acknowledged = 0;
    for revision in 1..=20 {
        acknowledged =
            planner.subagent("p", "a").say("partial", revision, "x").await["sequence"].as_u64().unwrap();
    }
    app.signal("TERM");
    let begin = Instant::now();
    let left = within("all readers to leave", join_all(readers)).await;
    let status = app.exited().await;
    let took = begin.elapsed();
    assert!(status.success() && took < WINDOW, "{status} after {took:?}");
    app.logged("\"stopped\"").await;
    let mut times = Vec::new();
    for reader in left {
        let Left { coverage, drain, id } = reader.unwrap();
        assert_eq!((&drain["reason"], drain["sequence"].as_u64()), (&json!("draining"), Some(acknowledged)));
        assert_eq!(coverage.to, acknowledged, "what was acknowledged was shown before the reader left");
        let id = id.expect("a drain has a resume point");
        assert_eq!(id.split('_').nth(1), Some(acknowledged.to_string().as_str()));
        times.push(drain["retry_ms"].as_u64().unwrap());
    }
    assert!(times.iter().all(|retry_ms| *retry_ms > 0));
}

#[tokio::test]
async fn reader_who_waits_for_a_step_is_sent_away_not_told_that_it_never_came() {
    let mut app = TestApp::new().env("SERVER__DRAIN_WINDOW_MS", 1_000).start().await;
    let mut reader = app.sse("/planner/sessions/s/steps/p/events").await;
    reader.expect("open").await;
    app.signal("TERM");
    let last = reader.rest().await;
    let names: Vec<_> = last.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["drain"]);
    assert!(app.exited().await.success());
}

#[tokio::test]
async fn reader_who_does_not_read_is_dropped_when_the_window_is_over() {
    let mut app = TestApp::new().env("SERVER__DRAIN_WINDOW_MS", 1_000).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut stalled = app.get(planner.events("p")).receive_buffer(2_048).sse().await;
    stalled.open().await;
    let content = "x".repeat(16_384);
    for revision in 1..=40 {
        planner.subagent("p", "a").say("partial", revision, &content).await;
    }
    app.signal("TERM");
    let begin = Instant::now();
    assert!(app.exited().await.success());
    assert!(begin.elapsed() < Duration::from_secs(12), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn stream_that_is_over_before_the_signal_is_not_touched_by_it() {
    let mut app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(planner.events("p")).await;
    planner.subagent("p", "a").succeed().await;
    app.signal("TERM");
    let last = reader.rest().await;
    assert_eq!(last.last().unwrap().name, "end");
    assert!(app.exited().await.success());
}
