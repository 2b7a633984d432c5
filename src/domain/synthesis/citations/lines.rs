//! What a line is, by its beginning: a code fence, the heading of a reference section, a reference entry, or text.
//!
//! A heading is held until the line behind it shows whether references follow, so that a section counts by its
//! structure: below `## Kilder`, and below any heading at all where `[1] …` comes first, entries are references, and a
//! heading that prose follows stays. Where the window ends before that, the vocabulary decides (`headings`).

mod details;
mod entry;
mod heading;
mod labelled;
mod shape;

use super::window::{Cursor, Scan, Stop, is_blank};
use details::{details_end, html_heading};
use entry::entry;
use heading::{below_rule, heading};
use labelled::labelled;
pub(super) use shape::{Shape, shape};

/// Where in a reference section a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// In none.
    Outside,
    /// Directly below a rule, or a heading that isn't in the vocabulary.
    Below,
    /// Behind an entry that had no heading.
    Run,
    /// Below the heading of a reference section.
    Headed,
    /// Below one that can be that of nothing else: every item of a list is an entry.
    Listed,
    /// Behind the end of one; nothing but empty lines came since.
    Closed,
}

/// The level of what isn't a heading with `#`: nothing is below it.
pub(super) const NO_LEVEL: usize = usize::MAX;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Anything else.
    Plain,
    /// An empty line, of so many bytes.
    Blank(usize),
    /// A thematic break, of so many bytes.
    Rule(usize),
    /// A code fence: the bytes to the end of its run, its mark, the length of the run.
    Fence(usize, u8, usize),
    /// The heading of a reference section.
    Heading(Heading),
    /// A reference entry, or the continuation of one.
    Entry,
    /// A list of references in one line behind a label, with its first number.
    Labelled(u32),
    /// `</details>`, of so many bytes with the end of its line.
    DetailsEnd(usize),
}

/// The heading of a reference section, with the empty lines, the rule and the other headings around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    /// All its bytes.
    pub len: usize,
    /// How many `#` it has; [`NO_LEVEL`] if none.
    pub level: usize,
    /// Where its title begins and ends.
    pub title: (usize, usize),
    /// Whether the rest of its last line is still to come.
    pub cut: bool,
    /// Whether it can be the heading of nothing else.
    pub sure: bool,
    /// Whether it is the summary of `<details>`.
    pub details: bool,
}

impl Heading {
    /// None: references without a heading.
    const NONE: Self =
        Self { len: 0, level: NO_LEVEL, title: (0, 0), cut: false, sure: false, details: false };
}

/// Says what the line at the start of the window is, in a section whose heading has this level.
pub(super) fn classify(c: Cursor<'_>, section: Section, level: usize) -> Scan<Line> {
    match recognise(c, section, level) {
        Err(Stop::Full | Stop::No) => Ok(Line::Plain),
        decided => decided,
    }
}

/// Whether a line of a whole text could begin a reference section: outside of one, what a line is follows from it alone.
pub(super) fn may_have_section(text: &str) -> bool {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
    std::iter::once(0).chain(ends).any(|start| {
        let line = classify(Cursor::new(text, start, true), Section::Outside, NO_LEVEL);
        matches!(line, Ok(Line::Heading(_) | Line::Entry | Line::Labelled(_)) | Err(_))
    })
}

fn recognise(start: Cursor<'_>, section: Section, level: usize) -> Scan<Line> {
    let mut c = start;
    c.skip(|c| is_blank(c) || c == '>')?;
    let inside = matches!(section, Section::Run | Section::Headed | Section::Listed);
    let first = c.peek()?;
    if first == '\n' {
        return Ok(Line::Blank(c.at + 1));
    }
    if let Some(fence) = fence(c)? {
        return Ok(fence);
    }
    if inside && c.at >= 2 && c.text.starts_with([' ', '\t']) && first != '#' {
        return Ok(Line::Entry);
    }
    if let Some(len) = rule(c)? {
        if inside {
            return Ok(Line::Rule(len));
        }
        return Ok(below_rule(c, len)?.map_or(Line::Plain, Line::Heading));
    }
    if entry(start, section)? {
        return Ok(Line::Entry);
    }
    if first == '<' {
        return markup(c);
    }
    match labelled(c) {
        Err(Stop::More) => return Err(Stop::More),
        Ok(Some(number)) => return Ok(Line::Labelled(number)),
        Ok(None) | Err(Stop::Full | Stop::No) => {}
    }
    Ok(heading(c, level)?.map_or(Line::Plain, Line::Heading))
}

