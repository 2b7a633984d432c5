//! What was put together of an answer is without the credentials that its agent was called with.

use super::*;
use crate::domain::hidden_words::HiddenWords;
use Protocol::{Anthropic, Json, Openai, Sse};

const SECRET: &str = "Bearer hunter/2222";

/// Everything that is said of a body whose events come one by one.
fn told(protocol: Protocol, events: &[String]) -> String {
    let reader = AnswerReader::new(protocol, None, BOUNDS);
    let mut reader = reader.hiding(HiddenWords::new([SECRET, "hunter/2222"]));
    let mut outcome = Outcome::default();
    let mut told = String::new();
    let mut fed = Ok(());
    for event in events {
        fed = reader.feed(event.as_bytes());
        take_said(&mut reader, &mut outcome);
        told.extend(reader.text_so_far().map(|text| text.get().to_owned()));
    }
    let end = fed.and_then(|()| reader.finish());
    take_said(&mut reader, &mut outcome);
    format!("{told} {:?} {end:?}", outcome.said)
}

fn data(json: impl std::fmt::Display) -> String {
    format!("data: {json}\n\n")
}

#[test]
fn a_credential_is_hidden_however_a_stream_cuts_it() {
    let text = format!("The key is {SECRET}, yes.");
    for size in 1..text.len() {
        let parts = text.as_bytes().chunks(size).map(|part| std::str::from_utf8(part).unwrap());
        let parts: Vec<serde_json::Value> = parts.map(serde_json::Value::from).collect();
        let chat = |part| data(format!(r#"{{"choices":[{{"delta":{{"content":{part}}}}}]}}"#));
        let mut stream: Vec<String> = parts.iter().map(chat).collect();
        stream.push(data(r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#));
        let block = |part| {
            data(format!(
                r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":{part}}}}}"#
            ))
        };
        let mut message: Vec<String> = parts.iter().map(block).collect();
        message.push(data(r#"{"type":"message_stop"}"#));
        for told in [told(Openai, &stream), told(Anthropic, &message)] {
            assert!(told.contains("The key is <secret>, yes."), "{told}");
            assert!(!told.contains("hunter"), "{told}");
        }
    }
}

#[test]
fn a_credential_is_hidden_in_arguments_events_and_failures() {
    let calls = |arguments: &str| {
        let call = serde_json::json!({"function": {"name": "f", "arguments": arguments}});
        data(format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{call}]}}}}]}}"#))
    };
    let done = data(r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#);
    for told in [
        told(Openai, &[calls(r#"{"key":"hunter"#), calls(r#"/2222"}"#), done]),
        told(Sse, &[data(r#"{"status":"success","payload":{"k":"hunter\/2222"}}"#)]),
        told(Sse, &[data(r#"{"status":"error","error":{"message":"no hunter\u002f2222"}}"#)]),
        told(Sse, &[data(r#"{"status":"failed","message":"no hunter\u002f2222"}"#)]),
        told(Json, &[r#"{"answer":"hunter\/2222"}"#.to_owned()]),
    ] {
        assert!(told.contains("<secret>") || !told.contains("hunter"), "{told}");
        assert!(!told.contains("hunter"), "{told}");
    }
}
