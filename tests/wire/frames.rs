//! Whole streams: open, frames, snapshot, heartbeat, drain, end and error, as SSE and as lines.

use serde_json::{Value, json};

use crate::harness::{Planner, SseEvent, TestApp, open_plan, redacted};

/// A stream's text with the events left out: they have snapshots of their own.
fn frames(events: &[SseEvent]) -> String {
    let texts = events.iter().map(|event| without_events(&event.text));
    redacted(&texts.collect::<Vec<_>>().join("\n\n"))
}

fn without_events(text: &str) -> String {
    let Some((before, after)) = text.split_once("\"events\":[") else { return text.to_owned() };
    let list = format!("[{after}");
    let mut values = serde_json::Deserializer::from_str(&list).into_iter::<Vec<Value>>();
    let events = values.next().unwrap().unwrap();
    let sequences: Vec<_> = events.iter().map(|event| event["sequence"].to_string()).collect();
    format!("{before}\"events\":[{}]{}", sequences.join(","), &list[values.byte_offset()..])
}

async fn partials(planner: &Planner, revisions: std::ops::RangeInclusive<u64>) {
    for revision in revisions {
        planner.subagent("p", "a").say("partial", revision, "x").await;
    }
}

#[tokio::test]
async fn replay_and_its_end() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    partials(&planner, 1..=7).await;
    let mut reader = app.sse(planner.events("p")).await;
    let (_, mut coverage) = reader.open().await;
    reader.cover(&mut coverage, 9).await;
    let place = reader.last_id.clone().unwrap();
    planner.tell("/steps/p/cancel", json!({"reason": "enough"})).await;
    let whole = app.sse(planner.events("p")).await.rest().await;
    insta::assert_snapshot!("stream_replay", frames(&whole));
    let resumed = planner.get("/steps/p/events").header("last-event-id", &place).sse().await.rest().await;
    insta::assert_snapshot!("stream_resumed", frames(&resumed));
}

#[tokio::test]
async fn snapshot_instead_of_history() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b", "c", "d", "e", "f"]).await;
    partials(&planner, 1..=3).await;
    for key in ["b", "c", "d", "e", "f"] {
        planner.subagent("p", key).say("success", 1, "x").await;
    }
    planner.tell("/steps/p/cancel", json!({})).await;
    let foreign = planner.get("/steps/p/events").header("last-event-id", "7f3a91_3_9c1b2d3e00a1b2c3");
    insta::assert_snapshot!("stream_snapshot", frames(&foreign.sse().await.rest().await));
}

#[tokio::test]
async fn unknown_then_nothing() {
    let app = TestApp::new().env("STREAMING__UNKNOWN_PATIENCE_MS", 50).start().await;
    let mut reader = app.sse("/planner/sessions/s/steps/p/events").await;
    insta::assert_snapshot!("stream_unknown", frames(&reader.rest().await));
}

#[tokio::test]
async fn heartbeat_and_drain() {
    let app = TestApp::new()
        .env("STREAMING__HEARTBEAT_MS", 100)
        .env("STREAMING__CONNECTION_AGE_MS", 4_000)
        .start()
        .await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut events = app.sse(planner.events("p")).await.rest().await;
    events.dedup_by(|a, b| a.name == "heartbeat" && b.name == "heartbeat");
    insta::assert_snapshot!("stream_heartbeat_drain", frames(&events));
}

#[tokio::test]
async fn lines_with_a_filter() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    partials(&planner, 1..=2).await;
    planner.tell("/steps/p/cancel", json!({})).await;
    let request = planner
        .get("/steps/p/events?subagent=b&type=subagent_completed")
        .header("accept", "application/x-ndjson");
    let lines: Vec<_> = request.send().await.text().lines().map(without_events).collect();
    insta::assert_snapshot!("lines_filtered", redacted(&lines.join("\n")));
}
