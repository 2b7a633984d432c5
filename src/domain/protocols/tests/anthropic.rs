//! Messages of Anthropic's API.

use super::samples::{MESSAGE_STREAM, MESSAGE_WHOLE};
use super::*;
use Protocol::Anthropic;

/// A stream of the events whose data is each of `data`.
fn events(data: &[&str]) -> String {
    data.iter().map(|data| format!("data: {data}\n\n")).collect()
}

const TEXT: &str = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;

#[test]
fn a_stream_becomes_a_text_with_calls_and_all_of_the_usage() {
    let outcome = outcome(Anthropic, MESSAGE_STREAM);
    assert_eq!(outcome.text, r#"{"content":"Okay, let's “check”"}"#);
    assert_eq!(
        outcome.end,
        r#"success: {"content":"Okay, let's “check”","finish_reason":"tool_use","usage":{"input_tokens":472,"output_tokens":89},"model":"claude-sonnet-4-5","tool_calls":[{"id":"toolu_01T1","name":"get_weather","arguments":"{\"location\": \"San Francisco\"}"}]}"#
    );
}

#[test]
fn a_whole_message_is_read_too() {
    check_end(
        Anthropic,
        MESSAGE_WHOLE,
        r#"success: {"content":"Hi! Bye.","finish_reason":"max_tokens","usage":{"input_tokens":2095,"output_tokens":503},"model":"claude-sonnet-4-5","tool_calls":[{"id":"toolu_1","name":"now","arguments":"{\"zone\": \"UTC\"}"}]}"#,
    );
    for (body, end) in [
        (
            r#"{"type":"error","error":{"type":"not_found_error","message":"m"},"request_id":"r"}"#,
            "failed: not_found_error lasting: m",
        ),
        (r#"{"type":"message","content":[],"stop_reason":"end_turn"}"#, "broken: empty_answer retryable"),
        (
            r#"{"type":"message","content":[{"type":"text","text":"a"}],"stop_reason":"refusal"}"#,
            "failed: content_filter lasting: the model's answer was held back (`refusal`)",
        ),
        (r#"{"content":"a"}"#, "broken: malformed_answer retryable"),
        (r#"{"type":"message","content":["#, "broken: malformed_answer retryable"),
    ] {
        check_end(Anthropic, body, end);
    }
}

#[test]
fn what_a_block_cites_is_kept_streamed_and_whole() {
    let cited = r#"{"type":"web_search_result_location","url":"https://e.x/a","title":"A","cited_text":"b"}"#;
    let delta = format!(
        r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"citations_delta","citation":{cited}}}}}"#
    );
    let end = format!(r#"success: {{"content":"a","blocks":[{{"citations":[{cited}]}}]}}"#);
    check_end(Anthropic, &events(&[TEXT, &delta, STOP]), &end);
    let whole =
        format!(r#"{{"type":"message","content":[{{"type":"text","text":"a","citations":[{cited}]}}]}}"#);
    check_end(Anthropic, &whole, &end);
}

#[test]
fn a_stream_is_whole_only_with_its_message_stop() {
    let reason = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}"#;
    for (data, end) in [
        (
            &[TEXT, reason, STOP][..],
            r#"success: {"content":"a","finish_reason":"end_turn","usage":{"output_tokens":1}}"#,
        ),
        (&[reason, STOP], "broken: empty_answer retryable"),
        (&[TEXT, STOP], r#"success: {"content":"a"}"#),
        (&[TEXT, reason], "broken: truncated_answer retryable"),
        (&[TEXT], "broken: truncated_answer retryable"),
        (&[STOP], "broken: truncated_answer retryable"),
        (&[r#"{"type":"ping"}"#], "broken: truncated_answer retryable"),
        (&[], "broken: empty_answer retryable"),
        (&[TEXT, "{"], "broken: malformed_answer retryable"),
        (&[TEXT, r#"{"type":"x","type":"y"}"#], "broken: malformed_answer retryable"),
        (&[TEXT, STOP, "{"], r#"success: {"content":"a"}"#),
    ] {
        check_end(Anthropic, &events(data), end);
    }
}

#[test]
fn an_error_event_is_a_failure_that_knows_whether_to_try_again() {
    for (kind, retryable) in [
        ("overloaded_error", "retryable"),
        ("rate_limit_error", "retryable"),
        ("api_error", "retryable"),
        ("timeout_error", "retryable"),
        ("invalid_request_error", "lasting"),
        ("authentication_error", "lasting"),
        ("billing_error", "lasting"),
    ] {
        let error = format!(r#"{{"type":"error","error":{{"type":"{kind}","message":"m"}}}}"#);
        let expected = format!("failed: {kind} {retryable}: m");
        check_end(Anthropic, &events(&[TEXT, &error, STOP]), &expected);
        check_end(Anthropic, &format!("event: error\ndata: {error}\n\n"), &expected);
    }
}

#[test]
fn what_is_not_known_is_skipped() {
    let body = events(&[
        r#"{"type":"message_start","message":7}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","name":"web_search"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":{}}}"#,
        r#"{"type":"content_block_delta","delta":null}"#,
        r#"{"type":"new_event"}"#,
        "{}",
        TEXT,
        STOP,
    ]);
    check_end(Anthropic, &body, r#"success: {"content":"a"}"#);
}
