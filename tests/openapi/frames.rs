//! Streams: every kind of frame, every type of event.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::described::media;
use super::harness::{Answer, TestApp};
use super::scene::Scene;

#[tokio::test]
async fn frames_and_events_are_as_described() {
    let impatient = TestApp::new()
        .env("STREAMING__HEARTBEAT_MS", 100)
        .env("STREAMING__CONNECTION_AGE_MS", 1_000)
        .env("STREAMING__UNKNOWN_PATIENCE_MS", 100);
    let scene = Scene::with(impatient).await;
    let mut seen = Seen::default();
    seen.follow(&scene, "get_step_events", "").await;
    scene.start_step().await;
    scene.post("post_progress", json!({ "message": "a", "percent": 40 }), 200).await;
    let doubt = json!({ "decision": "escalate", "policy": "p", "reason": "r", "subagent": "documentation" });
    scene.post("post_step_safety", doubt, 200).await;
    let failure = json!({ "error": { "message": "m", "retryable": true }, "telemetry": { "latency_ms": 9 } });
    let success = json!({ "status": "success", "payload": { "answer": "a" } });
    scene.post("post_events", json!([failure, success]), 200).await;
    seen.follow(&scene, "get_session_events", "").await;
    scene.post_text("post_step_cancel", &[], "", 200).await;
    for query in ["", "after=snapshot", "after=5&batch=1", "type=planner_stream"] {
        seen.follow(&scene, "get_step_events", query).await;
    }
    let all = ["drain", "end", "error", "heartbeat", "open", "planner_stream", "snapshot"];
    assert_eq!(seen.frames.iter().map(String::as_str).collect::<Vec<_>>(), all);
    let described = &scene.described.document["components"]["schemas"]["Event"]["discriminator"]["mapping"];
    let described = described.as_object().unwrap().keys().collect::<BTreeSet<_>>();
    // Drafts come only where a language model is configured: `tests/synthesis` holds those against the document.
    let undrafted = described.into_iter().filter(|event| *event != "synthesis_delta").collect();
    assert_eq!(seen.types.iter().collect::<BTreeSet<_>>(), undrafted);
}

/// The kinds of frames and the types of events that came.
#[derive(Default)]
struct Seen {
    frames: BTreeSet<String>,
    types: BTreeSet<String>,
}

impl Seen {
    /// Reads a stream to its end, in both forms.
    async fn follow(&mut self, scene: &Scene, id: &str, query: &str) {
        for form in ["text/event-stream", "application/x-ndjson"] {
            let answer = scene.read(id, query, &[("accept", form)]).await;
            assert_eq!((answer.status, media(&answer)), (200, Some(form)));
            for frame in frames(&answer) {
                scene.described.check("StreamFrame", &frame);
                self.frames.insert(frame["event"].as_str().unwrap().to_owned());
                let events = frame["data"]["events"].as_array().into_iter().flatten();
                self.types.extend(events.map(|event| event["type"].as_str().unwrap().to_owned()));
            }
        }
    }
}

/// The frames of a stream, as the schema `StreamFrame` has them.
fn frames(answer: &Answer) -> Vec<Value> {
    if media(answer) == Some("application/x-ndjson") {
        return answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    }
    let blocks = answer.text().split("\n\n").filter(|block| block.contains("data:"));
    blocks.map(frame).collect()
}

fn frame(block: &str) -> Value {
    let mut frame = Map::new();
    for line in block.lines() {
        match line.split_once(": ").unwrap() {
            ("data", data) => frame.insert("data".into(), serde_json::from_str(data).unwrap()),
            ("retry", _) => None,
            (name, value) => frame.insert(name.into(), value.into()),
        };
    }
    Value::Object(frame)
}
