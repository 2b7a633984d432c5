//! A credential that its agent repeats in pieces, escaped, or where nobody looks: it stands nowhere.

use serde_json::{Value, json};

use crate::hosts::PlainAgent;
use crate::scene::{Scene, calling, ended, simulator};

fn data(json: &Value) -> String {
    format!("data: {json}\n\n")
}

/// A chat completion that is streamed in these pieces.
fn chat(pieces: &[&str]) -> String {
    let chunk = |piece: &&str| data(&json!({"choices": [{"index": 0, "delta": {"content": piece}}]}));
    let end = data(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}));
    pieces.iter().map(chunk).collect::<String>() + &end + "data: [DONE]\n\n"
}

fn message(pieces: &[&str]) -> String {
    let delta = |piece: &&str| {
        data(
            &json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}),
        )
    };
    pieces.iter().map(delta).collect::<String>() + &data(&json!({"type": "message_stop"}))
}

#[tokio::test]
async fn credential_that_is_repeated_in_pieces_or_escaped_is_not_stored() {
    let agent = PlainAgent::start(|request| {
        let stream = |body: &str| PlainAgent::answer("200 OK", "text/event-stream", body);
        let json = |status: &str, body: &str| PlainAgent::answer(status, "application/json", body);
        match request.split(' ').nth(1) {
            Some("/openai") => stream(&chat(&["Your key is Bear", "er abcd", "/gh12."])),
            Some("/anthropic") => stream(&message(&["Your key is Bearer ab", "cd/gh12."])),
            Some("/json") => json("200 OK", r#"{"content":"Your key is Bearer abcd\/gh12."}"#),
            Some("/refused") => json("400 Bad", r#"{"error":{"message":"bad key abcd/gh1\u0032"}}"#),
            _ => json("200 OK\r\ncontent-encoding: abcd/gh12", "{}"),
        }
    })
    .await;
    let setup = calling(agent.addr).env("SECRETS__TOKEN", "Bearer abcd/gh12");
    let scene = Scene { agents: simulator().await, app: setup.start().await };
    let outputs = ["openai", "anthropic", "json", "refused", "coded"].map(|key| {
        let protocol = if matches!(key, "openai" | "anthropic") { key } else { "json" };
        let mut output = agent.called(key, &format!("/{key}"), protocol);
        output["invoke"]["headers"] = json!({"authorization": "secret:token"});
        output["invoke"]["body"] = json!({"model": "m", "messages": [], "stream": true});
        output
    });
    let planner = scene.plan(&outputs).await;
    let events = Value::from(ended(&planner, "p").await).to_string();
    let result = planner.get("/steps/p/result").send().await.expect(200).to_string();
    assert_eq!(events.matches("\"content\":\"Your key is <secret>.\"").count(), 3, "{events}");
    for told in [&events, &result] {
        assert!(!told.contains("gh1"), "{told}");
    }
    assert!(agent.asked()[0].contains("Bearer abcd/gh12"));
}
