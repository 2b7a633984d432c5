//! Streams: every frame, every event.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::SSE;
use super::answers::Scene;
use super::service::Answer;

const NDJSON: (&str, &str) = ("accept", "application/x-ndjson");

/// The frames of a stream's text, as the schema `StreamFrame` has them.
fn frames(answer: &Answer) -> Vec<Value> {
    let text = answer.text();
    if answer.media() == Some("application/x-ndjson") {
        return text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    }
    assert_eq!(answer.media(), Some("text/event-stream"));
    let blocks = text.split("\n\n").filter(|block| block.contains("data:"));
    let frame = |block: &str| {
        let mut frame = serde_json::Map::new();
        for line in block.lines() {
            match line.split_once(": ").unwrap() {
                ("data", data) => frame.insert("data".into(), serde_json::from_str(data).unwrap()),
                ("retry", _) => None,
                (name, value) => frame.insert(name.into(), value.into()),
            };
        }
        Value::Object(frame)
    };
    blocks.map(frame).collect()
}

#[test]
fn frames_and_events_are_as_described() {
    let scene = Scene::with(&[
        ("STREAMING__HEARTBEAT_MS", "100"),
        ("STREAMING__CONNECTION_AGE_MS", "1000"),
        ("STREAMING__UNKNOWN_PATIENCE_MS", "100"),
    ]);
    let (mut names, mut types) = (BTreeSet::new(), BTreeSet::new());
    let mut follow = |id: &str, query: &str| {
        for accept in [SSE, NDJSON] {
            let found = frames(&scene.read(id, query, &[accept]));
            for frame in &found {
                scene.described.check("StreamFrame", frame);
                names.insert(frame["event"].as_str().unwrap().to_owned());
                let events = frame["data"]["events"].as_array().into_iter().flatten();
                types.extend(events.map(|event| event["type"].as_str().unwrap().to_owned()));
            }
        }
    };
    follow("get_step_events", "");
    scene.start_step();
    scene.post("post_progress", json!({ "message": "a", "percent": 40 }), 200);
    scene.post(
        "post_step_safety",
        json!({ "decision": "escalate", "policy": "p", "reason": "r", "subagent": "documentation" }),
        200,
    );
    let failure = json!({ "status": "error", "error": { "message": "m", "retryable": true }, "telemetry": { "latency_ms": 9 } });
    scene.post("post_events", json!([failure, { "status": "success", "payload": { "answer": "a" } }]), 200);
    follow("get_session_events", "");
    scene.post_with("post_step_cancel", &[], Vec::new(), 200);
    for query in ["", "after=snapshot", "after=5&batch=1", "type=planner_stream"] {
        follow("get_step_events", query);
    }
    let all = ["drain", "end", "error", "heartbeat", "open", "planner_stream", "snapshot"];
    assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), all);
    let described = &scene.described.document["components"]["schemas"]["Event"]["discriminator"]["mapping"];
    assert_eq!(types.iter().collect::<Vec<_>>(), described.as_object().unwrap().keys().collect::<Vec<_>>());
}
