//! Which requests are answered, and how others are refused.

use proptest::prelude::*;

use super::super::request::{Call, read};
use super::*;

fn ask(method: &str, params: Value) -> Result<Request, Value> {
    let body = json!({"jsonrpc": "2.0", "id": "r-1", "method": method, "params": params});
    read(&body.to_string(), "s", Some("1.0"), None)
}

fn code(refused: Result<Request, Value>) -> i64 {
    let response = refused.unwrap_err();
    assert_eq!(response["jsonrpc"], "2.0");
    assert!(response["error"]["message"].is_string() && response["error"]["data"][0]["reason"].is_string());
    response["error"]["code"].as_i64().unwrap()
}

#[test]
fn operations_on_a_task_are_taken() {
    let follow = Call::Follow { place: None };
    let message = json!({"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "?"}], "taskId": "p1", "contextId": ""});
    let cases = [
        ("SendStreamingMessage", json!({"message": message}), follow.clone()),
        ("SendStreamingMessage", json!({"message": {"metadata": {"plan_step_id": "p1"}}}), follow.clone()),
        ("SubscribeToTask", json!({"id": "p1"}), follow),
        ("GetTask", json!({"id": "p1", "historyLength": 3}), Call::Get),
        ("CancelTask", json!({"id": "p1"}), Call::Cancel),
    ];
    for (method, params, call) in cases {
        let request = ask(method, params).unwrap();
        assert_eq!(request, Request { id: json!("r-1"), call, task: "p1".to_owned() }, "{method}");
    }
}

#[test]
fn others_are_refused_with_their_codes() {
    let cases = [
        ("SendStreamingMessage", json!({"message": {"parts": []}}), -32004),
        ("SendStreamingMessage", json!({"message": {"taskId": "p1", "contextId": "other"}}), -32602),
        ("SendStreamingMessage", json!({}), -32602),
        ("SendMessage", json!({"message": {"taskId": "p1"}}), -32004),
        ("ListTasks", json!({}), -32004),
        ("SubscribeToTask", json!({}), -32602),
        ("SubscribeToTask", json!({"id": "p1", "metadata": {CURSOR_URI: "?"}}), -32602),
        ("GetTask", json!({"id": 1}), -32602),
        ("GetTask", json!(null), -32602),
        ("GetTaskPushNotificationConfig", json!({}), -32003),
        ("message/stream", json!({}), -32009),
        ("Nothing", json!({}), -32601),
    ];
    for (method, params, expected) in cases {
        assert_eq!(code(ask(method, params)), expected, "{method}");
    }
}

#[test]
fn what_is_no_request_is_refused() {
    let cases = [
        ("", -32700),
        ("{", -32700),
        ("[]", -32600),
        ("{}", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"GetTask"}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"GetTask"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
    ];
    for (body, expected) in cases {
        assert_eq!(code(read(body, "s", None, None)), expected, "{body}");
    }
}

#[test]
fn only_version_1_is_spoken() {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "p1"}}).to_string();
    for version in [None, Some("1.0"), Some("1.1")] {
        assert!(read(&body, "s", version, None).is_ok(), "{version:?}");
    }
    for version in ["0.3", "2.0", "10.0", ""] {
        assert_eq!(code(read(&body, "s", Some(version), None)), -32009, "{version}");
    }
}

#[test]
fn cursor_comes_in_a_header_or_in_metadata() {
    let with = |metadata: Value, header: Option<&str>| {
        let params = json!({"id": "p1", "metadata": metadata});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "SubscribeToTask", "params": params});
        match read(&body.to_string(), "s", None, header).unwrap().call {
            Call::Follow { place } => place.map(|place| place.to_string()),
            Call::Get | Call::Cancel => unreachable!(),
        }
    };
    assert_eq!(with(json!({CURSOR_URI: "aaaaaa_1_00"}), None).as_deref(), Some("aaaaaa_1_00"));
    assert_eq!(
        with(json!({CURSOR_URI: "aaaaaa_1_00"}), Some("aaaaaa_2_00~3.1")).as_deref(),
        Some("aaaaaa_2_00~3.1")
    );
    assert_eq!(with(json!({}), Some("")), None);
}

proptest! {
    #[test]
    fn no_body_breaks_it(body in ".{0,200}") {
        let _ = read(&body, "s", None, None);
    }
}
