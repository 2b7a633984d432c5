//! The request for a second model's opinion on whether a text hangs together, and how its answer is read.
//!
//! A judge that fails says nothing: what can't be read is `Unknown`, never `Unsupported`.

use serde_json::{Deserializer, Value};

use super::encode::{clean, json};
use super::file::Prompt;
use super::request::{Frame, Values};
use super::shorten::beginning;
use super::{Asked, NothingToSay, Window, language};
use crate::domain::text::tokens::Tokenizer;

/// Characters of a reason.
const REASON_CHARS_MAX: usize = 400;
/// Bytes of an answer that are read, from its end, where the verdict stands.
const READ_BYTES_MAX: usize = 64 << 10;
/// Objects of an answer that are looked at.
const OBJECTS_MAX: usize = 64;

/// What a judge says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The text speaks to the question and doesn't contradict itself.
    Supported,
    /// It doesn't.
    Unsupported,
    /// The judge can't tell, or can't be understood.
    Unknown,
}

/// A judge's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What it says.
    pub verdict: Verdict,
    /// How well the text hangs together, 0 to 1; nothing where that can't be read.
    pub coherence: Option<f64>,
    /// Why, on one line.
    pub reason: Option<String>,
}

/// The request to judge a text; one beyond half the window is judged by its beginning.
pub fn ask_judge(
    prompt: &Prompt,
    query: Option<&str>,
    text: &str,
    nonce: u64,
    tokenizer: &Tokenizer,
    window: Window,
) -> Result<Asked, NothingToSay> {
    if text.trim().is_empty() {
        return Err(NothingToSay::Material);
    }
    let values = Values { query, language: language(None, query.unwrap_or(text)), ..Values::default() };
    let mut frame = Frame { prompt, values, tokenizer, window };
    let mut most = frame.total() / 2;
    loop {
        let short = beginning(text, most, tokenizer);
        frame.values.text = format!("{}\n", json(&serde_json::json!({ "text": clean(&short) })));
        match frame.ask_text(nonce) {
            Ok(asked) => return Ok(Asked { shown: 1, ..asked }),
            // The prompt or its escapes take more than half.
            Err(NothingToSay::Window) if most > 64 => most /= 2,
            Err(error) => return Err(error),
        }
    }
}

/// Reads a judge's answer, whatever stands around its JSON object. Where objects disagree, nothing is known. O(n).
pub fn read_verdict(text: &str) -> Judgement {
    let mut judgement = Judgement { verdict: Verdict::Unknown, coherence: None, reason: None };
    let text = said(&text[text.ceil_char_boundary(text.len().saturating_sub(READ_BYTES_MAX))..]);
    let mut verdicts = Vec::new();
    let (mut at, mut looked_at) = (0, 0);
    while let Some(open) = text[at..].find('{').map(|place| at + place).filter(|_| looked_at < OBJECTS_MAX) {
        looked_at += 1;
        let mut values = Deserializer::from_str(&text[open..]).into_iter::<Value>();
        let Some(Ok(Value::Object(object))) = values.next() else {
            at = open + 1;
            continue;
        };
        at = open + values.byte_offset().max(1);
        if !object.contains_key("verdict") && !object.contains_key("coherence") {
            continue;
        }
        verdicts.push(object.get("verdict").map_or(Verdict::Unknown, verdict));
        judgement.coherence = object.get("coherence").and_then(share);
        let reason = object.get("reason").and_then(Value::as_str);
        judgement.reason = reason.map(|reason| super::encode::line(reason, REASON_CHARS_MAX));
    }
    if let Some(first) = verdicts.first().filter(|first| verdicts.iter().all(|other| other == *first)) {
        judgement.verdict = *first;
    }
    judgement
}

/// What is said aloud: after the last thinking block; nothing where one doesn't end.
fn said(text: &str) -> &str {
    let lower = text.to_ascii_lowercase();
    let after = |mark: &str| lower.rfind(mark).map_or(0, |at| at + mark.len());
    let end = after("</think>").max(after("</thinking>"));
    let open = lower.rfind("<think").filter(|open| *open >= end);
    if open.is_some() { "" } else { &text[end..] }
}

fn verdict(value: &Value) -> Verdict {
    match value.as_str().map(|word| word.trim().to_ascii_lowercase()).as_deref() {
        Some("supported") => Verdict::Supported,
        Some("unsupported") => Verdict::Unsupported,
        _ => Verdict::Unknown,
    }
}

/// A number from 0 to 1.
fn share(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    (0.0..=1.0).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests;
