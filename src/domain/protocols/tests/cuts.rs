//! Properties of all readers: cuts make no difference, nothing panics, everything is bounded, time is linear.

use proptest::collection::vec;
use proptest::prelude::*;

use super::samples::*;
use super::*;
use Protocol::{A2a, Anthropic, Json, Ndjson, Openai, Sse};

const PROTOCOLS: [Protocol; 6] = [Json, Ndjson, Sse, Openai, Anthropic, A2a];

const EVENTS: &str =
    "{\"status\":\"pending\"}\n{\"a\":\"ä😀\"}\r\n{\"status\":\"success\",\"payload\":{\"x\":[1,2]}}";
const EVENT_STREAM: &str = "\u{feff}: hi\r\nevent: x\r\ndata: {\"a\":\r\ndata:1}\r\n\r\nid: 7\rdata:{\"status\":\"partial\"}\r\rdata: ä\n\ndata: [DONE]\n\n";
const FAILING: &str = "event: error\ndata: {\"error\":{\"type\":\"overloaded_error\",\"message\":\"m\"}}\n\n";

const SAMPLES: [(Protocol, &str); 10] = [
    (Json, "{\"status\":\"in_progress\",\"payload\":\"ä\"}"),
    (Ndjson, EVENTS),
    (Sse, EVENT_STREAM),
    (Sse, FAILING),
    (Openai, CHAT_STREAM),
    (Openai, TOOL_STREAM),
    (Openai, CHAT_WHOLE),
    (Openai, RESPONSE_STREAM),
    (Anthropic, MESSAGE_STREAM),
    (Anthropic, MESSAGE_WHOLE),
];

#[test]
fn every_cut_in_two_gives_the_same() {
    for (protocol, body) in SAMPLES {
        let body = body.as_bytes();
        let whole = read(protocol, None, &[body], BOUNDS);
        assert!(!whole.end.starts_with("broken"), "{whole:?}");
        for at in 0..=body.len() {
            assert_eq!(
                read(protocol, None, &[&body[..at], b"", &body[at..]], BOUNDS),
                whole,
                "{protocol:?} cut at {at}"
            );
        }
    }
}

#[test]
fn an_answer_cut_short_is_no_success_of_a_model() {
    for (protocol, body, mark) in [
        (Openai, CHAT_STREAM, "\"finish_reason\":\"stop\""),
        (Openai, TOOL_STREAM, "\"finish_reason\":\"tool_calls\""),
        (Openai, CHAT_WHOLE, "}"),
        (Openai, RESPONSE_STREAM, "event: response.completed"),
        (Anthropic, MESSAGE_STREAM, "\"message_stop\"}"),
        (Anthropic, MESSAGE_WHOLE, "}"),
    ] {
        // Where that stands which says that it is whole.
        let until = body.rfind(mark).unwrap();
        for at in 0..until {
            let end = read(protocol, None, &[&body.as_bytes()[..at]], BOUNDS).end;
            assert!(end.starts_with("broken"), "{protocol:?} up to {at}: {end}");
        }
    }
}

