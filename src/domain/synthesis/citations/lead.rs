//! The lead of a marker: what stands before it and goes with it, a separator, a blank, a dash, an opening parenthesis.

use super::marker::{is_dash, is_separator};
use super::window::is_blank;

/// Bytes at the end of a text that may belong to a marker behind it: a separator, blanks, an opening parenthesis.
pub(super) const LEAD_BYTES: usize = 7;

/// Where the lead of a marker begins that stands behind `text`; with a separator where `row` markers go on, and with a dash that
/// has blanks around it: `It rose — [9]`.
pub(super) fn lead_start(text: &str, row: bool) -> usize {
    let end = text.len();
    let mut start = end;
    let mut step = |test: &dyn Fn(char) -> bool| {
        let c = text[..start]
            .chars()
            .next_back()
            .filter(|c| test(*c) && end - (start - c.len_utf8()) <= LEAD_BYTES);
        start -= c.map_or(0, char::len_utf8);
        c.is_some()
    };
    step(&|c| matches!(c, '(' | '（'));
    let is_apart = step(&is_blank);
    step(&is_blank);
    let blanks = start;
    if row && text[..blanks].chars().next().is_some_and(|c| is_separator(c) && c.len_utf8() == blanks) {
        return 0;
    }
    let dash = || before_dash(&text[..blanks]).filter(|dash| end - dash <= LEAD_BYTES);
    if is_apart { dash().unwrap_or(blanks) } else { blanks }
}

/// The same of what more text may follow: a dash at its end may be one that blanks stand around.
pub(super) fn held_start(text: &str, row: bool) -> usize {
    match lead_start(text, row) {
        start if start == text.len() => before_dash(text).unwrap_or(start),
        start => start,
    }
}

/// Where the blank stands before one dash or two that a text ends with.
fn before_dash(text: &str) -> Option<usize> {
    let dashes: usize = text.chars().rev().take(2).take_while(|c| is_dash(*c)).map(char::len_utf8).sum();
    let head = &text[..text.len() - dashes];
    let blank = head.chars().next_back().filter(|c| dashes > 0 && is_blank(*c))?;
    Some(head.len() - blank.len_utf8())
}

/// Whether a lead has a dash in it.
pub(super) fn is_dashed(lead: &str) -> bool {
    lead.trim_start_matches(is_blank).starts_with(is_dash)
}

/// Punctuation before which no space belongs.
pub(super) fn closes_clause(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | ')'
            | ']'
            | '}'
            | '。'
            | '，'
            | '；'
            | '：'
            | '！'
            | '？'
            | '）'
            | '】'
            | '、'
            | '।'
            | '،'
            | '۔'
            | '؟'
            | '”'
            | '’'
            | '"'
            | '|'
            | '\n'
    )
}
