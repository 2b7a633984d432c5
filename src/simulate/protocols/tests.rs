//! The bodies of every protocol, whole and read back.

use std::collections::BTreeSet;

use super::*;
use crate::simulate::agents::{Kind, Question};

const KINDS: [&str; 6] = ["documentation", "row_selection", "action_workflow", "voice", "safety", "generic"];
const PROTOCOLS: [&str; 6] = ["json", "ndjson", "sse", "openai", "anthropic", "a2a"];
const ASK_03: &str = r#"{"jsonrpc": "2.0", "id": 7, "method": "message/stream",
    "params": {"message": {"kind": "message", "messageId": "m", "role": "user", "parts": [{"kind": "text", "text": "why?"}]}}}"#;

fn reply(kind: &str, protocol: &str, query: &str, body: &str) -> Reply {
    let behaviour = Behaviour::from_query(query).unwrap();
    let request = Request { body: serde_json::from_str(body).unwrap(), a2a_version: None };
    let agent = Agent::new(Kind::named(kind).unwrap(), Question::read(body.as_bytes(), 0), &behaviour);
    answer(Protocol::named(protocol).unwrap(), agent, &behaviour, &request)
}

fn whole(reply: &Reply) -> String {
    let bytes: Vec<u8> = (0..reply.frames.count()).flat_map(|at| reply.frames.make(at)).collect();
    String::from_utf8(bytes).unwrap()
}

/// The data of an event stream's events.
fn events(kind: &str, protocol: &str, query: &str, body: &str) -> Vec<Value> {
    let text = whole(&reply(kind, protocol, query, body));
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter(|data| *data != "[DONE]").map(|data| serde_json::from_str(data).unwrap()).collect()
}

fn joined(events: &[Value], pointer: &str) -> String {
    events.iter().filter_map(|event| event.pointer(pointer)?.as_str()).collect()
}

#[test]
fn every_kind_has_a_body_in_every_protocol_and_always_the_same() {
    for kind in KINDS {
        for protocol in PROTOCOLS {
            for query in
                ["", "chunks=3", "burst=20", "status_event=error", "status_event=partial", "version=1.0"]
            {
                let first = whole(&reply(kind, protocol, query, ASK_03));
                assert_eq!(first, whole(&reply(kind, protocol, query, ASK_03)), "{kind} {protocol} {query}");
                assert!(first.len() > 30, "{kind} {protocol} {query}: {first}");
            }
        }
    }
}

#[test]
fn raw_outputs_have_no_status_and_explicit_events_have_one() {
    let ask = r#"{"query": "why?"}"#;
    for (protocol, query, statuses) in [
        ("sse", "", vec![None; 4]),
        ("sse", "status_event=success&chunks=2", vec![Some("partial"), Some("success")]),
        ("sse", "status_event=error&chunks=2", vec![Some("partial"), Some("error")]),
        ("sse", "status_event=partial&chunks=2", vec![Some("partial"), Some("partial")]),
    ] {
        let events = events("documentation", protocol, query, ask);
        let seen: Vec<_> = events.iter().map(|event| event.get("status").and_then(Value::as_str)).collect();
        assert_eq!(seen, statuses, "{query}");
    }
    let lines = whole(&reply("safety", "ndjson", "chunks=3&decision=refuse&subagent=crm", ask));
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], serde_json::json!({"status": "in_progress"}));
    assert_eq!((&lines[2]["label"], &lines[2]["subagent"]), (&"unsafe".into(), &"crm".into()));
    let burst: Vec<Value> = serde_json::from_str(&whole(&reply("voice", "json", "burst=5", ask))).unwrap();
    assert_eq!(
        (burst.len(), &burst[4]["status"], &burst[3]["status"]),
        (5, &"success".into(), &"partial".into())
    );
}

#[test]
fn openai_deltas_make_up_a_text_of_the_length_that_was_asked_for() {
    let ask = r#"{"model": "m", "stream_options": {"include_usage": true}, "messages": [{"role": "user", "content": "wäre?"}]}"#;
    for (query, length) in
        [("text_bytes=5000", 5_000), ("text_bytes=6", 6), ("text_bytes=0", 0), ("text_bytes=1&chunks=9", 1)]
    {
        let events = events("generic", "openai", query, ask);
        assert_eq!(joined(&events, "/choices/0/delta/content").len(), length, "{query}");
        let finished: Vec<_> =
            events.iter().filter_map(|it| it.pointer("/choices/0/finish_reason")?.as_str()).collect();
        assert_eq!(finished, ["stop"]);
        assert!(events.last().unwrap()["usage"]["total_tokens"].is_u64());
    }
    let plain = whole(&reply("generic", "openai", "usage=false", ask));
    assert!(
        plain.ends_with("data: [DONE]\n\n") && !plain.contains("usage") && plain.contains("wäre?"),
        "{plain}"
    );
    let open = whole(&reply("generic", "openai", "status_event=partial", ask));
    assert!(!open.contains("[DONE]") && !open.contains("\"stop\""), "{open}");
    let failed = events("generic", "openai", "status_event=error&retryable=false", ask);
    assert_eq!(failed.last().unwrap()["error"]["type"], "invalid_request_error");
}

