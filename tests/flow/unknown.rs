//! Readers who are faster than the planner.

use serde_json::{Value, json};

use crate::harness::{TestApp, assert_problem, open_plan};

#[tokio::test]
async fn reader_of_what_is_not_there_is_let_in_and_told_so() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    for path in [planner.events("p"), planner.path("/events")] {
        let mut reader = app.sse(&path).await;
        let open = reader.expect("open").await;
        let document = open.json();
        assert_eq!(open.id, None);
        assert_eq!(
            (&document["reason"], &document["epoch"], &document["recovered"]),
            (&json!("unknown"), &Value::Null, &json!(false))
        );
        assert_eq!([&document["from"], &document["tail"], &document["oldest"]], [0, 0, 0]);
    }
}

#[tokio::test]
async fn second_open_comes_with_the_directive_and_nothing_is_missed() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let mut readers = Vec::new();
    for path in [planner.events("p"), planner.path("/events"), format!("{}?after=tail", planner.events("p"))]
    {
        let mut reader = app.sse(path).await;
        assert_eq!(reader.expect("open").await.json()["reason"], "unknown");
        readers.push(reader);
    }
    planner.start("p", &["a"]).await;
    planner.subagent("p", "a").succeed().await;
    let tail = planner.page("/events").await["tail"].as_u64().unwrap();
    for reader in &mut readers {
        let (open, mut coverage) = reader.open().await;
        assert_eq!(
            (&open["reason"], &open["from"], &open["recovered"]),
            (&json!("new"), &json!(0), &json!(true))
        );
        reader.cover(&mut coverage, tail).await;
        coverage.assert_whole(tail);
        reader.expect("end").await;
    }
}

#[tokio::test]
async fn reader_of_a_later_step_is_not_disturbed_by_the_ones_before() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(planner.events("later")).await;
    assert_eq!(reader.expect("open").await.json()["reason"], "unknown");
    for revision in 1..=20 {
        planner.subagent("p", "a").say("partial", revision, "x").await;
    }
    planner.start("later", &["b"]).await;
    let (open, mut coverage) = reader.open().await;
    assert_eq!((&open["reason"], &open["from"]), (&json!("new"), &json!(22)));
    reader.cover(&mut coverage, 23).await;
}

#[tokio::test]
async fn patience_has_an_end_and_the_stream_says_why() {
    let app = TestApp::new().env("STREAMING__UNKNOWN_PATIENCE_MS", 100).start().await;
    open_plan(app.client(), "known", &["a"]).await;
    for path in [
        "/planner/sessions/s/events",
        "/planner/sessions/s/steps/p/events",
        "/planner/sessions/known/steps/q/events",
    ] {
        let mut reader = app.sse(path).await;
        reader.expect("open").await;
        let error = reader.expect("error").await;
        let document = error.json();
        assert_eq!(
            (error.id, &document["code"], &document["status"]),
            (None, &json!("unknown_step"), &json!(404))
        );
        assert_eq!(reader.next().await, None);
    }
}

#[tokio::test]
async fn page_of_what_is_not_there_is_404() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    assert_problem(&planner.get("/steps/q/events").send().await, 404, "unknown_step");
    assert_problem(&app.get("/planner/sessions/t/events").send().await, 404, "unknown_session");
    assert_problem(&app.get("/planner/sessions/t/steps/p/events").send().await, 404, "unknown_step");
}

#[tokio::test]
async fn waiting_readers_leave_no_trace_of_sessions_that_never_came() {
    let app = TestApp::new().env("STREAMING__UNKNOWN_PATIENCE_MS", 50).start().await;
    for session in 0..20 {
        app.sse(format!("/planner/sessions/never-{session}/events")).await.until("error").await;
    }
    app.settled("readers", 0).await;
    assert_eq!(app.get("/planner/sessions").send().await.expect(200)["sessions"], json!([]));
    assert_problem(&app.get("/planner/sessions/never-1").send().await, 404, "unknown_session");
}
