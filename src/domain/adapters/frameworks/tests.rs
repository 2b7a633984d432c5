//! Answers of each framework, as its server sends them.

use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::domain::adapters::{Adapter, api_answer};
use crate::domain::event::RawJson;

fn opened(answer: &Value) -> Option<Value> {
    let raw: RawJson = Arc::from(RawValue::from_string(answer.to_string()).unwrap());
    let opened = api_answer::opened(&raw)?;
    assert!(api_answer::opened(&opened).is_none(), "twice is once: {opened}");
    Some(serde_json::from_str(opened.get()).unwrap())
}

/// One answer of each, which says the same.
fn answers() -> Vec<Value> {
    let usage = json!({"total_tokens": 1532, "prompt_tokens": 1000});
    vec![
        json!({"workflow_run_id": "w", "task_id": "t", "data": {"id": "w", "status": "succeeded",
            "outputs": {"text": "It rose."}, "elapsed_time": 1.2, "total_tokens": 1532, "total_steps": 3}}),
        json!({"event": "message", "task_id": "t", "id": "m", "message_id": "m", "conversation_id": "c", "mode": "chat",
            "answer": "It rose.", "metadata": {"usage": usage, "retriever_resources": []}, "created_at": 1}),
        json!({"raw": "It rose.", "pydantic": null, "json_dict": null, "tasks_output": [{"raw": "It rose.",
            "agent": "Analyst"}], "token_usage": usage}),
        json!({"messages": [{"type": "human", "content": "Did it?", "id": "1"}, {"type": "ai", "content": "",
            "tool_calls": [{"name": "look"}]}, {"type": "tool", "content": "12 %"}, {"type": "ai", "content": "It rose.",
            "id": "2", "usage_metadata": usage, "response_metadata": {"model_name": "m"}}]}),
        json!({"messages": [{"source": "user", "content": "Did it?", "type": "TextMessage"}, {"source": "analyst",
            "content": "It rose.", "type": "TextMessage", "models_usage": usage}], "stop_reason": "done"}),
        json!({"messages": [{"role": "user", "content": "Did it?"}, {"role": "assistant", "content": [{"type": "text",
            "text": "It "}, {"type": "text", "text": "rose."}]}]}),
        json!({"session_id": "s", "outputs": [{"inputs": {}, "outputs": [{"results": {"message": {"text": "It rose.",
            "session_id": "s"}}}]}]}),
        json!({"llm": {"replies": ["It rose."], "meta": [{"usage": usage}]}}),
        json!({"llm": {"replies": [{"_role": "assistant", "_content": [{"text": "It rose."}], "_meta": {"usage": usage}}]}}),
        json!({"input": "Did it?", "final_output": "It rose.", "new_items": [], "raw_responses": [{"usage": usage}]}),
        json!({"sessionId": "s", "output": {"text": "It rose."}, "citations": []}),
    ]
}

#[test]
fn the_answer_of_a_framework_is_its_text() {
    for answer in answers() {
        assert_eq!(
            opened(&answer).map(|opened| opened["content"].clone()),
            Some(json!("It rose.")),
            "{answer}"
        );
        let raw: RawJson = Arc::from(RawValue::from_string(answer.to_string()).unwrap());
        let generic: Value = serde_json::from_str(Adapter::Generic.normalise(&raw).get()).unwrap();
        assert_eq!(generic["content"], "It rose.", "{generic}");
        let documentation: Value =
            serde_json::from_str(Adapter::Documentation.normalise(&raw).get()).unwrap();
        assert_eq!(documentation["answer"], "It rose.", "{documentation}");
    }
}

#[test]
fn what_it_tells_of_the_run_is_kept() {
    let workflow = opened(&answers()[0]).unwrap();
    assert_eq!(workflow["metadata"]["total_tokens"], 1532);
    assert_eq!((&workflow["workflow_run_id"], &workflow["data"]), (&json!("w"), &json!(null)));
    let several = json!({"workflow_run_id": "w", "data": {"outputs": {"city": "Lyon", "people": 520774}}});
    assert_eq!(
        opened(&several),
        Some(json!({"city": "Lyon", "people": 520774, "workflow_run_id": "w", "metadata": {}}))
    );
}

#[test]
fn what_looks_like_it_and_is_none_stays() {
    for answer in [
        json!({"data": {"outputs": {"text": "It rose."}}}),
        json!({"raw": "It rose."}),
        json!({"answer": "It rose.", "conversation_id": "c"}),
        json!({"final_output": "It rose."}),
        json!({"a": {"replies": ["x"]}, "b": {"replies": ["y"]}}),
    ] {
        assert_eq!(opened(&answer), None, "{answer}");
    }
}
