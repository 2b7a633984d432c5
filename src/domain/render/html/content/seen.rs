//! The text of untrusted Markdown as it is seen: escaped, with its spans and who they are by, its `[n]` as links.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use super::Writer;
use crate::domain::render::html::contributors::class;
use crate::domain::render::html::text::escape_into;
use crate::domain::synthesis::citations::are_index;

/// One citation, as a link where the page lists its source.
pub(in crate::domain::render::html) fn citation(out: &mut String, number: u32, sources: &BTreeSet<u32>) {
    let _ = match sources.contains(&number) {
        true => write!(out, "<a class=\"cite\" href=\"#source-{number}\">[{number}]</a>"),
        false => write!(out, "[{number}]"),
    };
}

impl Writer<'_> {
    /// Writes the text that was seen, with its spans.
    pub(super) fn flush(&mut self) {
        let Range { mut start, end } = std::mem::take(&mut self.run);
        while start < end {
            self.chips(start);
            let next = self.spans.first().map(|span| span.range.clone()).filter(|range| range.start < end);
            let Some(range) = next else {
                return self.cited(start..end);
            };
            if start < range.start {
                self.cited(start..range.start);
                start = range.start;
            }
            let stop = range.end.min(end);
            if let Some(first) = self.spans.first().and_then(|span| span.by.first()) {
                let _ = write!(self.out, "<span class=\"by {}\">", class(*first));
                self.cited(start..stop);
                self.out.push_str("</span>");
            }
            start = stop;
        }
        self.chips(end);
    }

    /// Says who, behind each span that ends at or before a place.
    pub(super) fn chips(&mut self, place: usize) {
        while let Some((span, rest)) = self.spans.split_first()
            && span.range.end <= place
        {
            self.out.push_str("<sup>");
            span.by.iter().for_each(|number| self.context.contributors.chip(self.out, *number));
            self.out.push_str("</sup>");
            self.spans = rest;
        }
    }

    /// Writes text whose `[n]` are links.
    fn cited(&mut self, range: Range<usize>) {
        let (before, text) = (&self.markdown[..range.start], &self.markdown[range]);
        // Behind a backslash a bracket is a bracket.
        let is_escaped = before.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
        let mut from = usize::from(is_escaped && text.starts_with('['));
        let mut done = 0;
        for at in memchr::memchr_iter(b'[', text.as_bytes()) {
            let rest = &text[at + 1..];
            let digits = rest.bytes().take(9).take_while(u8::is_ascii_digit).count();
            if self.unlinked > 0 || at < from || !rest[digits..].starts_with(']') {
                continue;
            }
            let is_index = || are_index(&text[..at], &rest[digits + 1..]);
            if let Some(number) = rest[..digits].parse().ok().filter(|_| !is_index()) {
                escape_into(self.out, &text[done..at]);
                citation(self.out, number, self.context.sources);
                from = at + digits + 2;
                done = from;
            }
        }
        escape_into(self.out, &text[done..]);
    }
}
