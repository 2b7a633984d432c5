//! Steps in the shadow: they run, call, end and are stored like any other, and no reader sees them.

use serde_json::json;

use crate::harness::eventually;
use crate::scene::Scene;

/// The state of a step once it is over.
async fn over(planner: &crate::harness::Planner, step: &str) -> serde_json::Value {
    eventually(format!("the end of {step}"), || async {
        let state = planner.step(step).await;
        (state["status"] != "in_progress").then_some(state)
    })
    .await
}

#[tokio::test]
async fn a_step_in_the_shadow_is_stored_and_nobody_sees_it() {
    let scene = Scene::new().await;
    let called = [scene.called("documentation", "/documentation/sse")];
    let planner = scene.plan_with(&called, json!({"shadow": true, "more_steps": true})).await;
    let state = over(&planner, "p").await;
    assert_eq!(state["status"], "completed");
    for view in ["/events", "/steps/p/events", "/events?after=snapshot", "/steps/p/events?last=100"] {
        let page = planner.page(view).await;
        assert_eq!(page["events"], json!([]), "{view}");
    }
    let result = planner.get("/steps/p/result?wait_ms=10000").send().await.expect(200);
    assert_eq!(result["metadata"]["successful_subagents"], 1, "whoever planned it may have it");
}

#[tokio::test]
async fn what_is_shown_beside_it_leaves_no_hole() {
    let scene = Scene::new().await;
    let called = [scene.called("documentation", "/documentation/json")];
    let planner = scene.plan_with(&called, json!({"shadow": true, "more_steps": true})).await;
    over(&planner, "p").await;
    planner.start("q", &["crm"]).await;
    planner.subagent("q", "crm").succeed().await;
    over(&planner, "q").await;
    let page = planner.page("/events").await;
    let steps: Vec<_> =
        page["events"].as_array().unwrap().iter().map(|event| &event["plan_step_id"]).collect();
    assert!(!steps.is_empty() && steps.iter().all(|step| *step == "q"), "{steps:?}");
    assert_eq!((&page["from"], &page["to"]), (&json!(1), &page["tail"]), "what isn't shown lies inside");
}

#[tokio::test]
async fn the_monoliths_answer_to_it_is_compared() {
    let scene = Scene::new().await;
    let called = [scene.called("documentation", "/documentation/json")];
    let planner = scene.plan_with(&called, json!({"shadow": true})).await;
    over(&planner, "p").await;
    let legacy = json!({"answer": "Nobody knows anything about whales.", "sources": [], "latency_ms": 5});
    let path = planner.path("/steps/p/legacy-response");
    let compared = scene.app.post(path).json(&legacy).send().await.expect(200);
    assert_eq!(compared["state"], "compared");
    let listed = scene.app.get("/shadow/discrepancies?session=s").send().await.expect(200);
    assert_eq!(listed["summary"]["comparisons"], 1);
    assert!(listed["discrepancies"].as_array().unwrap().iter().any(|found| found["kind"] == "missing"));
}
