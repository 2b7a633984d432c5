//! Examples in the document. `tests/openapi` sends each to the service, which takes them.

use serde_json::{Value, json};

/// A directive.
pub fn directive() -> Value {
    json!({
        "plan_step_id": "plan-step-4",
        "expected_subagents": [
            {
                "key": "documentation",
                "result_key": "quote_conversion_doc",
                "task": "How is a quote converted into an order?",
                "deadline_ms": 8000
            },
            { "key": "row_selection", "deadline_ms": 8000, "max_attempts": 1 }
        ],
        "planner_context": { "request_id": "req-789", "user_id": "user-42", "conversation_id": "conv-22" },
        "query": "How do I turn a quote into an order?",
        "goal": "Explain the conversion",
        "task_type": "retrieval",
        "deadline_ms": 15000,
        "more_steps": true
    })
}

/// An event with a result.
pub fn result() -> Value {
    json!({
        "status": "success",
        "result_key": "quote_conversion_doc",
        "revision": 3,
        "payload": {
            "answer": "Open the quote and choose “Convert”.",
            "citations": [
                { "id": "1", "title": "Quotes", "url": "https://docs.example.com/quotes" }
            ]
        },
        "telemetry": { "latency_ms": 930, "metrics": { "retrieval_count": 4 } }
    })
}

/// Several events.
pub fn results() -> Value {
    json!([
        { "status": "in_progress", "result_key": "quote_conversion_doc", "revision": 1 },
        { "status": "partial", "result_key": "quote_conversion_doc", "revision": 2, "payload": { "answer": "Open the quote" } }
    ])
}

/// An event without a result.
pub fn failure() -> Value {
    json!({ "status": "error", "error": { "code": "timeout", "message": "the index didn't answer", "retryable": true } })
}

/// Events, a line each.
pub const LINES: &str = "{\"status\":\"in_progress\",\"revision\":1}\n\
                         {\"status\":\"partial\",\"revision\":2,\"payload\":{\"answer\":\"Open the quote\"}}\n";

/// Events as server-sent events.
pub const SENT_EVENTS: &str = "data: {\"status\":\"in_progress\",\"revision\":1}\n\n\
                               data: {\"status\":\"partial\",\"revision\":2,\"payload\":{\"answer\":\"Open the quote\"}}\n\n";

/// A planner's progress.
pub fn progress() -> Value {
    json!({ "message": "Comparing what was found", "percent": 40 })
}

/// A safety decision.
pub fn safety() -> Value {
    json!({ "decision": "allow", "policy": "pii", "reason": "no personal data found", "severity": "info" })
}

/// The end of a step.
pub fn cancel() -> Value {
    json!({ "reason": "the user asked something else" })
}

/// What the monolith answered.
pub fn legacy_response() -> Value {
    json!({
        "answer": "A quote is valid for 30 days [1].",
        "sources": ["https://docs.example/quotes", { "title": "Price list", "url": "https://docs.example/prices" }],
        "latency_ms": 4180,
        "status": "ok",
        "metadata": { "release": "2024.11" },
    })
}

/// What a user thinks of a result.
pub fn feedback() -> Value {
    json!({ "score": 0.8, "comment": "Right, but the second step has another name in the menu." })
}

/// The beginning of a stream of server-sent events.
pub const STREAM: &str = concat!(
    "retry: 2000\n",
    "id: 7f3a91_0_9c1b2d3e00a1b2c3\n",
    "event: open\n",
    "data: {\"epoch\":\"7f3a91\",\"from\":0,\"tail\":2,\"oldest\":1,\"recovered\":true,\"reason\":\"new\",\"heartbeat_ms\":15000}\n\n",
    "id: 7f3a91_2_1d2e3f4a5b6c7d8e\n",
    "event: planner_stream\n",
    "data: {\"from\":1,\"to\":2,\"events\":[]}\n\n",
    "event: heartbeat\n",
    "data: {\"sequence\":2,\"epoch\":\"7f3a91\",\"store\":\"ok\"}\n\n",
);

/// Results to be combined.
pub fn aggregation() -> Value {
    json!({
        "query": "How do I turn a quote into an order?",
        "results": [
            {
                "task_id": "docs", "task": "Look it up in the handbook", "subagent": "documentation", "success": true,
                "content": "A quote becomes an order when the customer accepts it [1].",
                "sources": [{ "url": "https://example.com/handbook/quotes", "title": "Quotes", "quality": "HIGH" }],
                "relevance": 0.9
            },
            { "task_id": "crm", "subagent": "crm", "success": false, "error": "The CRM didn't answer" }
        ],
        "options": { "max_result_tokens": 500 }
    })
}

/// A context sheet.
pub fn sheet() -> Value {
    json!({
        "objective": "How long is a quote valid?",
        "sheet": {
            "status": "completed",
            "entries": [{ "content": "A quote is valid for 30 days.", "citations": ["c1"] }],
            "citations": [
                { "id": "c1", "title": "Quotes", "url": "https://example.com/handbook/quotes", "quality": "HIGH" }
            ]
        }
    })
}

/// A tree of tasks.
pub fn tree() -> Value {
    json!({
        "id": "report", "goal": "How quotes become orders", "task_type": "composition",
        "children": [
            { "id": "intro", "goal": "What a quote is", "task_type": "composition", "content": "A quote is an offer." },
            {
                "id": "steps", "goal": "What happens to it", "task_type": "composition", "depends_on": ["intro"],
                "content": "It becomes an order when the customer accepts it."
            }
        ]
    })
}
