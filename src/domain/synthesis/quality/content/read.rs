//! The words of a text as terms.

use crate::domain::text::words::{Term, Word};

/// The terms of a text, in its order, with repetitions.
pub(super) struct Read {
    /// Of all words.
    pub(super) words: Vec<Term>,
    /// Of those that say something.
    pub(super) terms: Vec<Term>,
}

impl Read {
    pub(super) fn of(words: &[Word]) -> Self {
        let mut terms = Vec::with_capacity(words.len());
        terms.extend(words.iter().filter(|word| word.is_content()).map(|word| word.term));
        Self { words: words.iter().map(|word| word.term).collect(), terms }
    }
}
