//! What readers of streams hold stays below a bound, however much comes: megabytes of one line, of one event, of small
//! events, of deltas, of calls of tools, of artifacts.
//!
//! What a reader holds is measured by how it prints itself, which shows every byte that is kept, none with more than
//! [`SHOWN`] characters. The inputs of the fuzzer are too small to get over a bound of some KiB.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use tributary::domain::directive::Protocol;
use tributary::domain::protocols::{AnswerReader, Bounds, SseDecoder};
use tributary::edge::http::{Cut, Lines, SseData};

const BOUNDS: Bounds = Bounds { event_bytes: 8 << 10, text_bytes: 4 << 10 };
/// What is fed to each reader of each unit.
const FED: usize = 3 << 20;
/// Characters of one byte of a list of bytes: `255, `; of a text: `\u{1f}` is escaped once, and told in quotes.
const SHOWN: usize = 6;
/// A message may repeat the text, a text be held beside what is made of it, and a little stands around.
const HELD_MOST: usize = 2 * BOUNDS.event_bytes + 4 * BOUNDS.text_bytes + (4 << 10);

const PROTOCOLS: [Protocol; 6] =
    [Protocol::Json, Protocol::Ndjson, Protocol::Sse, Protocol::Openai, Protocol::Anthropic, Protocol::A2a];

