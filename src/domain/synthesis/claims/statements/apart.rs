//! Citations that stand apart from the sentence that they belong to: in a line or a paragraph of their own, or by an address.

use std::ops::Range;

use super::{Said, Statement};

/// Bytes between a sentence and what cites for it, at most.
const BETWEEN_MAX: usize = 256;

/// Whether a range of a text has markers, and says nothing besides.
pub(super) fn are_marks(Said { text, marks, .. }: Said<'_, '_>, range: &Range<usize>) -> bool {
    let own = marks[marks.partition_point(|mark| mark.range.start < range.start)..].iter();
    let mut at = range.start;
    for mark in own.take_while(|mark| mark.range.end <= range.end) {
        if text[at..mark.range.start].contains(char::is_alphanumeric) {
            return false;
        }
        at = mark.range.end;
    }
    at > range.start && !text[at..range.end].contains(char::is_alphanumeric)
}

/// Gives the statement before `at` its sources, where nothing else stands between.
pub(super) fn cite(text: &str, at: usize, sources: &[usize], found: &mut [Statement<'_>]) {
    let Some(last) = found.last_mut() else { return };
    let between = text.get(last.start + last.text.len()..at).unwrap_or_default();
    // A row of markers is short.
    if between.len() > BETWEEN_MAX || between.contains(char::is_alphabetic) {
        return;
    }
    last.sources.extend(sources);
    last.sources.sort_unstable();
    last.sources.dedup();
}

/// Whether nothing but blanks of its line stands between the last statement and `at`.
pub(super) fn is_in_line(text: &str, at: usize, found: &[Statement<'_>]) -> bool {
    let between = found.last().and_then(|last| text.get(last.start + last.text.len()..at));
    between.is_some_and(|between| between.chars().all(|c| c == ' '))
}
