//! Problem documents: one of each code that this version can be brought to.

use serde_json::{Value, json};

use crate::harness::{Answer, TestApp, assert_problem, open_plan, redacted};

fn shown(answer: &Answer) -> String {
    let document = answer.json();
    let code = document["code"].as_str().unwrap();
    let seen: Value = assert_problem(answer, answer.status, code);
    let kept = ["retry-after", "allow"];
    let headers = kept.iter().filter_map(|name| Some(format!("{name}: {}\n", answer.header(name)?)));
    let headers: String = headers.collect();
    assert_eq!(seen, document);
    format!("{headers}{}", redacted(answer.text()))
}

#[tokio::test]
async fn problems_look_as_reviewed() {
    let app = TestApp::new().env("LIMITS__BODY_BYTES", 4_096).env("LIMITS__EVENT_BYTES", 2_048).start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let a = planner.subagent("p", "a");
    a.say("partial", 1, "x").await;
    planner.start("over", &["a"]).await;
    planner.tell("/steps/over/cancel", json!({})).await;
    let steps = || app.post(planner.path("/steps"));
    let event = |event: Value| a.request(&event);
    let keyed = |n: u32| event(json!({"status": "partial", "payload": n})).header("idempotency-key", "k");
    keyed(1).send().await.expect(200);
    let cases = [
        ("invalid_json", steps().body("application/json", "{\"plan_step_id\":")),
        ("invalid_json_twice", app.post(&a.path).body("application/json", r#"{"status":"partial","payload":{"a":1,"a":2}}"#)),
        ("invalid_id", app.get("/planner/sessions/a%20b")),
        ("invalid_event", event(json!({"status": "done"}))),
        ("invalid_event_of_many", event(json!([{"status": "partial", "revision": 1}, {"status": "partial", "revision": 0}]))),
        ("invalid_cursor", planner.get("/events?after=nowhere")),
        ("unknown_field", steps().json(&json!({"plan_step_id": "q", "expected_subagents": [{"key": "a", "colour": 1}]}))),
        ("not_found", app.get("/nowhere")),
        ("unknown_session", app.get("/planner/sessions/t")),
        ("unknown_step", planner.get("/steps/q")),
        ("unknown_subagent", app.post(planner.subagent("p", "c").path).json(&json!({"status": "success"}))),
        ("directive_conflict", steps().json(&json!({"plan_step_id": "p", "expected_subagents": [{"key": "z"}]}))),
        ("revision_conflict", event(json!({"status": "error", "revision": 2, "error": {"message": "other"}}))),
        ("idempotency_conflict", keyed(2)),
        ("step_ended", app.post(planner.path("/steps/over/progress")).json(&json!({"message": "m"}))),
        ("unsupported_media_type", steps().body("text/xml", "<a/>")),
        ("method_not_allowed", app.request("PUT", planner.path("/steps"))),
        ("body_too_large", steps().body("application/json", vec![b' '; 5_000])),
        ("event_too_large", event(json!({"status": "partial", "payload": "x".repeat(3_000)}))),
        ("limit_reached", planner.get("/events?limit=100000")),
        ("host_not_allowed", steps().json(&json!({"plan_step_id": "q", "expected_subagents": [{"key": "a", "invoke": {"url": "https://h.test/", "protocol": "json"}}]}))),
    ];
    for (name, request) in cases {
        insta::assert_snapshot!(format!("problem_{name}"), shown(&request.send().await));
    }
}
