//! What must hold for any bytes: the targets of the fuzzer and the replay of its corpus call the same.

#![allow(dead_code, unused_imports, reason = "each target calls one of them")]

#[path = "bodies.rs"]
mod bodies;
#[path = "tokens.rs"]
mod tokens;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;
use tributary::domain::adapters::Adapter;
use tributary::domain::aggregate::url_identity::identify;
use tributary::domain::bridges::Place;
use tributary::domain::bridges::durable_streams::Offset;
use tributary::domain::canonical_json::{canonicalize, one_line};
use tributary::domain::directive::{self, DirectiveRules, Protocol};
use tributary::domain::event::{RawJson, parse_event};
use tributary::domain::ids::{SessionId, SubagentKey};
use tributary::domain::position::Position;
use tributary::domain::protocols::{AnswerReader, Bounds, End, Said};
use tributary::domain::synthesis::citations::{HELD_BYTES_MAX, Numbering, Report, Rewriter};
use tributary::domain::telemetry_context::parse_traceparent;

pub use bodies::{ndjson_body, sse_body};
pub use tokens::token;

/// Small enough that a fuzzer gets over them.
const BOUNDS: Bounds = Bounds { event_bytes: 512, text_bytes: 128 };
/// Keys that have an adapter of their own, and one that hasn't.
const KEYS: [&str; 6] = ["documentation", "row_selection", "action_workflow", "voice", "safety", "other"];

/// An answer is read without a panic, and says the same in one piece and in small ones.
pub fn answer(protocol: Protocol, body: &[u8]) {
    // What a body's pieces are follows from the body, so an input is nothing but a body.
    let pieces: Vec<&[u8]> = body.chunks(body.len() % 7 + 1).collect();
    assert_eq!(read(protocol, &pieces), read(protocol, &[body]), "cut in another way");
}

fn read(protocol: Protocol, pieces: &[&[u8]]) -> (Vec<String>, String) {
    let mut reader = AnswerReader::new(protocol, None, BOUNDS);
    let mut said = Vec::new();
    let mut fed = Ok(());
    for piece in pieces {
        fed = reader.feed(piece);
        said.extend(std::iter::from_fn(|| reader.next_said()).map(|said| shown(&said)));
        // One message may have taken it over the bound, which failed then.
        assert!(fed.is_err() || reader.text_len() <= BOUNDS.text_bytes);
        if fed.is_err() {
            break;
        }
    }
    if let Some(text) = reader.text_so_far() {
        check_kept(&text);
        said.push(text.get().to_owned());
    }
    let end = fed.and_then(|()| reader.finish());
    if let Ok(End::Success(Some(raw))) = &end {
        check_kept(raw);
    }
    said.extend(std::iter::from_fn(|| reader.next_said()).map(|said| shown(&said)));
    (said, format!("{end:?}"))
}

fn shown(said: &Said) -> String {
    match said {
        Said::Event(event) => event.payload.iter().for_each(check_kept),
        Said::Output(raw) => check_kept(raw),
    }
    format!("{said:?}")
}

/// JSON that others get is sound, and one line.
fn check_kept(json: &RawJson) {
    assert!(canonicalize(json.get(), &mut Vec::new()).is_ok());
    assert!(!json.get().contains(['\n', '\r']));
}

/// Any JSON gets through every adapter without a panic. Where it is sound, so is what comes out, and doing it twice
/// changes nothing.
pub fn adapters(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(raw) = RawValue::from_string(text.to_owned()) else { return };
    let raw: RawJson = Arc::from(raw);
    let is_sound = canonicalize(raw.get(), &mut Vec::new()).is_ok();
    for key in KEYS {
        let Ok(key) = key.parse::<SubagentKey>() else { continue };
        let adapter = Adapter::choose(&key, None);
        let once = adapter.normalise(&raw);
        let twice = adapter.normalise(&once);
        if is_sound {
            assert!(serde_json::from_str::<serde_json::Value>(once.get()).is_ok());
            assert_eq!(once.get(), twice.get(), "doing it twice changes something");
        }
    }
}

/// The canonical form of JSON says the same, is its own canonical form, and is one line. serde_json, which other parts
/// read with, takes whatever it takes.
pub fn canonical_json(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut canonical = b"kept".to_vec();
    if canonicalize(text, &mut canonical).is_err() {
        assert_eq!(canonical, b"kept", "a failure left something behind");
        return;
    }
    let canonical = std::str::from_utf8(&canonical[4..]).expect("canonical JSON is UTF-8");
    assert_eq!(canonical_of(canonical).as_deref(), Some(canonical), "not a fixed point");
    assert!(!canonical.contains(['\n', '\r']));
    let (before, after) = (value_of(text), value_of(canonical));
    assert!(same(&before, &after), "{before} became {after}");
    let line = one_line(text);
    assert!(!line.contains(['\n', '\r']));
    assert_eq!(canonical_of(&line).as_deref(), Some(canonical));
}

