//! What stands around a sentence and isn't a part of it: markup, and citation markers.

use std::ops::Range;

use super::Mark;

/// Takes markup and white space off both ends of a text.
pub(in crate::domain::synthesis) fn edges(text: &str) -> &str {
    &text[trimmed(text, 0..text.len(), &[])]
}

/// The bytes of a sentence without markup, white space and `marks` at its edges; its stop stays. `range` are the bytes of
/// the sentence in `text`.
pub(super) fn trimmed(text: &str, range: Range<usize>, marks: &[Mark]) -> Range<usize> {
    let (mut start, mut end) = (range.start, range.end);
    loop {
        let before = (start, end);
        let inside = &text[start..end];
        let begun = without_number(without_bullet(inside));
        start += inside.len() - begun.len();
        end = start + begun.trim_end_matches(is_trailing).len();
        end = without_mark(text, start..end, marks).unwrap_or(end);
        // A marker before the stop can't go without the stop: what is left must be one piece.
        let open = start + text[start..end].trim_end_matches(['.', '。', ';', '；']).len();
        end = without_mark(text, start..open, marks).unwrap_or(end);
        if (start, end) == before {
            return with_emphasis(text, range, start..end);
        }
    }
}

/// The other half of an emphasis goes with the half that is left: `**Growth**: sales rose`, `*1. Growth:* sales rose`.
fn with_emphasis(text: &str, whole: Range<usize>, inside: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = inside;
    for mark in ["**", "*", "_"] {
        if text[start..end].matches(mark).count().is_multiple_of(2) {
            continue;
        }
        let opens = |at: &usize| !text[at + mark.len()..].starts_with(char::is_whitespace);
        if let Some(at) = text[whole.start..start].rfind(mark).map(|at| whole.start + at).filter(opens) {
            start = at;
        } else if text[end..whole.end].starts_with(mark) {
            end += mark.len();
        }
    }
    start..end
}

/// Whether a sentence ends as one; a citation may stand behind the stop, or before it.
pub(super) fn closed(text: &str, range: Range<usize>, marks: &[Mark]) -> bool {
    let mut end = range.end;
    loop {
        let inside =
            text[range.start..end].trim_end_matches([' ', '\n', '*', '_', '"', '”', '’', ')', '）', '」']);
        if inside.ends_with(['.', '!', '。', '！', '．', '।', '۔']) {
            return true;
        }
        match without_mark(text, range.start..range.start + inside.len(), marks) {
            Some(before) => end = before,
            None => return false,
        }
    }
}

fn is_trailing(c: char) -> bool {
    matches!(c, '*' | '_' | '\\') || c.is_whitespace()
}

/// Without the white space and the marks of Markdown that a line begins with.
fn without_bullet(text: &str) -> &str {
    let marks = |c: char| matches!(c, '#' | '>' | '*' | '_' | '+' | '•' | '·') || c.is_whitespace();
    let text = text.trim_start_matches(marks);
    text.strip_prefix("- ").or_else(|| text.strip_prefix("– ")).unwrap_or(text)
}

/// Without a list's number: `1. ` or `2) `.
fn without_number(text: &str) -> &str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[digits..];
    let after = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "));
    if (1..=3).contains(&digits) { after.map_or(text, str::trim_start) } else { text }
}

/// Where the text ends that stands before a mark, or marks in brackets (`([1], [2])`), at its end.
fn without_mark(text: &str, range: Range<usize>, marks: &[Mark]) -> Option<usize> {
    let at = marks.partition_point(|mark| mark.range.end < range.end);
    let mark = marks.get(at).filter(|mark| mark.range.end == range.end && mark.range.start >= range.start);
    let start = mark.map(|mark| mark.range.start).or_else(|| without_group(text, range.clone(), marks))?;
    Some(range.start + text[range.start..start].trim_end().len())
}

/// Where the brackets begin that a text ends with, where there are marks in them and nothing else.
fn without_group(text: &str, range: Range<usize>, marks: &[Mark]) -> Option<usize> {
    let inside = text[range.clone()].strip_suffix([')', '）'])?;
    let open = range.start + inside.rfind(['(', '（'])?;
    let mut at = open + text[open..].chars().next().map_or(1, char::len_utf8);
    let end = range.start + inside.len();
    let own = &marks[marks.partition_point(|mark| mark.range.start < at)..];
    let own = &own[..own.partition_point(|mark| mark.range.end <= end)];
    let between =
        |text: &str| text.chars().all(|c| c.is_whitespace() || matches!(c, ',' | ';' | '，' | '、'));
    for mark in own {
        if !between(&text[at..mark.range.start]) {
            return None;
        }
        at = mark.range.end;
    }
    (!own.is_empty() && between(&text[at..end])).then_some(open)
}
