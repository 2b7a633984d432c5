//! Whether a transcript is a last one, by what its document says of itself.

use super::super::shape::{Member, is_text};
use super::super::values::{boolean, find, word};

/// Names of a document's kind or status, the most telling first.
const NAMES: [&str; 7] =
    ["message_type", "type", "event", "TranscriptionEvent", "status", "RecognitionStatus", "state"];

/// Parts of such a word that an unfinished transcript has.
const OPEN: [&str; 9] = [
    "partial",
    "interim",
    "delta",
    "hypothesis",
    "processing",
    "progress",
    "queued",
    "streaming",
    "speculative",
];

/// Parts that a finished one has.
const CLOSED: [&str; 6] = ["final", "done", "completed", "finished", "success", "end_of_turn"];

/// What the document says.
pub(super) struct Finality {
    /// Whether it is final; `None` where it doesn't say.
    pub known: Option<bool>,
    /// Whether it has a kind of its own: of the messages of a speech service many are no transcript.
    pub has_kind: bool,
}

/// Names of a message's kind.
const KINDS: [&str; 4] = ["message_type", "type", "event", "TranscriptionEvent"];

impl Finality {
    /// Reads the first telling member. The status of a call is none: a call goes on after a final sentence.
    pub(super) fn of(members: &[Member<'_>]) -> Self {
        let partial = ["is_partial", "IsPartial", "isPartial", "interim"];
        let flag = partial.iter().find_map(|name| find(members, name).and_then(boolean)).map(|open| !open);
        let by_call =
            ["CallSid", "call_sid", "callSid", "call_id"].iter().any(|id| find(members, id).is_some());
        let told = |name: &'static str| {
            let word = find(members, name).filter(|_| !(by_call && name == "status")).and_then(word)?;
            let has = |parts: &[&str]| parts.iter().any(|part| word.contains(part));
            if has(&OPEN) { Some(false) } else { has(&CLOSED).then_some(true) }
        };
        let has_kind = KINDS.iter().any(|name| find(members, name).is_some_and(is_text));
        Self { known: flag.or_else(|| NAMES.into_iter().find_map(told)), has_kind }
    }
}
