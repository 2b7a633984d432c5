//! Which events are taken, which are refused and where, and what makes two of them the same.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::domain::canonical_json::DEPTH_MAX;

fn parse(text: &str) -> Result<SubagentEvent, Refusal> {
    parse_event(text, &"documentation".parse().unwrap())
}

fn refused(text: &str) -> (Code, String, String) {
    let refusal = parse(text).expect_err(text);
    (refusal.code, refusal.issues[0].pointer.clone(), refusal.detail)
}

fn digest_of(text: &str) -> crate::domain::event::Digest {
    parse(text).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}")).digest
}

const WHOLE: &str = r#"{"type":"subagent_result","subagent":"documentation","status":"error","result_key":"quote_doc",
    "revision":3, "payload":{"answer":"…",
    "citations":[]},"error":{"code":"e","message":"m","retryable":true},
    "telemetry":{"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","span_id":"00f067aa0ba902b7",
    "parent_span_id":"31c8b63d42d203f9","tracestate":"a=b","correlation_id":"c","latency_ms":930,
    "metrics":{"retrieval_count":
    4}}}"#;

#[test]
fn an_event_is_kept_as_it_was_sent_on_one_line() {
    let event = parse(WHOLE).unwrap();
    assert_eq!(event.status, SenderStatus::Error);
    assert_eq!(event.result_key.unwrap().as_str(), "quote_doc");
    assert_eq!(event.revision, Some(3));
    assert_eq!(event.payload.unwrap().get(), r#"{"answer":"…","citations":[]}"#);
    let error = event.error.unwrap();
    assert_eq!(
        (error.code.as_deref(), error.message.as_deref(), error.is_retryable()),
        (Some("e"), Some("m"), true)
    );
    let own = event.telemetry.unwrap();
    assert_eq!(own.trace_id.as_deref(), Some("4bf92f3577b34da6a3ce929d0e0e4736"));
    assert_eq!(own.span_id.as_deref(), Some("00f067aa0ba902b7"));
    assert_eq!(own.parent_span_id.as_deref(), Some("31c8b63d42d203f9"));
    assert_eq!((own.tracestate.as_deref(), own.correlation_id.as_deref()), (Some("a=b"), Some("c")));
    assert_eq!((own.latency_ms, own.metrics.unwrap().0.get()), (Some(930), r#"{"retrieval_count":4}"#));
}

#[test]
fn a_status_has_an_alias_and_an_error_speaks_for_itself() {
    for (text, expected) in [
        (r#"{"status":"pending"}"#, SenderStatus::Pending),
        (r#"{"status":"in_progress"}"#, SenderStatus::InProgress),
        (r#"{"status":"partial","payload":null,"error":null}"#, SenderStatus::Partial),
        (r#"{"status":"success"}"#, SenderStatus::Success),
        (r#"{"status":"completed"}"#, SenderStatus::Success),
        (r#"{"status":"\u0065rror"}"#, SenderStatus::Error),
        (r#"{"error":{}}"#, SenderStatus::Error),
        (r#"{"error":{"message":"m"},"status":null}"#, SenderStatus::Error),
    ] {
        let event = parse(text).unwrap();
        assert_eq!(event.status, expected, "{text}");
        assert!(event.payload.is_none(), "{text}");
    }
}

#[test]
fn a_wrong_event_is_refused_by_code_and_place() {
    let deep = format!(r#"{{"status":"partial","payload":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    let long = format!(r#"{{"status":"partial","telemetry":{{"tracestate":"{}"}}}}"#, "x".repeat(513));
    let correlation =
        format!(r#"{{"status":"partial","telemetry":{{"correlation_id":"{}"}}}}"#, "ä".repeat(257));
    for (text, code, pointer) in [
        (r#"{"status":"success","payload":null}"#, Code::InvalidEvent, "/payload"),
        (r#"{"status":"completed","payload": null }"#, Code::InvalidEvent, "/payload"),
        ("", Code::InvalidJson, ""),
        ("{\"status\":\"pending\"", Code::InvalidJson, ""),
        (r#"{"status":"pending"} {}"#, Code::InvalidJson, ""),
        (r#"{"status":"partial","payload":{"a":01}}"#, Code::InvalidJson, ""),
        (r#"{"status":"partial","status":"partial"}"#, Code::InvalidJson, "/status"),
        (r#"{"status":"partial","payload":{"a":[{"b":1,"b":1}]}}"#, Code::InvalidJson, "/payload/a/0/b"),
        (r#"{"status":"partial","payload":"\ud800"}"#, Code::InvalidJson, "/payload"),
        (r#"{"status":"error","error":{"code":"a","code":"b"}}"#, Code::InvalidJson, "/error/code"),
        (
            r#"{"status":"partial","telemetry":{"span_id":"a","span_id":"b"}}"#,
            Code::InvalidJson,
            "/telemetry/span_id",
        ),
        (
            r#"{"status":"partial","telemetry":{"metrics":{"a":1,"a":2}}}"#,
            Code::InvalidJson,
            "/telemetry/metrics/a",
        ),
        (&deep, Code::InvalidJson, "/payload"),
        (r#"{"status":"partial","state":1}"#, Code::UnknownField, "/state"),
        (r#"{"status":"partial","telemetry":{"trace":1}}"#, Code::UnknownField, "/telemetry/trace"),
        (r#"{"error":{"kind":1}}"#, Code::UnknownField, "/error/kind"),
        (r#"{"status":"partial","result_key":"a b"}"#, Code::InvalidId, "/result_key"),
        ("[]", Code::InvalidEvent, ""),
        (r#"[null,null,"partial",null,1,null,null,null]"#, Code::InvalidEvent, ""),
        ("7", Code::InvalidEvent, ""),
        ("{}", Code::InvalidEvent, ""),
        (r#"{"payload":{}}"#, Code::InvalidEvent, ""),
        (r#"{"error":null}"#, Code::InvalidEvent, ""),
        (r#"{"error":["code","message",true]}"#, Code::InvalidEvent, "/error"),
        (
            r#"{"status":"partial","telemetry":[null,null,null,null,null,1,null]}"#,
            Code::InvalidEvent,
            "/telemetry",
        ),
        (r#"{"error":"boom"}"#, Code::InvalidEvent, "/error"),
        (r#"{"error":{"retryable":"yes"}}"#, Code::InvalidEvent, "/error/retryable"),
        (r#"{"status":"timeout"}"#, Code::InvalidEvent, "/status"),
        (r#"{"status":"Success"}"#, Code::InvalidEvent, "/status"),
        (r#"{"status":7}"#, Code::InvalidEvent, "/status"),
        (r#"{"status":"partial","type":"planner_stream"}"#, Code::InvalidEvent, "/type"),
        (r#"{"status":"partial","subagent":"voice"}"#, Code::InvalidEvent, "/subagent"),
        (r#"{"status":"partial","revision":0}"#, Code::InvalidEvent, "/revision"),
        (r#"{"status":"partial","revision":-1}"#, Code::InvalidEvent, "/revision"),
        (r#"{"status":"partial","revision":1.5}"#, Code::InvalidEvent, "/revision"),
        (r#"{"status":"partial","revision":"1"}"#, Code::InvalidEvent, "/revision"),
        (r#"{"status":"partial","revision":9007199254740992}"#, Code::InvalidEvent, "/revision"),
        (r#"{"status":"partial","telemetry":[]}"#, Code::InvalidEvent, "/telemetry"),
        (
            r#"{"status":"partial","telemetry":{"latency_ms":-1}}"#,
            Code::InvalidEvent,
            "/telemetry/latency_ms",
        ),
        (
            r#"{"status":"partial","telemetry":{"trace_id":"4bf9"}}"#,
            Code::InvalidEvent,
            "/telemetry/trace_id",
        ),
        (
            r#"{"status":"partial","telemetry":{"trace_id":"00000000000000000000000000000000"}}"#,
            Code::InvalidEvent,
            "/telemetry/trace_id",
        ),
        (
            r#"{"status":"partial","telemetry":{"span_id":"00F067AA0BA902B7"}}"#,
            Code::InvalidEvent,
            "/telemetry/span_id",
        ),
        (
            r#"{"status":"partial","telemetry":{"parent_span_id":""}}"#,
            Code::InvalidEvent,
            "/telemetry/parent_span_id",
        ),
        (r#"{"status":"partial","telemetry":{"metrics":[]}}"#, Code::InvalidEvent, "/telemetry/metrics"),
        (
            r#"{"status":"partial","telemetry":{"tracestate":"a\r\nb"}}"#,
            Code::InvalidEvent,
            "/telemetry/tracestate",
        ),
        (&long, Code::InvalidEvent, "/telemetry/tracestate"),
        (&correlation, Code::InvalidEvent, "/telemetry/correlation_id"),
    ] {
        let (found_code, found_pointer, detail) = refused(text);
        assert_eq!((found_code, found_pointer.as_str()), (code, pointer), "{text}: {detail}");
        assert!(
            detail.len() > 15 && !detail.contains("u64") && !detail.contains("struct"),
            "{text}: {detail}"
        );
    }
}

#[test]
fn the_highest_revision_and_the_deepest_payload_are_taken() {
    assert_eq!(parse(r#"{"status":"partial","revision":1}"#).unwrap().revision, Some(1));
    let highest = parse(r#"{"status":"partial","revision":9007199254740991}"#).unwrap();
    assert_eq!(highest.revision, Some(WHOLE_MAX));
    let (open, close) = ("[".repeat(DEPTH_MAX), "]".repeat(DEPTH_MAX));
    assert!(parse(&format!(r#"{{"status":"partial","payload":{open}{close}}}"#)).is_ok());
}

#[test]
fn a_whole_number_is_taken_in_any_notation() {
    let event = parse(r#"{"status":"partial","revision":1e2,"telemetry":{"latency_ms":12.0}}"#).unwrap();
    assert_eq!((event.revision, event.telemetry.unwrap().latency_ms), (Some(100), Some(12)));
    for revision in ["1.5", "0.0", "-1", "-1.0", "9007199254740992.0", "1e300", "\"1\""] {
        let (code, pointer, detail) = refused(&format!(r#"{{"status":"partial","revision":{revision}}}"#));
        assert_eq!((code, pointer.as_str()), (Code::InvalidEvent, "/revision"), "{revision}");
        assert!(detail.contains("a whole number"), "{revision}: {detail}");
    }
}

#[test]
fn the_digest_is_of_status_payload_and_error_and_nothing_else() {
    let same = [
        r#"{"status":"success","payload":{"a":1,"b":"é"},"revision":1}"#,
        r#"{"payload":{"b":"\u00e9","a":1.0},"status":"completed","revision":2,"result_key":"x"}"#,
        r#"{"status":"success","payload":{"a":1,"b":"é"},"error":null,"telemetry":{"latency_ms":4,"metrics":{}}}"#,
    ];
    let first = digest_of(same[0]);
    assert_eq!(first, digest(r#"{"payload":{"a":1,"b":"é"},"status":"success"}"#.as_bytes()));
    assert!(same.iter().all(|text| digest_of(text) == first));
    for other in [
        r#"{"status":"partial","payload":{"a":1,"b":"é"}}"#,
        r#"{"status":"success","payload":{"a":2,"b":"é"}}"#,
        r#"{"status":"success","payload":{"a":1,"b":"é"},"error":{}}"#,
        r#"{"status":"success"}"#,
    ] {
        assert_ne!(digest_of(other), first, "{other}");
    }
    let error = r#"{"error":{"message":"m","code":"c"},"payload":[1]}"#;
    let expected = r#"{"error":{"code":"c","message":"m"},"payload":[1],"status":"error"}"#;
    assert_eq!(digest_of(error), digest(expected.as_bytes()));
}

#[test]
fn raw_output_is_the_payload_of_a_success() {
    let event = raw_output(" {\"status\": \"odd\",\n\"x\":1} ").unwrap();
    assert_eq!(event.payload.as_ref().unwrap().get(), r#"{"status":"odd","x":1}"#);
    assert_eq!((event.status, event.revision), (SenderStatus::Success, None));
    assert_eq!(event.digest, digest_of(r#"{"status":"success","payload":{"x":1,"status":"odd"}}"#));
    let nothing = raw_output(" null ").unwrap_err();
    assert_eq!((nothing.code, nothing.issues[0].pointer.as_str()), (Code::InvalidEvent, ""));
    for (text, pointer) in
        [(r#"{"x":[{"y":1,"y":1}]}"#, "/x/0/y"), ("{", ""), ("", ""), (&"[".repeat(999), "")]
    {
        let refusal = raw_output(text).unwrap_err();
        assert_eq!(
            (refusal.code, refusal.issues[0].pointer.as_str()),
            (Code::InvalidJson, pointer),
            "{text}"
        );
    }
}

#[test]
fn plain_text_is_a_json_string() {
    let event = raw_text("two\nlines \"quoted\"").unwrap();
    assert_eq!(event.payload.as_ref().unwrap().get(), r#""two\nlines \"quoted\"""#);
    assert_eq!(event.digest, raw_output(r#""two\u000alines \u0022quoted\u0022""#).unwrap().digest);
}

proptest! {
    #[test]
    fn any_text_and_any_json_is_taken_or_refused_without_a_panic(
        name in "type|subagent|status|revision|payload|error|telemetry|result_key|other",
        value in prop_oneof![
            Just(Value::Null), any::<i64>().prop_map(Value::from), any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from), Just(json!([{"a": []}])), Just(json!({"metrics": {}, "code": ""})),
        ],
        cut in 0..60_usize,
    ) {
        let text = json!({ "status": "partial", (name): value }).to_string();
        for text in [text.as_str(), text.get(..cut.min(text.len())).unwrap_or_default()] {
            if let Err(refusal) = parse(text) {
                prop_assert_eq!(refusal.issues.len(), 1);
            }
        }
    }
}