#[test]
fn a_tool_call_comes_in_deltas_that_make_up_its_arguments() {
    let ask = r#"{"query": "why?"}"#;
    for (protocol, pointer) in
        [("openai", "/choices/0/delta/tool_calls/0/function/arguments"), ("anthropic", "/delta/partial_json")]
    {
        let events = events("action_workflow", protocol, "chunks=7", ask);
        let arguments: Value = serde_json::from_str(&joined(&events, pointer)).unwrap();
        assert!(arguments.to_string().contains("why?"), "{arguments}");
        let last = events.iter().map(Value::to_string).collect::<String>();
        assert!(last.contains("tool_calls") || last.contains("tool_use"), "{last}");
    }
}

#[test]
fn anthropic_events_are_named_and_in_order() {
    let text = whole(&reply("generic", "anthropic", "chunks=2&usage=77", r#"{"query": "why?"}"#));
    let names: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    let wanted = [
        "message_start",
        "content_block_start",
        "ping",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    assert_eq!(names, wanted);
    assert!(text.contains(r#""usage":{"output_tokens":77}"#), "{text}");
    let document = whole(&reply("generic", "anthropic", "", r#"{"stream": false, "query": "why?"}"#));
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!((&document["type"], &document["content"][0]["type"]), (&"message".into(), &"text".into()));
}

#[test]
fn a2a_has_the_shape_of_each_version() {
    for (query, state, text, done) in [
        ("version=0.3", "/result/status/state", "/result/artifact/parts/0/text", "completed"),
        (
            "version=1.0",
            "/result/statusUpdate/status/state",
            "/result/artifactUpdate/artifact/parts/0/text",
            "TASK_STATE_COMPLETED",
        ),
    ] {
        let events = events("documentation", "a2a", query, ASK_03);
        assert!(joined(&events, text).starts_with("On “why?”: "), "{events:?}");
        assert_eq!(events.last().unwrap().pointer(state).unwrap(), done);
        assert!(events.iter().all(|event| event["id"] == 7 && event["jsonrpc"] == "2.0"));
    }
    let names = |query| -> BTreeSet<String> {
        let events = events("voice", "a2a", query, ASK_03);
        events.iter().flat_map(|it| it["result"].as_object().unwrap().keys().cloned()).collect()
    };
    assert_eq!(
        names("version=1.0").into_iter().collect::<Vec<_>>(),
        ["artifactUpdate", "statusUpdate", "task"]
    );
    assert!(names("").contains("kind"));
    let failed = events("safety", "a2a", "status_event=error&retryable=false", ASK_03);
    assert_eq!(failed.last().unwrap()["result"]["metadata"]["retryable"], false);
}

#[test]
fn a2a_refuses_what_an_agent_of_that_version_refuses() {
    let ask = |method: &str, version: Option<&str>, query: &str| {
        let body = ASK_03.replace("message/stream", method);
        let behaviour = Behaviour::from_query(query).unwrap();
        let request =
            Request { body: serde_json::from_str(&body).unwrap(), a2a_version: version.map(Into::into) };
        let agent = Agent::new(Kind::Generic, Question::read(body.as_bytes(), 0), &behaviour);
        let reply = answer(Protocol::A2a, agent, &behaviour, &request);
        let text = whole(&reply);
        (
            reply.media_type,
            text.split("\"code\":").nth(1).and_then(|it| it.split(',').next()?.parse::<i64>().ok()),
        )
    };
    for (method, version, query, wanted) in [
        ("message/stream", None, "", (EVENT_STREAM, None)),
        ("message/stream", Some("0.3"), "", (EVENT_STREAM, None)),
        ("message/stream", Some("1.0"), "", (JSON, Some(-32601))),
        ("message/stream", Some("1.0"), "version=1.0", (EVENT_STREAM, None)),
        ("SendStreamingMessage", Some("1.0"), "", (EVENT_STREAM, None)),
        ("SendStreamingMessage", None, "", (JSON, Some(-32601))),
        ("SendMessage", Some("1.0"), "", (JSON, None)),
        ("message/send", None, "", (JSON, None)),
        ("tasks/get", None, "", (JSON, Some(-32601))),
        ("message/stream", Some("9.9"), "", (JSON, Some(-32009))),
    ] {
        assert_eq!(ask(method, version, query), wanted, "{method} {version:?} {query}");
    }
    let bare = whole(&reply("generic", "a2a", "", r#"{"query": "why?"}"#));
    assert!(bare.contains("-32600"), "{bare}");
}

#[test]
fn garbage_is_as_long_as_it_should_be_and_no_answer() {
    for protocol in PROTOCOLS.map(|name| Protocol::named(name).unwrap()) {
        use crate::simulate::plan::Rubbish::{Binary, Huge};
        let length =
            |reply: Reply| (0..reply.frames.count()).map(|at| reply.frames.make(at).len()).sum::<usize>();
        for bytes in [0, 1, 65_536, 200_001] {
            assert_eq!(length(rubbish(protocol, Binary(bytes))), bytes as usize);
            let around = length(rubbish(protocol, Huge(0)));
            assert_eq!(length(rubbish(protocol, Huge(bytes))), around + bytes as usize);
        }
        let noise = rubbish(protocol, Binary(100)).frames.make(0);
        assert!(std::str::from_utf8(&noise).is_err());
    }
}
