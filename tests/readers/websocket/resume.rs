//! Coming back after the line was cut, and the verdicts.

use serde_json::{Value, json};

use super::Socket;
use crate::harness::{Coverage, CutLine, TestApp, open_plan};

#[tokio::test]
async fn line_cut_at_any_message_leaves_no_hole_and_no_double() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    for revision in 1..=8 {
        planner.subagent("p", "a").say("partial", revision, "x").await;
    }
    planner.subagent("p", "a").succeed().await;
    let path = format!("{}?batch=1", planner.events("p"));
    let (whole, _) = Socket::open(app.client(), &path).await.rest().await;
    let end = whole.last().unwrap().json()["sequence"].as_u64().unwrap();
    for (cut, parameter) in (1..whole.len()).zip(["last_event_id", "after"].into_iter().cycle()) {
        let line = CutLine::to(app.client()).await;
        let mut socket = Socket::open(line.client(), &path).await;
        let mut coverage = Coverage::after(&socket.opened().await);
        for _ in 1..cut {
            coverage.take(&socket.expect("planner_stream").await);
        }
        line.cut();
        let cursor = socket.last_id.unwrap();
        let again = format!("{path}&{parameter}={cursor}");
        let mut socket = Socket::open(app.client(), &again).await;
        coverage.resume(&socket.opened().await);
        let (mut events, code) = socket.rest().await;
        assert_eq!((events.pop().unwrap().name.as_str(), code), ("end", 1000));
        events.iter().for_each(|frame| coverage.take(frame));
        coverage.assert_whole(end);
        assert_eq!(coverage.events.len() as u64, end, "cut after {cut} messages");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn line_that_breaks_wherever_it_likes_loses_nothing_while_following() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let line = CutLine::to(app.client()).await;
    line.cut_after(6_000);
    let publishing = tokio::spawn({
        let planner = planner.clone();
        async move {
            for revision in 1..=150 {
                planner.subagent("p", "a").say("partial", revision, "what was found").await;
            }
            planner.subagent("p", "a").succeed().await;
        }
    });
    let (mut coverage, mut last, mut connections) = (Coverage::default(), None::<String>, 0);
    let end = loop {
        let cursor = last.as_ref().map(|id| format!("&last_event_id={id}")).unwrap_or_default();
        let path = format!("{}?coalesce=never{cursor}", planner.events("p"));
        let Ok(mut socket) = Socket::ask(line.client(), &path, &[], None).await else { continue };
        connections += 1;
        let ended = loop {
            let super::Said::Line(event) = socket.hear().await else { break None };
            match event.name.as_str() {
                "open" => coverage.resume(&event.json()),
                "planner_stream" => coverage.take(&event),
                "end" => break Some(event.json()),
                other => panic!("{other}"),
            }
        };
        last = socket.last_id.or(last);
        if let Some(end) = ended {
            break end["sequence"].as_u64().unwrap();
        }
    };
    publishing.await.unwrap();
    coverage.assert_whole(end);
    assert_eq!(coverage.events.len() as u64, end);
    assert!(connections > 3, "only {connections} connections");
}

#[tokio::test]
async fn step_that_is_not_there_yet_is_waited_for() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut socket = Socket::open(app.client(), planner.events("later")).await;
    let open = socket.opened().await;
    assert_eq!((open["reason"].as_str(), open["recovered"].as_bool()), (Some("unknown"), Some(false)));
    planner.start("later", &["b"]).await;
    let open = socket.opened().await;
    assert_eq!(open["recovered"], true, "{open}");
    let mut coverage = Coverage::after(&open);
    coverage.take(&socket.expect("planner_stream").await);
    planner.subagent("later", "b").succeed().await;
    assert_eq!(socket.rest().await.1, 1000);
}

#[tokio::test]
async fn step_that_never_comes_is_an_error_and_a_policy() {
    let app = TestApp::new().env("STREAMING__UNKNOWN_PATIENCE_MS", 100).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut socket = Socket::open(app.client(), planner.events("never")).await;
    assert_eq!(socket.opened().await["reason"], "unknown");
    let error = socket.expect("error").await;
    assert_eq!((error.json()["code"].as_str(), error.id), (Some("unknown_step"), None));
    assert_eq!(socket.rest().await.1, 1008);
}

#[tokio::test]
async fn cursor_of_what_is_no_longer_kept_gets_a_snapshot() {
    let app = TestApp::new().env("CACHE__RING_ENTRIES", 16).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut socket = Socket::open(app.client(), planner.events("p")).await;
    socket.opened().await;
    let old = socket.expect("planner_stream").await.id.unwrap();
    drop(socket);
    let event = |revision| json!({"status": "partial", "revision": revision});
    let events: Vec<Value> = (1..=100).map(event).collect();
    planner.subagent("p", "a").post(&json!(events)).await.expect(200);
    let mut socket = Socket::open(app.client(), format!("{}?last_event_id={old}", planner.events("p"))).await;
    let open = socket.opened().await;
    assert_eq!((open["reason"].as_str(), open["recovered"].as_bool()), (Some("trimmed"), Some(false)));
    let mut coverage = Coverage::after(&open);
    loop {
        let frame = socket.expect("snapshot").await;
        coverage.take(&frame);
        if frame.json()["complete"] == true {
            break;
        }
    }
    let tail = open["tail"].as_u64().unwrap();
    assert_eq!(coverage.to, tail);
    planner.subagent("p", "a").say("partial", 101, "on it goes").await;
    socket.cover(&mut coverage, tail + 1).await;
}
