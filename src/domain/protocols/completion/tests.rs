//! Completions of both dialects, and all their cuts.

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::tests::samples::{CHAT_STREAM, CHAT_WHOLE, MESSAGE_STREAM, MESSAGE_WHOLE, RESPONSE_STREAM};
use super::*;

const BOUNDS: Bounds = Bounds { event_bytes: 4_096, text_bytes: 2_048 };

#[derive(Clone, Copy, Debug)]
enum Api {
    Chat,
    Messages,
}
use Api::{Chat, Messages};

fn reader(api: Api, bounds: Bounds) -> CompletionReader {
    match api {
        Chat => CompletionReader::openai(false, bounds),
        Messages => CompletionReader::anthropic(false, bounds),
    }
}

/// The text, and how it ended.
fn read(api: Api, parts: &[&[u8]]) -> (String, Result<ModelEnd, CompletionFault>) {
    let mut reader = reader(api, BOUNDS);
    let mut text = String::new();
    for part in parts {
        if let Err(fault) = reader.feed(part) {
            return (text, Err(fault));
        }
        while let Some(new) = reader.new_text() {
            text.push_str(new);
        }
    }
    let end = reader.finish();
    text.extend(reader.new_text());
    (text, end)
}

/// Reads a body at once and byte by byte, and says it in a line.
fn said(api: Api, body: &str) -> String {
    let whole = read(api, &[body.as_bytes()]);
    let bytes: Vec<&[u8]> = body.as_bytes().chunks(1).collect();
    let in_bytes = read(api, &bytes);
    assert_eq!(in_bytes.1, whole.1, "{body}");
    let (text, end) = in_bytes;
    match end {
        Ok(ModelEnd { stop, usage, model }) => {
            assert_eq!(text, whole.0, "{body}");
            let usage = usage.map(|usage| format!(" {}+{}", usage.input_tokens, usage.output_tokens));
            let model = model.map(|model| format!(" {model}"));
            format!("{text:?} {stop:?}{}{}", usage.unwrap_or_default(), model.unwrap_or_default())
        }
        Err(CompletionFault::Said(failure)) => format!("said {} {}", failure.code, failure.retryable),
        Err(fault) => format!("{fault:?}"),
    }
}

/// Chunks whose choice is each of `choices`.
fn chunks(choices: &[&str]) -> String {
    choices.iter().map(|choice| format!("data: {{\"choices\":[{choice}]}}\n\n")).collect()
}

const A: &str = r#"{"delta":{"content":"a"}}"#;
const STOP: &str = r#"{"delta":{},"finish_reason":"stop"}"#;

