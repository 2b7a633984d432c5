//! One event of each type and status.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::harness::{Planner, TestApp, event_texts, redacted};

async fn play(app: &TestApp) -> Planner {
    let planner = app.planner("s");
    let directive = json!({
        "plan_step_id": "p", "query": "What is due?", "goal": "answer", "task_type": "retrieval",
        "planner_context": {"request_id": "req-789"}, "expected_children": ["child"],
        "expected_subagents": [
            {"key": "documentation", "result_key": "doc", "task": "look it up", "deadline_ms": 8_000,
             "telemetry": {"correlation_id": "c-1"}},
            {"key": "rows", "max_attempts": 2},
            {"key": "slow", "deadline_ms": 1},
            {"key": "voice"},
            {"key": "bad"},
        ],
    });
    planner.post(&directive).await.expect(201);
    let child =
        json!({"plan_step_id": "child", "parent_step_id": "p", "expected_subagents": [{"key": "open"}]});
    planner.post(&child).await.expect(201);
    let documentation = planner.subagent("p", "documentation");
    documentation.say("pending", 1, "").await;
    documentation.say("in_progress", 2, "").await;
    documentation.say("partial", 3, "An order").await;
    let telemetry = json!({"latency_ms": 930, "metrics": {"retrieval_count": 4}});
    let payload =
        json!({"answer": "An order.", "citations": [{"id": "1", "title": "T", "url": "https://t.test/"}]});
    documentation
        .post(&json!({"status": "success", "payload": payload, "telemetry": telemetry}))
        .await
        .expect(200);
    let busy = json!({"error": {"code": "busy", "message": "try again", "retryable": true}});
    for _ in 0..2 {
        planner.subagent("p", "rows").post(&busy).await.expect(200);
    }
    planner
        .tell("/steps/p/progress", json!({"message": "reading", "percent": 40, "payload": {"of": 5}}))
        .await;
    let refuse = json!({"decision": "refuse", "policy": "pii", "reason": "names", "severity": "high", "subagent": "bad"});
    planner.tell("/steps/p/safety", refuse).await;
    planner.tell("/safety", json!({"decision": "allow", "policy": "all", "reason": "clean"})).await;
    planner.tell("/steps/child/cancel", json!({"reason": "not needed"})).await;
    app.sse(planner.events("p")).await.until("end").await;
    planner
}

/// What is the same for all events of one kind: type, status, and whether it is about a step.
fn kind(event: &Value) -> String {
    let of_session = if event["plan_step_id"].is_null() { "_of_session" } else { "" };
    let status = match event["type"].as_str() {
        Some("planner_stream") => format!("_{}", event["content"]["status"].as_str().unwrap()),
        _ => String::new(),
    };
    format!("{}{status}{of_session}", event["type"].as_str().unwrap())
}

#[tokio::test]
async fn events_look_as_reviewed() {
    let app = TestApp::new().env("SUBAGENTS__VOICE__ENABLED", false).start().await;
    let planner = play(&app).await;
    let page = planner.get("/events").send().await;
    let mut kinds = BTreeMap::new();
    for text in event_texts(page.text()) {
        let event: Value = serde_json::from_str(&text).unwrap();
        kinds.entry(kind(&event)).or_insert((text, event));
    }
    for (kind, (text, event)) in kinds {
        // When a timeout comes is no part of the wire, so neither is the place of what follows it.
        let sequence = format!("\"sequence\":{}", event["sequence"]);
        let text = redacted(&text).replacen(&sequence, "\"sequence\":\"[sequence]\"", 1);
        insta::assert_snapshot!(format!("event_{kind}"), text);
    }
}