fn canonical_of(text: &str) -> Option<String> {
    let mut out = Vec::new();
    canonicalize(text, &mut out).ok()?;
    String::from_utf8(out).ok()
}

fn value_of(text: &str) -> Value {
    serde_json::from_str(text).expect("what has a canonical form is JSON")
}

/// Equal, where numbers are doubles, as they are in RFC 8785.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let in_other =
                |(key, one): (&String, &Value)| other.get(key).is_some_and(|other| same(one, other));
            one.len() == other.len() && one.iter().all(in_other)
        }
        _ => one == other,
    }
}

/// What is taken for a directive is sound JSON, and means the same however it is spelt. Its outputs have one name each.
pub fn directive(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(session) = "s".parse::<SessionId>() else { return };
    let rules = DirectiveRules::default();
    let Ok(first) = directive::parse(text, &session, &rules) else { return };
    let canonical = canonical_of(text).expect("a directive with a key twice was taken");
    let again = directive::parse(&canonical, &session, &rules).expect("spelt in another way it is refused");
    assert_eq!(first.digest(), again.digest(), "spelt in another way it means something else");
    let mut keys: Vec<_> = first.expected_subagents.iter().map(|expected| expected.result_key()).collect();
    keys.sort_unstable();
    assert!(keys.windows(2).all(|pair| pair[0] != pair[1]));
}

/// The same of an event; and what is kept of it is one line of sound JSON.
pub fn event(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(key) = "a".parse::<SubagentKey>() else { return };
    let Ok(first) = parse_event(text, &key) else { return };
    first.payload.iter().for_each(check_kept);
    let canonical = canonical_of(text).expect("an event with a key twice was taken");
    let again = parse_event(&canonical, &key).expect("spelt in another way it is refused");
    assert_eq!(first.digest, again.digest, "spelt in another way it is a conflict");
    assert_eq!((first.status, first.revision), (again.status, again.revision));
}

/// A place in a stream has one text: what is read is written again in the same bytes.
pub fn cursor(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    check_round_trip::<Position>(text);
    check_round_trip::<Offset>(text);
    check_round_trip::<Place>(text);
    if let Some(trace) = parse_traceparent(text) {
        let written = format!("00-{}-{}-{:02x}", trace.trace_id, trace.span_id, u8::from(trace.sampled));
        assert_eq!(parse_traceparent(&written), Some(trace));
    }
}

fn check_round_trip<T: FromStr + Display>(text: &str) {
    if let Ok(place) = text.parse::<T>() {
        assert_eq!(place.to_string(), text);
    }
}

/// The identity of what is shown is the identity of what was given, and it is a link that a page may have.
pub fn url_identity(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(given) = identify(text) else { return };
    assert_eq!(identify(&given.url).as_ref(), Some(&given), "the identity isn't a fixed point");
    assert!(given.url.starts_with("https://") || given.url.starts_with("http://"), "{}", given.url);
    assert!(!given.url.contains(|c: char| c.is_whitespace() || c.is_control()), "{:?}", given.url);
    let authority = given.url.split('/').nth(2).unwrap_or_default();
    assert!(!authority.contains('@') && !authority.is_empty(), "{}", given.url);
}

/// Citations are rewritten in the same way wherever the text is cut; what is held back is bounded; every source that
/// is cited was given.
pub fn citations(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let map: BTreeMap<u32, u32> = (1..=9).map(|number| (number, number * 7 % 5)).collect();
    let (whole, report, sources) = rewritten(&map, &[text]);
    assert!(sources.iter().all(|source| *source < 5));
    for size in [1, text.len() % 13 + 2] {
        let pieces = cut(text, size);
        let (out, cut_report, cut_sources) = rewritten(&map, &pieces);
        assert_eq!((&out, &cut_sources), (&whole, &sources), "cut every {size} bytes");
        assert_eq!(format!("{cut_report:?}"), format!("{report:?}"), "cut every {size} bytes");
    }
}

fn rewritten(map: &BTreeMap<u32, u32>, pieces: &[&str]) -> (String, Report, Vec<u32>) {
    let (mut numbering, mut out) = (Numbering::new(), String::new());
    let mut rewriter = Rewriter::new(map, &mut numbering);
    for piece in pieces {
        rewriter.push(piece, &mut out);
        assert!(rewriter.held() <= HELD_BYTES_MAX, "{} bytes are held", rewriter.held());
    }
    let report = rewriter.finish(&mut out);
    let sources = numbering.sources().to_vec();
    (out, report, sources)
}

/// Pieces of at least `size` bytes, but for the last, that end where a character does.
fn cut(text: &str, size: usize) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let end =
            (size.min(rest.len())..=rest.len()).find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}
