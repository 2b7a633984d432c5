//! Connections that no service would make, for tests: whatever comes, a bridge's stream is well-formed.

use proptest::prelude::*;
use serde_json::{Value, json};

/// A connection: lines without an end.
pub fn connection() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(line(), 0..40)
}

fn line() -> impl Strategy<Value = String> {
    let sequence = 0..60_u64;
    let frame =
        (prop::sample::select(vec!["planner_stream", "planner_stream", "snapshot"]), sequence.clone())
            .prop_flat_map(|(name, from)| {
                prop::collection::vec(content(), 0..4).prop_map(move |contents| {
                    let events: Vec<Value> = contents
                        .into_iter()
                        .enumerate()
                        .map(|(index, (event_type, content))| {
                            json!({"type": event_type, "plan_step_id": "p", "sequence": from + index as u64,
                            "timestamp": "2024-03-04T02:15:30.441Z", "content": content})
                        })
                        .collect();
                    let to = from + events.len() as u64;
                    json!({"event": name, "id": "a_1_b",
                    "data": {"from": from, "to": to, "events": events, "complete": true}})
                    .to_string()
                })
            });
    let open = (prop::option::of("[ab]{6}"), sequence).prop_map(|(epoch, from)| {
        json!({"event": "open", "data": {"epoch": epoch, "from": from, "tail": 9, "oldest": 1, "recovered": false,
            "reason": "epoch_changed"}})
        .to_string()
    });
    let heartbeat = Just(r#"{"event":"heartbeat","data":{}}"#.to_owned());
    prop_oneof![6 => frame, 2 => open, 1 => heartbeat]
}

fn content() -> impl Strategy<Value = (&'static str, Value)> {
    let key = || prop::sample::select(vec!["a", "b", "c"]);
    let status = prop::sample::select(vec![
        "pending",
        "in_progress",
        "partial",
        "partial",
        "partial",
        "retry",
        "success",
        "error",
        "timeout",
        "degraded",
        "refused",
        "cancelled",
    ]);
    let text = "[aü]{0,3}";
    let payload = prop_oneof![
        text.prop_map(|text| json!({"content": text, "sources": ["https://a.example/", {"title": "b"}]})),
        text.prop_map(|text| json!({"action": "x", "summary": text})),
        Just(json!({"rows": []})),
        Just(json!([7])),
    ];
    let said = (key(), status, prop::option::of(payload)).prop_map(|(key, status, payload)| {
        (
            "planner_stream",
            json!({"stage": key, "result_key": key, "status": status, "revision": 1, "attempt": 1,
            "payload": payload}),
        )
    });
    let path = prop::sample::select(vec!["summary", "gaps/0"]);
    let delta = (path, 0..3_u64, text).prop_map(|(path, offset, text)| {
        ("synthesis_delta", json!({"path": path, "offset": offset, "text": text}))
    });
    let ended =
        prop::sample::select(vec!["completed", "partial_failure", "failed", "cancelled", "refused", "?"])
            .prop_map(|status| {
                ("plan_step_completed", json!({"status": status, "href": "/", "more_steps": false}))
            });
    prop_oneof![
        8 => said,
        2 => key().prop_map(|key| ("subagent_started", json!({"stage": key, "result_key": key, "attempt": 1}))),
        2 => Just(("step_started", json!({"expected": [{"stage": "a", "result_key": "a", "task": "t"}, 7]}))),
        1 => Just(("planner_progress", json!({"message": "m"}))),
        1 => Just(("policy_outcome", json!({"decision": "allow"}))),
        1 => Just(("step_completed", json!({}))),
        1 => text.prop_map(|text| ("aggregation", json!({"summary": text, "sources": [{"id": 1, "title": "t", "url": null}, 7]}))),
        2 => delta,
        1 => text.prop_map(|text| ("synthesis", json!({"summary": text, "sources": [{"id": 2, "title": "", "url": "https://a.example/"}]}))),
        1 => Just(("subagent_completed", json!({}))),
        1 => Just(("something_new", json!(null))),
        1 => ended,
    ]
}
