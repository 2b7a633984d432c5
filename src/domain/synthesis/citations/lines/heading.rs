//! The headings of reference sections: by their words, and by what stands below them.

use super::entry::entry;
use super::{Heading, NO_LEVEL, Section, rule};
use crate::domain::synthesis::citations::headings::{Fit, fit, is_likely, is_sure};
use crate::domain::synthesis::citations::window::{Cursor, End, Scan, Stop, is_blank};

/// Whether references begin below a rule of so many bytes, with a heading or without.
pub(super) fn below_rule(mut c: Cursor<'_>, len: usize) -> Scan<Option<Heading>> {
    c.at = len;
    if !next_line(&mut c)? {
        return Ok(None);
    }
    if entry(c, Section::Below)? {
        return Ok(Some(Heading { len: c.at, ..Heading::NONE }));
    }
    heading(c, NO_LEVEL)
}

/// Goes to the next line that isn't empty; false at the end of the text.
fn next_line(c: &mut Cursor<'_>) -> Scan<bool> {
    loop {
        let mut ahead = *c;
        loop {
            match ahead.peek_or_end()? {
                Some(blank) if is_blank(blank) => ahead.at += blank.len_utf8(),
                Some('\n') => break,
                Some(_) => return Ok(true),
                None if ahead.end == End::Full => return Err(Stop::Full),
                None => return Ok(false),
            }
        }
        c.at = ahead.at + 1;
    }
}

/// Recognises the heading of a reference section: `## Sources`, `**Sources:**`, `Sources`, underlined or not; below the
/// heading of one, of level `above`, any heading of a deeper level with entries below it.
pub(super) fn heading(c: Cursor<'_>, above: usize) -> Scan<Option<Heading>> {
    let marks = c.rest().bytes().take_while(|byte| *byte == b'#').count();
    let level = if marks > 0 { marks } else { NO_LEVEL };
    // Nearly all lines are longer than the window, which no plain heading is, or begin otherwise.
    if marks == 0 && (is_cut(c) || !is_likely(c.rest())) {
        return Ok(None);
    }
    let line = match c.line() {
        Err(_) if marks > 0 || fit(c.rest(), true) != Fit::No => return Err(Stop::More),
        Err(_) => return Ok(None),
        Ok(line) => line,
    };
    let known = fit(line.text, !line.whole) == Fit::Whole;
    let title = (c.at, c.at + line.text.len());
    if !known && (marks == 0 || !line.whole) || marks == 0 && !line.whole {
        return Ok(None);
    }
    let sure = known && line.whole && is_sure(line.text);
    let found = |len, cut| Some(Heading { len, level, title, cut, sure, details: false });
    if !line.whole {
        return Ok(found(line.next, true));
    }
    let mut below = c;
    below.at = line.next.min(c.text.len());
    let section = match (known, marks > 0 && level > above) {
        (true, _) if sure => Section::Listed,
        (true, _) | (_, true) => Section::Headed,
        (false, false) => Section::Below,
    };
    match references(&mut below, known, level, section) {
        Ok(None) => Ok(None),
        Ok(Some(cut)) => Ok(found(below.at, cut)),
        Err(Stop::More) => Err(Stop::More),
        Err(Stop::Full | Stop::No) => Ok(if known { found(below.at, false) } else { None }),
    }
}

/// Whether a line goes on behind a window that is full.
fn is_cut(c: Cursor<'_>) -> bool {
    c.end == End::Full && memchr::memchr(b'\n', c.rest().as_bytes()).is_none()
}

/// The heading whose words are `title`, where those are known and references follow behind `c`.
pub(super) fn above_references(c: Cursor<'_>, title: (usize, usize), level: usize) -> Scan<Option<Heading>> {
    let words = &c.text[title.0..title.1];
    if fit(words, false) != Fit::Whole {
        return Ok(None);
    }
    let sure = is_sure(words);
    let mut below = c;
    let found = references(&mut below, true, level, if sure { Section::Listed } else { Section::Headed });
    let heading = |cut| Heading { len: below.at, level, title, cut, sure, details: false };
    match found {
        Ok(found) => Ok(found.map(heading)),
        Err(Stop::More) => Err(Stop::More),
        Err(Stop::Full | Stop::No) => Ok(Some(heading(false))),
    }
}

/// Whether references begin below a heading, whose words are `known`, in a `section` of that kind; goes to their first
/// line. True where that is itself cut.
fn references(c: &mut Cursor<'_>, known: bool, level: usize, section: Section) -> Scan<Option<bool>> {
    if !next_line(c)? {
        return Ok(known.then_some(false));
    }
    if known && let Some(len) = rule(*c)? {
        c.at = len;
        if !next_line(c)? {
            return Ok(Some(false));
        }
    }
    if entry(*c, section)? {
        return Ok(Some(false));
    }
    if !known {
        return Ok(None);
    }
    let nested = heading(*c, level)?;
    if let Some(nested) = nested {
        c.at = nested.len;
    }
    Ok(nested.map(|nested| nested.cut))
}
