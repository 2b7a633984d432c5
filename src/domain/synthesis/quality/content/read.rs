//! A text read for its words once.

use crate::domain::text::words::{Lexicon, Term};

/// The terms of a text, in its order, with repetitions.
pub(super) struct Read {
    /// Of all words.
    pub(super) words: Vec<Term>,
    /// Of those that say something.
    pub(super) terms: Vec<Term>,
}

impl Read {
    pub(super) fn of(lexicon: &mut Lexicon, text: &str) -> Self {
        let words = lexicon.words(text);
        Self {
            words: words.iter().map(|word| word.term).collect(),
            terms: words.iter().filter(|word| word.is_content()).map(|word| word.term).collect(),
        }
    }
}
