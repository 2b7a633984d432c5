//! A text of a result, with the markers that cite in it.

use std::ops::Range;

use crate::domain::synthesis::citations::Citation;

/// A citation marker of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it cites.
    pub source: usize,
}

impl Mark {
    /// The marks of a text that the rewriter has written, whose numbers are the sources.
    pub fn all(citations: &[Citation]) -> Vec<Self> {
        let mark = |citation: &Citation| {
            let digits = citation.number.checked_ilog10().unwrap_or_default() as usize + 1;
            Self { range: citation.offset..citation.offset + digits + 2, source: citation.number as usize }
        };
        citations.iter().map(mark).collect()
    }
}

/// A text of a result in Markdown, as the rewriter of citations has written it.
#[derive(Clone, Copy)]
pub struct Said<'t, 'c> {
    /// The text.
    pub text: &'t str,
    /// Whose it is.
    pub subagent: &'t str,
    /// Its citation markers, in their order.
    pub marks: &'c [Mark],
    /// The source behind an address that the text links to or shows.
    pub source_of: &'c dyn Fn(&str) -> Option<usize>,
    /// How many of the words that were asked for a line has.
    pub asked: &'c dyn Fn(&str) -> usize,
}

impl<'t> Said<'t, '_> {
    /// A text in which nothing cites.
    pub fn uncited(text: &'t str) -> Self {
        Self { text, subagent: "", marks: &[], source_of: &|_| None, asked: &|_| 0 }
    }
}
