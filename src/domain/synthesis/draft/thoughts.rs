//! The tags around what a model thinks before it answers.

/// The names of the tags that models think in.
const NAMES: &[&str] = &["think", "thinking", "thought", "thoughts", "reasoning"];

/// Bytes of the longest tag.
pub(super) const TAG_BYTES_MAX: usize = 12;

/// What a text in angle brackets is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// A thought begins.
    Open,
    /// It ends.
    Close,
}

/// The tag that `text` begins with, and its length in bytes.
pub(super) fn tag(text: &str) -> Option<(Tag, usize)> {
    let inner = text.strip_prefix('<')?;
    let length = inner.bytes().take(TAG_BYTES_MAX).position(|byte| byte == b'>')?;
    let (kind, name) = match inner[..length].strip_prefix('/') {
        Some(name) => (Tag::Close, name),
        None => (Tag::Open, &inner[..length]),
    };
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)).then_some((kind, length + 2))
}

/// The text behind the thought that ends first in `text`; none if none ends.
pub(super) fn behind_thought(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = &rest[rest.find('<')?..];
        match tag(rest) {
            Some((Tag::Close, length)) => return Some(&rest[length..]),
            Some((Tag::Open, _)) | None => rest = &rest[1..],
        }
    }
}
