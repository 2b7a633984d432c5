//! Words in a marker beside its numbers: what sends to a source (`[see 1]`), what joins two (`[1 and 2]`), and where in a source
//! something stands, without a comma before it (`[1: 12-14]`, `[1 p. 5]`).
//!
//! All read from left to right and decide on what they have read.

use super::{Item, LOCATORS, digit, is_blank, is_dash, is_separator, locator, number};
use crate::domain::synthesis::citations::window::{Cursor, Scan, Stop};

/// Words that send to a source. `[e.g. 5]` and `[i.e. 5]` are values that an author puts into a quotation.
const LEADS: [&str; 13] = [
    "see also ",
    "also see ",
    "see ",
    "cf. ",
    "cf ",
    "vgl. ",
    "siehe auch ",
    "siehe ",
    "voir ",
    "véase ",
    "参见",
    "参見",
    "详见",
];

/// Words between two numbers.
const JOINTS: [&str; 7] = ["&", "and ", "und ", "et ", "和", "与", "及"];

/// Locators that need no comma before them. Others do: `[3 pages]`, `[1 line]`.
const PLAIN_LOCATORS: [&str; 9] = ["p. ", "p.", "pp.", "page ", "pages ", "s. ", "seite ", "§", "sec. "];

/// Whether a part of a marker may begin so. Most brackets with a word in them, those of links, are out by its first letter.
pub(super) fn may_begin(first: char) -> bool {
    !first.is_ascii_alphabetic()
        || matches!(first.to_ascii_lowercase(), 'a' | 'c' | 'd' | 'f' | 'q' | 'r' | 's' | 'v')
}

/// Reads a word that sends to a source.
pub(super) fn lead(c: &mut Cursor<'_>) -> Scan<()> {
    // Nearly all begin with a number.
    if digit(c.peek()?).is_none() {
        eat_one(c, &LEADS)?;
        c.skip(is_blank)?;
    }
    Ok(())
}

/// Reads a word that joins two numbers.
pub(super) fn joins(c: &mut Cursor<'_>) -> Scan<bool> {
    Ok(!is_mark(c.peek()?) && eat_one(c, &JOINTS)?)
}

/// Whether a locator comes next that needs no comma before it.
pub(super) fn locates_in(c: &Cursor<'_>) -> Scan<bool> {
    let mut ahead = *c;
    Ok(!is_mark(c.peek()?) && eat_one(&mut ahead, &PLAIN_LOCATORS)?)
}

/// Reads such a locator; without a number it is none.
pub(super) fn locator_with_number(c: &mut Cursor<'_>, close: char, items: &mut [Item]) -> Scan<()> {
    let start = c.at;
    locator(c, close, items)?;
    if c.text[start..c.at].contains(|c| digit(c).is_some()) { Ok(()) } else { Err(Stop::No) }
}

/// Reads the pages behind a colon: `1: 12-14`, `1: 212`, `1: p. 5`. Without a blank it is a time or a verse (`1:12`), and one
/// digit is a score (`2: 1`), unless its bracket ends a clause: `… per minute [1: 3].`
pub(super) fn pages(c: &mut Cursor<'_>, items: &mut [Item]) -> Scan<bool> {
    if !is_blank(c.peek()?) {
        return Ok(false);
    }
    c.skip(is_blank)?;
    let start = c.at;
    let is_named = eat_one(c, &LOCATORS)?;
    c.skip(is_blank)?;
    let first = c.at;
    number(c)?;
    let mut is_range = false;
    if c.eat_if(is_dash)?.is_some() {
        number(c)?;
        is_range = true;
    }
    let is_page = is_named || is_range || c.at - first > 1;
    if let Some(last) = items.last_mut() {
        last.locator = Some(start..c.at);
    }
    c.skip(is_blank)?;
    if is_page || ends_clause(*c)? { Ok(true) } else { Err(Stop::No) }
}

/// Whether a bracket closes here, and a clause with it.
fn ends_clause(mut c: Cursor<'_>) -> Scan<bool> {
    if c.eat_if(|c| matches!(c, ']' | '】' | '］' | '〕'))?.is_none() {
        return Ok(false);
    }
    Ok(c.peek_or_end()?.is_none_or(|next| {
        matches!(
            next,
            '.' | ',' | ';' | ':' | '!' | '?' | ')' | '\n' | '。' | '，' | '；' | '！' | '？' | '）'
        )
    }))
}

/// Whether a character ends a number, as nearly all do, and begins no word.
fn is_mark(c: char) -> bool {
    is_separator(c) || matches!(c, ']' | '】' | '］' | '〕' | '†')
}

fn eat_one(c: &mut Cursor<'_>, words: &[&str]) -> Scan<bool> {
    for word in words {
        if c.sees(word)? {
            c.at += word.len();
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::super::PREFIXES;
    use super::*;

    #[test]
    fn every_word_of_a_marker_may_begin_one() {
        for word in LEADS.iter().chain(&PREFIXES) {
            let first = word.chars().next().unwrap();
            assert!(may_begin(first) && may_begin(first.to_ascii_uppercase()), "{word}");
        }
        assert!(!may_begin('l') && !may_begin('T'));
    }
}
