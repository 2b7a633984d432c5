//! What must hold for any bytes: the targets of the fuzzer and the replay of its corpus call the same.

#![allow(dead_code, reason = "each target calls one of them")]

use std::sync::Arc;

use serde_json::value::RawValue;
use tributary::domain::adapters::Adapter;
use tributary::domain::canonical_json::canonicalize;
use tributary::domain::directive::Protocol;
use tributary::domain::event::RawJson;
use tributary::domain::ids::SubagentKey;
use tributary::domain::protocols::{AnswerReader, Bounds, End, Said};

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
        assert!(reader.text_len() <= BOUNDS.text_bytes);
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