#[test]
fn no_reader_holds_more_than_its_bounds() {
    let bounds = Bounds { event_bytes: 64, text_bytes: 256 };
    let call = |index: usize| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":{index},\"id\":\"x\"}}]}}}}]}}\n\n")
            .into_bytes()
    };
    let delta = |_| b"data: {\"choices\":[{\"delta\":{\"content\":\"0123456789\"}}]}\n\n".to_vec();
    let bodies: [&dyn Fn(usize) -> Vec<u8>; 6] = [
        &|at| if at == 0 { b"[0".to_vec() } else { b",0123456789".to_vec() },
        &|_| b"data: 0123456789\n".to_vec(),
        &|_| b"0123456789".to_vec(),
        &|at| if at == 0 { b"{\"a\":\"".to_vec() } else { vec![b'x'; 32] },
        &call,
        &delta,
    ];
    for protocol in PROTOCOLS {
        for (which, body) in bodies.iter().enumerate() {
            let mut reader = AnswerReader::new(protocol, None, bounds);
            let failed = (0..1_000).find_map(|at| reader.feed(&body(at)).err());
            // Many small events that say nothing lasting: such a stream may go on for ever.
            let is_endless = which >= 4 && matches!(protocol, Sse | A2a | Anthropic);
            if let Some(failure) = failed {
                let code = failure.code.as_ref();
                assert!(
                    matches!(code, "answer_too_large" | "malformed_answer"),
                    "{protocol:?} {which}: {failure}"
                );
                assert_eq!(reader.feed(b"x"), Err(failure.clone()), "it stays so");
                assert_eq!(reader.finish().unwrap_err(), failure);
            } else {
                assert!(is_endless, "{protocol:?} {which} goes on");
            }
            while reader.next_said().is_some() {}
            assert!(reader.text_len() <= bounds.text_bytes);
        }
    }
}

#[test]
fn bounds_are_met_exactly() {
    let bounds = Bounds { event_bytes: 7, text_bytes: 3 };
    for (protocol, fits, over) in [
        (Json, "[1,2,3]", "[1,2,33]"),
        (Ndjson, "[1,2,3]\n", "[1,2,33]\n"),
        (Sse, "data: [1,2,3]\n\n", "data: [1,2,33]\n\n"),
    ] {
        assert_eq!(read(protocol, None, &[fits.as_bytes()], bounds).end, "success: [1,2,3]");
        let end = read(protocol, None, &[over.as_bytes()], bounds).end;
        assert!(end.starts_with("broken: answer_too_large lasting"), "{protocol:?}: {end}");
    }
    let chunk = |text: &str| {
        format!(
            "data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}},\"finish_reason\":\"stop\"}}]}}\n\n"
        )
    };
    let bounds = Bounds { event_bytes: 4_096, text_bytes: 3 };
    assert!(read(Openai, None, &[chunk("abc").as_bytes()], bounds).end.starts_with("success"));
    let over = read(Openai, None, &[chunk("ab").as_bytes(), chunk("cd").as_bytes()], bounds);
    assert!(over.end.starts_with("broken: answer_too_large"), "{over:?}");
}

