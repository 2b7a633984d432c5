//! Long strings of JSON by their sentences: one that has no room as a whole is kept in part, with `…` at its end.

use std::ops::Range;

use crate::domain::text::sentences::sentences;

/// A shorter string is kept whole or not at all. In bytes.
const BYTES_MIN: usize = 240;

/// The sentences of a string of JSON, which `value` holds with its quotes; none where it is short. What is escaped stays
/// together, and an escaped end of a line ends a sentence.
pub(super) fn sentences_of(text: &str, value: Range<usize>) -> Vec<Range<usize>> {
    let inside = value.start + 1..value.end.saturating_sub(1);
    if inside.len() < BYTES_MIN {
        return Vec::new();
    }
    let (mut found, mut start, mut at) = (Vec::new(), inside.start, inside.start);
    let mut line = |range: Range<usize>| {
        let own = sentences(&text[range.clone()]);
        found.extend(own.into_iter().map(|said| range.start + said.start..range.start + said.end));
    };
    while let Some(escape) = memchr::memchr(b'\\', &text.as_bytes()[at..inside.end]).map(|next| at + next) {
        at = escape + 2;
        if matches!(text.as_bytes().get(escape + 1), Some(b'n' | b'r' | b't')) {
            line(start..escape);
            start = at;
        }
    }
    line(start..inside.end);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_string_has_sentences() {
        let said = |text: &str| {
            let found = sentences_of(text, 0..text.len()).into_iter();
            found.map(|range| text[range].trim_end_matches('x').to_owned()).collect::<Vec<_>>()
        };
        let long = "x".repeat(BYTES_MIN);
        assert_eq!(
            said(&format!(r#""It \"rose\". It fell.\n\nA line\\no other\n{long}""#)),
            [r#"It \"rose\"."#, "It fell.", r"A line\\no other", ""]
        );
        assert_eq!(said(r#""It rose. It fell.""#), [""; 0]);
    }
}
