//! A whole plan: several subagents, partials, a failure, and readers that see all of it.

use serde_json::json;

use crate::harness::{TestApp, essential, events_of, open_plan};

#[tokio::test]
async fn plan_is_streamed_from_its_directive_to_its_end() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let directive = json!({
        "plan_step_id": "p", "query": "How is a quote converted?", "goal": "answer", "task_type": "retrieval",
        "planner_context": {"request_id": "r-1", "own": {"nested": [1, null]}},
        "expected_subagents": [
            {"key": "documentation", "result_key": "doc", "task": "look it up", "deadline_ms": 30_000},
            {"key": "row_selection"},
        ],
    });
    let accepted = planner.post(&directive).await.expect(201);
    let mut reader = app.sse(planner.events("p")).await;
    let (open, mut coverage) = reader.open().await;
    assert_eq!((open["reason"].as_str(), open["from"].as_u64()), (Some("new"), Some(0)));

    let documentation = planner.subagent("p", "documentation");
    documentation.say("in_progress", 1, "").await;
    documentation.say("partial", 2, "An order").await;
    let payload = json!({"answer": "An order is made.", "citations": [{"id": "1", "title": "T", "url": "https://t.test/"}]});
    let success = json!({"status": "completed", "result_key": "doc", "revision": 3, "payload": payload});
    documentation.post(&success).await.expect(200);
    let rows = planner.subagent("p", "row_selection");
    let failed = rows.post(&json!({"error": {"code": "down", "message": "no rows"}})).await.expect(200);
    assert_eq!(failed["accepted"], 1);

    let mut events = Vec::new();
    for frame in reader.rest().await {
        if frame.name == "end" {
            assert_eq!(frame.json(), json!({"reason": "plan_step_completed", "sequence": coverage.to}));
        } else {
            coverage.take(&frame);
            events.extend(events_of(&frame));
        }
    }
    coverage.assert_whole(coverage.to);
    let expected = [
        "step_started",
        "subagent_started",
        "documentation:in_progress",
        "documentation:partial",
        "documentation:success",
        "subagent_completed",
        "subagent_started",
        "row_selection:error",
        "subagent_completed",
        "step_completed",
        "plan_step_completed",
    ];
    assert_eq!(essential(&events), expected);
    let started = &events[0]["content"];
    assert_eq!(started["planner_context"], directive["planner_context"]);
    assert_eq!((&started["query"], &started["goal"]), (&directive["query"], &directive["goal"]));
    assert_eq!(started["expected"][0]["result_key"], "doc");
    assert_eq!((&events[4]["content"]["payload"], &events[4]["content"]["revision"]), (&payload, &json!(3)));
    assert_eq!(events[7]["content"]["error"]["code"], "down");
    let ended = &events.last().unwrap()["content"];
    assert_eq!(
        (ended["status"].as_str(), ended["more_steps"].as_bool()),
        (Some("partial_failure"), Some(false))
    );
    assert_eq!(ended["href"], accepted["links"]["result"]);
}

#[tokio::test]
async fn answers_name_the_sequence_of_the_event_that_readers_see() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let a = planner.subagent("p", "a");
    let events: Vec<_> = (1..=4).map(|revision| json!({"status": "partial", "revision": revision})).collect();
    let answer = a.post(&json!(events)).await.expect(200);
    let page = planner.page("/events?type=planner_stream").await;
    let shown: Vec<_> = page["events"].as_array().unwrap().iter().map(|event| &event["sequence"]).collect();
    let told: Vec<_> =
        answer["results"].as_array().unwrap().iter().map(|result| &result["sequence"]).collect();
    assert_eq!((answer["accepted"].as_u64(), shown), (Some(4), told));
    assert_eq!(answer["cursor"], page["next"]);
}

#[tokio::test]
async fn steps_of_one_session_run_side_by_side_in_one_order() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    planner.start("q", &["a"]).await;
    planner.subagent("p", "a").say("partial", 1, "p").await;
    planner.subagent("q", "a").say("partial", 1, "q").await;
    planner.subagent("q", "a").succeed().await;
    planner.subagent("p", "a").succeed().await;
    let page = planner.page("/events").await;
    let events = page["events"].as_array().unwrap();
    let sequences: Vec<_> = events.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    assert!(sequences.iter().copied().eq(1..=page["tail"].as_u64().unwrap()), "{sequences:?}");
    for step in ["p", "q"] {
        let own = planner.page(&format!("/steps/{step}/events")).await;
        let of_step: Vec<_> = events.iter().filter(|event| event["plan_step_id"] == step).cloned().collect();
        assert_eq!(own["events"].as_array().unwrap(), &of_step);
        assert_eq!(essential(&of_step).last().unwrap(), "plan_step_completed");
    }
}
