//! Agents that give their whole conversation, and agents that stream pieces: what they say is the answer, whichever way it comes.

use serde_json::{Value, json};

use crate::harness::{TestApp, open_plan};
use crate::hosts::PlainAgent;
use crate::protocols::said;
use crate::scene::{calling, ended};

const SAID: &str = "Rome is the capital of Italy.";

fn state() -> Value {
    json!({"messages": [
        {"type": "system", "content": "You are a geography agent. The key rotates every Monday."},
        {"type": "human", "content": "I think that Berlin is the capital of Italy. My name is Eva."},
        {"type": "tool", "content": "[{\"title\": \"Italy\", \"url\": \"https://a.example/it\", \"content\": \"A page of a tool.\"}]"},
        {"type": "ai", "content": SAID}]})
}

fn assert_says_the_answer(result: &Value) {
    let findings: Vec<&str> = result["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|finding| finding["content"].as_str())
        .collect();
    assert_eq!(findings, [SAID], "{result}");
    assert_eq!(result["sources"][0]["url"], "https://a.example/it", "{result}");
    let shown = [&result["summary"], &result["synthesis"]].map(|text| text.as_str().unwrap());
    for other in ["Berlin", "Monday", "Eva", "page of a tool"] {
        assert!(shown.iter().all(|text| !text.contains(other)), "{other}: {result}");
    }
}

#[tokio::test]
async fn of_a_conversation_the_last_message_of_the_assistant_is_the_result() {
    let app = TestApp::new().start().await;
    for (session, query, body) in [
        ("raw", "?raw=true", state()),
        ("payload", "", json!({"status": "success", "payload": state()})),
        ("list", "?raw=true", state()["messages"].clone()),
    ] {
        let planner = open_plan(app.client(), session, &["geo"]).await;
        let path = format!("{}{query}", planner.subagent("p", "geo").path);
        assert_eq!(app.post(&path).json(&body).send().await.expect(200)["accepted"], 1);
        assert_says_the_answer(&planner.get("/steps/p/result?wait_ms=10000").send().await.expect(200));
    }
    let results =
        json!([{"task_id": "t", "task": "x", "subagent": "geo", "success": true, "content": state()}]);
    let body = json!({"query": "What is the capital of Italy?", "results": results});
    assert_says_the_answer(&app.post("/aggregations").json(&body).send().await.expect(200));
}

#[tokio::test]
async fn called_agents_answer_with_conversations_and_pieces() {
    let agent = PlainAgent::start(|request| {
        let path = request.split(' ').nth(1).unwrap_or_default();
        let (media, body) = match path {
            "/state" => ("application/json", state().to_string()),
            "/tokens" => (
                "application/x-ndjson",
                "{\"token\":\"Rome is the \"}\n{\"token\":\"capital of Italy.\"}\n".to_owned(),
            ),
            "/plain" => (
                "text/event-stream",
                "data: Rome is \n\ndata: the capital of\n\ndata:  Italy.\n\n".to_owned(),
            ),
            _ => (
                "text/event-stream",
                "data: {\"type\":\"start\"}\n\ndata: {\"type\":\"finish\"}\n\ndata: [DONE]\n\n".to_owned(),
            ),
        };
        PlainAgent::answer("200 OK", media, &body)
    })
    .await;
    let app = calling(agent.addr).start().await;
    let planner = app.planner("s");
    let called = [("state", "json"), ("tokens", "ndjson"), ("plain", "sse"), ("nothing", "sse")]
        .map(|(key, protocol)| agent.called(key, &format!("/{key}"), protocol));
    planner
        .post(&json!({"plan_step_id": "p", "deadline_ms": 60_000, "expected_subagents": called}))
        .await
        .expect(201);
    let events = ended(&planner, "p").await;
    for key in ["state", "tokens", "plain"] {
        assert_eq!(said(&events, key, "success", "/payload/content"), [SAID], "{key}");
    }
    assert_eq!(said(&events, "state", "success", "/payload/sources/0/url"), ["https://a.example/it"]);
    assert_eq!(said(&events, "nothing", "error", "/error/code"), ["malformed_answer"]);
}
