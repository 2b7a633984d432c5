//! Conversations of each framework, with the same question and the same answer.

use serde_json::{Value, json};

use super::*;
use crate::domain::adapters::Adapter;

const SYSTEM: &str = "You are a geography agent.";
const ASKED: &str = "I think that Berlin is it.";
const SAID: &str = "Rome is the capital of Italy.";

fn generic(sent: &Value) -> Value {
    let raw: RawJson = Arc::from(RawValue::from_string(sent.to_string()).unwrap());
    let once = Adapter::Generic.normalise(&raw);
    assert!(Arc::ptr_eq(&Adapter::Generic.normalise(&once), &once), "twice is once: {once}");
    serde_json::from_str(once.get()).unwrap()
}

fn constructor(class: &str, content: &str) -> Value {
    let id = json!(["langchain", "schema", "messages", class]);
    json!({"lc": 1, "type": "constructor", "id": id, "kwargs": {"content": content, "additional_kwargs": {}}})
}

fn states() -> Vec<Value> {
    let roles = json!([{"role": "system", "content": SYSTEM}, {"role": "user", "content": ASKED},
        {"role": "assistant", "content": SAID}]);
    let types = json!([{"type": "system", "content": SYSTEM}, {"type": "human", "content": ASKED, "id": "1"},
        {"type": "ai", "content": "", "tool_calls": [{"name": "look", "args": {}, "id": "c"}]},
        {"type": "tool", "content": "It is a city.", "tool_call_id": "c"},
        {"type": "ai", "content": SAID, "additional_kwargs": {}, "response_metadata": {"model_name": "m"}}]);
    vec![
        json!({ "messages": types }),
        json!({ "messages": roles }),
        json!({"messages": [constructor("SystemMessage", SYSTEM), constructor("HumanMessage", ASKED),
            constructor("AIMessage", SAID)]}),
        json!({"messages": [{"type": "human", "data": {"content": ASKED}}, {"type": "ai", "data": {"content": SAID}}]}),
        json!([{"role": "user", "content": ASKED}, {"type": "reasoning", "id": "r", "summary": []},
            {"type": "function_call", "name": "look", "arguments": "{}", "call_id": "c"},
            {"type": "function_call_output", "call_id": "c", "output": "It is a city."},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": SAID}]}]),
        json!({"task_result": {"messages": [{"source": "user", "content": ASKED, "type": "TextMessage"},
            {"source": "geo", "content": [], "type": "ToolCallRequestEvent"},
            {"source": "geo", "content": SAID, "type": "TextMessage", "models_usage": {"prompt_tokens": 1}},
            {"source": "critic", "content": "TERMINATE", "type": "TextMessage"}], "stop_reason": "x"}}),
        json!({"output": {"messages": types, "summary": "They speak of Italy."}, "metadata": {"run_id": "r"}}),
        json!({"values": {"messages": types}, "next": [], "created_at": "2026-01-01"}),
        json!({"agent": {"messages": [types[4]]}}),
        constructor("AIMessage", SAID),
        json!({"output": constructor("AIMessage", SAID), "metadata": {"run_id": "r"}}),
        json!([{"kind": "request", "parts": [{"part_kind": "system-prompt", "content": SYSTEM},
            {"part_kind": "user-prompt", "content": ASKED}]},
            {"kind": "response", "parts": [{"part_kind": "thinking", "content": "Hm."}, {"part_kind": "text", "content": SAID}]}]),
        json!({"messages": [{"role": "user", "content": ASKED}, {"role": "assistant", "content": [{"type": "tool_use",
            "id": "t", "name": "look", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result",
            "tool_use_id": "t", "content": "It is a city."}]}, {"role": "assistant", "content": [{"type": "text", "text": SAID}]}]}),
        json!({"messages": [{"id": "1", "role": "user", "parts": [{"type": "text", "text": ASKED}]}, {"id": "2",
            "role": "assistant", "parts": [{"type": "reasoning", "text": "Hm."}, {"type": "text", "text": SAID}]}]}),
        json!({"messages": types, "remaining_steps": 24, "topic": "the capital of a country"}),
    ]
}

#[test]
fn the_last_message_of_the_assistant_is_the_answer() {
    for state in states() {
        let payload = generic(&state);
        assert_eq!(payload["content"], SAID, "{state}");
        assert_eq!(payload["sources"], json!([]), "{state}");
        let text = payload.to_string();
        assert_eq!(text.matches(SAID).count(), 1, "it is taken away from its place: {text}");
        for other in [SYSTEM, ASKED, "It is a city.", "Hm."] {
            assert_eq!(text.matches(other).count(), state.to_string().matches(other).count(), "{text}");
        }
        let raw: RawJson = Arc::from(RawValue::from_string(state.to_string()).unwrap());
        let documentation: Value =
            serde_json::from_str(Adapter::Documentation.normalise(&raw).get()).unwrap();
        assert_eq!(documentation["answer"], SAID, "{documentation}");
    }
}

#[test]
fn what_tools_found_is_a_source_where_it_has_an_address() {
    let hit =
        json!({"title": "Italy", "url": "https://a.example/it", "content": "Rome is it.", "score": 0.9});
    let hits = json!([hit]);
    let document = json!({"page_content": "Rome is it.", "metadata": {"source": "https://a.example/it", "title": "Italy"}});
    let expected = json!([{"title": "Italy", "url": "https://a.example/it", "snippet": "Rome is it."}]);
    for tool in [
        json!({"type": "tool", "content": hits.to_string(), "tool_call_id": "c"}),
        json!({"role": "tool", "content": json!({"query": "q", "results": hits}).to_string()}),
        json!({"role": "tool", "content": [{"type": "text", "text": hits.to_string()}]}),
        json!({"type": "tool", "content": "Source: a\nContent: b", "artifact": [document]}),
        json!({"type": "function_call_output", "call_id": "c", "output": hits.to_string()}),
        json!({"role": "user", "content": [{"type": "tool_result", "content": [{"type": "search_result",
            "source": "https://a.example/it", "title": "Italy", "content": "Rome is it."}]}]}),
    ] {
        let old =
            json!({"role": "tool", "content": "[{\"url\": \"https://a.example/of-another-question\"}]"});
        let state = json!({"messages": [old, {"role": "user", "content": ASKED}, tool, {"role": "assistant", "content": SAID}]});
        assert_eq!(generic(&state)["sources"], expected, "{tool}");
    }
}

#[test]
fn what_the_answer_cites_goes_before_what_tools_found() {
    let tool = json!({"role": "tool", "content": "[{\"url\": \"https://b.example/other\"}]"});
    let url = "https://a.example/it";
    for said in [
        json!({"role": "assistant", "content": [{"type": "text", "text": SAID, "annotations": [{"type": "url_citation",
            "url": url, "title": "Italy"}, {"type": "url_citation", "url": url, "title": "Italy"}]}]}),
        json!({"role": "assistant", "content": SAID, "annotations": [{"type": "url_citation", "url_citation": {"url": url, "title": "Italy"}}]}),
        json!({"role": "assistant", "parts": [{"type": "text", "text": SAID}, {"type": "source-url", "sourceId": "1", "url": url, "title": "Italy"}]}),
    ] {
        let state = json!({"messages": [{"role": "user", "content": ASKED}, tool, said]});
        assert_eq!(generic(&state)["sources"], json!([{"title": "Italy", "url": url}]), "{said}");
    }
}

#[test]
fn sources_of_tools_are_left_out_where_a_number_may_mean_another() {
    let tool = |url: &str| json!({"role": "tool", "content": json!([{ "url": url }]).to_string()});
    let state = |text: &str| {
        json!({"messages": [{"role": "user", "content": ASKED}, tool("https://a.example"), tool("https://b.example/"),
            {"role": "assistant", "content": text}]})
    };
    for (text, count) in [
        ("Rome.", 2),
        ("Rome, says https://b.example/.", 2),
        ("Rome [1].", 0),
        ("Rome.\n\n1. https://c.example/x", 0),
    ] {
        assert_eq!(generic(&state(text))["sources"].as_array().unwrap().len(), count, "{text}");
    }
}

#[test]
fn what_looks_like_it_and_is_none_stays() {
    for sent in [
        json!({"messages": [{"role": "user", "content": ASKED}]}),
        json!({"messages": [{"role": "assistant", "content": "Hm."}], "answer": SAID}),
        json!({"messages": [{"id": 1, "subject": "Re: x", "content": "Hello."}]}),
        json!({"messages": [{"type": "message", "user": "U1", "text": "Hello.", "content": "x"}]}),
        json!([{"role": "user", "name": "Bob"}, {"role": "admin", "name": "Eva", "content": "x"}]),
        json!({"content": SAID, "messages": [{"role": "assistant", "content": "Hm."}]}),
        json!({"messages": [], "content": ""}),
        json!([]),
        json!(["content"]),
    ] {
        assert!(opened(&sent.to_string()).is_none(), "{sent}");
    }
}

#[test]
fn an_own_text_of_a_state_is_its_answer() {
    for name in ["answer", "final_report", "generation"] {
        let mut state = json!({"messages": [{"role": "user", "content": ASKED}, {"role": "assistant", "content": "Hm."}]});
        state[name] = SAID.into();
        assert_eq!(generic(&state)["content"], SAID, "{name}");
    }
}
