//! What of a statement is asked where it is compared: read once, and only of statements that are.

use std::cell::OnceCell;

use super::differ::{content, content_within};
use super::main_clause::{end_of, main_clause};
use super::rates::{Rate, rate};
use super::swapped::{Side, side};
use crate::domain::aggregate::near_duplicates::Features;
use crate::domain::text::words::Term;

/// A statement, and what was read of it.
pub(super) struct Reading<'f, 't> {
    pub(super) of: &'f Features<'t>,
    end: OnceCell<Option<usize>>,
    clause: OnceCell<Option<Features<'t>>>,
    content: OnceCell<Vec<Term>>,
    whole: OnceCell<Option<Vec<Term>>>,
    rate: OnceCell<Option<Rate>>,
    side: OnceCell<Option<Side>>,
}

impl<'f, 't> Reading<'f, 't> {
    pub(super) fn new(of: &'f Features<'t>) -> Self {
        Self {
            of,
            end: OnceCell::new(),
            clause: OnceCell::new(),
            content: OnceCell::new(),
            whole: OnceCell::new(),
            rate: OnceCell::new(),
            side: OnceCell::new(),
        }
    }

    /// Where the main clause ends, where another one stands behind it.
    fn end(&self) -> Option<usize> {
        *self.end.get_or_init(|| end_of(self.of))
    }

    /// The main clause, or the whole where it has no other.
    pub(super) fn clause(&self) -> &Features<'t> {
        let clause = self.clause.get_or_init(|| self.end().map(|end| main_clause(self.of, end)));
        clause.as_ref().unwrap_or(self.of)
    }

    /// What the main clause says.
    pub(super) fn content(&self) -> &[Term] {
        self.content.get_or_init(|| content_within(self.of, self.end().unwrap_or(usize::MAX)))
    }

    /// What the whole says, where more stands behind the main clause.
    pub(super) fn whole(&self) -> Option<&[Term]> {
        self.whole.get_or_init(|| self.end().map(|_| content(self.of))).as_deref()
    }

    /// The only rate.
    pub(super) fn rate(&self) -> Option<&Rate> {
        self.rate.get_or_init(|| rate(self.of)).as_ref()
    }

    /// The only word of a pair.
    pub(super) fn side(&self) -> Option<&Side> {
        self.side.get_or_init(|| side(self.of)).as_ref()
    }
}
