//! Cursors that can't be continued: each gets its verdict, and with it the last of everything.

use serde_json::{Value, json};

use crate::harness::{Coverage, Planner, TestApp, assert_problem, events_of, open_plan};

async fn plan(app: &TestApp) -> (Planner, String) {
    let planner = open_plan(app.client(), "s", &["a"]).await;
    for revision in 1..=5 {
        planner.subagent("p", "a").say("partial", revision, "x").await;
    }
    let cursor = planner.page("/events?limit=4").await["next"].as_str().unwrap().to_owned();
    (planner, cursor)
}

/// The same cursor with one part replaced: 0 the epoch, 1 the sequence, 2 the chain.
fn with(cursor: &str, part: usize, value: &str) -> String {
    let mut parts: Vec<&str> = cursor.split('_').collect();
    parts[part] = value;
    parts.join("_")
}

#[tokio::test]
async fn broken_cursors_get_their_verdict_a_snapshot_and_go_on_live() {
    let app = TestApp::new().start().await;
    let (planner, cursor) = plan(&app).await;
    let forged = "00000000deadbeef";
    let cases = [
        ("foreign", "7f3a91_4_9c1b2d3e00a1b2c3".to_owned(), "epoch_changed"),
        ("foreign and far", with(&with(&cursor, 0, "0123456789abcdef"), 1, "999999"), "epoch_changed"),
        ("foreign at the beginning", with(&with(&cursor, 0, "7f3a91"), 1, "0"), "epoch_changed"),
        ("forged", with(&cursor, 2, forged), "diverged"),
        ("forged at the beginning", with(&with(&cursor, 1, "0"), 2, forged), "diverged"),
        ("forged at the tail", with(&with(&cursor, 1, "7"), 2, forged), "diverged"),
        ("of another place", with(&cursor, 1, "5"), "diverged"),
        ("ahead", with(&cursor, 1, "1000"), "ahead"),
        ("far ahead", with(&cursor, 1, "18446744073709551615"), "ahead"),
        ("a sequence ahead", "1000".to_owned(), "ahead"),
    ];
    for (revision, (name, wrong, reason)) in (6..).zip(cases) {
        let tail = planner.page("/events").await["tail"].as_u64().unwrap();
        let mut reader = app.sse(format!("{}?after={wrong}", planner.events("p"))).await;
        let opened = reader.expect("open").await;
        let open = opened.json();
        assert_eq!(
            (&open["reason"], &open["recovered"], opened.id),
            (&json!(reason), &json!(false), None),
            "{name}"
        );
        assert_eq!(open["tail"].as_u64(), Some(tail));
        let mut coverage = Coverage::after(&open);
        let snapshot = reader.expect("snapshot").await;
        coverage.take(&snapshot);
        assert_eq!((coverage.to, events_of(&snapshot).len()), (tail, 2), "{name}");
        planner.subagent("p", "a").say("partial", revision, "live").await;
        reader.cover(&mut coverage, tail + 1).await;
        let page = planner.page(&format!("/events?after={wrong}")).await;
        assert_eq!(page["verdict"], json!({"recovered": false, "reason": reason}), "page of {name}");
    }
}

#[tokio::test]
async fn place_one_beyond_the_tail_is_ahead_and_the_tail_is_not() {
    let app = TestApp::new().start().await;
    let (planner, cursor) = plan(&app).await;
    let tail = planner.page("/events").await["next"].as_str().unwrap().to_owned();
    for (start, reason) in [("7", "ok"), (&tail, "ok"), ("8", "ahead"), (&with(&cursor, 1, "8"), "ahead")] {
        let page = planner.page(&format!("/events?after={start}")).await;
        assert_eq!(page["verdict"]["reason"], reason, "{start}");
    }
}

#[tokio::test]
async fn good_cursor_is_continued_in_every_view() {
    let app = TestApp::new().start().await;
    let (planner, cursor) = plan(&app).await;
    for path in
        [planner.events("p"), planner.path("/events"), format!("{}?subagent=a", planner.path("/events"))]
    {
        let mut reader = app.get(path).header("last-event-id", &cursor).sse().await;
        let (open, mut coverage) = reader.open().await;
        assert_eq!((&open["reason"], &open["from"]), (&json!("ok"), &json!(4)));
        reader.cover(&mut coverage, 7).await;
        coverage.assert_whole(7);
    }
}

#[tokio::test]
async fn cursor_of_another_epoch_is_continued_where_history_is_the_same() {
    let app = TestApp::new().start().await;
    let (planner, cursor) = plan(&app).await;
    let page = planner.page(&format!("/events?after={}", with(&cursor, 0, "7f3a91"))).await;
    assert_eq!((&page["verdict"]["reason"], page["from"].as_u64()), (&json!("ok"), Some(5)));
    assert_ne!(page["epoch"], "7f3a91");
}

#[tokio::test]
async fn every_id_that_a_reader_sees_is_a_cursor_that_continues() {
    let app = TestApp::new().start().await;
    let (planner, _) = plan(&app).await;
    let mut reader = app.sse(format!("{}?batch=1", planner.events("p"))).await;
    let mut ids = vec![reader.expect("open").await.id.unwrap()];
    for _ in 0..7 {
        ids.push(reader.expect("planner_stream").await.id.unwrap());
    }
    for (sequence, id) in (0..).zip(ids) {
        let open = planner
            .get("/steps/p/events")
            .header("last-event-id", id)
            .sse()
            .await
            .expect("open")
            .await
            .json();
        assert_eq!((&open["reason"], &open["from"]), (&json!("ok"), &json!(sequence)));
    }
}

#[tokio::test]
async fn cursor_of_one_session_opens_no_other() {
    let app = TestApp::new().start().await;
    let (_, cursor) = plan(&app).await;
    let other = open_plan(app.client(), "other", &["a"]).await;
    let page = other.page(&format!("/events?after={cursor}")).await;
    assert_eq!(page["verdict"], json!({"recovered": false, "reason": "epoch_changed"}));
    let sessions: Vec<Value> =
        page["events"].as_array().unwrap().iter().map(|event| event["session_id"].clone()).collect();
    assert_eq!(sessions, ["other"]);
    let unknown = app.get("/planner/sessions/none/events").header("last-event-id", &cursor);
    assert_problem(&unknown.send().await, 404, "unknown_session");
}

#[tokio::test]
async fn cursor_of_the_answer_to_a_post_is_a_place_to_read_from() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let accepted = planner.start("p", &["a"]).await;
    let told = planner.subagent("p", "a").post(&json!({"status": "partial"})).await.expect(200);
    for (cursor, from) in [(&accepted["cursor"], 1), (&told["cursor"], 3)] {
        let page = planner.page(&format!("/events?after={}", cursor.as_str().unwrap())).await;
        assert_eq!((&page["verdict"]["reason"], page["from"].as_u64()), (&json!("ok"), Some(from + 1)));
    }
}
