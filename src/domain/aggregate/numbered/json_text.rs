//! The citations of a result that is JSON.
//!
//! Only what its strings say cites, by markers: the brackets around them are its own, and `"scores": [1, 2]` is data. So JSON
//! stays JSON, in a fence too. Numbers that name sources, `"sources": [1, 2]`, cite nothing: which of many lists count is a guess.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::domain::synthesis::citations::{Numbering, Report, rewrite};
use crate::domain::synthesis::claims::{Mark, values_of_json};

/// A text that is being written.
struct Writer<'t, 'm> {
    text: &'t str,
    map: &'m BTreeMap<u32, u32>,
    numbering: &'m mut Numbering,
    out: String,
    marks: Vec<Mark>,
    report: Report,
    done: usize,
}

/// A text rewritten whose parts `json` are JSON, with its marks. Linear.
pub(super) fn rewrite_json(
    text: &str,
    json: &[Range<usize>],
    map: &BTreeMap<u32, u32>,
    numbering: &mut Numbering,
) -> (String, Vec<Mark>, Report) {
    let (out, report) = (String::with_capacity(text.len()), Report::default());
    let mut writer = Writer { text, map, numbering, out, marks: Vec::new(), report, done: 0 };
    for range in json {
        writer.beside(range.start);
        writer.json(range.clone());
    }
    writer.beside(text.len());
    (writer.out, writer.marks, writer.report)
}

impl Writer<'_, '_> {
    /// What stands up to a place beside the JSON, without the fences around that.
    fn beside(&mut self, end: usize) {
        let (mut start, mut stop) = (self.done, end);
        if start > 0 && start < end {
            let line = self.text[start..end].find("```").map_or(start, |at| start + at + 3);
            start = self.text[line..end].find('\n').map_or(end, |at| line + at);
        }
        if end < self.text.len() {
            stop = self.text[start..end].rfind("```").map_or(stop, |at| start + at);
        }
        self.verbatim(start);
        let (written, report) = rewrite(&self.text[start..stop], self.map, self.numbering);
        self.write(stop, &written, report);
        self.verbatim(end);
    }

    fn json(&mut self, range: Range<usize>) {
        for value in values_of_json(self.text, range.clone()) {
            let said = &self.text[value.range.clone()];
            if value.is_address || !said.contains(['[', '【', '［', '〔']) {
                continue;
            }
            let (written, report) = rewrite(said, self.map, self.numbering);
            // What looks like an entry of references is a value of its author's.
            if report.stripped_sections.is_empty() {
                self.verbatim(value.range.start);
                self.write(value.range.end, &written, report);
            }
        }
        self.verbatim(range.end);
    }

    /// Writes what stands for the text up to a place.
    fn write(&mut self, end: usize, written: &str, report: Report) {
        let base = self.out.len();
        let moved = |mark: Mark| Mark { range: mark.range.start + base..mark.range.end + base, ..mark };
        self.out.push_str(written);
        self.marks.extend(Mark::all(&report.citations).into_iter().map(moved));
        self.report.dangling.extend(report.dangling);
        self.done = end;
    }

    fn verbatim(&mut self, end: usize) {
        self.out.push_str(&self.text[self.done.min(end)..end]);
        self.done = self.done.max(end);
    }
}
