//! Streams on which nothing happens: heartbeats, and no more than that.

use serde_json::json;

use crate::harness::{TestApp, open_plan};

#[tokio::test]
async fn idle_stream_says_that_it_lives_without_moving_the_readers_place() {
    let app = TestApp::new().env("STREAMING__HEARTBEAT_MS", 150).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(planner.events("p")).await;
    let (open, mut coverage) = reader.open().await;
    assert_eq!(open["heartbeat_ms"], 150);
    reader.cover(&mut coverage, 1).await;
    let place = reader.last_id.clone();
    for _ in 0..3 {
        let heartbeat = reader.expect("heartbeat").await;
        assert_eq!(heartbeat.id, None);
        assert_eq!(heartbeat.json(), json!({"sequence": 1, "epoch": open["epoch"], "store": "ok"}));
    }
    assert_eq!(reader.last_id, place);
    planner.subagent("p", "a").say("partial", 1, "x").await;
    reader.cover(&mut coverage, 3).await;
    coverage.assert_whole(3);
}

#[tokio::test]
async fn reader_that_waits_for_a_step_hears_heartbeats_too() {
    let app = TestApp::new()
        .env("STREAMING__HEARTBEAT_MS", 150)
        .env("STREAMING__UNKNOWN_PATIENCE_MS", 20_000)
        .start()
        .await;
    let mut reader = app.sse("/planner/sessions/s/steps/p/events").await;
    reader.expect("open").await;
    reader.expect("heartbeat").await;
}

#[tokio::test]
async fn busy_stream_needs_no_heartbeats() {
    let app = TestApp::new().env("STREAMING__HEARTBEAT_MS", 60_000).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(planner.events("p")).await;
    for revision in 1..=50 {
        planner.subagent("p", "a").say("partial", revision, "x").await;
    }
    planner.subagent("p", "a").succeed().await;
    assert!(reader.until("end").await.iter().all(|event| event.name != "heartbeat"));
}

#[tokio::test]
async fn first_partial_goes_out_at_once() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(format!("{}?batch=5&after=tail", planner.events("p"))).await;
    let (_, mut coverage) = reader.open().await;
    planner.subagent("p", "a").say("partial", 1, "first").await;
    // Nothing follows that could fill the frame.
    let events = reader.cover(&mut coverage, 3).await;
    assert_eq!(events.len(), 2);
}
