//! Messages as Anthropic streams them: `message_start`, a content block in deltas, `message_delta` with the stop reason and
//! the usage, `message_stop`. With `"stream": false` one document.
//!
//! Source: the API reference of Anthropic, "Streaming messages".

use bytes::Bytes;
use serde_json::{Value, json};

use super::chat::{Written, wants_document};
use super::{Reply, Request};
use crate::simulate::agents::Agent;
use crate::simulate::behaviour::Behaviour;
use crate::simulate::frames::Frames;

const MODEL: &str = "claude-simulated";
/// Events before the first delta.
const PREAMBLE: u64 = 3;

pub(super) fn answer(agent: Agent, behaviour: &Behaviour, request: &Request) -> Reply {
    let written = Written::new(&agent, behaviour, request, MODEL);
    if wants_document(request) {
        return Reply::document(&document(&written));
    }
    let tail = tail(&written);
    let (deltas, count) = (written.deltas, PREAMBLE + written.deltas + tail.len() as u64);
    let (head, tail) = (Frames::list(head(&written)), Frames::list(tail));
    let frames = Frames::new(count, move |index| match index.checked_sub(PREAMBLE) {
        None => head.make(index),
        Some(index) if index < deltas => delta(&written, index),
        Some(index) => tail.make(index - deltas),
    });
    Reply::stream(frames, PREAMBLE)
}

/// The event's name is its data's `type`.
fn event(data: &Value) -> Bytes {
    let name = data.get("type").and_then(Value::as_str).unwrap_or("message");
    format!("event: {name}\ndata: {data}\n\n").into()
}

fn head(written: &Written) -> Vec<Bytes> {
    let mut message = message(written, json!([]), Value::Null);
    message["usage"]["output_tokens"] = json!(1);
    let block = match written.tool {
        None => json!({"type": "text", "text": ""}),
        Some(name) => {
            json!({"type": "tool_use", "id": format!("toolu_{}", written.call_id), "name": name, "input": {}})
        }
    };
    vec![
        event(&json!({"type": "message_start", "message": message})),
        event(&json!({"type": "content_block_start", "index": 0, "content_block": block})),
        event(&json!({"type": "ping"})),
    ]
}

fn delta(written: &Written, index: u64) -> Bytes {
    let text = written.delta(index);
    let delta = match written.tool {
        None => json!({"type": "text_delta", "text": text}),
        Some(_) => json!({"type": "input_json_delta", "partial_json": text}),
    };
    event(&json!({"type": "content_block_delta", "index": 0, "delta": delta}))
}

fn tail(written: &Written) -> Vec<Bytes> {
    if written.fails() {
        return vec![event(&error(written))];
    }
    if written.stays_open() {
        return Vec::new();
    }
    let ended = json!({"stop_reason": stop_reason(written), "stop_sequence": null});
    vec![
        event(&json!({"type": "content_block_stop", "index": 0})),
        event(
            &json!({"type": "message_delta", "delta": ended, "usage": {"output_tokens": written.tokens.1}}),
        ),
        event(&json!({"type": "message_stop"})),
    ]
}

fn document(written: &Written) -> Value {
    if written.fails() {
        return error(written);
    }
    let block = match written.tool {
        None => json!({"type": "text", "text": &*written.text}),
        Some(name) => {
            let input: Value = serde_json::from_str(&written.text).unwrap_or_default();
            json!({"type": "tool_use", "id": format!("toolu_{}", written.call_id), "name": name, "input": input})
        }
    };
    message(written, json!([block]), json!(stop_reason(written)))
}

fn message(written: &Written, content: Value, stop_reason: Value) -> Value {
    let (asked, said) = written.tokens;
    json!({
        "id": format!("msg_{}", written.id), "type": "message", "role": "assistant", "model": written.model,
        "content": content, "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": asked, "output_tokens": said},
    })
}

fn stop_reason(written: &Written) -> &'static str {
    if written.tool.is_some() { "tool_use" } else { "end_turn" }
}

fn error(written: &Written) -> Value {
    let kind = if written.retryable { "overloaded_error" } else { "invalid_request_error" };
    json!({"type": "error", "error": {"type": kind, "message": "it failed as it was told"}})
}
