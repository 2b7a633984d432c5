//! Answers of the official SDKs' servers, as recorded, and what no server should send.

use proptest::prelude::*;

use crate::domain::directive::Protocol;
use crate::domain::event::SenderStatus;
use crate::domain::protocols::{AnswerReader, Bounds, End, Failure, Said};

mod folding;
mod requests;

const BOUNDS: Bounds = Bounds { event_bytes: 100_000, text_bytes: 100_000 };
/// How the failure of an answer that is no object reads.
const NO_OBJECT: &str = "malformed_answer, again: the answer has a message that is no object: invalid type: sequence, expected an object at line 1 column 0";
const SSE: &str = "text/event-stream";

/// What an answer came to: events, the output before the end, the end; each as a line that a table can hold.
#[derive(Debug, PartialEq, Clone)]
struct Heard {
    events: Vec<String>,
    so_far: Option<String>,
    end: String,
}

/// Feeds `chunks` as a caller does: no more once the answer is over.
fn hear<'a>(kind: &str, chunks: impl IntoIterator<Item = &'a [u8]>, bounds: Bounds) -> Heard {
    let mut reader = AnswerReader::new(Protocol::A2a, Some(kind), bounds);
    let (mut said, mut so_far, mut failed) = (Vec::new(), None, None);
    for chunk in chunks {
        if reader.is_over() {
            break;
        }
        if let Err(failure) = reader.feed(chunk) {
            failed = Some(failure);
            break;
        }
        said.extend(std::iter::from_fn(|| reader.next_said()));
        so_far = reader.text_so_far().or(so_far);
    }
    let end = failed.map_or_else(|| reader.finish(), Err);
    said.extend(std::iter::from_fn(|| reader.next_said()));
    Heard {
        events: said.iter().map(spoken).collect(),
        so_far: so_far.map(|raw| raw.get().to_owned()),
        end: ending(end),
    }
}

fn spoken(said: &Said) -> String {
    match said {
        Said::Output(raw) => raw.get().to_owned(),
        Said::Event(event) => {
            let status = match event.status {
                SenderStatus::Pending => "pending",
                SenderStatus::InProgress => "in_progress",
                SenderStatus::Partial | SenderStatus::Success | SenderStatus::Error => "another status",
            };
            event.payload.as_ref().map_or(status.into(), |payload| format!("{status} {}", payload.get()))
        }
    }
}

fn ending(end: Result<End, Failure>) -> String {
    let failure = match end {
        Ok(End::Success(Some(raw))) => return raw.get().to_owned(),
        Ok(End::Success(None)) => return "nothing".into(),
        Ok(End::LeftOpen) => return "left open".into(),
        Ok(End::Failed(failure)) | Err(failure) => failure,
    };
    let retry = if failure.retryable { "again" } else { "never" };
    let wait = failure.retry_after_ms.map_or(String::new(), |wait| format!(" in {wait} ms"));
    format!("{}, {retry}{wait}: {}", failure.code, failure.message)
}

macro_rules! transcripts {
    ($($name:literal),+ $(,)?) => { [$(($name, include_str!(concat!("tests/transcripts/", $name)))),+] };
}

/// Bodies that the servers of the SDKs for JavaScript (1.3.0) and Python (1.3.0) sent, as 1.0 and as 0.3.
const RECORDED: [(&str, &str); 27] = transcripts![
    "v1_stream.sse",
    "v0_stream.sse",
    "v1_stream.json",
    "v0_stream.json",
    "v1_data.sse",
    "v0_data.sse",
    "v1_data.json",
    "v0_data.json",
    "v1_message.sse",
    "v0_message.sse",
    "v1_snapshot.sse",
    "v1_fail_retryable.sse",
    "v0_fail_retryable.sse",
    "v1_reject.sse",
    "v1_cancel.sse",
    "v1_input.sse",
    "v0_input.sse",
    "v1_auth.sse",
    "v1_late_throw.sse",
    "v0_late_throw.sse",
    "v1_throw.json",
    "v1_wrong_method.json",
    "v1_noversion.json",
    "v1_python.sse",
    "v0_python.sse",
    "v1_python.json",
    "v1_python_fail.sse",
];

/// Whether two ends are the same text, or the same JSON with other whitespace.
fn same(heard: &str, expected: &str) -> bool {
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    heard == expected || (json(expected).is_some() && json(heard) == json(expected))
}

