//! Requests, in both versions.

use proptest::prelude::*;
use serde_json::value::RawValue;

use super::super::{
    A2aIds, A2aRequest, A2aVersion, a2a_request, a2a_withdrawal, read_withdrawal, wants_other_version,
};
use crate::domain::event::RawJson;
use crate::domain::protocols::Failure;

const IDS: A2aIds<'static> = A2aIds { request: "r-1", message: "m-1", context: Some("c-1") };

fn request(body: Option<&str>, version: A2aVersion) -> A2aRequest {
    let body = body.map(|text| RawJson::from(RawValue::from_string(text.into()).unwrap()));
    a2a_request(body.as_ref(), "Which \"quote\"?", IDS, version)
}

#[test]
fn bodies_are_wrapped_as_what_they_are() {
    use A2aVersion::{V0_3, V1_0};
    let (new, old) = (
        "\"messageId\":\"m-1\",\"role\":\"ROLE_USER\",\"contextId\":\"c-1\"}",
        "\"messageId\":\"m-1\",\"role\":\"user\",\"kind\":\"message\",\"contextId\":\"c-1\"}",
    );
    let free = [
        (None, V1_0, "{\"parts\":[{\"text\":\"Which \\\"quote\\\"?\"}],"),
        (Some("null"), V0_3, "{\"parts\":[{\"kind\":\"text\",\"text\":\"Which \\\"quote\\\"?\"}],"),
        (Some("\"a \\u00e4\""), V1_0, "{\"parts\":[{\"text\":\"a ä\"}],"),
        (Some("{\"q\":\n1}"), V1_0, "{\"parts\":[{\"text\":\"Which \\\"quote\\\"?\"},{\"data\":{\"q\":1}}],"),
        (
            Some("{\"q\":1}"),
            V0_3,
            "{\"parts\":[{\"kind\":\"text\",\"text\":\"Which \\\"quote\\\"?\"},{\"kind\":\"data\",\"data\":{\"q\":1}}],",
        ),
        (
            Some("[1]"),
            V0_3,
            "{\"parts\":[{\"kind\":\"text\",\"text\":\"Which \\\"quote\\\"?\"},{\"kind\":\"data\",\"data\":{\"value\":[1]},\"metadata\":{\"data_part_compat\":true}}],",
        ),
        (
            Some("{\"parts\":5}"),
            V1_0,
            "{\"parts\":[{\"text\":\"Which \\\"quote\\\"?\"},{\"data\":{\"parts\":5}}],",
        ),
    ];
    for (body, version, start) in free {
        let (method, rest) =
            if version == V1_0 { ("SendStreamingMessage", new) } else { ("message/stream", old) };
        let expected = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":\"r-1\",\"method\":\"{method}\",\"params\":{{\"message\":{start}{rest}}}}}"
        );
        assert_eq!(request(body, version), A2aRequest { body: expected, version, is_free: true }, "{body:?}");
    }
}

