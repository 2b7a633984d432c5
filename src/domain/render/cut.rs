//! Shorter texts: cut between words where there is one near, otherwise between graphemes.
//!
//! Lengths are UTF-16 units: Slack says "characters" and counts as JavaScript does; where it counts code points, units
//! are never fewer.

use std::borrow::Cow;

use unicode_segmentation::GraphemeCursor;

/// How far back from the limit a word's end may be, in bytes; further back too much would be lost.
const WORD_WINDOW: usize = 48;

/// The length of a text in UTF-16 units.
pub(super) fn units(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

/// At most `limit` units of a text, `…` included where something is left out.
pub(super) fn shorten(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit || units(text) <= limit {
        return Cow::Borrowed(text);
    }
    let mut kept = prefix(text, limit.saturating_sub(1), |_, c| c.len_utf16()).to_owned();
    if limit > 0 {
        kept.push('…');
    }
    Cow::Owned(kept)
}

/// The longest beginning of a text that is at most `limit` wide where a character at a place is as wide as `width`
/// says; it ends between words or, where none ends near, between graphemes. Time is linear in what is kept, but for
/// a grapheme longer than the limit, which is cut between characters.
pub(in crate::domain) fn prefix(text: &str, limit: usize, width: impl Fn(usize, char) -> usize) -> &str {
    let mut wide = 0;
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        wide += width(at, c);
        if wide > limit {
            end = at;
            break;
        }
    }
    if end == text.len() {
        return text;
    }
    let graphemes = grapheme_boundary(text, end);
    text[..word_boundary(text, graphemes)].trim_end()
}

/// The last grapheme boundary at or before a place; the place itself where there is none but the beginning.
fn grapheme_boundary(text: &str, place: usize) -> usize {
    let mut cursor = GraphemeCursor::new(place, text.len(), true);
    if cursor.is_boundary(text, 0).unwrap_or(true) {
        return place;
    }
    match cursor.prev_boundary(text, 0) {
        Ok(Some(boundary)) if boundary > 0 => boundary,
        _ => place,
    }
}

/// The end of the last whole word near a place; the place itself where a word is longer than the window.
fn word_boundary(text: &str, place: usize) -> usize {
    if text[place..].starts_with(char::is_whitespace) {
        return place;
    }
    let from = text.floor_char_boundary(place.saturating_sub(WORD_WINDOW));
    text[from..place].rfind(char::is_whitespace).map_or(place, |at| from + at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cuts_between_words_and_graphemes() {
        for (text, limit, kept) in [
            ("short", 5, "short"),
            ("two words", 8, "two…"),
            ("two words here", 10, "two words…"),
            ("unbreakableword", 8, "unbreak…"),
            ("e\u{301}e\u{301}e\u{301}", 4, "e\u{301}…"),
            ("👩\u{200D}💻👩\u{200D}💻", 9, "👩\u{200D}💻…"),
            ("🇫🇷🇩🇪", 7, "🇫🇷…"),
            ("abc", 0, ""),
            ("abc", 1, "…"),
        ] {
            assert_eq!(shorten(text, limit), kept, "{text} {limit}");
        }
        assert_eq!(units(&shorten(&format!("e{}", "\u{301}".repeat(1_000_000)), 10)), 10);
    }

    proptest! {
        #[test]
        fn never_longer_than_the_limit(text in any::<String>(), limit in 0_usize..40) {
            let short = shorten(&text, limit);
            prop_assert!(units(&short) <= limit);
            prop_assert!(text.starts_with(short.trim_end_matches('…')));
        }
    }
}
