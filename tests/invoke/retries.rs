//! Failures that are tried again, and those that aren't.

use serde_json::json;

use crate::scene::{Scene, about, ended, statuses};

#[tokio::test]
async fn a_subagent_that_fails_twice_recovers_with_the_same_key_and_a_raised_revision() {
    let scene = Scene::new().await;
    let planner = scene.plan(&[scene.called("documentation", "/documentation/json?fail=2")]).await;
    let events = ended(&planner, "p").await;
    let wanted = ["in_progress", "retry", "in_progress", "retry", "in_progress", "success"];
    assert_eq!(statuses(&events, "documentation"), wanted);
    let about = about(&events, "documentation");
    let retries: Vec<_> = about.iter().filter(|content| content["status"] == "retry").collect();
    assert_eq!((&retries[0]["attempt"], &retries[1]["attempt"]), (&json!(2), &json!(3)));
    assert_eq!(retries[0]["error"]["code"], "status_503");
    let revisions: Vec<_> = about.iter().filter_map(|content| content["revision"].as_u64()).collect();
    assert!(revisions.is_sorted(), "{revisions:?}");
    assert_eq!(about.last().unwrap()["attempts"], 3);
    let calls = scene.agents.calls().calls;
    let keys: Vec<_> = calls.iter().map(|call| &call.asked.headers["idempotency-key"]).collect();
    assert_eq!(keys.len(), 3);
    assert!(keys.iter().all(|key| *key == keys[0]), "every attempt is the same request to the subagent");
    let attempts: Vec<_> =
        calls.iter().map(|call| call.asked.headers["tributary-attempt"].as_str()).collect();
    assert_eq!(attempts, ["1/3", "2/3", "3/3"]);
}

#[tokio::test]
async fn what_cannot_get_better_is_not_tried_again() {
    let scene = Scene::new().await;
    for status in [400, 401, 403, 404, 422] {
        let planner = scene.app.planner(&format!("s{status}"));
        let path = format!("/documentation/json?status={status}");
        let directive =
            json!({"plan_step_id": "p", "expected_subagents": [scene.called("documentation", &path)]});
        planner.post(&directive).await.expect(201);
        let events = ended(&planner, "p").await;
        assert_eq!(statuses(&events, "documentation"), ["in_progress", "error"], "{status}");
        let error = &about(&events, "documentation")[2]["error"];
        assert_eq!(error["code"], format!("status_{status}"));
    }
}
