//! Recognises a citation marker at the start of a window.
//!
//! `[1]`, `[1, 2]`, `[1 and 2]`, `[1-3]`, `[1]-[3]`, `[^1]`, `[^1^]`, `[1†L3]`, `[1, p. 4]`, `[1: 12-14]`, `[Source 1]`,
//! `[citation:1]`, `[see 1]`, all of them also in full-width brackets and digits (`【1】`, `［１］`, `〔1〕`) and in the digits of
//! Arabic and Persian (`[١]`, `[۱]`), and `[1](#anchor)`, a link into the text's own references.

mod behind;
mod plain;
mod range;
mod words;

use super::window::{Cursor, Scan, Stop, is_blank};
use behind::behind;
use plain::plain;

/// Words that may stand before the number. Other words (`[Figure 1]`, `[Step 2]`) don't make a marker.
const PREFIXES: [&str; 22] = [
    "source",
    "sources",
    "src",
    "ref",
    "refs",
    "reference",
    "references",
    "citation",
    "citations",
    "cite",
    "doc",
    "document",
    "quelle",
    "fuente",
    "来源",
    "来源文献",
    "文献",
    "参考",
    "参考文献",
    "资料",
    "引用",
    "出典",
];

/// How a locator within a source begins, after a comma: `[1, p. 4]`.
const LOCATORS: [&str; 22] = [
    "p.", "pp.", "p ", "page", "pages", "s.", "seite", "ch.", "chap", "sec", "§", "fig", "tab", "line", "l.",
    "para", "¶", "第", "页", "頁", "art.", "vol.",
];

/// Digits of a number.
const DIGITS_MAX: usize = 9;

/// One number of a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The local number; `None` where the marker names something else (`【4:0†source】`).
    pub number: Option<u32>,
    /// Where in the source, as bytes of the window.
    pub locator: Option<std::ops::Range<usize>>,
}

/// What stands directly behind a marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Next {
    /// The next char.
    pub first: Option<char>,
    /// The char behind it; looked up only behind `]`, `.`, and a space.
    pub second: Option<char>,
}

/// A recognised marker; its numbers are in the list that the caller gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    /// Its bytes.
    pub len: usize,
    /// Whether its form leaves no doubt (`^`, `†`, a word): an unknown year or 0 in it is a marker too.
    pub certain: bool,
    /// What follows.
    pub next: Next,
}

/// What a bracket is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// A citation marker.
    Marker(Marker),
    /// A link whose text is a number: so many bytes, with the `(` of its destination.
    Link(usize),
    /// A group that is longer than the window: what is whole of it, to the separator.
    Open {
        /// Bytes read: to behind the last separator.
        len: usize,
        /// The bracket that will close it.
        close: char,
    },
}

/// Whether `c` opens a marker, and what closes it.
pub(super) fn closer(c: char) -> Option<char> {
    match c {
        '[' => Some(']'),
        '【' => Some('】'),
        '［' => Some('］'),
        '〔' => Some('〕'),
        _ => None,
    }
}

/// Whether `c` separates the numbers of a group, or the markers of a row.
pub(super) fn is_separator(c: char) -> bool {
    matches!(c, ',' | ';' | '，' | '、' | '；')
}

pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '‒' | '–' | '—' | '−' | '~' | '～' | '－')
}

pub(super) fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => Some(c as u32 - '0' as u32),
        '０'..='９' => Some(c as u32 - '０' as u32),
        '٠'..='٩' => Some(c as u32 - '٠' as u32),
        '۰'..='۹' => Some(c as u32 - '۰' as u32),
        _ => None,
    }
}

/// Reads the bracket that the window begins with, and its numbers into `items`.
pub(super) fn bracket(window: Cursor<'_>, items: &mut Vec<Item>) -> Scan<Bracket> {
    items.clear();
    let mut cursor = window;
    let open = cursor.bump()?;
    let close = closer(open).ok_or(Stop::No)?;
    let mut certain = false;
    if let Some(len) = plain(cursor.rest(), close, items) {
        cursor.at += len;
    } else {
        items.clear();
        if let Some(len) = parts(&mut cursor, close, items, &mut certain)? {
            return Ok(Bracket::Open { len, close });
        }
    }
    range::across(&mut cursor, items)?;
    behind(cursor, open, certain)
}