fn kind_of(name: &str) -> &'static str {
    if name.ends_with(".sse") { SSE } else { "application/json; charset=utf-8" }
}

#[test]
fn both_versions_of_the_sdks_answers_mean_the_same() {
    let streamed = r#"{"content":"Quotes convert at 12 % in Q3 – up from 9 %.","sources":[{"title":"Quotes","url":"https://docs.example.com/quotes","media_type":"text/html"}]}"#;
    let data = r#"{"answer":"12 %","citations":[{"id":"1","title":"Quotes","url":"https://docs.example.com/quotes"}]}"#;
    let python = r#"{"content":"Quotes convert – 12 %.","sources":[{"title":"Quotes","url":"https://docs.example.com/quotes"}],"data":[{"rows": 3.0}]}"#;
    let python_began: &[&str] = &["pending", r#"in_progress {"progress":"Looking…"}"#];
    let began: &[&str] = &["pending", r#"in_progress {"progress":"Looking at the documents…"}"#];
    let cases: &[(&str, &[&str], &str)] = &[
        ("_stream.sse", began, streamed),
        ("_stream.json", &[], streamed),
        ("_data.sse", began, data),
        ("_data.json", &[], data),
        ("_message.sse", &[], r#"{"content":"Just an answer."}"#),
        ("_python.sse", python_began, python),
        ("_python.json", &[], python),
        ("_python_fail.sse", python_began, "task_failed, again in 50 ms: Index is being rebuilt."),
        ("_snapshot.sse", &[], r#"{"content":"All at once.","data":[{"rows":3}]}"#),
        ("_fail_retryable.sse", began, "task_failed, again in 50 ms: The index is being rebuilt."),
        ("_reject.sse", began, "rejected, never: I don't do taxes."),
        ("_cancel.sse", began, "cancelled, never: Stopped by its operator."),
        ("_input.sse", began, "input_required, never: Which quarter?"),
        ("_auth.sse", began, "auth_required, never: Sign in to the CRM."),
        ("_late_throw.sse", began, "ended_early, again: the agent's stream ended before its task did"),
        (
            "_throw.json",
            &[],
            "rpc_internal_error, again: Agent execution finished without a result, and no task context found. (-32603)",
        ),
        ("_wrong_method.json", &[], "rpc_method_not_found, never: Invalid method. (-32601)"),
        (
            "_noversion.json",
            &[],
            "version_not_supported, never: The requested A2A protocol version '0.3' is not supported. Supported versions: 1.0 (-32009)",
        ),
    ];
    for (name, body) in RECORDED {
        let case = cases.iter().find(|(suffix, _, _)| name[2..] == **suffix);
        let (_, events, end) = case.unwrap_or_else(|| panic!("{name} is in no row"));
        let heard = hear(kind_of(name), [body.as_bytes()], BOUNDS);
        assert_eq!(heard.events, *events, "{name}");
        let is_same = same(&heard.end, end);
        assert!(is_same, "{name}: {}", heard.end);
        if end.starts_with('{') && name.ends_with(".sse") {
            assert_eq!(heard.so_far, Some(heard.end), "{name}: the output so far is the success");
        }
    }
}

#[test]
fn answers_end_as_their_last_word_says() {
    let (task, status) = (r#"{"task":{"id":"t","#, r#"{"statusUpdate":{"taskId":"t","#);
    let rpc = |result: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{result}}}");
    let never_begun = "empty_answer, again: the answer is empty";
    let early = "ended_early, again: the agent's stream ended before its task did";
    let none_of_it = "malformed_answer, again: the answer is none of the protocol's";
    let cases = [
        // one JSON response
        ("json", String::new(), never_begun),
        ("json", " \n".into(), never_begun),
        ("json", rpc(&format!(r#"{task}"status":{{"state":"TASK_STATE_WORKING"}}}}}}"#)), "left open"),
        ("json", rpc(r#"{"kind":"task","id":"t","status":{"state":"submitted"}}"#), "left open"),
        ("json", rpc("null"), none_of_it),
        ("json", "[]".into(), NO_OBJECT),
        ("json", r#"{"ok":true}"#.into(), none_of_it),
        ("json", rpc(r#"{"kind":"task","id":"t","status":{"state":"unknown"}}"#), none_of_it),
        // the HTTP+JSON binding has no envelope, ProtoJSON may have numbers and other names
        ("json", r#"{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"a"},{"text":"b"}]}}"#.into(), r#"{"content":"a\nb"}"#),
        ("json", r#"{"status_update":{"task_id":"t","status":{"state":3,"message":{"parts":[{"text":"x"}]}}}}"#.into(), r#"{"content":"x"}"#),
        ("json", r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"slow down"}}"#.into(), "rpc_server_error, again: slow down (429)"),
        ("json", r#"{"error":{"code":-32050,"message":""}}"#.into(), "rpc_server_error, again: error -32050"),
        ("json", r#"{"error":"no"}"#.into(), r#"rpc_error, never: the agent gave an error: "no""#),
        // no `kind` and no wrapper
        ("json", rpc(r#"{"id":"t","status":{"state":"completed"},"artifacts":[{"parts":[{"kind":"text","text":"x"}]}]}"#), r#"{"content":"x"}"#),
        ("json", rpc(r#"{"role":"agent","parts":[{"type":"text","text":"x"}]}"#), r#"{"content":"x"}"#),
        // streams
        ("sse", String::new(), never_begun),
        ("sse", ": ping\r\n\r\n".into(), never_begun),
        ("sse", "data:\n\n".into(), never_begun),
        ("sse", "event: error\ndata: out of memory\n\n".into(), "rpc_error, again: out of memory"),
        ("sse", "event: error\ndata: {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,\"message\":\"oh\"}}\n\n".into(), "rpc_internal_error, again: oh (-32603)"),
        ("sse", format!("data: {}\n\n", rpc(&format!(r#"{status}"status":{{"state":"TASK_STATE_FAILED"}}}}}}"#))), "task_failed, never: the agent's task failed"),
        ("sse", format!("data: {}\n\n", rpc(&format!(r#"{status}"status":{{"state":"TASK_STATE_PAUSED"}}}}}}"#))), early),
        ("sse", format!("data: {}\n\n", rpc(&format!(r#"{status}"status":{{"state":"TASK_STATE_FAILED"}},"metadata":{{"retryable":true,"retry_after_ms":1500.0}}}}}}"#))), "task_failed, again in 1500 ms: the agent's task failed"),
        ("sse", format!("data: {}\n\n", rpc(&format!(r#"{status}"status":{{"state":"TASK_STATE_FAILED"}},"metadata":{{"retryable":"yes"}}}}}}"#))), "task_failed, never: the agent's task failed"),
        (
            "sse",
            format!(
                "data: {}\n\n",
                rpc(&format!(
                    r#"{status}"status":{{"state":"TASK_STATE_FAILED"}},"metadata":{{"retryable":true,"retryAfterMs":-1}}}}}}"#
                ))
            ),
            "task_failed, again: the agent's task failed",
        ),
        ("sse", format!("data: {}\n\n", rpc(r#"{"somethingNew":{}}"#)), early),
        ("sse", format!("data: {}\n", rpc(r#"{"kind":"message","parts":[{"kind":"text","text":"no empty line after it"}]}"#)), r#"{"content":"no empty line after it"}"#),
        ("sse", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"message\",\"par".into(), early),
        ("sse", format!("data: {}\n\n", rpc(r#"{"kind":"task","status":{"state":"completed"},"artifacts":null}"#)), r#"{"content":""}"#),
    ];
    for (kind, body, end) in cases {
        let kind = if kind == "sse" { SSE } else { "application/json" };
        assert_eq!(hear(kind, [body.as_bytes()], BOUNDS).end, end, "{body}");
    }
}

#[test]
fn what_no_reader_would_agree_on_is_malformed() {
    let deep = format!(
        "{{\"result\":{{\"message\":{{\"parts\":[{{\"data\":{}1{}}}]}}}}}}",
        "[".repeat(200),
        "]".repeat(200)
    );
    for body in [
        "no JSON",
        "{\"result\":{}",
        "{\"jsonrpc\":\"2.0\",\"result\":{\"task\":{}},\"result\":{}}",
        "{\"result\":{\"message\":{\"parts\":[{\"data\":{\"a\":1,\"a\":2}}]}}}",
        "{\"result\":{\"message\":{\"parts\":[{\"text\":\"\\ud800\"}]}}}",
        "{\"result\":{\"message\":{\"parts\":[{\"text\":5}]}}}",
        "{\"result\":{\"message\":{\"parts\":\"many\"}}}",
        "{\"result\":{\"task\":{\"status\":\"completed\"}}}",
        &*deep,
    ] {
        for (kind, body) in [(SSE, format!("data: {body}\n\n")), ("application/json", body.to_owned())] {
            let end = hear(kind, [body.as_bytes()], BOUNDS).end;
            assert!(end.starts_with("malformed_answer, again: "), "{body}: {end}");
        }
    }
    assert!(hear("application/json", [&b"\xff"[..]], BOUNDS).end.starts_with("malformed_answer"));
}

#[test]
fn what_follows_the_last_word_makes_no_difference() {
    let (_, stream) = RECORDED[0];
    let heard = hear(SSE, [stream.as_bytes()], BOUNDS);
    let after = "data: {\"result\":{\"statusUpdate\":{\"taskId\":\"t\",\"status\":{\"state\":\"TASK_STATE_FAILED\"}}}}\n\ndata: broken\n\ndata: \u{fffd}";
    for rest in [after.as_bytes(), b"data: \xff\n\n", &[b'x'; 200_000]] {
        let together = [stream.as_bytes(), rest].concat();
        assert_eq!(hear(SSE, [&*together], BOUNDS), heard);
        assert_eq!(hear(SSE, [stream.as_bytes(), rest], BOUNDS), heard);
    }
}

#[test]
fn work_is_noted_until_there_is_output() {
    let working = |note: &str| {
        format!(
            "data: {{\"result\":{{\"statusUpdate\":{{\"taskId\":\"t\",\"status\":{{\"state\":\"TASK_STATE_WORKING\",\"message\":{{\"parts\":[{{\"text\":\"{note}\"}}]}}}}}}}}}}\n\n"
        )
    };
    let artifact = "data: {\"result\":{\"artifactUpdate\":{\"artifact\":{\"artifactId\":\"a\",\"parts\":[{\"text\":\"x\"}]}}}}\n\n";
    let pending =
        "data: {\"result\":{\"task\":{\"status\":{\"state\":\"TASK_STATE_SUBMITTED\"}}}}\n\n".to_owned();
    let body = [
        pending.clone(),
        pending.clone(),
        working(""),
        pending,
        working(""),
        working(""),
        working("one"),
        working("two"),
        artifact.into(),
        working("three"),
    ]
    .concat();
    let heard = hear(SSE, [body.as_bytes()], BOUNDS);
    let expected =
        ["pending", "in_progress", r#"in_progress {"progress":"one"}"#, r#"in_progress {"progress":"two"}"#];
    assert_eq!(heard.events, expected);
    assert_eq!(heard.so_far.as_deref(), Some(r#"{"content":"x"}"#));
}

/// `body` in pieces that end where `cuts` say.
fn pieces<'a>(body: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(body.len() + 1)).collect();
    places.extend([0, body.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| &body[pair[0]..pair[1]]).collect()
}

proptest! {
    #[test]
    fn bytes_cut_in_another_way_say_the_same(
        which in any::<prop::sample::Index>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        ends in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let (name, body) = RECORDED[which.index(RECORDED.len())];
        let body = if name.ends_with(".sse") { body.replace("\r\n", "\n").replace('\n', ends) } else { body.to_owned() };
        let whole = hear(kind_of(name), [body.as_bytes()], BOUNDS);
        let cut = hear(kind_of(name), pieces(body.as_bytes(), &cuts), BOUNDS);
        prop_assert_eq!(&cut.events, &whole.events);
        prop_assert_eq!(&cut.end, &whole.end);
        prop_assert_eq!(&cut.so_far, &whole.so_far);
    }

    #[test]
    fn damaged_answers_never_panic_and_mean_the_same_however_they_are_cut(
        which in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
    ) {
        let (name, body) = RECORDED[which.index(RECORDED.len())];
        let mut bytes = body.as_bytes().to_vec();
        for (place, byte) in damage {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        let whole = hear(kind_of(name), [&*bytes], BOUNDS);
        let cut = hear(kind_of(name), pieces(&bytes, &cuts), BOUNDS);
        prop_assert_eq!((cut.events, cut.end), (whole.events, whole.end));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), is_stream: bool) {
        hear(if is_stream { SSE } else { "application/json" }, [&*bytes], BOUNDS);
    }
}
