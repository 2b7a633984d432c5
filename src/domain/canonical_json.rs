//! Canonical JSON (RFC 8785), digests of it, and one-line JSON.
//!
//! Two texts have the same canonical form where they mean the same: members in another order, other whitespace, other
//! escapes or another notation of a number make no difference. The digest of that form is what tells a repeat of an
//! event from a conflict, so this runs for each event and is one pass that writes as it reads.
//!
//! One deviation from RFC 8785: integers of 64 bits stay exact. The RFC reads every number as a double, where
//! 9007199254740992 and 9007199254740993 are the same: two events that differ in an id would count as a repeat.
//! Other numbers are doubles here too, so `1.0` is `1`, `1e2` is `100`, `-0` is `0`; beyond a double's range is a fault.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Visitor};
use xxhash_rust::xxh3::xxh3_128;

use super::event::Digest;

#[cfg(test)]
mod tests;
mod write;

/// Deepest nesting of arrays and objects.
///
/// Below the 127 levels that serde_json and others stop at: what is accepted gets wrapped (an adapter's `data`, an
/// event, a frame of events) and must still be readable by them.
pub const DEPTH_MAX: usize = 120;

/// Why a text has no canonical form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonFault {
    /// Not JSON, a lone surrogate, or a number that no double can hold.
    #[error("{}", syntax(.detail))]
    Syntax {
        /// What is wrong, and the line and column.
        detail: String,
    },
    /// An object has a member twice: readers would differ in which of them counts.
    #[error("the key `{key}` is given twice in one object")]
    DuplicateKey {
        /// The key, unescaped.
        key: String,
        /// JSON Pointer (RFC 6901) to the member.
        pointer: String,
    },
    /// Nested deeper than [`DEPTH_MAX`].
    #[error("the JSON is nested deeper than {DEPTH_MAX} levels")]
    TooDeep,
}

/// A number that is too large is JSON (RFC 8259, section 6), and that is all that is wrong with it.
fn syntax(detail: &str) -> String {
    match detail.strip_prefix("number out of range") {
        Some(place) => format!("a number is larger than a double can hold (1.8e308){place}"),
        None => format!("this isn't valid JSON: {detail}"),
    }
}

/// Appends the canonical form of `text` to `out`; where that fails, `out` stays as it was.
pub fn canonicalize(text: &str, out: &mut Vec<u8>) -> Result<(), JsonFault> {
    let before = out.len();
    let written = write::value(text, out);
    if written.is_err() {
        out.truncate(before);
    }
    written
}

/// XXH3-128 of `parts`, which is canonical JSON.
pub fn digest(parts: &[u8]) -> Digest {
    Digest(xxh3_128(parts))
}

/// `text`, which is JSON, without line breaks: an SSE `data:` field is one line.
///
/// In valid JSON a raw line break only stands between tokens. Where there is none the text is returned as it is, else
/// all whitespace between tokens is left out.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let (mut in_string, mut escaped) = (false, false);
    let mut line = text.to_owned();
    line.retain(|c| {
        let keep = !matches!(c, '\n' | '\r') && (in_string || !matches!(c, ' ' | '\t'));
        if !escaped && c == '"' {
            in_string = !in_string;
        }
        escaped = in_string && !escaped && c == '\\';
        keep
    });
    Cow::Owned(line)
}

/// One step of a JSON Pointer (RFC 6901): `/` and the escaped key or index.
pub(super) fn pointer_step(key: &str) -> String {
    format!("/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// A string, borrowed where the input has no escapes in it.
///
/// `Cow<str>` would be owned inside of an `Option` or a map: serde borrows it only as a field of its own.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Text<'a>(pub Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}