/// Reads all parts of a group; where it is longer than the window those that are whole, and how many bytes these are.
fn parts(c: &mut Cursor<'_>, close: char, items: &mut Vec<Item>, certain: &mut bool) -> Scan<Option<usize>> {
    let mut whole = None;
    loop {
        let before = items.len();
        match part(c, close, items, certain) {
            Ok(true) => return Ok(None),
            Ok(false) => whole = Some((c.at, items.len())),
            Err(Stop::Full) if before >= 4 => {
                let (len, count) = whole.ok_or(Stop::No)?;
                items.truncate(count);
                return Ok(Some(len));
            }
            Err(stop) => return Err(stop),
        }
    }
}

/// Reads one part of a group with what ends it: true where that is the closing bracket.
pub(super) fn part(c: &mut Cursor<'_>, close: char, items: &mut Vec<Item>, certain: &mut bool) -> Scan<bool> {
    c.skip(is_blank)?;
    if !words::may_begin(c.peek()?) {
        return Err(Stop::No);
    }
    words::lead(c)?;
    let raised = c.eat_if(|c| c == '^')?.is_some();
    if raised || prefix(c)? {
        *certain = true;
    }
    let first = number(c)?;
    if raised {
        c.eat_if(|c| c == '^')?;
    }
    c.skip(is_blank)?;
    let mut last = first;
    if c.eat_if(is_dash)?.is_some() {
        c.skip(is_blank)?;
        c.eat_if(|c| c == '^')?;
        last = number(c)?;
        if raised {
            c.eat_if(|c| c == '^')?;
        }
        c.skip(is_blank)?;
    }
    range::add(first, last, items)?;
    if c.eat_if(|c| matches!(c, ':' | '：'))?.is_some() && !words::pages(c, items)? {
        number(c)?;
        if c.peek()? != '†' {
            return Err(Stop::No);
        }
        for item in items.iter_mut().rev().take(1) {
            item.number = None;
        }
    }
    if words::joins(c)? {
        return Ok(false);
    }
    if words::locates_in(c)? {
        *certain = true;
        words::locator_with_number(c, close, items)?;
    }
    if c.eat_if(|c| c == '†')?.is_some() {
        *certain = true;
        locator(c, close, items)?;
    }
    end(c, close, items, certain)
}

/// Reads what ends a part: the closing bracket, or a separator and, it may be, a locator behind it.
fn end(c: &mut Cursor<'_>, close: char, items: &mut [Item], certain: &mut bool) -> Scan<bool> {
    loop {
        match c.bump()? {
            found if found == close => return Ok(true),
            found if is_separator(found) => {}
            _ => return Err(Stop::No),
        }
        c.skip(is_blank)?;
        if words::joins(c)? || !locates(c)? {
            return Ok(false);
        }
        *certain = true;
        locator(c, close, items)?;
    }
}

/// Whether a locator comes next.
fn locates(c: &Cursor<'_>) -> Scan<bool> {
    let next = c.peek()?;
    if digit(next).is_some() || next == '^' {
        return Ok(false);
    }
    for word in LOCATORS {
        if c.sees(word)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads a locator for the last item, up to a separator that a number follows, or the closing bracket.
fn locator(c: &mut Cursor<'_>, close: char, items: &mut [Item]) -> Scan<()> {
    let start = c.at;
    c.skip(|c| c != close && !matches!(c, ',' | ';' | '；' | '\n' | '[' | '【' | '［' | '〔'))?;
    if let Some(last) = items.last_mut() {
        last.locator = Some(start..c.at);
    }
    Ok(())
}

/// Reads a word of [`PREFIXES`] with what ties it to the number.
fn prefix(c: &mut Cursor<'_>) -> Scan<bool> {
    let start = c.at;
    c.skip(|c| c.is_ascii_alphabetic() || ('\u{4e00}'..='\u{9fff}').contains(&c))?;
    let word = &c.text[start..c.at];
    if word.is_empty() {
        return Ok(c.eat_if(|c| c == '#')?.is_some());
    }
    if !PREFIXES.iter().any(|known| known.eq_ignore_ascii_case(word)) {
        return Err(Stop::No);
    }
    c.skip(|c| matches!(c, '.' | ':' | '：' | '#' | ' ' | '_' | '-'))?;
    Ok(true)
}

/// Reads a number of at most nine digits, or `stop`s.
fn number(c: &mut Cursor<'_>) -> Scan<u32> {
    let mut value = 0;
    let mut digits = 0;
    while let Some(digit) = digit(c.peek()?) {
        c.bump()?;
        digits += 1;
        if digits > DIGITS_MAX {
            return Err(Stop::No);
        }
        value = value * 10 + digit;
    }
    if digits == 0 { Err(Stop::No) } else { Ok(value) }
}
