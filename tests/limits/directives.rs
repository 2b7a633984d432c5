//! Bounds of a directive: subagents, children, depth, steps, deadlines.

use serde_json::{Value, json};

use crate::harness::{Planner, TestApp, assert_problem};

fn directive(id: &str, subagents: usize) -> Value {
    let expected: Vec<Value> = (0..subagents).map(|n| json!({"key": format!("a{n}")})).collect();
    json!({"plan_step_id": id, "expected_subagents": expected, "more_steps": true})
}

async fn refused(planner: &Planner, directive: &Value, code: &str, pointer: &str) {
    let before = planner.get("").send().await;
    let problem = assert_problem(&planner.post(directive).await, 422, code);
    assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    let after = planner.get("").send().await;
    assert_eq!(
        (before.status, before.body),
        (after.status, after.body),
        "a refused directive changes nothing"
    );
}

#[tokio::test]
async fn directive_may_expect_so_many_subagents() {
    let app = TestApp::new().env("LIMITS__SUBAGENTS_PER_DIRECTIVE", 3).start().await;
    let planner = app.planner("s");
    assert_eq!(planner.post(&directive("p", 3)).await.status, 201);
    refused(&planner, &directive("q", 4), "limit_reached", "/expected_subagents").await;
    assert_eq!(planner.step("p").await["subagents"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn an_agent_is_called_where_the_directive_says_and_nowhere_else() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    for path in ["p1/../q1", "p1/%2e%2E/q1", "./q1"] {
        let invoke = json!({"url": format!("https://agents.test/{path}"), "protocol": "json"});
        let directive = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a", "invoke": invoke}]});
        refused(&planner, &directive, "invalid_event", "/expected_subagents/0/invoke/url").await;
    }
}

#[tokio::test]
async fn directive_may_expect_so_many_children() {
    let app = TestApp::new().env("LIMITS__CHILDREN_PER_DIRECTIVE", 2).start().await;
    let planner = app.planner("s");
    assert_eq!(
        planner.post(&json!({"plan_step_id": "p", "expected_children": ["a", "b"]})).await.status,
        201
    );
    let more = json!({"plan_step_id": "q", "expected_children": ["c", "d", "e"]});
    refused(&planner, &more, "limit_reached", "/expected_children").await;
}

#[tokio::test]
async fn tree_may_have_so_many_levels() {
    let app = TestApp::new().env("LIMITS__TREE_DEPTH", 3).start().await;
    let planner = app.planner("s");
    let below = |id: &str, parent: &str| {
        let mut below = directive(id, 1);
        below["parent_step_id"] = json!(parent);
        below
    };
    assert_eq!(planner.post(&directive("one", 1)).await.status, 201);
    assert_eq!(planner.post(&below("two", "one")).await.status, 201);
    assert_eq!(planner.post(&below("three", "two")).await.status, 201);
    refused(&planner, &below("four", "three"), "limit_reached", "/parent_step_id").await;
    // From the other end: a parent on top of three levels.
    let above = json!({"plan_step_id": "zero", "expected_children": ["one"], "more_steps": true});
    refused(&planner, &above, "limit_reached", "/expected_children").await;
    assert_eq!(planner.post(&below("beside", "two")).await.status, 201);
}

#[tokio::test]
async fn tree_is_never_a_ring() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let step =
        |id: &str, child: &str| json!({"plan_step_id": id, "expected_children": [child], "more_steps": true});
    assert_eq!(planner.post(&step("a", "b")).await.status, 201);
    assert_eq!(planner.post(&step("b", "c")).await.status, 201);
    refused(&planner, &step("c", "a"), "invalid_event", "/expected_children/0").await;
    refused(&planner, &step("d", "d"), "invalid_event", "/expected_children/0").await;
}

#[tokio::test]
async fn session_may_have_so_many_steps() {
    let app = TestApp::new().env("LIMITS__STEPS_PER_SESSION", 2).start().await;
    let planner = app.planner("s");
    for id in ["p", "q"] {
        assert_eq!(planner.post(&directive(id, 1)).await.status, 201);
    }
    assert_problem(&planner.post(&directive("r", 1)).await, 422, "limit_reached");
    assert_eq!(planner.post(&directive("q", 1)).await.status, 200, "a repeat is no new step");
    assert_eq!(planner.state().await["steps"].as_array().unwrap().len(), 2);
    assert_eq!(app.planner("t").post(&directive("r", 1)).await.status, 201);
}

#[tokio::test]
async fn deadlines_have_an_end() {
    let app = TestApp::new().env("LIMITS__DEADLINE_MS", 200_000).start().await;
    let planner = app.planner("s");
    let mut late = directive("p", 1);
    late["deadline_ms"] = json!(200_001);
    refused(&planner, &late, "limit_reached", "/deadline_ms").await;
    late["deadline_ms"] = json!(200_000);
    late["expected_subagents"][0]["deadline_ms"] = json!(200_001);
    refused(&planner, &late, "limit_reached", "/expected_subagents/0/deadline_ms").await;
    late["expected_subagents"][0]["deadline_ms"] = json!(1);
    assert_eq!(planner.post(&late).await.status, 201);
}

#[tokio::test]
async fn directive_that_sets_no_deadline_is_not_refused_for_the_default_one() {
    let app = TestApp::new().env("LIMITS__DEADLINE_MS", 5_000).start().await;
    assert_eq!(app.planner("s").post(&directive("p", 1)).await.status, 201);
}
