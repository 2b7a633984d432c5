//! `json`, `ndjson` and `sse`: events, raw output, and answers that say that they failed.

use super::*;
use Protocol::{Json, Ndjson, Sse};

#[test]
fn a_json_answer_is_an_event_or_the_success() {
    for (body, said, end) in [
        (r#"{"answer":"a"}"#, "", r#"success: {"answer":"a"}"#),
        ("\u{feff} {\"a\":\n 1}\r\n", "", r#"success: {"a":1}"#),
        ("[1]", "", "success: [1]"),
        ("[]", "", "success: []"),
        ("\"text\"", "", "success: \"text\""),
        ("7.50", "", "success: 7.50"),
        (r#"{"status":"success","payload":{"a":1}}"#, "event: Success {\"a\":1}", "said"),
        (r#"{"status":"completed"}"#, "event: Success -", "said"),
        (r#"{"status":"success","subagent":"any name","payload":1}"#, "event: Success 1", "said"),
        (r#"{"status":"success","subagent":"other","payload":1}"#, "event: Success 1", "said"),
        (r#"{"\u0073tatus":"\u0070ending"}"#, "event: Pending -", "open"),
        (r#"{"status":"success","agent":"x","payload":1,"at":{"b":[2]}}"#, "event: Success 1", "said"),
        (
            r#"[{"status":"partial","x":1,"payload":1},{"status":"pending"}]"#,
            "event: Partial 1, event: Pending -",
            "open",
        ),
        (r#"{"status":"in_progress","payload":1}"#, "event: InProgress 1", "open"),
        (r#"{"status":"error","error":{"code":"c","retryable":true}}"#, "event: Error -", "said"),
        (r#"{"error":{"code":"c","message":"m"}}"#, "event: Error -", "said"),
        // Not an event's status, or fields that events don't have.
        (r#"{"status":"ok","x":1}"#, "", r#"success: {"status":"ok","x":1}"#),
        (r#"{"status":200}"#, "", r#"success: {"status":200}"#),
        (r#"{"status":"success","data":[1]}"#, "", r#"success: {"status":"success","data":[1]}"#),
        (r#"{"status":"partial","revision":"x"}"#, "", r#"success: {"status":"partial","revision":"x"}"#),
        (r#"{"answer":"a","error":"a minor one"}"#, "", r#"success: {"answer":"a","error":"a minor one"}"#),
        (r#"{"error":null}"#, "", r#"success: {"error":null}"#),
        // All items of an array are events, or none is.
        (
            r#"[{"status":"in_progress"},{"status":"success","payload":2}]"#,
            "event: InProgress -, event: Success 2",
            "said",
        ),
        (r#"[{"status":"success"},{"status":"error"}]"#, "event: Success -", "said"),
        (r#"[{"status":"partial"},{"status":"pending"}]"#, "event: Partial -, event: Pending -", "open"),
        (r#"[{"status":"success"},7]"#, "", r#"success: [{"status":"success"},7]"#),
        (r#"[{"status":"success","x":1}]"#, "", r#"success: [{"status":"success","x":1}]"#),
    ] {
        let outcome = outcome(Json, body);
        assert_eq!((outcome.said.join(", ").as_str(), outcome.end.as_str()), (said, end), "{body}");
    }
}

/// Nobody is told that a field of his is wrong, so it mustn't turn what he says into something else.
#[test]
fn a_field_that_does_not_fit_an_event_is_left_out_of_it() {
    for field in [
        r#""subagent":"My Agent""#,
        r#""subagent":7"#,
        r#""telemetry":{"trace_id":"abc-123"}"#,
        r#""telemetry":{"duration":3}"#,
        r#""revision":0"#,
        r#""revision":"3""#,
        r#""type":"result""#,
        r#""error":"""#,
        r#""result_key":"no id""#,
        r#""revision":0,"type":"result","subagent":"My Agent","telemetry":7"#,
    ] {
        for (event, said, end) in [
            (r#""status":"in_progress""#, "event: InProgress -", "open"),
            (
                r#""status":"partial","payload":1"#,
                "event: Partial 1",
                "broken: ended_early retryable: the answer ended before its result",
            ),
            (
                r#""status":"success","payload":{"decision":"refuse"}"#,
                r#"event: Success {"decision":"refuse"}"#,
                "said",
            ),
        ] {
            let body = format!("{{{event},{field}}}");
            let outcome = outcome(Json, &body);
            assert_eq!((outcome.said.join(", ").as_str(), outcome.end.as_str()), (said, end), "{body}");
            assert_eq!(super::outcome(Json, &format!("[{body}]")).said.join(", "), said, "{body}");
        }
    }
    // What it says of its failure is read as that.
    let failed = outcome(Json, r#"{"status":"error","error":"no disk","revision":0}"#);
    assert_eq!(failed.end, "failed: subagent_failed lasting: no disk");
    let own = outcome(Json, r#"{"status":"pending","order":17}"#);
    assert_eq!(own.end, r#"success: {"status":"pending","order":17}"#, "an order's status is no event's");
}

#[test]
fn whether_an_error_passes_is_told_by_its_code_where_it_does_not_say() {
    for (error, expected) in [
        (r#"{"message":"m","code":"rate_limit_exceeded"}"#, "rate_limit_exceeded retryable: m"),
        (r#"{"message":"m","code":"429"}"#, "429 retryable: m"),
        (r#"{"message":"m","code":"timeout"}"#, "timeout retryable: m"),
        (r#"{"message":"m","code":"timeout","retryable":false}"#, "timeout lasting: m"),
        (r#"{"message":"m","code":"no_index"}"#, "no_index lasting: m"),
        (r#"{"message":"m","code":"no_index","retryable":true}"#, "no_index retryable: m"),
        (r#"{"message":"m"}"#, "subagent_failed lasting: m"),
        ("{}", "subagent_failed lasting: the subagent says that it failed, and not why"),
    ] {
        let error = serde_json::from_str(error).unwrap();
        assert_eq!(words(&Failure::of_event(error)), expected);
    }
}

#[test]
fn a_json_answer_that_is_none_is_malformed_or_empty() {
    let deep = "[".repeat(200);
    for (body, end) in [
        ("", "broken: empty_answer retryable"),
        (" \r\n\t", "broken: empty_answer retryable"),
        ("\u{feff}", "broken: empty_answer retryable"),
        ("<html>", "broken: malformed_answer retryable"),
        ("{\"a\":1", "broken: malformed_answer retryable"),
        ("{\"a\":1}{}", "broken: malformed_answer retryable"),
        (r#"{"a":1,"a":2}"#, "broken: malformed_answer retryable"),
        (r#"{"status":"success","status":"success"}"#, "broken: malformed_answer retryable"),
        (r#"{"status":"success","payload":{"a":{"b":1,"b":1}}}"#, "broken: malformed_answer retryable"),
        (r#"{"status":"success","payload":1,"x":{"b":1,"b":1}}"#, "broken: malformed_answer retryable"),
        (r#"{"status":"success","x":{"b":1,"b":1}}"#, "broken: malformed_answer retryable"),
        (r#"{"status":"failed","x":{"b":1,"b":1}}"#, "broken: malformed_answer retryable"),
        (r#"[{"status":"success","payload":{"b":1,"b":1}}]"#, "broken: malformed_answer retryable"),
        (r#"{"a":"\ud800"}"#, "broken: malformed_answer retryable"),
        ("1e999", "broken: malformed_answer retryable"),
        (&deep, "broken: malformed_answer retryable"),
        (r#"{"status":"partial"}"#, "broken: ended_early retryable"),
    ] {
        check_end(Json, body, end);
    }
    let cut = read(Json, None, &[b"\"\xc3", b"\xa4\""], BOUNDS);
    assert_eq!(cut.end, "success: \"ä\"", "a character may be cut in two");
    let broken = read(Json, None, &[b"\"\xc3", b"\x28\""], BOUNDS);
    assert_eq!(broken.end, "broken: malformed_answer retryable: the answer isn't UTF-8");
}

#[test]
fn an_answer_that_says_that_it_failed_is_never_a_success() {
    for (body, end) in [
        (r#"{"status":"error","message":"boom"}"#, "subagent_failed lasting: boom"),
        (r#"{"status":"failed"}"#, "subagent_failed lasting: the subagent says that it failed, and not why"),
        (r#"{"status":"error","error":"boom"}"#, "subagent_failed lasting: boom"),
        (r#"{"error":"boom"}"#, "subagent_failed lasting: boom"),
        (
            r#"{"error":{"kind":"k"}}"#,
            "subagent_failed lasting: the subagent says that it failed, and not why",
        ),
        (r#"{"status":"failed","detail":"no disk"}"#, "subagent_failed lasting: no disk"),
        (r#"{"status":"failed","reason":"why","title":"t"}"#, "subagent_failed lasting: why"),
        (r#"{"status":"failed","detail":[{"loc":[1]}]}"#, r#"subagent_failed lasting: [{"loc":[1]}]"#),
        (
            r#"{"status":"error","x":1,"error":{"code":"E7","message":"m"},"message":"outer"}"#,
            "E7 lasting: m",
        ),
        (r#"{"status":"failed","code":503,"message":"m"}"#, "503 retryable: m"),
        (r#"{"status":"failed","code":"rate_limited","message":"m"}"#, "rate_limited retryable: m"),
        (r#"{"status":"failed","code":"x","retryable":true,"message":" ","reason":"r"}"#, "x retryable: r"),
        (r#"{"status":"failed","code":429,"retryable":false,"message":"m"}"#, "429 lasting: m"),
        (
            r#"{"status":"failed","code":"overloaded","message":"m","retry_after":1.5}"#,
            "overloaded retryable after 1500 ms: m",
        ),
        (
            r#"{"status":"failed","message":"m","retryable":true,"retry_after_ms":1e300}"#,
            "subagent_failed retryable after 3600000 ms: m",
        ),
        (r#"{"status":"failed","message":"m","retry_after":-1}"#, "subagent_failed lasting: m"),
    ] {
        for protocol in [Json, Ndjson] {
            assert_eq!(outcome(protocol, body).end, format!("failed: {end}"), "{body}");
        }
        assert_eq!(outcome(Sse, &format!("data: {body}\n\n")).end, format!("failed: {end}"), "{body}");
        let named = outcome(Sse, &format!("event: error\ndata: {body}\n\n"));
        assert_eq!(named.end, format!("failed: {end}"), "{body}");
    }
}

#[test]
fn lines_are_events_and_outputs_and_the_last_output_is_the_success() {
    for (body, said, end) in [
        ("{\"a\":1}\n\n{\"a\":2}\r\n", "output: {\"a\":1}, output: {\"a\":2}", "success: {\"a\":2}"),
        ("\u{feff}1\n \"x\"", "output: 1, output: \"x\"", "success: \"x\""),
        (
            "{\"status\":\"in_progress\"}\n{\"status\":\"success\",\"payload\":3}",
            "event: InProgress -, event: Success 3",
            "said",
        ),
        (
            "{\"a\":1}\n{\"status\":\"in_progress\"}",
            "output: {\"a\":1}, event: InProgress -",
            "success: {\"a\":1}",
        ),
        ("{\"status\":\"success\"}\nbroken\n", "event: Success -", "said"),
        ("{\"status\":\"error\"}\n{\"status\":\"success\"}\n", "event: Error -", "said"),
        (
            "{\"status\":\"pending\"}\n",
            "event: Pending -",
            "broken: ended_early retryable: the answer ended before its result",
        ),
        ("\n \n", "", "broken: empty_answer retryable: the answer is empty"),
        (
            "{\"a\":1}\n{\"status\":\"failed\"}\n2\n",
            "output: {\"a\":1}",
            "failed: subagent_failed lasting: the subagent says that it failed, and not why",
        ),
    ] {
        let outcome = outcome(Ndjson, body);
        assert_eq!((outcome.said.join(", ").as_str(), outcome.end.as_str()), (said, end), "{body}");
    }
    check_end(Ndjson, "1\n\u{feff}2\n", "broken: malformed_answer retryable");
    check_end(Ndjson, "1\n{\"a\":1,\"a\":1}\n", "broken: malformed_answer retryable");
    assert_eq!(outcome(Ndjson, "1\n{").said, ["output: 1"], "what was said before a break stays");
}

#[test]
fn the_data_of_a_stream_is_json_or_a_text() {
    for (body, said, end) in [
        (
            "data: {\"a\":1}\n\ndata: {\"a\":2}\n\n",
            "output: {\"a\":1}, output: {\"a\":2}",
            "success: {\"a\":2}",
        ),
        ("data: two\ndata: \"lines\"\n\n", r#"output: "two\n\"lines\"""#, r#"success: "two\n\"lines\"""#),
        ("data: {\"a\":\ndata: 1}\n\n", "output: {\"a\":1}", "success: {\"a\":1}"),
        ("event: update\ndata: 1\n\n: ping\n\ndata:\n\n", "output: 1", "success: 1"),
        ("data: 1\n\ndata: [DONE]\n\ndata: 2\n\n", "output: 1", "success: 1"),
        ("data: {\"status\":\"success\"}\n\ndata: [DONE]\n\n", "event: Success -", "said"),
        ("event: error\ndata: no luck\n\n", "", "failed: subagent_failed lasting: no luck"),
        ("event: error\ndata: \"quoted\"\n\n", "", "failed: subagent_failed lasting: quoted"),
        (
            "event: error\ndata\n\n",
            "",
            "failed: subagent_failed lasting: the subagent says that it failed, and not why",
        ),
        (
            "data: 1\n\nevent: error\ndata: {\"type\":\"overloaded_error\",\"message\":\"m\"}\n\n",
            "output: 1",
            "failed: overloaded_error retryable: m",
        ),
        // The end of the body ends an event, and a text without its line break may go on.
        ("data: 1\n\ndata: 2\n", "output: 1, output: 2", "success: 2"),
        ("data: 1\n\ndata: {\"a\":2}", "output: 1, output: {\"a\":2}", "success: {\"a\":2}"),
        (
            "data: 1\n\ndata: 2",
            "output: 1",
            "broken: malformed_answer retryable: the answer breaks off inside an event",
        ),
        ("data: 1\n\nevent: end\ndata: {}\n\n", "output: 1", "success: 1"),
    ] {
        let outcome = outcome(Sse, body);
        assert_eq!((outcome.said.join(", ").as_str(), outcome.end.as_str()), (said, end), "{body}");
    }
    for (body, end) in [
        ("", "broken: empty_answer retryable"),
        (": ping\n\n", "broken: empty_answer retryable"),
        ("data: [DONE]\n\n", "broken: empty_answer retryable"),
        ("data: {\"status\":\"partial\",\"payload\":1}\n\n", "broken: ended_early retryable"),
        ("data: {\"status\":\"pending\"}\n\ndata: [DONE]\n\n", "broken: ended_early retryable"),
        ("data: {\"a\":1,\"a\":1}\n\n", "broken: malformed_answer retryable"),
    ] {
        check_end(Sse, body, end);
    }
}

#[test]
fn an_answer_is_read_as_what_it_is_labelled() {
    let stream = "data: {\"a\":1}\n\n";
    let lines = "{\"a\":1}\n{\"a\":1}\n";
    let json = "{\"a\":\n1}";
    for (protocol, label, body) in [
        (Json, "text/event-stream", stream),
        (Json, "application/x-ndjson", lines),
        (Json, "text/plain", json),
        (Sse, "Application/JSON; charset=utf-8", json),
        (Sse, "application/vnd.agent+json", json),
        (Sse, "application/jsonl", lines),
        (Sse, "text/event-stream;charset=utf-8", stream),
        (Ndjson, "text/event-stream", stream),
        (Ndjson, "application/json", lines),
    ] {
        let outcome = read(protocol, Some(label), &[body.as_bytes()], BOUNDS);
        assert_eq!(outcome.end, "success: {\"a\":1}", "{protocol:?} {label}");
    }
}
