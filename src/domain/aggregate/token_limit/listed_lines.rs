//! Lines that nothing ends: rows of figures, names.

use std::ops::Range;

/// Bytes and lines from which on what ends with no stop is a list. No sentence is wrapped so often.
const LISTED_BYTES_MIN: usize = 1_024;
const LISTED_LINES_MIN: usize = 16;

/// A sentence; of one that is a long list of lines each, since nothing ends it: rows of figures, names.
pub(super) fn lines_of(text: &str, sentence: Range<usize>) -> Vec<Range<usize>> {
    let said = &text[sentence.clone()];
    let is_list = || memchr::memchr_iter(b'\n', said.as_bytes()).nth(LISTED_LINES_MIN - 2).is_some();
    if said.len() < LISTED_BYTES_MIN || !is_list() {
        return vec![sentence];
    }
    let (mut lines, mut at) = (Vec::new(), sentence.start);
    for line in said.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        let end = at + line.trim_end().len();
        at += line.len();
        lines.extend((start < end).then_some(start..end));
    }
    lines
}
