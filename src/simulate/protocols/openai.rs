//! Chat completions as OpenAI streams them: a chunk with the role, deltas, a chunk with the `finish_reason`, the usage where it
//! was asked for, `[DONE]`. With `"stream": false` one document.
//!
//! Source: the API reference of OpenAI, "The chat completion chunk object".

use bytes::Bytes;
use serde_json::{Value, json};

use super::chat::{Written, event, wants_document};
use super::{Reply, Request};
use crate::simulate::agents::Agent;
use crate::simulate::behaviour::{Behaviour, Usage};
use crate::simulate::frames::Frames;

/// Seconds since 1970: the same answer every time.
const CREATED: u64 = 1_767_225_600;
const MODEL: &str = "gpt-simulated";

pub(super) fn answer(agent: Agent, behaviour: &Behaviour, request: &Request) -> Reply {
    let written = Written::new(&agent, behaviour, request, MODEL);
    if wants_document(request) {
        return Reply::document(&document(&written));
    }
    let asked = request.body.pointer("/stream_options/include_usage") == Some(&Value::Bool(true));
    let with_usage = match behaviour.usage {
        Some(Usage::Silent) => false,
        Some(Usage::Counted | Usage::Tokens(_)) => true,
        None => asked,
    };
    let tail = tail(&written, with_usage);
    let (deltas, count) = (written.deltas, 1 + written.deltas + tail.len() as u64);
    let tail = Frames::list(tail);
    let frames = Frames::new(count, move |index| match index {
        0 => event(&chunk(&written, first(&written), None)),
        index if index <= deltas => event(&chunk(&written, delta(&written, index - 1), None)),
        index => tail.make(index - deltas - 1),
    });
    Reply::stream(frames, 1)
}

fn chunk(written: &Written, delta: Value, finish_reason: Option<&str>) -> Value {
    json!({
        "id": format!("chatcmpl-{}", written.id), "object": "chat.completion.chunk", "created": CREATED,
        "model": written.model, "system_fingerprint": "fp_simulated",
        "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason}],
    })
}

fn first(written: &Written) -> Value {
    match written.tool {
        None => json!({"role": "assistant", "content": ""}),
        Some(name) => json!({"role": "assistant", "content": null, "tool_calls": [{"index": 0,
            "id": format!("call_{}", written.call_id), "type": "function",
            "function": {"name": name, "arguments": ""}}]}),
    }
}

fn delta(written: &Written, index: u64) -> Value {
    let text = written.delta(index);
    match written.tool {
        None => json!({"content": text}),
        Some(_) => json!({"tool_calls": [{"index": 0, "function": {"arguments": text}}]}),
    }
}

fn tail(written: &Written, with_usage: bool) -> Vec<Bytes> {
    if written.fails() {
        return vec![event(&error(written))];
    }
    if written.stays_open() {
        return Vec::new();
    }
    let mut tail = vec![event(&chunk(written, json!({}), Some(finish_reason(written))))];
    if with_usage {
        let mut last = chunk(written, json!({}), None);
        last["choices"] = json!([]);
        last["usage"] = usage(written);
        tail.push(event(&last));
    }
    tail.push(Bytes::from_static(b"data: [DONE]\n\n"));
    tail
}

fn document(written: &Written) -> Value {
    if written.fails() {
        return error(written);
    }
    let message = match written.tool {
        None => json!({"role": "assistant", "content": &*written.text, "refusal": null}),
        Some(name) => json!({"role": "assistant", "content": null, "refusal": null, "tool_calls": [{
            "id": format!("call_{}", written.call_id), "type": "function",
            "function": {"name": name, "arguments": &*written.text}}]}),
    };
    json!({
        "id": format!("chatcmpl-{}", written.id), "object": "chat.completion", "created": CREATED,
        "model": written.model, "usage": usage(written),
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason(written)}],
    })
}

fn finish_reason(written: &Written) -> &'static str {
    if written.tool.is_some() { "tool_calls" } else { "stop" }
}

fn usage(written: &Written) -> Value {
    let (asked, said) = written.tokens;
    json!({"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked.saturating_add(said)})
}

fn error(written: &Written) -> Value {
    let kind = if written.retryable { "server_error" } else { "invalid_request_error" };
    json!({"error": {"message": "it failed as it was told", "type": kind, "param": null, "code": kind}})
}
