//! Blanks within a line: spaces of any width, those that can't be seen, and how HTML writes them.

use crate::domain::text::phrases::before_any;

/// As HTML writes them, where nobody has decoded it.
const WRITTEN: [&str; 3] = ["&nbsp;", "&#160;", "&thinsp;"];
/// More never stand before a citation.
const COUNT_MAX: usize = 2;

/// How many bytes of blanks a text begins with: of two at most.
pub(super) fn blanks(text: &str) -> usize {
    let mut at = 0;
    for _ in 0..COUNT_MAX {
        at += blank(&text[at..]);
    }
    at
}

fn blank(text: &str) -> usize {
    match text.chars().next() {
        Some('&') => {
            WRITTEN.iter().find(|written| text.starts_with(**written)).map_or(0, |found| found.len())
        }
        Some(first) if is_blank(first) => first.len_utf8(),
        Some(_) | None => 0,
    }
}

/// Whether a character is a blank that ends no line.
fn is_blank(c: char) -> bool {
    match c {
        ' ' | '\t' | '\u{200B}' | '\u{2060}' | '\u{FEFF}' => true,
        '\u{85}' | '\u{2028}' | '\u{2029}' => false,
        _ => !c.is_ascii() && c.is_whitespace(),
    }
}

/// A text without the blanks and the line ends behind it.
pub fn without_blanks(text: &str) -> &str {
    // What ends with another character of ASCII has none.
    let is_other = |last: u8| last.is_ascii() && !char::from(last).is_whitespace() && last != b';';
    if text.bytes().next_back().is_none_or(is_other) {
        return text;
    }
    let mut rest = text;
    loop {
        let shorter = rest.trim_end_matches(|c: char| c.is_whitespace() || is_blank(c));
        let shorter = before_any(shorter, &WRITTEN).unwrap_or(shorter);
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_spaces_of_any_kind() {
        for blank in
            [" ", "\t", "\u{a0}", "\u{202f}", "\u{2009}", "\u{3000}", "\u{200b}", "\u{2060}", "&nbsp;"]
        {
            assert_eq!(blanks(&format!("{blank}[1]")), blank.len(), "{blank:?}");
            assert_eq!(without_blanks(&format!("a{blank} \n")), "a", "{blank:?}");
        }
        assert_eq!((blanks("   "), blanks("\n "), blanks("&amp;"), blanks("")), (2, 0, 0, 0));
        assert_eq!(without_blanks("a &amp;"), "a &amp;");
    }
}
