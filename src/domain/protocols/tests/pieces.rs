//! Streams of pieces, and streams in which each is the whole so far.

use super::*;
use crate::domain::directive::Protocol::{Ndjson, Sse};

fn sse(data: &[&str]) -> String {
    data.iter().map(|data| format!("data: {data}\n\n")).collect()
}

fn named(events: &[(&str, &str)]) -> String {
    events.iter().map(|(name, data)| format!("event: {name}\ndata: {data}\n\n")).collect()
}

const WHOLE: &str = r#"{"content":"Rome is the capital of Italy."}"#;

#[test]
fn pieces_of_known_envelopes_are_joined() {
    let ui = [
        r#"{"type":"start","messageId":"m"}"#,
        r#"{"type":"start-step"}"#,
        r#"{"type":"reasoning-delta","id":"0","delta":"Hm."}"#,
        r#"{"type":"text-start","id":"1"}"#,
        r#"{"type":"text-delta","id":"1","delta":"I'll look."}"#,
        r#"{"type":"tool-output-available","toolCallId":"c","output":{"content":"a city"}}"#,
        r#"{"type":"finish-step"}"#,
        r#"{"type":"start-step"}"#,
        r#"{"type":"text-delta","id":"1","delta":"Rome is the "}"#,
        r#"{"type":"text-delta","id":"1","delta":"capital of Italy."}"#,
        r#"{"type":"finish"}"#,
        "[DONE]",
    ];
    let ag_ui = [
        r#"{"type":"RUN_STARTED","threadId":"1","runId":"1"}"#,
        r#"{"type":"TEXT_MESSAGE_START","messageId":"0","role":"user"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"0","delta":"Not this."}"#,
        r#"{"type":"TEXT_MESSAGE_START","messageId":"1","role":"assistant"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"1","delta":"I'll look."}"#,
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"2","delta":"Rome is the "}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"2","delta":"capital of Italy."}"#,
        r#"{"type":"STATE_SNAPSHOT","snapshot":{"text":"x"}}"#,
        r#"{"type":"RUN_FINISHED","threadId":"1","runId":"1"}"#,
    ];
    for body in [
        sse(&ui),
        sse(&ag_ui),
        sse(&["Rome ", "is the capital", " of Italy."]),
        sse(&["Rome", " is", " the capital of Italy."]),
        sse(&[r#""Rome ""#, r#""is the capital of Italy.""#]),
        sse(&[r#"{"token":"Rome "}"#, r#"{"token":"is the capital of Italy."}"#]),
        sse(&[
            r#"{"type":"token","content":"Rome "}"#,
            r#"{"type":"status","content":"Still."}"#,
            r#"{"type":"token","content":"is the capital of Italy."}"#,
            r#"{"type":"done"}"#,
        ]),
        sse(&[
            r#"{"type":"AIMessageChunk","content":"Rome ","id":"r"}"#,
            r#"{"type":"AIMessageChunk","content":[{"type":"text","text":"is the capital of Italy."}]}"#,
        ]),
        sse(&[
            r#"{"object":"chat.completion.chunk","choices":[{"delta":{"role":"assistant","content":"Rome is"}}]}"#,
            r#"{"object":"chat.completion.chunk","choices":[{"delta":{"content":" the capital of Italy."}}]}"#,
            "[DONE]",
        ]),
        sse(&[
            r#"{"index":1,"token":{"id":5,"text":"Rome is the","special":false},"generated_text":null}"#,
            r#"{"index":2,"token":{"id":6,"text":" capital of Italy.","special":false}}"#,
            r#"{"index":3,"token":{"id":2,"text":"</s>","special":true}}"#,
        ]),
        named(&[
            ("metadata", r#"{"run_id":"r"}"#),
            ("data", r#""Rome ""#),
            ("data", r#""is the capital of Italy.""#),
        ]) + "event: end\n\n",
        named(&[("data", r#""Rome ""#), ("data", r#""is the capital""#), ("data", r#"" of Italy.""#)]),
        named(&[
            ("metadata", r#"{"run_id":"r"}"#),
            ("messages", r#"[{"type":"AIMessageChunk","content":"Rome is"},{"node":"a"}]"#),
            ("messages", r#"[{"type":"AIMessageChunk","content":" the capital of Italy."},{"node":"a"}]"#),
        ]),
    ] {
        let outcome = outcome(Sse, &body);
        assert_eq!(
            (outcome.end.as_str(), outcome.text.as_str()),
            (&*format!("success: {WHOLE}"), WHOLE),
            "{body}"
        );
    }
    for body in [
        "{\"token\":\"Rome \"}\n{\"token\":\"is the capital\"}\n{\"token\":\" of Italy.\"}\n",
        "{\"delta\":\"Rome is\",\"index\":0}\n{\"delta\":\" the capital of Italy.\",\"index\":1}\n",
        "{\"model\":\"m\",\"response\":\"Rome is\",\"done\":false}\n{\"model\":\"m\",\"response\":\" the capital of Italy.\",\"done\":false}\n{\"model\":\"m\",\"response\":\"\",\"done\":true}\n",
        "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"Rome is the capital of Italy.\"},\"done\":false}\n{\"model\":\"m\",\"message\":{\"content\":\"\"},\"done\":true}\n",
    ] {
        assert_eq!(outcome(Ndjson, body).end, format!("success: {WHOLE}"), "{body}");
    }
}

#[test]
fn what_stands_among_pieces_is_kept_and_what_is_whole_counts() {
    for (body, end) in [
        (
            sse(&[r#"{"token":"Rome"}"#, r#"{"sources":[{"url":"https://a.example"}],"took":3}"#]),
            r#"success: {"content":"Rome","sources":[{"url":"https://a.example"}],"took":3}"#,
        ),
        (
            sse(&[
                r#"{"type":"text-delta","delta":"Rome"}"#,
                r#"{"type":"source-url","sourceId":"1","url":"https://a.example"}"#,
            ]),
            r#"success: {"content":"Rome","sources":[{"title":"https://a.example","url":"https://a.example"}]}"#,
        ),
        (
            sse(&[r#"{"token":"Ro"}"#, r#"{"answer":"Rome","took":3}"#]),
            r#"success: {"answer":"Rome","took":3}"#,
        ),
        (
            named(&[
                ("metadata", r#"{"run_id":"r"}"#),
                ("data", r#"{"context":[]}"#),
                ("data", r#"{"answer":"Ro"}"#),
                ("data", r#"{"answer":"me"}"#),
            ]),
            r#"success: {"content":"Rome"}"#,
        ),
        (
            sse(&[r#"{"token":"Ro"}"#, r#"{"type":"done","answer":"Rome"}"#]),
            r#"success: {"type":"done","answer":"Rome"}"#,
        ),
        (sse(&[r#"{"type":"start"}"#, r#"{"rows":[[1]]}"#]), r#"success: {"rows":[[1]]}"#),
        (
            sse(&[r#"{"type":"RUN_STARTED"}"#, r#"{"type":"RUN_FINISHED","result":{"rows":[[1]]}}"#]),
            r#"success: {"rows":[[1]]}"#,
        ),
    ] {
        // Which texts are shown until then depends on where the body is cut.
        for size in [body.len(), 1] {
            let parts: Vec<&[u8]> = body.as_bytes().chunks(size).collect();
            assert_eq!(read(Sse, None, &parts, BOUNDS).end, end, "{body}");
        }
    }
}

#[test]
fn what_is_no_piece_replaces_what_was_before() {
    for (data, end) in [
        (vec!["Searching", "Rome is the capital."], "\"Rome is the capital.\""),
        (vec!["Rome ", "Rome is ", "Rome is the capital. "], "\"Rome is the capital. \""),
        (vec!["1", "2"], "2"),
        (vec![r#"{"content":"Rome "}"#, r#"{"content":"Rome is"}"#], r#"{"content":"Rome is"}"#),
        (vec![r#"{"token":"t","expires":5}"#], r#"{"token":"t","expires":5}"#),
        (
            vec![r#"{"type":"text","text":"Rome "}"#, r#"{"type":"text","text":"Rome is"}"#],
            r#"{"type":"text","text":"Rome is"}"#,
        ),
        (vec![r#"{"type":"done"}"#], r#"{"type":"done"}"#),
        (
            vec![r#"{"model":"m","response":"Rome ","done":true}"#],
            r#"{"model":"m","response":"Rome ","done":true}"#,
        ),
    ] {
        assert_eq!(outcome(Sse, &sse(&data)).end, format!("success: {end}"), "{data:?}");
    }
}

#[test]
fn an_envelope_without_a_text_is_a_failure() {
    let started = r#"{"type":"RUN_STARTED","threadId":"1","runId":"1"}"#;
    for (data, end) in [
        (vec![r#"{"type":"start"}"#, r#"{"type":"finish"}"#, "[DONE]"], "broken: malformed_answer retryable"),
        (
            vec![started, r#"{"type":"RUN_FINISHED","threadId":"1","runId":"1"}"#],
            "broken: malformed_answer retryable",
        ),
        (
            vec![started, r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"1","delta":"Ro"}"#],
            "broken: truncated_answer retryable",
        ),
        (
            vec![r#"{"type":"start"}"#, r#"{"type":"text-delta","id":"1","delta":"Ro"}"#],
            "broken: truncated_answer retryable",
        ),
        (vec![r#"{"token":""}"#], "broken: malformed_answer retryable"),
        (
            vec![started, r#"{"type":"RUN_ERROR","message":"No luck","code":"overloaded"}"#],
            "failed: overloaded retryable: No luck",
        ),
        (
            vec![r#"{"type":"text-delta","delta":"Ro"}"#, r#"{"type":"error","errorText":"No luck"}"#],
            "failed: subagent_failed lasting: No luck",
        ),
    ] {
        check_end(Sse, &sse(&data), end);
    }
    let long = format!("{{\"token\":\"{}\"}}\n", "a".repeat(1_500)).repeat(2);
    check_end(Ndjson, &long, "broken: answer_too_large lasting");
}
