//! Peers who say nothing, too much, or don't read.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Bytes, Message};

use super::{Said, Socket};
use crate::harness::{Coverage, Planner, TestApp, eventually, open_plan, within};

#[tokio::test]
async fn ping_is_answered_and_an_idle_peer_is_pinged_and_told_that_the_stream_lives() {
    let app = TestApp::new().env("STREAMING__HEARTBEAT_MS", 300).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut socket = Socket::open(app.client(), planner.events("p")).await;
    assert_eq!(socket.opened().await["heartbeat_ms"], 300);
    socket.say(Message::Ping(Bytes::from_static(b"there?"))).await.unwrap();
    let (mut pongs, mut pings, mut heartbeats) = (0, 0, 0);
    // Longer than a peer who doesn't answer would be kept: its pongs do keep it.
    while pongs < 1 || pings < 6 || heartbeats < 6 {
        match socket.hear().await {
            Said::Pong(bytes) => {
                assert_eq!(bytes, b"there?");
                pongs += 1;
            }
            Said::Ping => pings += 1,
            Said::Line(event) if event.name == "heartbeat" => {
                assert_eq!((event.id.clone(), event.json()["sequence"].as_u64()), (None, Some(1)));
                heartbeats += 1;
            }
            Said::Line(event) => assert_eq!(event.name, "planner_stream"),
            said @ (Said::Closed(_) | Said::Gone) => panic!("{said:?}"),
        }
    }
    assert_eq!(pongs, 1);
}

#[tokio::test]
async fn peer_that_answers_no_ping_is_let_go() {
    let app = TestApp::new().env("STREAMING__HEARTBEAT_MS", 300).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut silent = Socket::open(app.client(), planner.events("p")).await;
    silent.opened().await;
    let mut other = Socket::open(app.client(), planner.events("p")).await;
    let answering = tokio::spawn(async move { while let Said::Line(_) | Said::Ping = other.hear().await {} });
    app.settled("readers", 2).await;
    // From here on it isn't asked for anything, so it answers nothing either.
    app.settled("readers", 1).await;
    assert!(!answering.is_finished(), "who answers stays");
    answering.abort();
}

#[tokio::test]
async fn peer_that_closes_or_vanishes_gives_its_seat_back() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut polite = Socket::open(app.client(), planner.events("p")).await;
    let rude = Socket::open(app.client(), planner.events("p")).await;
    app.settled("readers", 2).await;
    polite.say(Message::Close(None)).await.unwrap();
    // Its close is answered with one (RFC 6455, 5.5.1).
    assert_eq!(polite.rest().await.1, 1005);
    app.settled("readers", 1).await;
    drop(rude);
    app.settled("readers", 0).await;
}

#[tokio::test]
async fn message_that_is_too_large_is_refused_with_1009() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    for bytes in [64 * 1_024 + 1, 5_000_000] {
        let mut socket = Socket::open(app.client(), planner.events("p")).await;
        socket.opened().await;
        // The service may be through with it before all is sent.
        let _ = socket.say(Message::text("x".repeat(bytes))).await;
        assert_eq!(socket.rest().await.1, 1009, "{bytes} bytes");
    }
    app.settled("readers", 0).await;
}

#[tokio::test]
async fn chatter_is_taken_for_a_while_and_then_refused_with_1008() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut socket = Socket::open(app.client(), planner.events("p")).await;
    socket.opened().await;
    for _ in 0..64 {
        socket.say(Message::text("x".repeat(1_024))).await.unwrap();
    }
    planner.subagent("p", "a").say("partial", 1, "still served").await;
    let mut coverage = Coverage::default();
    socket.cover(&mut coverage, 2).await;
    socket.say(Message::binary(vec![0])).await.unwrap();
    assert_eq!(socket.names().await, "1008");
    app.settled("readers", 0).await;
}

const STALLED: u64 = 50;
const EVENT_BYTES: usize = 8 << 10;
const RING_BYTES: u64 = 4 << 20;

async fn publish(planner: &Planner, revisions: std::ops::Range<u64>) {
    let content = "x".repeat(EVENT_BYTES);
    for first in revisions.clone().step_by(16) {
        let event =
            |revision| json!({"status": "partial", "revision": revision, "payload": {"content": content}});
        let events: Vec<Value> = (first..revisions.end.min(first + 16)).map(event).collect();
        planner.subagent("p", "big").post(&json!(events)).await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn peers_that_do_not_read_hold_little_and_hold_up_nobody() {
    let app = TestApp::new().env("CACHE__RING_BYTES", RING_BYTES).start().await;
    let planner = open_plan(app.client(), "s", &["big", "quick"]).await;
    let mut stalled = Vec::new();
    for _ in 0..STALLED {
        stalled.push(Socket::with(app.client(), planner.events("p"), &[], Some(2_048)).await);
    }
    app.settled("readers", STALLED).await;
    publish(&planner, 1..1_001).await;
    let before = app.rss_bytes();
    publish(&planner, 1_001..3_001).await;
    let grown = app.rss_bytes().saturating_sub(before);
    let bound = RING_BYTES + STALLED * (96 << 10);
    assert!(grown < bound, "{grown} bytes more than {before}, at most {bound} are fine");

    let mut prompt = Socket::open(app.client(), format!("{}?after=tail", planner.events("p"))).await;
    let open = prompt.opened().await;
    let mut coverage = Coverage::after(&open);
    let begin = Instant::now();
    for revision in 1..=50 {
        planner.subagent("p", "quick").say("partial", revision, "x").await;
        prompt.cover(&mut coverage, open["tail"].as_u64().unwrap() + revision).await;
    }
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?} for 50 events", begin.elapsed());
    assert_eq!(app.gauge("readers").await, STALLED + 1, "they are all still there");
    drop(stalled);
    app.settled("readers", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn peer_that_reads_again_gets_the_coalesced_view_however_long_it_did_not() {
    // Three pings long is 900 ms: it must not count as gone for what it had no chance to answer.
    let app = TestApp::new().env("STREAMING__HEARTBEAT_MS", 300).start().await;
    let planner = open_plan(app.client(), "s", &["big"]).await;
    let mut stalled = Socket::with(app.client(), planner.events("p"), &[], Some(2_048)).await;
    let mut coverage = Coverage::after(&stalled.opened().await);
    publish(&planner, 1..601).await;
    let begin = Instant::now();
    let held = || async {
        assert_eq!(app.gauge("readers").await, 1, "it was let go after {:?}", begin.elapsed());
        (begin.elapsed() > Duration::from_millis(2_000)).then_some(())
    };
    eventually("it to have been stalled for long", held).await;
    planner.subagent("p", "big").succeed().await;
    let tail = planner.step("p").await["sequence"]["tail"].as_u64().unwrap();
    stalled.cover(&mut coverage, tail).await;
    coverage.assert_whole(tail);
    assert!(coverage.coalesced.len() > 300, "{} of {tail} were left out", coverage.coalesced.len());
    assert_eq!(within("the end", stalled.names()).await, "end 1000");
}
