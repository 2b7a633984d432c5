//! Brackets: markers, links, groups longer than a window, and what follows a marker that was dropped.

use super::dropped::Around;
use super::{State, Step};
use crate::domain::synthesis::citations::Rewriter;
use crate::domain::synthesis::citations::lead::{closes_clause, is_dashed, lead_start};
use crate::domain::synthesis::citations::marker::{self, Bracket, closer};
use crate::domain::synthesis::citations::spans::Span;
use crate::domain::synthesis::citations::window::{Cursor, Stop, is_blank};

impl Rewriter<'_> {
    /// A bracket at byte `open`, behind prose that begins at `at`.
    pub(super) fn bracket(
        &mut self,
        buffer: &str,
        at: usize,
        window: Cursor<'_>,
        open: usize,
        out: &mut String,
    ) -> Step {
        let lead = at + lead_start(&buffer[at..open], self.in_row);
        let found = marker::bracket(window, &mut self.items);
        self.emit(&buffer[at..lead], out);
        if is_dashed(&buffer[lead..open]) {
            // Behind a dash no row goes on.
            self.row.clear();
            self.in_row = false;
        }
        let (len, found) = match found {
            Err(Stop::More) => return Err(lead),
            Err(Stop::Full | Stop::No) => (0, None),
            Ok(Bracket::Link(len)) => {
                self.emit(&buffer[lead..open + len], out);
                self.state = State::Verbatim(Span::Destination(0));
                return Ok(open + len);
            }
            Ok(Bracket::Marker(marker)) => (marker.len, Some(marker)),
            Ok(Bracket::Open { len, close }) => {
                let known = self
                    .items
                    .iter()
                    .all(|item| item.number.is_some_and(|n| self.numbers.source_of(n).is_some()));
                if known {
                    self.state = State::Group(close);
                }
                (len, known.then_some(marker::Marker { len, certain: true, next: marker::Next::default() }))
            }
        };
        let glued = lead == open;
        let written = &buffer[open..open + len];
        let may_cite = found.filter(|marker| self.is_citation(written, marker.certain));
        let doubtful = found.filter(|marker| !marker.certain);
        let is_index = glued && doubtful.is_some_and(|marker| self.is_index(written, marker.next, out));
        let is_data = doubtful.is_some_and(|marker| self.is_data(written, marker.next, glued));
        match found {
            Some(marker) if may_cite.is_some() && !is_index && !is_data => {
                self.lead.push_str(&buffer[lead..open]);
                self.cite(written, Some(marker), out);
                if !self.dropped {
                    self.lead.clear();
                }
                Ok(open + len)
            }
            Some(marker) => {
                if is_index {
                    self.indices.note(&self.tail, &self.items);
                }
                self.emit(&buffer[lead..open + marker.len], out);
                self.index_end = Some(self.written);
                Ok(open + marker.len)
            }
            None => {
                let first = window.text.chars().next().map_or(1, char::len_utf8);
                self.emit(&buffer[lead..open + first], out);
                Ok(open + first)
            }
        }
    }

    /// Whether a bracket is data: an interval, a class of characters, the slice `text[1: 12]`, or the value in `v = [1]`.
    fn is_data(&self, written: &str, next: marker::Next, glued: bool) -> bool {
        let is_slice = || {
            glued && written.contains([':', '：']) && self.tail[self.tail.len() - 1].is_ascii_alphanumeric()
        };
        let is_value = !glued && self.tail.ends_with(b" =");
        is_value || self.is_interval() || Self::is_class(written, next) || is_slice()
    }

    /// Behind a marker that was dropped: another marker, or text that decides what becomes of the lead.
    pub(super) fn settle(&mut self, buffer: &str, at: usize, eof: bool, out: &mut String) -> Step {
        let mut ahead = Cursor::new(buffer, at, eof);
        let opened = self.lead.ends_with(['(', '（']);
        let gap = |c: &mut Cursor<'_>| {
            // A dash between it and another would make a range of that one and what stands before: `[1][99]-[4]`.
            if c.eat_if(marker::is_dash)?.is_some() {
                return c.peek();
            }
            c.eat_if(marker::is_separator)?;
            c.eat_if(is_blank)?;
            c.eat_if(is_blank)?;
            c.eat_if(|c| matches!(c, '(' | '（'))?;
            c.peek()
        };
        match gap(&mut ahead) {
            Err(Stop::More) => return Err(at),
            Ok(c) if closer(c).is_some() => {
                let window = Cursor { text: ahead.rest(), at: 0, end: ahead.end };
                match marker::bracket(window, &mut self.items) {
                    Err(Stop::More) => return Err(at),
                    Ok(Bracket::Marker(marker))
                        if self.is_citation(&ahead.rest()[..marker.len], marker.certain) =>
                    {
                        let gap = &ahead.text[..ahead.at];
                        if gap.ends_with(['(', '（']) && !opened {
                            self.lead = gap.to_owned();
                        }
                        let open = at + ahead.at;
                        self.cite(&buffer[open..open + marker.len], Some(marker), out);
                        return Ok(open + marker.len);
                    }
                    Ok(_) | Err(Stop::Full | Stop::No) => {}
                }
            }
            Ok(_) | Err(Stop::Full | Stop::No) => {}
        }
        let Some(first) = buffer[at..].chars().next() else { return Err(at) };
        if opened && matches!(first, ')' | '）') {
            self.lead.pop();
            return Ok(at + first.len_utf8());
        }
        if opened && marker::is_separator(first) {
            let blank = buffer[at + first.len_utf8()..].chars().next().filter(|c| is_blank(*c));
            return Ok(at + first.len_utf8() + blank.map_or(0, char::len_utf8));
        }
        let Around { lead, behind } = match self.around(Cursor::new(buffer, at, eof)) {
            Err(Stop::More) => return Err(at),
            Err(Stop::Full | Stop::No) => Around::default(),
            Ok(_) if opened || is_dashed(&self.lead) => Around::default(),
            Ok(around) => around,
        };
        if lead {
            self.lead.clear();
        }
        let at = at + behind;
        let Some(first) = buffer[at..].chars().next() else { return Err(at) };
        self.let_go(first, out);
        let indent = (self.tail.ends_with(b"\n") || self.written == 0) && is_blank(first);
        Ok(at + if indent { first.len_utf8() } else { 0 })
    }

    /// Decides about the lead of a dropped marker that `next` follows.
    pub(super) fn let_go(&mut self, next: char, out: &mut String) {
        if is_dashed(&self.lead) {
            self.let_go_of_dash(next);
        } else if !self.lead.ends_with(['(', '（']) && (closes_clause(next) || is_blank(next)) {
            self.lead.clear();
        }
        self.flush_lead(out);
        if next == '(' && self.tail.ends_with(b"]") {
            self.emit(" ", out);
        }
    }

    /// A dash that set the marker apart goes with it at the end of a clause; that of an item or of a cell stays.
    fn let_go_of_dash(&mut self, next: char) {
        let ends = closes_clause(next) && !matches!(next, '|' | '"' | '”' | '’');
        if ends && !self.begins_line() {
            self.lead.clear();
        } else if !self.lead.ends_with(['(', '（']) && (closes_clause(next) || is_blank(next)) {
            self.lead.truncate(self.lead.trim_end_matches(is_blank).len());
        }
    }

    /// The next part of a group that is longer than a window.
    pub(super) fn group(
        &mut self,
        close: char,
        buffer: &str,
        at: usize,
        eof: bool,
        out: &mut String,
    ) -> Step {
        let mut c = Cursor::new(buffer, at, eof);
        self.items.clear();
        let mut items = std::mem::take(&mut self.items);
        let part = marker::part(&mut c, close, &mut items, &mut false);
        self.items = items;
        match part {
            Err(Stop::More) => return Err(at),
            Err(Stop::Full | Stop::No) => self.state = State::Text,
            Ok(last) => {
                if last {
                    self.state = State::Text;
                }
                self.cite(&buffer[at..at + c.at], None, out);
                return Ok(at + c.at);
            }
        }
        Ok(at)
    }
}
