//! Streams of HTTP/2 that share a connection.

use bytes::Bytes;
use hyper::body::Frame;
use serde_json::{Value, json};

use super::client::upload;
use super::{Body, Http2};
use crate::harness::{Planner, TestApp, assert_problem, open_plan, within};

const STREAMS: usize = 20;

/// Sessions with a step each, and the event streams of all steps over one connection.
async fn streams(app: &TestApp, connection: &Http2) -> Vec<(Planner, Body)> {
    let mut all = Vec::new();
    for number in 0..STREAMS {
        let planner = open_plan(app.client(), &format!("s{number}"), &["a"]).await;
        let mut stream = connection.events(&planner.events("p")).await;
        stream.until("step_started").await;
        all.push((planner, stream));
    }
    all
}

#[tokio::test]
async fn twenty_sessions_are_followed_over_one_connection() {
    let app = TestApp::new().start().await;
    let connection = Http2::plain(app.client().address).await;
    let mut all = streams(&app, &connection).await;
    for (number, (planner, stream)) in all.iter_mut().enumerate().rev() {
        planner.subagent("p", "a").say("partial", 1, &format!("only in {number}.")).await;
        stream.until(&format!("only in {number}.")).await;
    }
    for (planner, stream) in all {
        planner.subagent("p", "a").succeed().await;
        let rest = stream.rest().await;
        assert!(rest.contains("event: end") && !rest.contains("only in"), "{rest}");
    }
}

#[tokio::test]
async fn drain_reaches_every_stream_of_a_connection() {
    let mut app = TestApp::new().start().await;
    let connection = Http2::plain(app.client().address).await;
    let all = streams(&app, &connection).await;
    app.signal("TERM");
    for (_, stream) in all {
        let rest = stream.rest().await;
        assert!(rest.contains("event: drain\n") && rest.contains("\"draining\""), "{rest}");
    }
    assert!(app.exited().await.success());
}

#[tokio::test]
async fn more_streams_than_the_bound_wait_for_their_turn() {
    let app = TestApp::new().env("SERVER__HTTP2_STREAMS_MAX", 3).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let connection = Http2::plain(app.client().address).await;
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(connection.events(&planner.events("p")).await);
    }
    let waiting = tokio::spawn({
        let (connection, path) = (connection.clone(), planner.events("p"));
        async move { connection.events(&path).await }
    });
    // It has had its chance when those that run have got something new.
    for revision in 1..=3 {
        planner.subagent("p", "a").say("partial", revision, &format!("number {revision}.")).await;
        for stream in &mut open {
            stream.until(&format!("number {revision}.")).await;
        }
    }
    assert!(!waiting.is_finished());
    assert_eq!(app.gauge("readers").await, 3);
    open.pop();
    within("its turn", waiting).await.unwrap().until("number 3.").await;
    app.settled("readers", 3).await;
}

#[tokio::test]
async fn stream_that_is_not_read_does_not_stop_the_others() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["big", "quick"]).await;
    let connection = Http2::plain(app.client().address).await;
    let mut slow = connection.events(&format!("{}?subagent=big&coalesce=never", planner.events("p"))).await;
    let mut quick = connection.events(&format!("{}?subagent=quick", planner.events("p"))).await;
    let content = "x".repeat(64 << 10);
    for revision in 1..=64 {
        let event = json!({"status": "partial", "revision": revision, "payload": {"content": content}});
        assert_eq!(connection.post(&planner.subagent("p", "big").path, &event).await.status, 200);
        planner.subagent("p", "quick").say("partial", revision, &format!("number {revision}.")).await;
        quick.until(&format!("number {revision}.")).await;
    }
    // Nor is anything lost that it reads later.
    planner.subagent("p", "quick").succeed().await;
    planner.subagent("p", "big").succeed().await;
    let read = slow.until("event: end").await;
    assert_eq!(read.matches(&content).count(), 64);
}

#[tokio::test]
async fn upload_and_its_stream_share_a_connection() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let connection = Http2::plain(app.client().address).await;
    let mut stream = connection.events(&planner.events("p")).await;
    let (send, body) = upload();
    let line = |event: Value| Frame::data(Bytes::from(format!("{event}\n")));
    let path = planner.subagent("p", "a").path;
    let asking = tokio::spawn({
        let connection = connection.clone();
        async move { connection.post_lines(&path, body).await }
    });
    for revision in 1..=20 {
        let text = format!("number {revision}.");
        let event = json!({"status": "partial", "revision": revision, "payload": {"content": text}});
        send.unbounded_send(Ok(line(event))).unwrap();
        stream.until(&text).await;
    }
    send.unbounded_send(Ok(line(
        json!({"status": "success", "payload": {"content": "done", "sources": []}}),
    )))
    .unwrap();
    stream.until("event: end").await;
    drop(send);
    let answer = within("the answer", asking).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[tokio::test]
async fn where_there_is_no_room_the_answer_is_503() {
    let app = TestApp::new().env("LIMITS__READERS", 1).env("LIMITS__READERS_PER_SESSION", 1).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let connection = Http2::plain(app.client().address).await;
    let _seated = connection.events(&planner.events("p")).await;
    let answer = connection.open(&planner.events("p"), "application/x-ndjson").await.whole().await;
    assert_problem(&answer, 503, "over_capacity");
    let told = connection.open(&planner.events("p"), "text/event-stream").await;
    assert_eq!(told.status, 200, "an EventSource would give up on any other");
    assert!(told.rest().await.contains("event: error\n"));
}

#[tokio::test]
async fn connection_for_which_there_is_no_room_is_answered_503() {
    let app = TestApp::new().env("SERVER__CONNECTIONS_MAX", 2).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut held = Vec::new();
    while held.len() < 2 {
        // The connection that asked before may still count.
        let connection = Http2::plain(app.client().address).await;
        let stream = connection.open(&planner.events("p"), "application/x-ndjson").await;
        if stream.status == 200 {
            held.push(stream);
        }
    }
    let beyond = Http2::plain(app.client().address).await;
    let answer = beyond.open(&planner.events("p"), "application/json").await.whole().await;
    assert_problem(&answer, 503, "over_capacity");
}
