//! Requests, in both versions.

use proptest::prelude::*;
use serde_json::value::RawValue;

use super::super::{
    A2aChoice, A2aIds, A2aManner, A2aRequest, A2aTried, A2aVersion, a2a_inquiry, a2a_request, a2a_withdrawal,
    read_refusal, read_withdrawal,
};
use crate::domain::event::RawJson;
use crate::domain::protocols::Failure;

const IDS: A2aIds<'static> = A2aIds { request: "r-1", message: "m-1", context: Some("c-1") };

fn streamed(version: A2aVersion) -> A2aManner {
    A2aManner { version, is_whole: false }
}

fn whole(version: A2aVersion) -> A2aManner {
    A2aManner { version, is_whole: true }
}

fn request(body: Option<&str>, version: A2aVersion) -> A2aRequest {
    asked(body, streamed(version))
}

fn asked(body: Option<&str>, manner: A2aManner) -> A2aRequest {
    let body = body.map(|text| RawJson::from(RawValue::from_string(text.into()).unwrap()));
    a2a_request(body.as_ref(), "Which \"quote\"?", IDS, manner)
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
        let (manner, choice) = (streamed(version), A2aChoice::All);
        assert_eq!(request(body, version), A2aRequest { body: expected, manner, choice }, "{body:?}");
    }
}

#[test]
fn a_body_that_shows_its_version_keeps_it() {
    use A2aChoice::{Nothing, Stream};
    use A2aVersion::{V0_3, V1_0};
    let cases = [
        (r#"{"jsonrpc":"2.0","id":7,"method":"message/send","params":{}}"#, whole(V0_3), Nothing),
        (r#"{"jsonrpc":"2.0","id":7,"method":"SendMessage","params":{}}"#, whole(V1_0), Nothing),
        (r#"{"jsonrpc":"2.0","id":7,"method":"SendStreamingMessage","params":{}}"#, streamed(V1_0), Nothing),
        (r#"{"parts":[{"kind":"text","text":"x"}]}"#, streamed(V0_3), Stream),
        (r#"{"parts":[{"text":"x"}]}"#, streamed(V1_0), Stream),
        (r#"{"role":"user","parts":[]}"#, streamed(V0_3), Stream),
        (r#"{"role":"ROLE_USER","parts":[]}"#, streamed(V1_0), Stream),
        (
            r#"{"message":{"kind":"message","parts":[]},"configuration":{"historyLength":0}}"#,
            streamed(V0_3),
            Stream,
        ),
    ];
    for (body, manner, choice) in cases {
        for version in [V0_3, V1_0] {
            let request = request(Some(body), version);
            assert_eq!((request.manner, request.choice), (manner, choice), "{body}");
        }
    }
}

#[test]
fn one_answer_is_asked_for_when_its_task_has_ended() {
    use A2aVersion::{V0_3, V1_0};
    let own = r#"{"message":{"kind":"message","parts":[]},"configuration":{"blocking":false}}"#;
    for (body, version, method, configuration) in [
        (None, V1_0, "SendMessage", None),
        (None, V0_3, "message/send", Some(true)),
        (Some(own), V0_3, "message/send", Some(false)),
    ] {
        let request: serde_json::Value = serde_json::from_str(&asked(body, whole(version)).body).unwrap();
        assert_eq!(request["method"], method);
        assert_eq!(request["params"]["configuration"]["blocking"].as_bool(), configuration);
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

/// How an agent is asked that refuses with those codes, one after the other.
fn manners(choice: A2aChoice, codes: &[&'static str]) -> Vec<A2aManner> {
    let (mut tried, mut manners) = (A2aTried::default(), vec![A2aManner::default()]);
    for code in codes {
        let last = *manners.last().unwrap();
        let Some(next) = tried.next(last, choice, &Failure::lasting(*code, "")) else { break };
        manners.push(next);
    }
    manners
}

#[test]
fn agent_is_asked_in_each_manner_that_its_refusals_leave_once() {
    use A2aVersion::{V0_3, V1_0};
    const UNKNOWN: &str = "rpc_method_not_found";
    const OTHER: &str = "version_not_supported";
    const NO_STREAM: &str = "unsupported_operation";
    let first = streamed(V1_0);
    let all = [first, streamed(V0_3), whole(V0_3), whole(V1_0)];
    for (codes, expected) in [
        (&[NO_STREAM, "rpc_internal_error"][..], &[first, whole(V1_0)][..]),
        (&[NO_STREAM, NO_STREAM], &[first, whole(V1_0)]),
        (&[OTHER, NO_STREAM], &[first, streamed(V0_3), whole(V0_3)]),
        (&[UNKNOWN, OTHER], &[first, streamed(V0_3), whole(V1_0)]),
        (&[UNKNOWN; 9], &all),
        (&[OTHER; 9], &[first, streamed(V0_3), whole(V1_0), whole(V0_3)]),
        (&["rpc_invalid_params"], &[first]),
        (&["rpc_internal_error"], &[first]),
    ] {
        assert_eq!(manners(A2aChoice::All, codes), expected, "{codes:?}");
    }
    assert_eq!(manners(A2aChoice::Stream, &[UNKNOWN; 9]), [first, whole(V1_0)]);
    assert_eq!(manners(A2aChoice::Nothing, &[NO_STREAM]), [first]);
    assert_eq!(A2aVersion::V1_0.other().other(), A2aVersion::default());
}

#[test]
fn refusal_may_come_with_the_status_of_an_error() {
    let of = |code: i64| read_refusal(&format!(r#"{{"jsonrpc":"2.0","error":{{"code":{code}}}}}"#));
    for code in [-32601, -32004, -32009] {
        assert!(of(code).is_some(), "{code}");
    }
    assert!(of(-32603).is_none());
    for body in ["", "<html>", "{}", r#"{"error":{"code":-32601}}"#] {
        assert!(read_refusal(body).is_none(), "{body}");
    }
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
    fn every_body_gives_one_request_that_is_json(body in any_json(), task in "\\PC{0,20}", old: bool, is_whole: bool) {
        let version = if old { A2aVersion::V0_3 } else { A2aVersion::V1_0 };
        let raw = RawJson::from(RawValue::from_string(body.to_string()).unwrap());
        let request = a2a_request(Some(&raw), &task, IDS, A2aManner { version, is_whole });
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
        let inquiry = expected.replace("CancelTask", "GetTask").replace("tasks/cancel", "tasks/get");
        let inquiry = inquiry.replace(r#"1\"""#, r#"1\"","historyLength":0"#);
        assert_eq!(a2a_inquiry(body.as_ref(), "c", "t \"1\"", version), inquiry);
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
