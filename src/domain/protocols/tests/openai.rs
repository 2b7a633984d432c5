//! Chat completions.

use super::samples::{CHAT_STREAM, CHAT_WHOLE, TOOL_STREAM};
use super::*;
use Protocol::Openai;

/// A stream of chunks whose choice is each of `choices`, as JSON.
fn chunks(choices: &[&str]) -> String {
    choices.iter().map(|choice| format!("data: {{\"choices\":[{choice}]}}\n\n")).collect()
}

#[test]
fn a_stream_of_chunks_becomes_a_text_with_reason_usage_and_model() {
    let outcome = outcome(Openai, CHAT_STREAM);
    assert_eq!(outcome.said, Vec::<String>::new());
    assert_eq!(outcome.text, r#"{"content":"Hello wörld"}"#);
    assert_eq!(
        outcome.end,
        r#"success: {"content":"Hello wörld","finish_reason":"stop","usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11},"model":"gpt-4o-mini"}"#
    );
}

#[test]
fn calls_of_tools_are_put_together() {
    check_end(
        Openai,
        TOOL_STREAM,
        r#"success: {"content":"","finish_reason":"tool_calls","tool_calls":[{"id":"call_1","name":"get_weather","arguments":"{\"city\": \"Paris\"}"},{"id":"call_2","name":"now","arguments":"{}"}]}"#,
    );
}

#[test]
fn another_id_or_another_name_begins_another_call_whatever_the_index() {
    let call = |index: &str, id: &str, name: &str, arguments: &str| {
        let function = serde_json::json!({"name": name, "arguments": arguments});
        format!(r#"{{"delta":{{"tool_calls":[{{{index}"id":"{id}","function":{function}}}]}}}}"#)
    };
    let done = r#"{"delta":{},"finish_reason":"tool_calls"}"#;
    let two = r#"[{"id":"c1","name":"pay","arguments":"{\"amount\":5}"},{"id":"c2","name":"pay","arguments":"{\"amount\":7}"}]"#;
    for index in ["", r#""index":0,"#] {
        let chunks = [
            call(index, "c1", "pay", "{\"amount\":5}"),
            call(index, "c2", "pay", "{\"amount\":"),
            call(index, "c2", "pay", "7}"),
            call(index, "c2", "", ""),
        ];
        let body = super::openai::chunks(&[&chunks[0], &chunks[1], &chunks[2], &chunks[3], done]);
        let end = format!(r#"success: {{"content":"","finish_reason":"tool_calls","tool_calls":{two}}}"#);
        check_end(Openai, &body, &end);
        // Without ids whole calls are told by their names.
        let chunks = [call(index, "", "pay", "{\"amount\":5}"), call(index, "", "pay", "{\"amount\":7}")];
        let end = end.replace(r#""id":"c1","#, "").replace(r#""id":"c2","#, "");
        check_end(Openai, &super::openai::chunks(&[&chunks[0], &chunks[1], done]), &end);
    }
}

#[test]
fn arguments_that_are_no_json_are_malformed_unless_a_limit_cut_them() {
    let call = r#"{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"pay","arguments":"{\"amount\":"}}]}}"#;
    let ends = |reason: &str| format!(r#"{{"delta":{{}},"finish_reason":"{reason}"}}"#);
    check_end(Openai, &chunks(&[call, &ends("tool_calls")]), "broken: malformed_answer retryable");
    check_end(
        Openai,
        &chunks(&[call, &ends("length")]),
        r#"success: {"content":"","finish_reason":"length","tool_calls":[{"id":"c","name":"pay","arguments":"{\"amount\":"}]}"#,
    );
}

#[test]
fn what_a_text_rests_on_is_kept() {
    let note = r#"{"type":"url_citation","url_citation":{"url":"https://e.x/a","title":"A"}}"#;
    let body = chunks(&[
        r#"{"delta":{"content":"It is blue [1]."}}"#,
        &format!(r#"{{"delta":{{"annotations":[{note}]}}}}"#),
        &format!(r#"{{"delta":{{"annotations":[{note}]}},"finish_reason":"stop"}}"#),
    ]);
    let end =
        format!(r#"success: {{"content":"It is blue [1].","finish_reason":"stop","annotations":[{note}]}}"#);
    check_end(Openai, &body, &end);
    let lists = r#""citations":["https://e.x/a"],"search_results":[{"title":"A","url":"https://e.x/a"}]"#;
    let chunk = |choice: &str| format!("data: {{{lists},\"choices\":[{choice}]}}\n\n");
    let body = chunk(r#"{"delta":{"content":"It is blue [1]."}}"#)
        + &chunk(r#"{"delta":{},"finish_reason":"stop"}"#);
    let end = format!(r#"success: {{"content":"It is blue [1].","finish_reason":"stop",{lists}}}"#);
    check_end(Openai, &body, &end);
}

/// What a proxy does behind the end of an answer takes nothing from it.
#[test]
fn a_stream_with_its_reason_is_whole_whatever_follows() {
    let mut reader = AnswerReader::new(Openai, None, BOUNDS);
    reader.feed(chunks(&[r#"{"delta":{"content":"a"}}"#]).as_bytes()).unwrap();
    assert!(!reader.is_whole());
    reader.feed(chunks(&[r#"{"delta":{},"finish_reason":"stop"}"#]).as_bytes()).unwrap();
    assert!(reader.is_whole() && !reader.is_over());
    reader.feed(b"data: <html>\n\n").unwrap();
    assert!(matches!(reader.finish(), Ok(End::Success(Some(_)))));
}

#[test]
fn a_whole_completion_is_read_by_its_label_or_its_first_byte() {
    let expected = r#"success: {"content":"Hello!","finish_reason":"length","usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29},"model":"gpt-4.1-2025-04-14"}"#;
    for label in [None, Some("application/json"), Some("text/event-stream")] {
        assert_eq!(
            read(Openai, label, &[b"\xef\xbb", b"\xbf\n", CHAT_WHOLE.as_bytes()], BOUNDS).end,
            expected
        );
    }
    for (body, end) in [
        (
            r#"{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"x"},{"text":"b"}]}}]}"#,
            r#"success: {"content":"ab"}"#,
        ),
        (
            r#"{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]}"#,
            "failed: refusal lasting: No.",
        ),
        (
            r#"{"choices":[{"message":{"tool_calls":[{"id":"1","function":{"name":"a"}},{"id":"2","function":{"name":"b","arguments":"{}"}}]}}]}"#,
            r#"success: {"content":"","tool_calls":[{"id":"1","name":"a","arguments":""},{"id":"2","name":"b","arguments":"{}"}]}"#,
        ),
        (r#"{"choices":[]}"#, "broken: truncated_answer retryable"),
        (r#"{"answer":"a"}"#, "broken: malformed_answer retryable"),
        (r#"{"choices":[{"message":{"content":"a"#, "broken: malformed_answer retryable"),
        (r#"{"choices":[{"message":{"content":"a","content":"b"}}]}"#, "broken: malformed_answer retryable"),
        (
            r#"{"choices":[{"finish_reason":"content_filter","message":{"content":"a"}}]}"#,
            "failed: content_filter lasting: the model's answer was held back (`content_filter`)",
        ),
        (
            r#"{"error":{"message":"Rate limit reached","type":"requests","param":null,"code":"rate_limit_exceeded"}}"#,
            "failed: rate_limit_exceeded retryable: Rate limit reached",
        ),
    ] {
        check_end(Openai, body, end);
    }
}

#[test]
fn a_stream_is_whole_with_a_reason_or_with_done_after_content() {
    let said = r#"{"index":0,"delta":{"content":"a"}}"#;
    let stopped = r#"{"index":0,"delta":{},"finish_reason":"stop"}"#;
    let clipped = r#"{"delta":{"content":"b"},"finish_reason":"length"}"#;
    for (body, end) in [
        (chunks(&[said, stopped]), r#"success: {"content":"a","finish_reason":"stop"}"#),
        (chunks(&[said, clipped]), r#"success: {"content":"ab","finish_reason":"length"}"#),
        (chunks(&[stopped]), "broken: empty_answer retryable"),
        (chunks(&[said]) + "data: [DONE]\n\n", r#"success: {"content":"a"}"#),
        (chunks(&[said]) + "data: [DONE]\n\ndata: broken\n\n", r#"success: {"content":"a"}"#),
        (chunks(&[said]), "broken: truncated_answer retryable"),
        (chunks(&[said]) + "data: [DONE]\n", r#"success: {"content":"a"}"#),
        (chunks(&[said]) + "data: [DON", "broken: truncated_answer retryable"),
        (
            chunks(&[r#"{"delta":{"role":"assistant"}}"#]) + "data: [DONE]\n\n",
            "broken: truncated_answer retryable",
        ),
        ("data: [DONE]\n\n".to_owned(), "broken: truncated_answer retryable"),
        (String::new(), "broken: empty_answer retryable"),
        (": keep-alive\n\n".to_owned(), "broken: empty_answer retryable"),
        ("data: {\"choices\":[{\"index\":0,\"del\n\n".to_owned(), "broken: malformed_answer retryable"),
        ("data: 7\n\n".to_owned(), "broken: malformed_answer retryable"),
    ] {
        check_end(Openai, &body, end);
    }
}

#[test]
fn an_error_amid_a_stream_is_a_failure_that_knows_whether_to_try_again() {
    for (error, end) in [
        (
            r#"{"error":{"message":"m","type":"server_error","param":null,"code":null}}"#,
            "server_error retryable: m",
        ),
        (
            r#"{"error":{"message":"m","type":"requests","code":"rate_limit_exceeded"}}"#,
            "rate_limit_exceeded retryable: m",
        ),
        (
            r#"{"error":{"message":"m","type":"insufficient_quota","code":"insufficient_quota"}}"#,
            "insufficient_quota lasting: m",
        ),
        (r#"{"error":{"message":"m","type":"BadRequestError","code":400}}"#, "400 lasting: m"),
        (r#"{"error":{"message":"m","code":502},"choices":[{"finish_reason":"error"}]}"#, "502 retryable: m"),
        (r#"{"error":"overloaded"}"#, "subagent_failed lasting: overloaded"),
        (
            r#"{"object":"error","type":"error","message":"m","code":"engine_overloaded"}"#,
            "engine_overloaded retryable: m",
        ),
        (
            r#"{"choices":[{"finish_reason":"error"}]}"#,
            "model_error retryable: the server says that the model failed (`finish_reason` is `error`)",
        ),
        (
            r#"{"choices":[{"finish_reason":"content_filter"}]}"#,
            "content_filter lasting: the model's answer was held back (`content_filter`)",
        ),
    ] {
        let begin = chunks(&[r#"{"delta":{"content":"a"}}"#]);
        check_end(Openai, &format!("{begin}data: {error}\n\ndata: [DONE]\n\n"), &format!("failed: {end}"));
    }
}

#[test]
fn fields_of_another_type_are_skipped() {
    let body = chunks(&[
        r#"7,null,{"delta":null},{"delta":[]},{"delta":{"content":7,"refusal":[],"tool_calls":{"a":1}}}"#,
        r#"{"index":"0","delta":{"content":"a","tool_calls":[null,{"index":-1,"function":"x"}]},"finish_reason":7}"#,
        r#"{"delta":{"content":"b"},"finish_reason":"stop"}"#,
    ]) + "data: {\"choices\":{},\"model\":7,\"usage\":\"none\"}\n\n";
    check_end(Openai, &body, r#"success: {"content":"ab","finish_reason":"stop","usage":"none"}"#);
}