#[test]
fn whole_answers_say_text_reason_usage_and_model() {
    for (api, body, expected) in [
        (Chat, CHAT_STREAM, r#""Hello wörld" End 9+2 gpt-4o-mini"#),
        (Chat, CHAT_WHOLE, r#""Hello!" Length 19+10 gpt-4.1-2025-04-14"#),
        (Chat, RESPONSE_STREAM, r#""Hi there!" Other("tool_calls") 37+11 gpt-4.1-2025-04-14"#),
        (Messages, MESSAGE_STREAM, r#""Okay, let's “check”" Other("tool_use") 472+89 claude-sonnet-4-5"#),
        (Messages, MESSAGE_WHOLE, r#""Hi! Bye." Length 2095+503 claude-sonnet-4-5"#),
    ] {
        assert_eq!(said(api, body), expected);
        assert_eq!(said(api, &body.replace('\n', "\r\n")), expected, "with CRLF");
        assert_eq!(said(api, &format!("\u{feff}{body}")), expected, "with a byte order mark");
    }
}

#[test]
fn streams_of_chat_completions_end_with_a_reason_and_not_with_done_alone() {
    let done = "data: [DONE]\n\n";
    let role = r#"{"delta":{"role":"assistant","content":null}}"#;
    let usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\n";
    for (body, expected) in [
        (chunks(&[role, A, STOP]), r#""a" End"#),
        (chunks(&[role, A, STOP]) + usage, r#""a" End 3+4"#),
        (chunks(&[A, r#"{"finish_reason":"length"}"#]), r#""a" Length"#),
        (chunks(&[A, r#"{"finish_reason":"content_filter"}"#]) + done, r#""a" Filtered"#),
        (chunks(&[A, r#"{"finish_reason":"tool_calls"}"#]), r#""a" Other("tool_calls")"#),
        (chunks(&[A, r#"{"finish_reason":"abort"}"#]), r#""a" Other("abort")"#),
        (chunks(&[role, STOP]) + done, r#""" End"#),
        (chunks(&[A, STOP]) + "data: {brok", r#""a" End"#),
        (chunks(&[A, STOP]) + "data: {broken}\n\n", r#""a" End"#),
        (chunks(&[A, STOP]) + usage + done + "data: {broken}\n\n", r#""a" End 3+4"#),
        (chunks(&[A]) + done, "Truncated"),
        (chunks(&[A, r#"{"finish_reason":""}"#]) + done, "Truncated"),
        (chunks(&[role]) + done, "Truncated"),
        (chunks(&[A]), "Truncated"),
        (chunks(&[A, STOP]).trim_end().to_owned(), r#""a" End"#),
        (chunks(&[A, STOP]).trim_end_matches(['}', '\n']).to_owned(), "Truncated"),
        (done.to_owned(), "Truncated"),
        (String::new(), "Truncated"),
        (": ping\n\n".to_owned(), "Truncated"),
        (chunks(&[A]) + "data: {broken}\n\n", "Malformed"),
        ("data: 7\n\n".to_owned(), "Malformed"),
        ("{\"answer\":1}".to_owned(), "Malformed"),
        ("{\"choices\":[]}".to_owned(), "Truncated"),
        ("{\"choices\":[{\"message\":{\"content\":\"a\"}}]}".to_owned(), r#""a" End"#),
        ("{\"choices\":[{\"message\":{\"content\":\"a".to_owned(), "Malformed"),
        (chunks(&[A]) + "data: {\"error\":{\"code\":\"server_error\"}}\n\n", "said server_error true"),
        (chunks(&[A, STOP]) + "data: {\"error\":{\"code\":\"server_error\"}}\n\n", "said server_error true"),
    ] {
        assert_eq!(said(Chat, &body), expected, "{body}");
    }
}

#[test]
fn streams_of_messages_end_with_message_stop() {
    let events = |data: &[&str]| -> String { data.iter().map(|data| format!("data: {data}\n\n")).collect() };
    let start = r#"{"type":"message_start","message":{"usage":{"input_tokens":5,"cache_read_input_tokens":7,"output_tokens":1}}}"#;
    let text = r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}"#;
    let reason = |reason: &str| {
        format!(
            r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}"}},"usage":{{"input_tokens":null,"output_tokens":9}}}}"#
        )
    };
    let stop = r#"{"type":"message_stop"}"#;
    let overloaded = r#"{"type":"error","error":{"type":"overloaded_error","message":"m"}}"#;
    for (data, expected) in [
        (vec![start, text, &reason("end_turn"), stop], r#""a" End 12+9"#),
        (vec![start, text, r#"{"type":"ping"}"#, &reason("stop_sequence"), stop], r#""a" End 12+9"#),
        (vec![start, text, &reason("max_tokens"), stop], r#""a" Length 12+9"#),
        (vec![start, text, &reason("model_context_window_exceeded"), stop], r#""a" Length 12+9"#),
        (vec![start, text, &reason("refusal"), stop], r#""a" Refusal 12+9"#),
        (vec![start, text, &reason("pause_turn"), stop], r#""a" Other("pause_turn") 12+9"#),
        (vec![start, &reason("end_turn"), stop], r#""" End 12+9"#),
        (vec![text, stop], r#""a" End"#),
        (vec![start, text, &reason("end_turn")], "Truncated"),
        (vec![start, text], "Truncated"),
        (vec![start, stop], "Truncated"),
        (vec![stop], "Truncated"),
        (vec![start, text, overloaded, stop], "said overloaded_error true"),
        (vec![start, "{"], "Malformed"),
    ] {
        assert_eq!(said(Messages, &events(&data)), expected, "{data:?}");
    }
}

#[test]
fn thinking_and_refusals_are_no_text() {
    for (choices, expected) in [
        (&[r#"{"delta":{"reasoning_content":"hm","reasoning":"hm"}}"#, A, STOP][..], r#""a" End"#),
        (
            &[
                r#"{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"reasoning","text":"hm"},{"type":"text","text":"a"}]}}"#,
                STOP,
            ],
            r#""a" End"#,
        ),
        (&[A, r#"{"delta":{"refusal":"I'm"}}"#, r#"{"delta":{"refusal":" sorry"}}"#, STOP], r#""a" Refusal"#),
        (&[r#"{"delta":{"refusal":null,"content":"a"}}"#, STOP], r#""a" End"#),
        (&[r#"{"delta":{"refusal":"","content":"a"}}"#, STOP], r#""a" End"#),
    ] {
        assert_eq!(said(Chat, &chunks(choices)), expected);
    }
}

#[test]
fn usage_is_both_counts_or_none() {
    for (usage, expected) in [
        (r#"{"prompt_tokens":1,"completion_tokens":2}"#, Some((1, 2))),
        (r#"{"input_tokens":1,"output_tokens":2}"#, Some((1, 2))),
        (
            r#"{"prompt_tokens":1,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":1}}"#,
            Some((1, 2)),
        ),
        (r#"{"prompt_tokens":1}"#, None),
        (r#"{"prompt_tokens":-1,"completion_tokens":2}"#, None),
        (r#"{"prompt_tokens":"1","completion_tokens":2}"#, None),
        ("[1]", None),
        ("null", None),
        ("{}", None),
    ] {
        let body = format!("{{\"choices\":[{STOP}],\"usage\":{usage}}}");
        let usage = read(Chat, &[body.as_bytes()]).1.unwrap().usage;
        assert_eq!(usage.map(|usage| (usage.input_tokens, usage.output_tokens)), expected, "{body}");
    }
}

#[test]
fn an_answer_cut_anywhere_is_a_fault_before_its_mark_and_whole_after_it() {
    for (api, body, mark) in [
        (Chat, CHAT_STREAM, "\"finish_reason\":\"stop\"}]}"),
        (Messages, MESSAGE_STREAM, "{\"type\":\"message_stop\"}"),
        (Chat, CHAT_WHOLE, "\n}"),
        (Messages, MESSAGE_WHOLE, "\"output_tokens\":503}}"),
    ] {
        let whole_from = body.rfind(mark).unwrap() + mark.len();
        let (text, end) = read(api, &[body.as_bytes()]);
        for at in 0..=body.len() {
            let bytes = body.as_bytes();
            let (cut_text, cut_end) = read(api, &[&bytes[..at]]);
            if at < whole_from {
                let fault = cut_end.unwrap_err();
                assert!(
                    matches!(fault, CompletionFault::Truncated | CompletionFault::Malformed),
                    "{at}: {fault:?}"
                );
                assert!(text.starts_with(&cut_text), "{at}: {cut_text}");
            } else {
                assert_eq!(
                    (cut_text, cut_end.unwrap().stop),
                    (text.clone(), end.clone().unwrap().stop),
                    "{at}"
                );
            }
            let halves = read(api, &[&bytes[..at], b"", &bytes[at..]]);
            assert_eq!(halves, (text.clone(), end.clone()), "{api:?} in two at {at}");
        }
    }
}

#[test]
fn a_text_is_bounded_and_stays_too_large() {
    let bounds = Bounds { event_bytes: 512, text_bytes: 3 };
    let mut reader = reader(Chat, bounds);
    reader.feed(chunks(&[r#"{"delta":{"content":"abc"}}"#]).as_bytes()).unwrap();
    assert_eq!(reader.new_text(), Some("abc"));
    assert_eq!(reader.feed(chunks(&[A]).as_bytes()), Err(CompletionFault::TooLarge));
    let mut reader = super::CompletionReader::openai(false, bounds);
    assert_eq!(reader.feed(&[b'x'; 4_096]), Err(CompletionFault::TooLarge));
}

/// Some tenth of a second; minutes, if each new text cost the whole one.
#[test]
fn a_long_text_in_small_pieces_takes_linear_time() {
    let began = std::time::Instant::now();
    let mut reader = reader(Chat, Bounds { event_bytes: 1 << 20, text_bytes: 8 << 20 });
    let chunk = chunks(&[r#"{"delta":{"content":"0123456789abcdef"}}"#]);
    for _ in 0..100_000 {
        reader.feed(chunk.as_bytes()).unwrap();
        assert_eq!(reader.new_text().map(str::len), Some(16));
    }
    assert!(began.elapsed() < std::time::Duration::from_secs(30), "{:?}", began.elapsed());
}

proptest! {
    #[test]
    fn any_bytes_in_any_pieces_are_read_without_a_panic(body in vec(any::<u8>(), 0..200), size in 1..50_usize) {
        for api in [Chat, Messages] {
            let parts: Vec<&[u8]> = body.chunks(size).collect();
            prop_assert_eq!(read(api, &parts).1, read(api, &[&body]).1);
        }
    }

    #[test]
    fn a_changed_byte_never_panics_and_never_makes_a_text_longer(at in 0..CHAT_STREAM.len(), byte: u8) {
        let mut body = CHAT_STREAM.as_bytes().to_vec();
        body[at] = byte;
        let (text, _) = read(Chat, &[&body]);
        prop_assert!(text.len() <= CHAT_STREAM.len());
    }
}
