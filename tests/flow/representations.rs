//! One resource, three forms: the same events, byte for byte.

use serde_json::{Value, json};

use crate::harness::{Planner, TestApp, event_texts, open_plan};

async fn played(app: &TestApp) -> Planner {
    let planner = open_plan(app.client(), "s", &["documentation", "b"]).await;
    let documentation = planner.subagent("p", "documentation");
    let odd = r#"{"status":"partial","payload":{ "z" : 1.50, "a":"é\u00e9\n\"\\","big":12345678901234567890,
        "deep":[[[{"":null}]]] },"telemetry":{"latency_ms":7,"metrics":{"n":1e2}}}"#;
    app.post(&documentation.path).body("application/json", odd).send().await.expect(200);
    for revision in 2..9 {
        documentation.say("partial", revision, &"text ".repeat(revision as usize)).await;
    }
    planner.tell("/steps/p/progress", json!({"message": "half"})).await;
    documentation.succeed().await;
    planner.subagent("p", "b").post(&json!({"error": {"message": "broken"}})).await.expect(200);
    planner
}

#[tokio::test]
async fn page_and_replays_have_the_same_bytes() {
    let app = TestApp::new().start().await;
    let planner = played(&app).await;
    for path in [planner.path("/events"), planner.events("p")] {
        let page = app.get(&path).send().await;
        let stored = event_texts(page.text());
        assert!(stored.len() > 15);

        let mut sse = app.sse(&path).await;
        let (_, mut coverage) = sse.open().await;
        let mut streamed = Vec::new();
        for frame in sse.rest().await.iter().filter(|event| event.name == "planner_stream") {
            coverage.take(frame);
            streamed.extend(event_texts(&frame.data));
        }
        assert_eq!(streamed, stored, "{path} as an event stream");

        let lines = app.get(&path).header("accept", "application/x-ndjson").send().await;
        assert_eq!((lines.status, lines.header("content-type")), (200, Some("application/x-ndjson")));
        let mut listed = Vec::new();
        for line in lines.text().lines().filter(|line| line.starts_with(r#"{"event":"planner_stream""#)) {
            let data = line.split_once(r#""data":"#).unwrap().1.strip_suffix('}').unwrap();
            listed.extend(event_texts(data));
        }
        assert_eq!(listed, stored, "{path} as lines");
    }
}

#[tokio::test]
async fn lines_say_what_the_event_stream_says() {
    let app = TestApp::new().start().await;
    let planner = played(&app).await;
    let mut sse = app.sse(planner.events("p")).await;
    let lines = planner.get("/steps/p/events").header("accept", "application/x-ndjson").send().await;
    for line in lines.text().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let event = sse.next().await.unwrap();
        assert_eq!(line["event"], event.name);
        assert_eq!(line["id"].as_str(), event.id.as_deref());
        assert_eq!(line["data"], event.json());
    }
    assert_eq!(sse.next().await, None);
}

#[tokio::test]
async fn pages_continue_one_another_whatever_their_size() {
    let app = TestApp::new().start().await;
    let planner = played(&app).await;
    let whole = event_texts(planner.get("/events").send().await.text());
    for limit in [1, 3, 7, 5_000] {
        let (mut after, mut to, mut found) = ("start".to_owned(), 0, Vec::new());
        loop {
            let answer = planner.get(&format!("/events?limit={limit}&after={after}")).send().await;
            let page = answer.json();
            let events = event_texts(answer.text());
            assert!(events.len() <= limit);
            assert_eq!(page["from"].as_u64(), Some(to + 1));
            assert_eq!((&page["session_id"], &page["verdict"]["recovered"]), (&json!("s"), &json!(true)));
            to = page["to"].as_u64().unwrap();
            after = page["next"].as_str().unwrap().to_owned();
            found.extend(events);
            if page["closed"] == true {
                break;
            }
        }
        assert_eq!(found, whole, "limit {limit}");
    }
    let beyond = planner.get("/events?limit=5001").send().await;
    crate::harness::assert_problem(&beyond, 422, "limit_reached");
}

#[tokio::test]
async fn event_streams_are_never_compressed_stored_or_buffered() {
    let app = TestApp::new().start().await;
    let planner = played(&app).await;
    for (accept, path) in
        [("text/event-stream", planner.events("p")), ("application/x-ndjson", planner.events("p"))]
    {
        let request =
            app.get(path).header("accept", accept).header("accept-encoding", "gzip, br, zstd, deflate");
        let answer = request.send().await;
        assert_eq!((answer.status, answer.header("content-encoding")), (200, None));
        assert_eq!(answer.header("cache-control"), Some("no-store, no-transform"));
        assert_eq!(answer.header("x-accel-buffering"), Some("no"));
        assert!(answer.text().contains("plan_step_completed"));
    }
}

#[tokio::test]
async fn accept_chooses_the_form_by_its_weights() {
    let app = TestApp::new().start().await;
    let planner = played(&app).await;
    for (accept, expected) in [
        ("*/*", "application/json"),
        ("text/html", "application/json"),
        ("text/event-stream, */*;q=0.1", "text/event-stream"),
        ("application/json;q=0.5, application/x-ndjson", "application/x-ndjson"),
        ("TEXT/EVENT-STREAM;charset=utf-8", "text/event-stream"),
        ("text/*", "text/event-stream"),
        ("*/*;q=0.1, text/event-stream", "text/event-stream"),
        ("text/event-stream;q=0.1, */*", "application/json"),
        ("application/json;q=0, application/*", "application/x-ndjson"),
    ] {
        let answer = planner.get("/events").header("accept", accept).send().await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(expected)), "{accept}");
    }
}
