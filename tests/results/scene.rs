//! What these tests say all the time: what a task brought, what a subagent says, and what came of it.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Planner, TestApp};

/// An item of `results`: a success.
pub fn task(id: &str, content: &str, sources: &[&str]) -> Value {
    json!({"task_id": id, "subagent": id, "success": true, "content": content, "sources": sources})
}

/// An item of `results`: a failure.
pub fn failed(id: &str, error: &str) -> Value {
    json!({"task_id": id, "subagent": id, "success": false, "error": error})
}

/// Posts a body that must be taken.
pub async fn combine(client: Client, path: &str, body: Value) -> Value {
    client.post(path).json(&body).send().await.expect(200)
}

/// The aggregated result of these.
pub async fn aggregate(client: Client, results: &[Value]) -> Value {
    combine(client, "/aggregations", json!({ "results": results })).await
}

/// A session with a step `p` for `subagents`, of which more is said in `fields`.
pub async fn plan(app: &TestApp, subagents: &[&str], fields: Value) -> Planner {
    let planner = app.planner("s");
    let expected: Vec<Value> = subagents.iter().map(|key| json!({ "key": key })).collect();
    let mut directive = json!({"plan_step_id": "p", "expected_subagents": expected, "deadline_ms": 60_000});
    directive.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    planner.post(&directive).await.expect(201);
    planner
}

/// A subagent of the step `p` ends well.
pub async fn bring(planner: &Planner, key: &str, content: &str, sources: &[&str]) {
    bring_to(planner, "p", key, content, sources).await;
}

/// A subagent of a step ends well.
pub async fn bring_to(planner: &Planner, step: &str, key: &str, content: &str, sources: &[&str]) {
    let event = json!({"status": "success", "payload": {"content": content, "sources": sources}});
    planner.subagent(step, key).post(&event).await.expect(200);
}

/// A subagent of the step `p` fails.
pub async fn fail(planner: &Planner, key: &str, message: &str) {
    let event = json!({"status": "error", "error": {"message": message}});
    planner.subagent("p", key).post(&event).await.expect(200);
}

/// Asks for the result of the step `p`; `query` may be empty.
pub async fn ask(planner: &Planner, query: &str) -> Answer {
    planner.get(&format!("/steps/p/result{query}")).send().await
}

/// The result of the step `p`, which is there.
pub async fn result(planner: &Planner) -> Value {
    ask(planner, "").await.expect(200)
}

/// A member of each item.
pub fn each<'a>(items: &'a Value, member: &str) -> Vec<&'a str> {
    let items = items.as_array().unwrap_or_else(|| panic!("no array: {items}"));
    items.iter().map(|item| item[member].as_str().unwrap_or_default()).collect()
}

/// A text member.
#[track_caller]
pub fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_else(|| panic!("no text `{member}`: {value}"))
}

/// `text` has all of these, in this order.
#[track_caller]
pub fn assert_order(text: &str, parts: &[&str]) {
    let mut from = 0;
    for part in parts {
        let at = text[from..].find(part);
        from += at.unwrap_or_else(|| panic!("`{part}` isn't there, or too early, in: {text}")) + part.len();
    }
}
