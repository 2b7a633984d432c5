//! Steps below steps: a parent ends after its children, and by force with them.

use serde_json::{Value, json};

use crate::harness::{Planner, TestApp, open_plan};

async fn root(planner: &Planner, children: &[&str], deadline_ms: u64) {
    let directive = json!({"plan_step_id": "top", "expected_children": children, "deadline_ms": deadline_ms});
    planner.post(&directive).await.expect(201);
}

async fn child(planner: &Planner, id: &str) {
    let directive =
        json!({"plan_step_id": id, "parent_step_id": "top", "expected_subagents": [{"key": "a"}]});
    planner.post(&directive).await.expect(201);
}

async fn status(planner: &Planner, step: &str) -> Value {
    planner.step(step).await["status"].clone()
}

#[tokio::test]
async fn parent_ends_when_its_last_child_has() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    root(&planner, &["one", "two"], 60_000).await;
    child(&planner, "one").await;
    planner.subagent("one", "a").succeed().await;
    assert_eq!(status(&planner, "top").await, "in_progress");
    let step = planner.step("top").await;
    let expected =
        json!([{"plan_step_id": "one", "status": "completed"}, {"plan_step_id": "two", "status": null}]);
    assert_eq!(step["children"], expected);
    child(&planner, "two").await;
    planner.subagent("two", "a").post(&json!({"error": {"message": "no"}})).await.expect(200);
    assert_eq!(status(&planner, "top").await, "partial_failure");
    let page = planner.page("/steps/top/events?type=step_completed").await;
    let counts = &page["events"][0]["content"]["counts"]["children"];
    assert_eq!(
        (&counts["expected"], &counts["completed"], &counts["failed"]),
        (&json!(2), &json!(1), &json!(1))
    );
}

#[tokio::test]
async fn child_that_was_never_posted_is_a_failure_at_the_parents_deadline() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    root(&planner, &["never"], 80).await;
    app.sse(planner.events("top")).await.until("end").await;
    assert_eq!(status(&planner, "top").await, "failed");
}

#[tokio::test]
async fn child_names_its_parent_without_being_expected() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["b"]).await;
    let directive = json!({"plan_step_id": "c", "parent_step_id": "p", "expected_subagents": [{"key": "a"}]});
    planner.post(&directive).await.expect(201);
    planner.subagent("p", "b").succeed().await;
    assert_eq!(status(&planner, "p").await, "in_progress");
    planner.subagent("c", "a").succeed().await;
    assert_eq!(status(&planner, "p").await, "completed");
}

#[tokio::test]
async fn cancelled_parent_is_cancelled_and_so_is_what_is_open_below_it() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    root(&planner, &["one", "two"], 60_000).await;
    child(&planner, "one").await;
    child(&planner, "two").await;
    planner.subagent("one", "a").succeed().await;
    planner.tell("/steps/top/cancel", json!({"reason": "enough"})).await;
    assert_eq!(status(&planner, "one").await, "completed");
    assert_eq!(status(&planner, "two").await, "cancelled");
    assert_eq!(status(&planner, "top").await, "cancelled");
    let ended = planner.page("/events?type=plan_step_completed").await;
    let order: Vec<_> =
        ended["events"].as_array().unwrap().iter().map(|e| e["plan_step_id"].as_str().unwrap()).collect();
    assert_eq!(order, ["one", "two", "top"], "children first");
}

#[tokio::test]
async fn refused_parent_is_refused_though_only_its_child_was_open() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    root(&planner, &["one"], 60_000).await;
    child(&planner, "one").await;
    planner.tell("/safety", json!({"decision": "refuse", "policy": "x", "reason": "y"})).await;
    assert_eq!(status(&planner, "one").await, "refused");
    assert_eq!(status(&planner, "top").await, "refused");
}
