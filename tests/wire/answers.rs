//! What planners and subagents are answered, and pages.

use serde_json::json;

use crate::harness::{Answer, TestApp, redacted};

fn shown(answer: &Answer) -> String {
    let kept = ["content-type", "location", "cache-control"];
    let headers = kept.iter().filter_map(|name| Some(format!("{name}: {}\n", answer.header(name)?)));
    format!("{}\n{}\n{}", answer.status, headers.collect::<String>(), redacted(answer.text()))
}

#[tokio::test]
async fn answers_look_as_reviewed() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let directive =
        json!({"plan_step_id": "p", "query": "q", "expected_subagents": [{"key": "a", "task": "t"}]});
    insta::assert_snapshot!("answer_directive", shown(&planner.post(&directive).await));
    let a = planner.subagent("p", "a");
    let events = json!([{"status": "partial", "revision": 2}, {"status": "partial", "revision": 2}, {"status": "partial", "revision": 1}]);
    insta::assert_snapshot!("answer_events", shown(&a.post(&events).await));
    let progress = app.post(planner.path("/steps/p/progress")).json(&json!({"message": "m"}));
    insta::assert_snapshot!("answer_progress", shown(&progress.send().await));
    insta::assert_snapshot!("answer_step", shown(&planner.get("/steps/p").send().await));
    insta::assert_snapshot!("answer_session", shown(&planner.get("").send().await));
    insta::assert_snapshot!("answer_sessions", shown(&app.get("/planner/sessions").send().await));
    insta::assert_snapshot!("answer_page", shown(&planner.get("/steps/p/events?limit=1").send().await));
    insta::assert_snapshot!("answer_close", shown(&app.post(planner.path("/close")).send().await));
    insta::assert_snapshot!("answer_cancel", shown(&app.post(planner.path("/cancel")).send().await));
}
