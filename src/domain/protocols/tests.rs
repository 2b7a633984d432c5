//! Whole answers, read in every protocol.

use super::*;
use crate::domain::directive::Protocol;

mod anthropic;
mod cuts;
mod hiding;
mod items;
mod openai;
mod openai_responses;
mod pieces;
pub(super) mod samples;

/// Bounds that no table reaches by accident.
const BOUNDS: Bounds = Bounds { event_bytes: 4_096, text_bytes: 2_048 };

/// What an answer said, in words that tables can state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Outcome {
    /// `event: status payload`, `output: json`.
    said: Vec<String>,
    /// The text as it was last.
    text: String,
    /// `success: json`, `said`, `open`, `failed: …` (the answer says so) or `broken: …`, a failure as
    /// `code retryable message`.
    end: String,
}

/// Reads `parts`, the chunks of one body.
fn read(protocol: Protocol, content_type: Option<&str>, parts: &[&[u8]], bounds: Bounds) -> Outcome {
    let mut reader = AnswerReader::new(protocol, content_type, bounds);
    let mut outcome = Outcome::default();
    let mut fed = Ok(());
    for part in parts {
        fed = reader.feed(part);
        take_said(&mut reader, &mut outcome);
        if let Some(text) = reader.text_so_far() {
            outcome.text = text.get().to_owned();
        }
        assert!(reader.text_so_far().is_none(), "it didn't change since");
        if fed.is_err() {
            break;
        }
    }
    let end = fed.and_then(|()| reader.finish());
    take_said(&mut reader, &mut outcome);
    outcome.end = match end {
        Ok(End::Success(Some(raw))) => format!("success: {}", raw.get()),
        Ok(End::Success(None)) => "said".to_owned(),
        Ok(End::LeftOpen) => "open".to_owned(),
        Ok(End::Failed(failure)) => format!("failed: {}", words(&failure)),
        Err(failure) => format!("broken: {}", words(&failure)),
    };
    outcome
}

fn take_said(reader: &mut AnswerReader, outcome: &mut Outcome) {
    while let Some(said) = reader.next_said() {
        outcome.said.push(match said {
            Said::Event(event) => {
                let payload = event.payload.as_ref().map_or("-", |raw| raw.get());
                format!("event: {:?} {payload}", event.status)
            }
            Said::Output(raw) => format!("output: {}", raw.get()),
        });
    }
}

fn words(failure: &Failure) -> String {
    let wait = failure.retry_after_ms.map(|ms| format!(" after {ms} ms")).unwrap_or_default();
    let retryable = if failure.retryable { "retryable" } else { "lasting" };
    format!("{} {retryable}{wait}: {}", failure.code, failure.message)
}

/// Reads a body that comes at once, and byte by byte, which must make no difference.
fn outcome(protocol: Protocol, body: &str) -> Outcome {
    let whole = read(protocol, None, &[body.as_bytes()], BOUNDS);
    let bytes: Vec<&[u8]> = body.as_bytes().chunks(1).collect();
    assert_eq!(read(protocol, None, &bytes, BOUNDS), whole, "byte by byte: {body}");
    whole
}

/// Checks how a body ends; a failure without its message.
fn check_end(protocol: Protocol, body: &str, expected: &str) {
    let end = outcome(protocol, body).end;
    let end =
        if end.starts_with("broken") { end.split(": ").take(2).collect::<Vec<_>>().join(": ") } else { end };
    assert_eq!(end, expected, "{body}");
}

#[test]
fn codes_and_messages_of_peers_are_cut() {
    let failure = Failure::lasting("ä".repeat(1_000), "ö".repeat(5_000));
    assert_eq!(failure.code.chars().count(), CODE_CHARS_MAX);
    assert_eq!(failure.message.chars().count(), MESSAGE_CHARS_MAX);
}
