//! Connections have an age: at its end a reader is asked to come again, with its place, and loses nothing.

use serde_json::json;

use crate::harness::{Coverage, Planner, SseClient, TestApp, open_plan};

/// The reader, come back to its place.
async fn back(planner: &Planner, reader: &SseClient, coverage: &mut Coverage) -> SseClient {
    let last = reader.last_id.as_ref().unwrap();
    let mut reader = planner.get("/steps/p/events").header("last-event-id", last).sse().await;
    coverage.resume(&reader.expect("open").await.json());
    reader
}

#[tokio::test]
async fn old_connection_is_drained_with_its_place_and_continues_exactly() {
    let app = TestApp::new()
        .env("STREAMING__CONNECTION_AGE_MS", 1_000)
        .env("STREAMING__RETRY_MS", 77)
        .start()
        .await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let mut reader = app.sse(planner.events("p")).await;
    let (_, mut coverage) = reader.open().await;
    assert_eq!(reader.retry, Some(77));
    let (mut revision, mut rotations) = (0, 0);
    while rotations < 2 {
        revision += 1;
        a.say("partial", revision, "x").await;
        while let Some(event) = reader.next().await {
            if event.name == "drain" {
                let expected = json!({"reason": "connection_age", "sequence": coverage.to, "retry_ms": 77});
                assert_eq!((event.json(), event.id.as_ref()), (expected, reader.last_id.as_ref()));
                assert!(event.text.contains("retry: 77"));
                assert_eq!(reader.next().await, None, "a drained stream ends");
                reader = back(&planner, &reader, &mut coverage).await;
                rotations += 1;
                break;
            }
            coverage.take(&event);
            if coverage.to == 2 + revision {
                break;
            }
        }
    }
    a.succeed().await;
    loop {
        let event = reader.next().await.unwrap();
        match event.name.as_str() {
            "end" => break,
            // A slow machine may need longer than a connection lives.
            "drain" => reader = back(&planner, &reader, &mut coverage).await,
            "planner_stream" => coverage.take(&event),
            _ => {}
        }
    }
    coverage.assert_whole(planner.page("/events").await["tail"].as_u64().unwrap());
}

#[tokio::test]
async fn lines_are_drained_with_their_place_too() {
    let app = TestApp::new().env("STREAMING__CONNECTION_AGE_MS", 1_000).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let answer = planner.get("/steps/p/events").header("accept", "application/x-ndjson").send().await;
    let last: serde_json::Value = serde_json::from_str(answer.text().lines().last().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["data"]["sequence"]), (&json!("drain"), &json!(1)));
    assert_eq!(last["id"], planner.page("/events").await["next"]);
}