/// What streams begin with, and what then comes again and again; `#` is a number that rises.
const STREAMS: &[(&str, &str)] = &[
    ("", "a"),
    ("", " "),
    ("", "\n"),
    ("", "\r\n\r\n"),
    ("", "["),
    ("{\"content\":\"", "words "),
    ("{", "\"k#\":[#],"),
    ("[", "{\"status\":\"partial\",\"payload\":{\"n\":#}},"),
    ("", "{\"status\":\"partial\",\"payload\":{\"n\":#}}\n"),
    ("", "{\"n\":#}\n"),
    ("data: ", "x"),
    ("event: ", "x"),
    (": ", "comment "),
    ("id: ", "7"),
    ("", "data: line #\n"),
    ("", "retry: #\n"),
    ("", "data: {\"status\":\"partial\",\"payload\":{\"n\":#}}\n\n"),
    ("", "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"w# \"}}]}\n\n"),
    ("", "data: {\"choices\":[{\"index\":#,\"delta\":{\"content\":\"w# \"}}]}\n\n"),
    (
        "",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":#,\"id\":\"c#\",\"function\":{\"name\":\"f#\",\"arguments\":\"{}\"}}]}}]}\n\n",
    ),
    ("", "data: {\"model\":\"m#\",\"usage\":{\"prompt_tokens\":#,\"u#\":1},\"choices\":[]}\n\n"),
    (
        "",
        "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"w# \"}\n\n",
    ),
    (
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"w# and so on, and on, and on, and on \"}}\n\n",
    ),
    (
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\n",
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":#,\"content_block\":{\"type\":\"tool_use\",\"id\":\"c#\",\"name\":\"f\",\"input\":{}}}\n\n",
    ),
    (
        "",
        "data: {\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"artifactUpdate\":{\"taskId\":\"t\",\"contextId\":\"c\",\"artifact\":{\"artifactId\":\"a#\",\"parts\":[{\"text\":\"w# and so on, and on, and on, and on \"}]}}}}\n\n",
    ),
    (
        "",
        "data: {\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"kind\":\"artifact-update\",\"taskId\":\"t\",\"contextId\":\"c\",\"append\":true,\"artifact\":{\"artifactId\":\"a\",\"parts\":[{\"kind\":\"text\",\"text\":\"w# \"},{\"kind\":\"data\",\"data\":{\"n\":#}}]}}}\n\n",
    ),
    (
        "",
        "data: {\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"statusUpdate\":{\"taskId\":\"t#\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_WORKING\",\"message\":{\"messageId\":\"m#\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"w# \"}]}}}}}\n\n",
    ),
];

/// A stream in pieces of about so many bytes.
fn pieces(stream: &(&str, &str), bytes: usize, piece: usize) -> impl Iterator<Item = Vec<u8>> {
    let (mut held, unit) = (stream.0.as_bytes().to_vec(), stream.1.to_owned());
    let (mut made, mut number) = (0, 0_u64);
    std::iter::from_fn(move || {
        while held.len() < piece {
            held.extend_from_slice(unit.replace('#', &number.to_string()).as_bytes());
            number += 1;
        }
        let rest = held.split_off(piece);
        made += piece;
        (made <= bytes).then(|| std::mem::replace(&mut held, rest))
    })
}

/// Feeds a stream; `feed` says whether more is wanted, and `shown` how the reader prints itself. The most that it held.
fn most_held<R>(
    reader: &mut R,
    stream: &(&str, &str),
    piece: usize,
    mut feed: impl FnMut(&mut R, &[u8]) -> bool,
    shown: impl Fn(&R) -> usize,
) -> usize {
    let (mut most, mut since) = (0, usize::MAX / 2);
    for chunk in pieces(stream, FED, piece) {
        let goes_on = feed(reader, &chunk);
        since += chunk.len();
        // Looked at now and then: printing costs more than reading.
        if since >= FED / 24 || !goes_on {
            most = most.max(shown(reader));
            since = 0;
        }
        if !goes_on {
            break;
        }
    }
    most.max(shown(reader))
}

fn answer_holds(protocol: Protocol, bounds: Bounds, stream: &(&str, &str), piece: usize) -> usize {
    let mut reader = AnswerReader::new(protocol, None, bounds);
    let feed = |reader: &mut AnswerReader, chunk: &[u8]| {
        let fed = reader.feed(chunk);
        while reader.next_said().is_some() {}
        fed.is_ok() && !reader.is_over()
    };
    most_held(&mut reader, stream, piece, feed, |reader| format!("{reader:?}").len())
}

fn body_holds<C: Cut + Default>(stream: &(&str, &str), piece: usize) -> usize {
    let feed = |cut: &mut C, chunk: &[u8]| {
        let mut is_sound = true;
        cut.feed(chunk, BOUNDS.event_bytes, &mut |item| is_sound &= item.is_ok());
        is_sound
    };
    most_held(&mut C::default(), stream, piece, feed, |cut| cut.held())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1))]
    #[test]
    fn readers_of_streams_hold_no_more_than_their_bounds_however_much_comes(piece in 64_usize..40_000) {
        for stream in STREAMS {
            for protocol in PROTOCOLS {
                let held = answer_holds(protocol, BOUNDS, stream, piece);
                prop_assert!(held <= SHOWN * HELD_MOST, "{protocol:?} shows {held} characters of {stream:?}");
            }
            for held in [body_holds::<Lines>(stream, piece), body_holds::<SseData>(stream, piece)] {
                prop_assert!(held <= HELD_MOST + piece, "a body holds {held} bytes of {stream:?}");
            }
            let mut decoder = SseDecoder::new(BOUNDS.event_bytes);
            let feed = |decoder: &mut SseDecoder, chunk: &[u8]| decoder.feed(chunk, &mut |_| Ok(())).is_ok();
            let held = most_held(&mut decoder, stream, piece, feed, |decoder| format!("{decoder:?}").len());
            prop_assert!(held <= SHOWN * HELD_MOST, "the decoder shows {held} characters of {stream:?}");
        }
    }
}

/// With bounds above what comes, all of it is held: then the measure has to say so.
#[test]
fn the_measure_sees_what_is_held() {
    let wide = Bounds { event_bytes: 4 * FED, text_bytes: 4 * FED };
    for (protocol, stream) in [
        (Protocol::Json, STREAMS[5]),
        (Protocol::Ndjson, STREAMS[0]),
        (Protocol::Sse, STREAMS[10]),
        (Protocol::Openai, STREAMS[17]),
        (Protocol::Anthropic, STREAMS[22]),
        (Protocol::A2a, STREAMS[24]),
    ] {
        let held = answer_holds(protocol, wide, &stream, 16 << 10);
        assert!(held > SHOWN * HELD_MOST, "{protocol:?} shows {held} characters of {stream:?}");
    }
}
