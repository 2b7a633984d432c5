//! Connections have a bound, and beyond it an answer.

use tokio::net::TcpStream;

use crate::harness::{SseClient, TestApp, assert_problem, eventually, open_plan};

/// Event streams that were let in. A connection that was closed just now may count a moment longer.
async fn held(app: &TestApp, path: &str, count: usize) -> Vec<SseClient> {
    let mut held = Vec::new();
    while held.len() < count {
        let let_in = || async {
            let mut reader = app.sse(path).await;
            (reader.next().await?.name == "open").then_some(reader)
        };
        held.push(eventually("a connection to be let in", let_in).await);
    }
    held
}

#[tokio::test]
async fn beyond_the_bound_requests_are_told_to_come_again() {
    let app = TestApp::new().env("SERVER__CONNECTIONS_MAX", 4).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut held = held(&app, &planner.events("p"), 4).await;
    for _ in 0..10 {
        assert_eq!(app.get("/healthz").send().await.json()["status"], "ok", "it lives all the same");
        assert_problem(&app.get("/readyz").send().await, 503, "over_capacity");
        assert_problem(&planner.post(&serde_json::json!({})).await, 503, "over_capacity");
        let mut reader = app.sse(planner.events("p")).await;
        let error = reader.expect("error").await.json();
        assert_eq!((error["code"].as_str(), error["status"].as_u64()), (Some("over_capacity"), Some(503)));
        assert!(reader.retry.is_some_and(|retry_ms| retry_ms > 0));
        assert_eq!(reader.next().await, None);
    }
    // Who sends is told by the status, whatever it takes: 200 would say that it was stored.
    let sender = app.post(planner.subagent("p", "a").path).header("accept", "text/event-stream");
    let refused = sender.json(&serde_json::json!({"status": "success"})).send().await;
    assert_problem(&refused, 503, "over_capacity");
    // Who only takes a stream as well gets what it would rather have.
    let accept = "application/json, text/event-stream;q=0.1";
    let rather = app.get(planner.events("p")).header("accept", accept).send().await;
    assert_problem(&rather, 503, "over_capacity");
    // A connection that is let go makes room, and those that were held are served as before.
    drop(held.pop());
    let room = || async { Some(planner.get("/events").send().await).filter(|answer| answer.status == 200) };
    assert_eq!(eventually("room for a connection", room).await.json()["tail"], 1);
    for reader in &mut held {
        reader.expect("planner_stream").await;
    }
}

#[tokio::test]
async fn silent_connections_do_not_hold_their_place() {
    let app = TestApp::new()
        .env("SERVER__CONNECTIONS_MAX", 2)
        .env("SERVER__HEADER_READ_TIMEOUT_MS", 200)
        .start()
        .await;
    let mut silent: Vec<TcpStream> = Vec::new();
    for _ in 0..2 {
        silent.push(app.connect().await);
    }
    let room = || async { (app.get("/readyz").send().await.status == 200).then_some(()) };
    eventually("silent connections to be closed", room).await;
}