/// A line that HTML begins.
fn markup(c: Cursor<'_>) -> Scan<Line> {
    match details_end(c) {
        Err(Stop::Full | Stop::No) => Ok(html_heading(c)?.map_or(Line::Plain, Line::Heading)),
        found => found.map(Line::DetailsEnd),
    }
}

/// A fence, at the beginning of a line or of a list item.
fn fence(mut c: Cursor<'_>) -> Scan<Option<Line>> {
    if c.eat_if(|c| matches!(c, '-' | '*' | '+'))?.is_some() {
        if c.eat_if(is_blank)?.is_none() {
            return Ok(None);
        }
        c.skip(is_blank)?;
    }
    let mark = c.peek()?;
    if !matches!(mark, '`' | '~') {
        return Ok(None);
    }
    let start = c.at;
    while c.peek_or_end()? == Some(mark) {
        c.bump()?;
    }
    let run = c.at - start;
    Ok((run >= 3).then_some(Line::Fence(c.at, mark as u8, run)))
}

/// Whether the line closes a fence of `run` times `mark`: its bytes.
pub(super) fn fence_end(mut c: Cursor<'_>, mark: u8, run: usize) -> Scan<usize> {
    c.skip(|c| is_blank(c) || c == '>')?;
    let start = c.at;
    while c.peek_or_end()? == Some(char::from(mark)) {
        c.bump()?;
    }
    if c.at - start < run {
        return Err(Stop::No);
    }
    loop {
        match c.peek_or_end()? {
            None => return Ok(c.at),
            Some('\n') => return Ok(c.at + 1),
            Some(blank) if is_blank(blank) => c.at += blank.len_utf8(),
            Some(_) => return Err(Stop::No),
        }
    }
}

/// Whether a block begins here, which ends the paragraph and every span in it.
pub(super) fn begins_block(mut c: Cursor<'_>) -> Scan<bool> {
    c.skip(is_blank)?;
    match c.bump()? {
        '\n' | '#' | '>' | '|' => Ok(true),
        '-' | '*' | '+' => Ok(matches!(c.peek()?, ' ' | '\t')),
        '0'..='9' => {
            c.skip(|c| c.is_ascii_digit())?;
            Ok(c.eat_if(|c| matches!(c, '.' | ')'))?.is_some() && c.peek()? == ' ')
        }
        mark @ ('`' | '~') => Ok(c.eat_if(|c| c == mark)?.is_some() && c.peek()? == mark),
        _ => Ok(false),
    }
}

/// Whether the line is empty.
pub(super) fn is_empty(mut c: Cursor<'_>) -> Scan<bool> {
    c.skip(is_blank)?;
    Ok(c.peek()? == '\n')
}

/// The bytes, from the start of the window, to the end of a line that is a thematic break or an underline.
fn rule(mut c: Cursor<'_>) -> Scan<Option<usize>> {
    let mark = c.peek()?;
    if !matches!(mark, '-' | '*' | '_' | '=') {
        return Ok(None);
    }
    let mut marks = 0;
    loop {
        match c.peek_or_end()? {
            Some('\n') => break c.at += 1,
            Some(next) if next == mark => marks += 1,
            Some(next) if is_blank(next) => {}
            Some(_) => return Ok(None),
            None => break,
        }
        c.bump()?;
    }
    Ok((marks >= 3).then_some(c.at))
}
