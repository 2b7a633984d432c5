//! The writing side: verbatim text, citations, and what is left out.

use super::marker::{Item, Marker, Next, is_dash};
use super::report::{Citation, Dangling, StrippedSection};
use super::window::is_blank;
use super::{Rewriter, TAIL_BYTES, entries};

/// Unknown numbers that are years, or too long for a source's number, are no markers but text.
const YEARS: std::ops::Range<u32> = 1000..2200;
const NUMBER_LIMIT: u32 = 10_000;
/// Numbers as they are written most.
const SHORT: [&str; 10] = ["[0]", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]", "[7]", "[8]", "[9]"];
/// How many sources of a row of markers are remembered, to drop repeated ones.
const ROW_LIMIT: usize = 256;

impl Rewriter<'_> {
    /// Writes `text` as it is; a row of markers ends.
    pub(super) fn emit(&mut self, text: &str, out: &mut String) {
        if !text.is_empty() {
            self.row.clear();
            self.in_row = false;
            self.write(text, out);
        }
    }

    /// Writes `text`.
    fn write(&mut self, text: &str, out: &mut String) {
        out.push_str(text);
        self.written += text.len();
        self.unread += text.len();
        match text.as_bytes().last_chunk() {
            Some(end) => self.tail = *end,
            None => text.bytes().for_each(|byte| {
                self.tail.copy_within(1.., 0);
                self.tail[TAIL_BYTES - 1] = byte;
            }),
        }
    }

    /// Reads what was written since: the word at its end is asked for behind few markers only.
    pub(super) fn read_token(&mut self, out: &str) {
        let unread = std::mem::take(&mut self.unread);
        self.token.read(&out.as_bytes()[out.len() - unread..]);
    }

    /// Writes the lead that waits for what comes behind it.
    pub(super) fn flush_lead(&mut self, out: &mut String) {
        self.dropped = false;
        if self.lead.is_empty() {
            return;
        }
        let mut lead = std::mem::take(&mut self.lead);
        if lead.ends_with(['(', '（']) {
            self.emit(&lead, out);
        } else {
            self.write(&lead, out);
        }
        lead.clear();
        self.lead = lead; // its memory is used again
    }

    /// Whether all numbers that no source stands behind may be dropped: none of them is a year, or another figure, or that
    /// of an issue: `[#12]`.
    pub(super) fn is_citation(&self, written: &str, certain: bool) -> bool {
        let is_issue = || written.trim_start_matches(['[', '【', '［', '〔', ' ']).starts_with('#');
        let known = |item: &Item| match item.number {
            None => true,
            Some(number) if self.numbers.source_of(number).is_some() => true,
            Some(_) if is_issue() => false,
            // `[2: 1]` is a page of a source, or else a score.
            Some(_) if item.locator.as_ref().is_some_and(|locator| locator.len() == 1) => false,
            // `[0, 1]` is an interval.
            Some(0) => self.items.len() == 1,
            Some(number) => number < NUMBER_LIMIT && !YEARS.contains(&number),
        };
        certain && !is_issue() || self.items.iter().all(known)
    }

    /// Whether a bracket is a class of characters of a regular expression, `[1-3]+`.
    pub(super) fn is_class(written: &str, next: Next) -> bool {
        matches!(next.first, Some('+' | '{')) && matches!(written.as_bytes(), [b'[', _, b'-', _, b']'])
    }

    /// Whether two numbers in a bracket are the ends of an interval or of pages, by the word before it: `95% CI [2, 9]`.
    pub(super) fn is_interval(&self) -> bool {
        if self.items.len() < 2 {
            return false;
        }
        let until = self.tail.iter().rposition(|byte| !b" :=(".contains(byte)).map_or(0, |at| at + 1);
        let tail = &self.tail[..until];
        let length = tail.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = &tail[tail.len() - length..];
        let is_one = |names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()));
        let lower = word.to_ascii_lowercase();
        [b"CI".as_slice(), b"KI", b"IC", b"IQR"].contains(&word)
            || is_one(&["pages", "page", "pp", "seiten", "seite"])
            || lower.ends_with(b"interval")
            || lower.ends_with(b"intervall")
    }

    /// Writes the citations of a marker whose lead waits, and notes what dangles.
    pub(super) fn cite(&mut self, text: &str, marker: Option<Marker>, out: &mut String) {
        let items = std::mem::take(&mut self.items);
        self.cited.note(&items);
        let mut is_repeated = false;
        for item in &items {
            let source = item.number.and_then(|number| self.numbers.source_of(number));
            let source = source.or(item.number.filter(|_| mutant!("invented-reference-kept")));
            let Some(source) = source else {
                let marker = text.to_owned();
                self.report.dangle(Dangling { number: item.number, marker, offset: self.written });
                self.dropped = true;
                continue;
            };
            let repeated = self.row.contains(&source) && !self.lead.ends_with(['(', '（']);
            if !repeated {
                let locator =
                    item.locator.clone().and_then(|range| text.get(range)).map(|l| l.trim().to_owned());
                self.number(source, locator, out);
            } else if !self.dropped {
                self.lead.clear();
            }
            is_repeated = repeated;
        }
        self.items = items;
        // What was left out before a dash is settled like a source that isn't known: the dash may go with it.
        self.dropped |= is_repeated && marker.and_then(|marker| marker.next.first).is_some_and(is_dash);
        if !self.dropped && self.in_row && marker.is_some_and(|marker| marker.next.first == Some('(')) {
            self.emit(" ", out); // `[1](` would be a link
        }
    }

    /// Writes one citation.
    fn number(&mut self, source: u32, locator: Option<String>, out: &mut String) {
        self.flush_lead(out);
        let number = self.numbers.number_of(source);
        self.report.cite(Citation { source, number, offset: self.written, locator });
        self.write_number(number, out);
        self.in_row = true;
        if self.row.len() < ROW_LIMIT {
            self.row.push(source);
        }
    }

    /// Writes `[number]`.
    fn write_number(&mut self, number: u32, out: &mut String) {
        if let Some(short) = SHORT.get(number as usize) {
            return self.write(short, out);
        }
        self.write("[", out);
        self.write(itoa::Buffer::new().format(number), out);
        self.write("]", out);
    }

    /// Leaves out `len` bytes of a reference section.
    pub(super) fn strip(&mut self, heading: &str, len: usize) {
        let heading =
            heading.trim_matches(|c: char| matches!(c, '#' | '*' | '_' | ':' | '：') || is_blank(c));
        let section = self.stripped.get_or_insert_with(|| StrippedSection {
            heading: heading.to_owned(),
            bytes: 0,
            end: 0,
            definitions: 0,
        });
        section.bytes += len;
    }

    /// Leaves out a part of a reference entry, and keeps it for its definition.
    pub(super) fn strip_entry(&mut self, text: &str) {
        self.strip("", text.len());
        let limit = if self.in_line { entries::LINE_LIMIT } else { entries::ENTRY_LIMIT };
        let room = limit.saturating_sub(self.entry.len()).min(text.len());
        self.entry.push_str(&text[..text.floor_char_boundary(room)]);
    }

    /// An entry's line has ended: notes what it said.
    pub(super) fn define(&mut self) {
        let mut entry = std::mem::take(&mut self.entry);
        self.in_line = false;
        for definition in entries::definitions(&entry) {
            match self.report.definitions.last_mut() {
                Some(last)
                    if entry.starts_with([' ', '\t']) && definition.number.is_none() && self.continued =>
                {
                    last.url = last.url.take().or(definition.url);
                }
                _ => self.report.define(definition),
            }
            self.continued = true;
        }
        entry.clear();
        self.entry = entry; // its memory is used again
    }

    /// A reference section ends at byte `end` of the input; whether there was one.
    pub(super) fn note_section(&mut self, end: usize) -> bool {
        let Some(section) = self.stripped.take() else { return false };
        let definitions = self.report.definitions.len();
        self.report.strip(StrippedSection { end, definitions, ..section });
        true
    }

    /// Other text follows a reference section at byte `end` of the input: closes it, and keeps the paragraphs around it apart.
    pub(super) fn close_section(&mut self, end: usize, out: &mut String) {
        let is_apart = self.tail.ends_with(b"\n\n") || !out_has_line(&self.tail);
        if self.note_section(end) && self.written > 0 && !is_apart {
            self.emit("\n", out);
        }
        self.continued = false;
    }
}

/// Whether the output ends with a line feed.
fn out_has_line(tail: &[u8]) -> bool {
    tail.ends_with(b"\n")
}