#[test]
fn a_body_that_shows_its_version_keeps_it() {
    use A2aVersion::{V0_3, V1_0};
    let cases = [
        (r#"{"jsonrpc":"2.0","id":7,"method":"message/send","params":{}}"#, V0_3),
        (r#"{"jsonrpc":"2.0","id":7,"method":"SendMessage","params":{}}"#, V1_0),
        (r#"{"parts":[{"kind":"text","text":"x"}]}"#, V0_3),
        (r#"{"parts":[{"text":"x"}]}"#, V1_0),
        (r#"{"role":"user","parts":[]}"#, V0_3),
        (r#"{"role":"ROLE_USER","parts":[]}"#, V1_0),
        (r#"{"message":{"kind":"message","parts":[]},"configuration":{"historyLength":0}}"#, V0_3),
    ];
    for (body, version) in cases {
        for asked in [V0_3, V1_0] {
            let request = request(Some(body), asked);
            assert_eq!((request.version, request.is_free), (version, false), "{body}");
        }
    }
}

#[test]
fn what_a_message_has_stays() {
    let body = r#"{"message":{"messageId":"own","role":"ROLE_USER","contextId":null,"parts":[{"text":"x"}],"metadata":{"a":1.0}},"tenant":"t"}"#;
    let request = request(Some(body), A2aVersion::V0_3);
    let expected = r#"{"jsonrpc":"2.0","id":"r-1","method":"SendStreamingMessage","params":{"message":{"parts":[{"text":"x"}],"messageId":"own","metadata":{"a":1.0},"role":"ROLE_USER","contextId":"c-1"},"tenant":"t"}}"#;
    assert_eq!(request.body, expected);
    let envelope = r#"{"jsonrpc":"2.0","id":1,"method":"tasks/resubscribe","params":{"id":"t"}}"#;
    assert_eq!(self::request(Some(envelope), A2aVersion::V0_3).body, envelope);
}

#[test]
fn only_a_refusal_of_the_version_is_worth_the_other_one() {
    let codes = [
        ("rpc_method_not_found", true),
        ("version_not_supported", true),
        ("rpc_invalid_params", false),
        ("rpc_internal_error", false),
    ];
    for (code, expected) in codes {
        assert_eq!(wants_other_version(&Failure::lasting(code, "")), expected, "{code}");
    }
    assert_eq!(A2aVersion::V1_0.other().other(), A2aVersion::default());
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        "\\PC{0,8}".prop_map(Into::into),
    ];
    let key = prop_oneof![
        "[a-z]{1,4}",
        Just("parts".into()),
        Just("message".into()),
        Just("role".into()),
        Just("kind".into())
    ];
    leaf.prop_recursive(4, 30, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::btree_map(key.clone(), inner, 0..5)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_body_gives_one_request_that_is_json(body in any_json(), task in "\\PC{0,20}", old: bool) {
        let version = if old { A2aVersion::V0_3 } else { A2aVersion::V1_0 };
        let raw = RawJson::from(RawValue::from_string(body.to_string()).unwrap());
        let request = a2a_request(Some(&raw), &task, IDS, version);
        let read: serde_json::Value = serde_json::from_str(&request.body).unwrap();
        let message = &read["params"]["message"];
        prop_assert!(message["parts"].is_array());
        prop_assert!(!message["messageId"].is_null() && !message["role"].is_null());
        let mut canonical = Vec::new();
        crate::domain::canonical_json::canonicalize(&request.body, &mut canonical).unwrap();
    }
}

#[test]
fn task_is_cancelled_in_the_words_of_its_version_and_tenant() {
    let cases = [
        (None, A2aVersion::V1_0, r#""method":"CancelTask","params":{"id":"t \"1\""}"#),
        (None, A2aVersion::V0_3, r#""method":"tasks/cancel","params":{"id":"t \"1\""}"#),
        (
            Some(r#"{"tenant":"a","message":{"parts":[]}}"#),
            A2aVersion::V1_0,
            r#""method":"CancelTask","params":{"id":"t \"1\"","tenant":"a"}"#,
        ),
        (
            Some(r#"{"jsonrpc":"2.0","id":7,"method":"SendStreamingMessage","params":{"tenant":"a"}}"#),
            A2aVersion::V1_0,
            r#""method":"CancelTask","params":{"id":"t \"1\"","tenant":"a"}"#,
        ),
        (Some(r#""a text""#), A2aVersion::V1_0, r#""method":"CancelTask","params":{"id":"t \"1\""}"#),
    ];
    for (body, version, call) in cases {
        let body = body.map(|text| RawJson::from(RawValue::from_string(text.into()).unwrap()));
        let expected = format!("{{\"jsonrpc\":\"2.0\",\"id\":\"c\",{call}}}");
        assert_eq!(a2a_withdrawal(body.as_ref(), "c", "t \"1\"", version), expected);
    }
}

#[test]
fn only_a_result_says_that_a_task_is_cancelled() {
    assert_eq!(read_withdrawal(r#"{"jsonrpc":"2.0","id":"c","result":{"id":"t"}}"#), Ok(()));
    let refused =
        read_withdrawal(r#"{"jsonrpc":"2.0","id":"c","error":{"code":-32002,"message":"it has ended"}}"#);
    assert_eq!(refused.unwrap_err().message, "it has ended (-32002)");
    for text in ["", "{}", "<html>", r#"{"jsonrpc":"2.0"}"#] {
        assert!(read_withdrawal(text).is_err(), "{text}");
    }
}
