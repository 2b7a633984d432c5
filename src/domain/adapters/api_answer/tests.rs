//! Where each API has its text, and what is left of its answer.

use serde_json::{Value, json};

use super::*;

fn open(value: &Value) -> Option<Value> {
    let raw: RawJson = RawValue::from_string(value.to_string()).ok().map(Arc::from).unwrap();
    let opened = opened(&raw)?;
    assert!(super::opened(&opened).is_none(), "twice is once: {opened}");
    Some(serde_json::from_str(opened.get()).unwrap())
}

#[test]
fn texts_are_found_and_nothing_else_moves() {
    for (answer, expected) in [
        (
            json!({"id": "c", "choices": [{"index": 0, "message": {"role": "assistant", "content": "42"},
                "finish_reason": "stop"}], "usage": {"total_tokens": 3}}),
            json!({"content": "42", "id": "c", "choices": [{"index": 0, "message": {"role": "assistant"},
                "finish_reason": "stop"}], "usage": {"total_tokens": 3}}),
        ),
        (
            json!({"type": "message", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "4"},
                {"type": "text", "text": "2"}], "stop_reason": "end_turn"}),
            json!({"content": "42", "type": "message", "blocks": [{"type": "thinking", "thinking": "hm"}],
                "stop_reason": "end_turn"}),
        ),
        (
            json!({"object": "response", "output": [{"type": "reasoning", "summary": []}, {"type": "message",
                "content": [{"type": "output_text", "text": "42"}]}]}),
            json!({"content": "42", "object": "response", "output": [{"type": "reasoning", "summary": []},
                {"type": "message"}]}),
        ),
        (
            json!({"output": [{"type": "message", "content": [{"type": "output_text", "text": "42",
                "annotations": [{"type": "url_citation", "url": "https://a.test"}]}]}]}),
            json!({"content": "42", "output": [{"type": "message", "content": [{"type": "output_text",
                "annotations": [{"type": "url_citation", "url": "https://a.test"}]}]}]}),
        ),
        (
            json!({"parts": [{"kind": "text", "text": "42"}, {"kind": "data", "data": {"n": 1}, "metadata": {"m": 2}}]}),
            json!({"content": "42", "parts": [{"kind": "data", "data": {"n": 1}, "metadata": {"m": 2}}]}),
        ),
        (
            json!({"artifacts": [{"artifactId": "a", "parts": [{"kind": "data", "data": {"n": 1}, "metadata": {"m": 2}}]}]}),
            json!({"n": 1, "artifacts": [{"artifactId": "a", "parts": [{"kind": "data", "metadata": {"m": 2}}]}]}),
        ),
        (
            json!({"candidates": [{"content": {"parts": [{"text": "hm", "thought": true}, {"text": "42"}],
                "role": "model"}, "finishReason": "STOP"}]}),
            json!({"content": "42", "candidates": [{"content": {"parts": [{"text": "hm", "thought": true}],
                "role": "model"}, "finishReason": "STOP"}]}),
        ),
        (
            json!({"model": "llama", "message": {"role": "assistant", "content": "42"}, "done": true}),
            json!({"content": "42", "model": "llama", "message": {"role": "assistant"}, "done": true}),
        ),
        (
            json!({"model": "llama", "response": "42", "done": true, "done_reason": "stop"}),
            json!({"content": "42", "model": "llama", "done": true, "done_reason": "stop"}),
        ),
        (
            json!({"response": "42", "source_nodes": [{"node": {"text": "it is 42"}, "score": 0.9}]}),
            json!({"content": "42", "source_nodes": [{"node": {"text": "it is 42"}, "score": 0.9}]}),
        ),
        (
            json!({"kind": "task", "artifacts": [{"artifactId": "a", "parts": [{"kind": "text", "text": "4"}]},
                {"artifactId": "b", "parts": [{"text": "2"}]}]}),
            json!({"content": "4\n\n2", "kind": "task", "artifacts": [{"artifactId": "a"}, {"artifactId": "b"}]}),
        ),
        (
            json!({"kind": "task", "status": {"state": "completed", "message": {"parts": [{"text": "42"}]}}}),
            json!({"content": "42", "kind": "task", "status": {"state": "completed", "message": {}}}),
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "result": {"parts": [{"kind": "data", "data": {"rows": [[1]]}}]}}),
            json!({"rows": [[1]], "jsonrpc": "2.0", "id": 1}),
        ),
        (
            // The data are the answer: what the message says of itself under the same name isn't.
            json!({"kind": "message", "messageId": "1", "parts": [{"kind": "data", "data": {"messageId": null}}]}),
            json!({"messageId": null, "kind": "message"}),
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "result": {"parts": [{"kind": "data", "data": {"id": null}}]}}),
            json!({"id": null, "jsonrpc": "2.0"}),
        ),
        (
            // What is left of the list has a name of its own.
            json!({"content": [{"type": "text", "text": "a"}, {"type": "image"}], "blocks": null}),
            json!({"content": "a", "blocks_": [{"type": "image"}], "blocks": null}),
        ),
        (
            json!({"parts": [{"kind": "data", "data": {"parts": 1}}, {"kind": "file"}]}),
            json!({"parts": 1, "parts_": [{"kind": "file"}]}),
        ),
    ] {
        assert_eq!(open(&answer), Some(expected), "{answer}");
    }
}

#[test]
fn what_says_its_text_itself_or_has_none_is_left_alone() {
    for other in [
        json!({"content": "42", "choices": [{"message": {"content": "43"}}]}),
        json!({"choices": ["red", "blue"]}),
        json!({"response": "42", "took": 3, "sources": []}),
        json!({"response": "done", "done": true, "answer": "42"}),
        json!({"response": {"status": 200}, "done": true}),
        json!({"choices": [{"message": {"content": null, "tool_calls": [{"function": {"name": "f"}}]}}]}),
        json!({"content": [{"type": "image", "source": {}}]}),
        json!({"output": [{"type": "function_call", "name": "f", "arguments": "{}"}]}),
        json!({"status": "completed", "parts": []}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {"rows": []}}),
        json!([1]),
    ] {
        assert_eq!(open(&other), None, "{other}");
    }
}
