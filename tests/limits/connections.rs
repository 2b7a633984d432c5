//! Connections have a bound, and beyond it an answer.

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{TestApp, assert_problem, eventually, open_plan};

async fn idle(app: &TestApp, count: usize) -> Vec<TcpStream> {
    let mut idle = Vec::new();
    for _ in 0..count {
        idle.push(app.connect().await);
    }
    idle
}

#[tokio::test]
async fn beyond_the_bound_requests_are_told_to_come_again() {
    let app = TestApp::new().env("SERVER__CONNECTIONS_MAX", 4).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    // Connections of requests that were answered are closed, but perhaps not noticed yet.
    let full = || async {
        let held = idle(&app, 4).await;
        let answer = app.get("/healthz").send().await;
        (answer.status == 503).then_some((held, answer))
    };
    let (mut held, answer) = eventually("four connections to be taken", full).await;
    assert_problem(&answer, 503, "over_capacity");
    assert_problem(&planner.post(&serde_json::json!({})).await, 503, "over_capacity");
    let mut reader = app.sse(planner.events("p")).await;
    let error = reader.expect("error").await.json();
    assert_eq!((error["code"].as_str(), error["status"].as_u64()), (Some("over_capacity"), Some(503)));
    assert!(reader.retry.is_some_and(|retry_ms| retry_ms > 0));
    assert_eq!(reader.next().await, None);
    // A connection that is let go makes room.
    held.pop().unwrap().shutdown().await.unwrap();
    let room = || async { (app.get("/healthz").send().await.status == 200).then_some(()) };
    eventually("room for a connection", room).await;
    assert_eq!(planner.page("/events").await["tail"], 1);
}

#[tokio::test]
async fn silent_connections_do_not_hold_their_place() {
    let app = TestApp::new()
        .env("SERVER__CONNECTIONS_MAX", 2)
        .env("SERVER__HEADER_READ_TIMEOUT_MS", 200)
        .start()
        .await;
    let held = idle(&app, 2).await;
    let room = || async { (app.get("/healthz").send().await.status == 200).then_some(()) };
    eventually("silent connections to be closed", room).await;
    drop(held);
}