/// These take some five seconds; with what is held searched again for each byte, minutes. The deadline is between.
#[test]
fn a_long_answer_in_small_pieces_takes_linear_time() {
    let began = std::time::Instant::now();
    let bounds = Bounds { event_bytes: 1 << 21, text_bytes: 1 << 21 };
    let long = format!("\"{}\"", "x".repeat(1 << 20));
    for (protocol, begin, end) in [
        (Json, "", ""),
        (Ndjson, "", "\n"),
        (Sse, "data: ", "\n\n"),
        (Openai, "data: {\"choices\":[{\"finish_reason\":\"stop\",\"delta\":{\"content\":", "}}]}\n\n"),
        (Openai, "{\"choices\":[{\"message\":{\"content\":", "}}]}"),
        (Anthropic, "{\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":", "}]}"),
    ] {
        let body = [begin, &long, end].concat();
        let parts: Vec<&[u8]> = body.as_bytes().chunks(1).collect();
        assert!(read(protocol, None, &parts, bounds).end.starts_with("success"), "{protocol:?}");
    }
    let mut reader = AnswerReader::new(Openai, None, bounds);
    for at in 0..100_000 {
        reader.feed(b"data: {\"choices\":[{\"delta\":{\"content\":\"0123456789\"}}]}\n\n").unwrap();
        assert_eq!(reader.text_len(), 10 * (at + 1));
    }
    assert_eq!(reader.text_so_far().unwrap().get().len(), 1_000_000 + r#"{"content":""}"#.len());
    assert!(began.elapsed() < std::time::Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn a_reader_that_is_over_takes_anything() {
    for (protocol, body) in [
        (Ndjson, "{\"status\":\"success\"}\n"),
        (Sse, "data: [DONE]\n\n"),
        (Openai, "data: [DONE]\n\n"),
        (Anthropic, "event: error\ndata: {}\n\n"),
    ] {
        let mut reader = AnswerReader::new(protocol, None, BOUNDS);
        assert!(!reader.is_over());
        reader.feed(body.as_bytes()).unwrap();
        assert!(reader.is_over(), "{protocol:?}");
        assert_eq!(reader.feed(&[0xFF; 10_000]), Ok(()));
    }
}

/// `body` with some places changed.
fn changed(body: &str, changes: &[(prop::sample::Index, Vec<u8>, usize)]) -> Vec<u8> {
    let mut bytes = body.as_bytes().to_vec();
    for (place, put, taken) in changes {
        let at = place.index(bytes.len() + 1);
        let until = (at + taken).min(bytes.len());
        bytes.splice(at..until, put.iter().copied());
    }
    bytes
}

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..4),
        prop::sample::select(vec![
            "\n",
            "\r\n\r\n",
            "\"",
            "{",
            "}",
            "[",
            "]",
            ",",
            "data: ",
            "event: error\n",
            "null",
            "\\u00e4"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ]
}

proptest! {
    #![proptest_config(crate::properties::cases(400))]

    #[test]
    fn changed_answers_never_panic_and_say_the_same_however_they_are_cut(
        which in 0..SAMPLES.len(),
        other in any::<prop::sample::Index>(),
        stay in any::<bool>(),
        changes in vec((any::<prop::sample::Index>(), pieces(), 0..4_usize), 0..5),
        sizes in vec(1..60_usize, 1..8),
    ) {
        let (own, body) = SAMPLES[which];
        let protocol = if stay { own } else { PROTOCOLS[other.index(PROTOCOLS.len())] };
        let body = changed(body, &changes);
        let (mut parts, mut rest) = (Vec::new(), body.as_slice());
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (part, after) = rest.split_at((*size).min(rest.len()));
            parts.push(part);
            rest = after;
        }
        let bounds = Bounds { event_bytes: 600, text_bytes: 40 };
        prop_assert_eq!(read(protocol, None, &parts, bounds), read(protocol, None, &[&body], bounds));
    }

    #[test]
    fn any_text_arrives_as_it_was_sent(text in any::<String>(), size in 1..50_usize) {
        // A model that says nothing fails, and that is no text.
        prop_assume!(!text.trim().is_empty());
        let json = serde_json::json!({ "text": text, "list": [text, { "a\nb": 1.5 }] }).to_string();
        let chunk = serde_json::json!({ "choices": [{ "delta": { "content": text }, "finish_reason": "stop" }] });
        for (protocol, body, expected) in [
            (Json, json.clone(), json.clone()),
            (Ndjson, format!("{json}\n"), json.clone()),
            (Sse, format!("data: {json}\n\n"), json),
            (
                Openai,
                format!("data: {chunk}\n\n"),
                format!("{{\"content\":{},\"finish_reason\":\"stop\"}}", serde_json::json!(text)),
            ),
        ] {
            let parts: Vec<&[u8]> = body.as_bytes().chunks(size).collect();
            let bounds = Bounds { event_bytes: 1 << 20, text_bytes: 1 << 20 };
            prop_assert_eq!(read(protocol, None, &parts, bounds).end, format!("success: {expected}"));
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(
        which in 0..PROTOCOLS.len(),
        body in vec(any::<u8>(), 0..200),
        size in 1..50_usize,
    ) {
        let parts: Vec<&[u8]> = body.chunks(size).collect();
        let protocol = PROTOCOLS[which];
        prop_assert_eq!(read(protocol, None, &parts, BOUNDS), read(protocol, None, &[&body], BOUNDS));
    }
}
