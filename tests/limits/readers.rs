//! Bounds of readers, and how one who is turned away learns of it: an `EventSource` gives up for good on any status but
//! 200, so it is told in the stream.

use serde_json::Value;

use crate::harness::{Client, SseEvent, TestApp, assert_problem, open_plan};

/// Asks for a stream that isn't given; returns the `error` event.
async fn turned_away(client: Client, path: &str) -> (SseEvent, Value) {
    let mut reader = client.sse(path).await;
    let error = reader.expect("error").await;
    assert_eq!((error.id.as_ref(), reader.next().await), (None, None), "an error has no id and is the last");
    assert!(reader.retry.is_some_and(|retry_ms| retry_ms > 0), "it says when to come back");
    let document = error.json();
    assert_eq!((document["code"].as_str(), document["status"].as_u64()), (Some("over_capacity"), Some(503)));
    (error, document)
}

#[tokio::test]
async fn session_has_so_many_readers() {
    let app = TestApp::new().env("LIMITS__READERS_PER_SESSION", 2).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut seated = Vec::new();
    for path in [planner.events("p"), planner.path("/events")] {
        let mut reader = app.sse(path).await;
        let (_, coverage) = reader.open().await;
        seated.push((reader, coverage));
    }
    turned_away(app.client(), &planner.events("p")).await;
    let lines = planner.get("/events").header("accept", "application/x-ndjson");
    assert_problem(&lines.send().await, 503, "over_capacity");
    assert_eq!(planner.page("/events").await["tail"], 1, "pages take no seat");
    let other = open_plan(app.client(), "other", &["a"]).await;
    app.sse(other.events("p")).await.open().await;
    // Those who have a seat are served as before, and a seat that is given back can be taken.
    planner.subagent("p", "a").say("partial", 1, "x").await;
    for (reader, coverage) in &mut seated {
        reader.cover(coverage, 3).await;
    }
    seated.pop();
    app.settled("readers", 1).await;
    app.sse(planner.events("p")).await.open().await;
}

#[tokio::test]
async fn service_has_so_many_readers() {
    let app = TestApp::new().env("LIMITS__READERS", 3).env("LIMITS__READERS_PER_SESSION", 3).start().await;
    let mut seated = Vec::new();
    for session in ["one", "two", "three"] {
        let planner = open_plan(app.client(), session, &["a"]).await;
        let mut reader = app.sse(planner.events("p")).await;
        reader.open().await;
        seated.push((planner, reader));
    }
    let planner = open_plan(app.client(), "four", &["a"]).await;
    for path in [planner.events("p"), planner.path("/events"), "/planner/sessions/unknown/events".to_owned()]
    {
        turned_away(app.client(), &path).await;
        let lines = app.get(&path).header("accept", "application/x-ndjson");
        assert_problem(&lines.send().await, 503, "over_capacity");
    }
    let (ended, mut reader) = seated.pop().unwrap();
    ended.subagent("p", "a").succeed().await;
    reader.until("end").await;
    app.settled("readers", 2).await;
    app.sse(planner.events("p")).await.open().await;
}

#[tokio::test]
async fn turned_away_readers_hold_no_seat() {
    let app = TestApp::new().env("LIMITS__READERS", 1).env("LIMITS__READERS_PER_SESSION", 1).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(planner.events("p")).await;
    reader.open().await;
    for _ in 0..50 {
        turned_away(app.client(), &planner.events("p")).await;
    }
    assert_eq!(app.gauge("readers").await, 1);
    drop(reader);
    app.settled("readers", 0).await;
    app.sse(planner.events("p")).await.open().await;
}
