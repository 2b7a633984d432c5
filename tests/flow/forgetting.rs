//! DELETE: a session is forgotten everywhere, and what comes after it is another one.

use serde_json::json;

use crate::harness::{TestApp, assert_problem, open_plan};

#[tokio::test]
async fn forgotten_session_is_gone_and_its_readers_are_told() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(planner.events("p")).await;
    let (_, mut coverage) = reader.open().await;
    reader.cover(&mut coverage, 1).await;
    let deleted = app.request("DELETE", planner.path("")).send().await;
    assert_eq!((deleted.status, deleted.body.len()), (204, 0));
    let error = reader.expect("error").await.json();
    assert_eq!(error["code"], "unknown_session");
    assert_eq!(reader.next().await, None);
    assert_problem(&planner.get("").send().await, 404, "unknown_session");
    assert_problem(&planner.get("/events").send().await, 404, "unknown_session");
    assert_problem(
        &planner.subagent("p", "a").post(&json!({"status": "success"})).await,
        404,
        "unknown_step",
    );
    assert_problem(&app.request("DELETE", planner.path("")).send().await, 404, "unknown_session");
}

#[tokio::test]
async fn session_of_the_same_name_begins_anew() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    planner.subagent("p", "a").say("partial", 5, "old").await;
    let old = planner.page("/events").await;
    assert_eq!(app.request("DELETE", planner.path("")).send().await.status, 204);
    planner.start("p", &["a", "b"]).await;
    let new = planner.page("/events").await;
    assert_ne!(new["epoch"], old["epoch"]);
    assert_eq!(planner.subagent("p", "a").say("partial", 1, "new").await["verdict"], "accepted");
    let back = planner.get("/events").header("last-event-id", old["next"].as_str().unwrap());
    let mut reader = back.sse().await;
    let open = reader.expect("open").await;
    assert_eq!(
        (&open.json()["reason"], &open.json()["recovered"], open.id),
        (&json!("epoch_changed"), &json!(false), None)
    );
    let snapshot = reader.expect("snapshot").await;
    assert!(snapshot.id.unwrap().starts_with(new["epoch"].as_str().unwrap()));
    assert!(!snapshot.data.contains("\"old\""));
}

#[tokio::test]
async fn reader_who_waited_through_a_deletion_sees_the_step_that_comes() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(planner.events("later")).await;
    assert_eq!(reader.expect("open").await.json()["reason"], "unknown");
    assert_eq!(app.request("DELETE", planner.path("")).send().await.status, 204);
    planner.start("later", &["b"]).await;
    let (open, mut coverage) = reader.open().await;
    assert_eq!(open["reason"], "new");
    reader.cover(&mut coverage, 1).await;
}

#[tokio::test]
async fn deletion_makes_room() {
    let app = TestApp::new().env("LIMITS__SESSIONS", 2).start().await;
    open_plan(app.client(), "one", &["a"]).await;
    let two = open_plan(app.client(), "two", &["a"]).await;
    let directive = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}]});
    assert_problem(&app.planner("three").post(&directive).await, 503, "over_capacity");
    assert_eq!(app.request("DELETE", two.path("")).send().await.status, 204);
    assert_eq!(app.planner("three").post(&directive).await.status, 201);
}
