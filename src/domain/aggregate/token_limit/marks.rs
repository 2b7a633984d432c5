//! The marks at the start of a block.

use crate::domain::text::phrases::behind_any;
use std::ops::Range;

/// The columns before a line.
pub(super) fn indentation(line: &str) -> usize {
    line.bytes()
        .map_while(|byte| match byte {
            b' ' => Some(1),
            b'\t' => Some(4),
            _ => None,
        })
        .sum()
}

/// How many bytes the indentation and the marker of an item, its box or a quotation take.
pub(super) fn prefix(content: &str) -> usize {
    let mut rest = content.trim_ascii_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let marker = match rest.as_bytes().get(digits) {
        Some(b'-' | b'+' | b'*' | b'>') if digits == 0 => 1,
        Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
        _ => 0,
    };
    let spaced =
        rest[marker..].starts_with([' ', '\t']) || rest[marker..].is_empty() || rest.starts_with('>');
    if marker > 0 && spaced {
        rest = rest[marker..].trim_start_matches([' ', '\t']);
        let boxed = behind_any(rest, &["[ ] ", "[x] ", "[X] "]);
        rest = boxed.unwrap_or(rest);
    }
    content.len() - rest.len()
}

/// The indentation and the marks of an opening fence.
pub(super) fn fence(text: &str, start: usize) -> Range<usize> {
    let line = &text[start..];
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    let mark = line.as_bytes().get(indent).copied().unwrap_or(b'`');
    let marks = line.bytes().skip(indent).take_while(|byte| *byte == mark).count();
    start..start + indent + marks
}
