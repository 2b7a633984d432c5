//! What spans say of texts: the texts themselves by opt-in, digests otherwise.

use serde::Deserialize;
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_128;

use crate::domain::entry::Entry;
use crate::domain::event::{Digest, EventError};
use crate::domain::span::Value;

/// Bytes of a text in a span at most: exporters refuse requests of several MiB.
const TEXT_BYTES: usize = 32 * 1024;
/// Bytes of a short name at most.
const NAME_BYTES: usize = 64;

/// What of an event's text is told.
#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow)]
    content: Said<'a>,
}

#[derive(Default, Deserialize)]
pub(super) struct Said<'a> {
    #[serde(borrow)]
    pub(super) payload: Option<&'a RawValue>,
    pub(super) error: Option<EventError>,
    pub(super) reason: Option<String>,
    pub(super) summary: Option<String>,
    #[serde(borrow)]
    pub(super) metadata: Option<&'a RawValue>,
    pub(super) method: Option<String>,
    #[serde(borrow)]
    pub(super) quality: Option<&'a RawValue>,
}

impl Said<'_> {
    /// A failure as a short name. What a subagent calls its failure is its own text: told only where it is a name.
    pub(super) fn failure(&self) -> Option<String> {
        let code = self.error.as_ref().and_then(|error| error.code.as_deref()).or(self.reason.as_deref())?;
        let is_name = code.len() <= NAME_BYTES
            && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte));
        Some(if is_name { code } else { "error" }.to_owned())
    }
}

/// What an entry's event says; nothing where it has none.
pub(super) fn said(entry: &Entry) -> Said<'_> {
    let wire = entry.wire().and_then(|wire| std::str::from_utf8(wire).ok());
    let read = wire.and_then(|wire| serde_json::from_str::<Wire<'_>>(wire).ok());
    read.map(|wire| wire.content).unwrap_or_default()
}

pub(super) fn digest(digest: Digest) -> Value {
    format!("{:032x}", digest.0).into()
}

/// A text as spans have it: by opt-in itself, else its digest.
pub fn told(told: &str, content: bool) -> Value {
    if content { text(told) } else { digest(Digest(xxh3_128(told.as_bytes()))) }
}

/// A text as far as it fits a span.
pub(super) fn text(text: &str) -> Value {
    text[..text.floor_char_boundary(TEXT_BYTES)].to_owned().into()
}
