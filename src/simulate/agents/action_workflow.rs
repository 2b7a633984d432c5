//! An agent that acts: the message of a model that calls a tool, as OpenAI's chat completions give it, with the arguments as a
//! JSON text inside JSON.

use serde_json::{Value, json};

use super::Question;

/// The message.
pub(super) fn output(question: &Question) -> Value {
    let (name, arguments) = call(question);
    json!({
        "role": "assistant",
        "content": null,
        "tool_calls": [{
            "id": call_id(question),
            "type": "function",
            "function": {"name": name, "arguments": arguments.to_string()},
        }],
    })
}

/// The tool and its arguments.
pub(super) fn call(question: &Question) -> (&'static str, Value) {
    let mut rng = question.rng(1);
    let due = format!("2026-12-{:02}", rng.u32(1..29));
    match rng.u8(..3) {
        0 => ("create_ticket", json!({"title": question.query, "priority": "high", "due": due})),
        1 => ("send_quote", json!({"note": question.query, "quote_id": rng.u32(1_000..9_999), "due": due})),
        _ => {
            ("update_record", json!({"reason": question.query, "record": rng.u32(1_000..9_999), "due": due}))
        }
    }
}

fn call_id(question: &Question) -> String {
    format!("call_{}", question.id(2).replace('-', ""))
}
