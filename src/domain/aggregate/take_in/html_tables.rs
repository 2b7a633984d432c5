//! Tables of HTML become tables of Markdown, so that their rows are read, quoted and compared like those.
//!
//! Code keeps its tables, and so does what shows one: fences, backticks, `<pre>`, `<code>`, comments, JSON, quotations. Tables in
//! tables, those that don't end, and those that set out a page rather than rows stay as they are, see [`table::markdown`].

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::TaskInput;
use super::unseen::is_json;
use crate::domain::text::blocks::{Block, Kind, blocks};
use crate::domain::text::tags::{Tag, Tags, is_spoken_of};

mod cell;
mod table;
#[cfg(test)]
mod tests;

pub(super) use self::table::write_row;

/// What follows the tag of a table that has something in it.
const PARTS: [&str; 9] = ["caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td", "th"];
/// Elements that are passed over whole: what stands in them is code, or isn't seen.
const WHOLE: [&str; 7] = ["pre", "code", "script", "style", "textarea", "template", "svg"];

/// Writes them as Markdown. Linear.
pub fn write_tables(input: &mut TaskInput) {
    if let Some(content) = written(&input.content) {
        input.content = content;
    }
}

/// A text with its tables in Markdown; `None` where it has none to write.
fn written(text: &str) -> Option<String> {
    const TAG: &str = "<table";
    let begins = |at: usize| {
        text.as_bytes().get(at..at + TAG.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(TAG.as_bytes()))
    };
    if !memchr_iter(b'<', text.as_bytes()).any(begins) || is_json(text) {
        return None;
    }
    let (mut out, mut done) = (String::new(), 0);
    for range in tables(text) {
        let Some(table) = table::markdown(&text[range.clone()]) else { continue };
        out.push_str(text[done..range.start].trim_end_matches([' ', '\t']));
        stand_apart(&mut out);
        out.push_str(&table);
        done = range.end;
        let line = text[done..].trim_start_matches([' ', '\t', '\r']);
        let behind = line.trim_start_matches(['\n', '\r']);
        if !behind.trim_start().is_empty() {
            out.push_str("\n\n");
        }
        done = text.len() - behind.len();
    }
    (done > 0).then(|| out + &text[done..])
}

/// Ends the line and leaves one empty.
pub(super) fn stand_apart(out: &mut String) {
    let ends = out.trim_end_matches([' ', '\t', '\r', '\n']).len();
    if ends > 0 {
        let breaks = out[ends..].matches('\n').count();
        (breaks..2).for_each(|_| out.push('\n'));
    }
}

/// A table whose end is awaited.
struct Open {
    start: usize,
    /// Whether a tag of its parts has come.
    has_parts: bool,
}

/// The tables that end, have no other in them and stand in no other, in order.
fn tables(text: &str) -> Vec<Range<usize>> {
    let blocks = blocks(text);
    let (mut place, mut marks) = (0, Backticks::default());
    let (mut open, mut found): (Vec<Open>, Vec<(Range<usize>, bool)>) = Default::default();
    let mut tags = Tags::of(text, &WHOLE);
    while let Some(tag) = tags.next() {
        if let Some(last) = open.last_mut().filter(|last| !last.has_parts) {
            // Of `<table>` in a sentence nothing stands in it.
            match tag.is_one_of(&PARTS) {
                true => last.has_parts = true,
                false if tag.name == "!--" => {}
                false => drop(open.pop()),
            }
        }
        if !tag.is("table") {
            continue;
        }
        while blocks.get(place).is_some_and(|block| block.range.end <= tag.start) {
            place += 1;
        }
        let Some(block) = blocks.get(place) else { break };
        if let Kind::Code { fenced: true, .. } = block.kind {
            tags.at = block.range.end;
            continue;
        }
        if marks.are_open(text, block, tag.start) {
            continue;
        }
        if !tag.closes {
            if !open.is_empty() || may_begin(text, block, &tag) {
                open.push(Open { start: tag.start, has_parts: false });
            }
        } else if let Some(Open { start, .. }) = open.pop() {
            let within = found.iter().rev().take_while(|(range, _)| range.start > start).count();
            found.truncate(found.len() - within);
            found.push((start..tag.end, within > 0));
        }
    }
    // What stands in a table that doesn't end is a part of it.
    let endless = open.iter().find(|open| open.has_parts).map_or(text.len(), |open| open.start);
    found.retain(|(range, holds_others)| !holds_others && range.end <= endless);
    found.into_iter().map(|(range, _)| range).collect()
}

/// Whether a table may begin here: not in code, a quotation or another table, and not where it is quoted or spoken of.
fn may_begin(text: &str, block: &Block, tag: &Tag<'_>) -> bool {
    let holds_tables = match block.kind {
        Kind::Paragraph | Kind::ListItem { .. } | Kind::Html => true,
        Kind::Heading { .. } | Kind::Quote | Kind::Code { .. } | Kind::Table | Kind::Rule => false,
    };
    holds_tables
        && !text[..tag.start].ends_with(['"', '\'', '=', '“', '‘'])
        && !is_spoken_of(&text[tag.end..])
}

/// The backticks of a block, as far as it is read.
#[derive(Default)]
struct Backticks {
    at: usize,
    /// How many opened the code that is read.
    open: Option<usize>,
}

impl Backticks {
    /// Whether code is open at a place of a block, behind the last place that was asked for.
    fn are_open(&mut self, text: &str, block: &Block, place: usize) -> bool {
        if self.at < block.range.start {
            (self.at, self.open) = (block.range.start, None);
        }
        while let Some(found) = text.as_bytes().get(self.at..place).and_then(|between| memchr(b'`', between))
        {
            let start = self.at + found;
            let run = text.as_bytes()[start..].iter().take_while(|byte| **byte == b'`').count();
            self.at = start + run;
            self.open = match self.open {
                None => Some(run),
                Some(open) => Some(open).filter(|open| *open != run),
            };
        }
        self.at = self.at.max(place);
        self.open.is_some()
    }
}
