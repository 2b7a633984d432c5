//! What comes over a WebSocket is what NDJSON has, and it is closed with a code that says why.

use serde_json::{Value, json};

use super::Socket;
use crate::harness::{Coverage, Planner, TestApp, eventually, open_plan};

/// A session with one step `p` that is over.
async fn finished(app: &TestApp) -> Planner {
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    for revision in 1..=20 {
        planner.subagent("p", "a").say("partial", revision, "é\n\u{2028}\"😀\" \r\n\u{0}").await;
    }
    planner.subagent("p", "a").say("success", 21, &"x".repeat(200_000)).await;
    planner.subagent("p", "b").succeed().await;
    planner
}

async fn lines(planner: &Planner, rest: &str) -> Vec<String> {
    let answer = planner.get(rest).header("accept", "application/x-ndjson").send().await;
    assert_eq!(answer.status, 200);
    answer.text().lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn messages_are_the_lines_of_ndjson_byte_for_byte() {
    let app = TestApp::new().start().await;
    let planner = finished(&app).await;
    planner.tell("/close", json!({})).await;
    for rest in [
        "/steps/p/events",
        "/steps/p/events?batch=1",
        "/steps/p/events?after=snapshot",
        "/steps/p/events?last=3&subagent=a",
        "/events?coalesce=never",
    ] {
        let mut socket = Socket::open(app.client(), planner.path(rest)).await;
        let (events, code) = socket.rest().await;
        let texts: Vec<String> = events.into_iter().map(|event| event.text).collect();
        assert_eq!(code, 1000, "{rest}");
        assert_eq!(texts, lines(&planner, rest).await, "{rest}");
        assert!(texts.len() > 2, "{rest}: {texts:?}");
    }
}

#[tokio::test]
async fn step_that_was_read_to_its_end_is_opened_and_ended() {
    let app = TestApp::new().start().await;
    let planner = finished(&app).await;
    let mut socket = Socket::open(app.client(), planner.events("p")).await;
    socket.rest().await;
    let last = socket.last_id.unwrap();
    let mut again = Socket::open(app.client(), format!("{}?last_event_id={last}", planner.events("p"))).await;
    assert_eq!(again.opened().await["reason"], "closed");
    assert_eq!(again.names().await, "end 1000");
}

#[tokio::test]
async fn subprotocol_is_taken_where_it_is_offered_and_no_extension_ever_is() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let deflate = ("sec-websocket-extensions", "permessage-deflate; client_max_window_bits");
    let offers: [&[_]; 3] = [
        &[deflate, ("sec-websocket-protocol", "tributary.v1")],
        &[deflate, ("sec-websocket-protocol", "chat, tributary.v1")],
        &[deflate],
    ];
    for offer in offers {
        let mut socket = Socket::with(app.client(), planner.events("p"), offer, None).await;
        let taken = socket.headers.get("sec-websocket-protocol").map(|name| name.to_str().unwrap());
        assert_eq!(taken, (offer.len() > 1).then_some("tributary.v1"));
        assert_eq!(socket.headers.get("sec-websocket-extensions"), None);
        socket.opened().await;
    }
}

#[tokio::test]
async fn events_come_while_they_happen_and_the_end_closes() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut socket = Socket::open(app.client(), planner.events("p")).await;
    let mut coverage = Coverage::after(&socket.opened().await);
    socket.cover(&mut coverage, 1).await;
    for revision in 1..=5 {
        planner.subagent("p", "a").say("partial", revision, "more").await;
        socket.cover(&mut coverage, 1 + revision).await;
    }
    planner.subagent("p", "a").succeed().await;
    let (events, code) = socket.rest().await;
    let (end, frames) = events.split_last().unwrap();
    frames.iter().for_each(|frame| coverage.take(frame));
    assert_eq!((end.name.as_str(), code), ("end", 1000));
    assert_eq!(end.json()["reason"], "plan_step_completed");
    coverage.assert_whole(end.json()["sequence"].as_u64().unwrap());
}

#[tokio::test]
async fn stopping_service_asks_its_readers_to_come_back() {
    let mut app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut socket = Socket::open(app.client(), planner.events("p")).await;
    socket.opened().await;
    socket.expect("planner_stream").await;
    app.signal("TERM");
    let drain = socket.expect("drain").await;
    assert_eq!((drain.json()["reason"].as_str(), drain.id.is_some()), (Some("draining"), true));
    assert_eq!(socket.rest().await.1, 1012);
    assert!(app.exited().await.success());
}

#[tokio::test]
async fn hundred_sockets_all_get_everything() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reading = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let (client, path) = (app.client(), format!("{}?coalesce=never", planner.events("p")));
        reading.spawn(async move {
            let mut socket = Socket::open(client, path).await;
            let mut coverage = Coverage::after(&socket.opened().await);
            let (mut events, code) = socket.rest().await;
            let end = events.pop().unwrap().json();
            events.iter().for_each(|frame| coverage.take(frame));
            coverage.assert_whole(end["sequence"].as_u64().unwrap());
            (coverage.events.len() as u64, code)
        });
    }
    app.settled("readers", 100).await;
    for revision in (1..=100).step_by(10) {
        let event = |revision| json!({"status": "partial", "revision": revision});
        let events: Vec<Value> = (revision..revision + 10).map(event).collect();
        planner.subagent("p", "a").post(&json!(events)).await.expect(200);
    }
    planner.subagent("p", "a").succeed().await;
    let tail = planner.step("p").await["sequence"]["tail"].as_u64().unwrap();
    for seen in reading.join_all().await {
        assert_eq!(seen, (tail, 1000));
    }
    eventually("their seats to be free", || async { (app.gauge("readers").await == 0).then_some(()) }).await;
}
