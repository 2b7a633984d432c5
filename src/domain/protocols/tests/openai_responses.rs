//! The Responses API.

use super::samples::RESPONSE_STREAM;
use super::*;
use Protocol::Openai;

fn ended(kind: &str, response: &str) -> String {
    let delta = r#"{"type":"response.output_text.delta","output_index":0,"delta":"a"}"#;
    format!("data: {delta}\n\ndata: {{\"type\":\"response.{kind}\",\"response\":{response}}}\n\n")
}

#[test]
fn a_stream_of_a_response_becomes_a_text_with_calls() {
    let outcome = outcome(Openai, RESPONSE_STREAM);
    assert_eq!(outcome.text, r#"{"content":"Hi there!"}"#);
    assert_eq!(
        outcome.end,
        r#"success: {"content":"Hi there!","finish_reason":"tool_calls","usage":{"input_tokens":37,"output_tokens":11,"total_tokens":48},"model":"gpt-4.1-2025-04-14","tool_calls":[{"id":"call_1","name":"get_weather","arguments":"{\"city\":\"Paris\"}"}]}"#
    );
}

#[test]
fn how_a_response_ends_is_told_by_its_last_event() {
    for (body, end) in [
        (ended("completed", "{}"), r#"success: {"content":"a","finish_reason":"stop"}"#),
        (ended("incomplete", r#"{"incomplete_details":{"reason":"max_output_tokens"}}"#), r#"success: {"content":"a","finish_reason":"max_output_tokens"}"#),
        (ended("incomplete", "{}"), r#"success: {"content":"a","finish_reason":"length"}"#),
        (ended("incomplete", r#"{"incomplete_details":{"reason":"content_filter"}}"#), "failed: content_filter lasting: the model's answer was held back (`content_filter`)"),
        (ended("failed", r#"{"status":"failed","error":{"code":"server_error","message":"m"}}"#), "failed: server_error retryable: m"),
        (ended("cancelled", "{}"), "failed: model_error lasting: the response ended as `cancelled`"),
        (ended("output_text.done", "{}"), "broken: truncated_answer retryable"),
        (ended("in_progress", "{}") + "data: {\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"m\",\"param\":null}\n\n", "failed: rate_limit_exceeded retryable: m"),
        ("data: {\"type\":\"response.refusal.delta\",\"delta\":\"No.\"}\n\ndata: {\"type\":\"response.completed\"}\n\n".to_owned(), "failed: refusal lasting: No."),
    ] {
        check_end(Openai, &body, end);
    }
}

#[test]
fn a_whole_response_is_read_from_its_output() {
    for (body, end) in [
        (
            r#"{"object":"response","status":"completed","model":"m","error":null,"output":[{"type":"reasoning","summary":[]},{"type":"message","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]}],"usage":{"total_tokens":3}}"#,
            r#"success: {"content":"ab","finish_reason":"stop","usage":{"total_tokens":3},"model":"m"}"#,
        ),
        (
            r#"{"status":"completed","output":[{"type":"function_call","id":"fc","name":"f","arguments":"{}"}]}"#,
            r#"success: {"content":"","finish_reason":"tool_calls","tool_calls":[{"id":"fc","name":"f","arguments":"{}"}]}"#,
        ),
        (
            r#"{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"No."}]}]}"#,
            "failed: refusal lasting: No.",
        ),
        (
            r#"{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a","annotations":[{"type":"url_citation","url":"https://e.x/a"}]}]}]}"#,
            r#"success: {"content":"a","finish_reason":"stop","annotations":[{"type":"url_citation","url":"https://e.x/a"}]}"#,
        ),
        (
            r#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"message","content":[{"text":"a"}]}]}"#,
            r#"success: {"content":"a","finish_reason":"max_output_tokens"}"#,
        ),
        (
            r#"{"status":"failed","output":[],"error":{"code":"server_error","message":"m"}}"#,
            "failed: server_error retryable: m",
        ),
        (
            r#"{"status":"in_progress","output":[]}"#,
            "failed: model_error lasting: the response ended as `in_progress`",
        ),
    ] {
        check_end(Openai, body, end);
    }
}
