//! Clients that ask in unusual ways: HTTP/1.0, HEAD, several requests on one connection.

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::{Incoming, TestApp, open_plan, within};

#[tokio::test]
async fn reader_of_http_1_0_gets_the_stream_without_chunks() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    planner.subagent("p", "a").succeed().await;
    let mut socket = app.connect().await;
    let request = format!("GET {} HTTP/1.0\r\naccept: text/event-stream\r\n\r\n", planner.events("p"));
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    within("the end of the stream", socket.read_to_string(&mut answer)).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.") && head.contains(" 200 "), "{head}");
    assert!(!head.to_lowercase().contains("transfer-encoding"), "{head}");
    assert!(body.starts_with("retry: ") && body.contains("event: end\n"), "{body}");
}

#[tokio::test]
async fn head_of_a_stream_takes_no_seat() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut socket = app.connect().await;
    let request = format!(
        "HEAD {} HTTP/1.1\r\nhost: t\r\naccept: text/event-stream\r\nconnection: close\r\n\r\n",
        planner.events("p")
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    within("the end of the answer", socket.read_to_string(&mut answer)).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("text/event-stream"), "{answer}");
    assert!(answer.ends_with("\r\n\r\n"), "no body: {answer}");
    app.settled("readers", 0).await;
}

#[tokio::test]
async fn stream_may_follow_other_requests_on_its_connection() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    planner.subagent("p", "a").succeed().await;
    let mut socket = app.connect().await;
    let get =
        |path: &str, accept: &str| format!("GET {path} HTTP/1.1\r\nhost: t\r\naccept: {accept}\r\n\r\n");
    for _ in 0..3 {
        socket.write_all(get("/healthz", "*/*").as_bytes()).await.unwrap();
        let mut answer = vec![0; 4_096];
        let bytes = within("an answer", socket.read(&mut answer)).await.unwrap();
        let text = String::from_utf8_lossy(&answer[..bytes]).into_owned();
        assert!(text.starts_with("HTTP/1.1 200") && text.ends_with('}'), "{text}");
    }
    socket.write_all(get(&planner.events("p"), "text/event-stream").as_bytes()).await.unwrap();
    let read = async { Incoming::read_head(socket).await.unwrap().whole().await.unwrap() };
    let answer = within("the stream", read).await;
    assert!(answer.status == 200 && answer.text().contains("event: end\n"), "{}", answer.text());
}

#[tokio::test]
async fn body_that_breaks_off_changes_nothing() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut socket = app.connect().await;
    let path = planner.subagent("p", "a").path;
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: t\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n"
    );
    socket.write_all(format!("{head}{{\"status\":\"success\"}}").as_bytes()).await.unwrap();
    socket.shutdown().await.unwrap();
    let mut answer = Vec::new();
    within("the end of the connection", socket.read_to_end(&mut answer)).await.unwrap();
    assert!(!String::from_utf8_lossy(&answer).starts_with("HTTP/1.1 200"));
    assert_eq!(planner.page("/events").await["tail"], 1);
}
