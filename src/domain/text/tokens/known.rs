//! Counts that were made before: encoding a piece takes a hundred times as long as looking it up.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use super::{Tokenizer, Vocabulary};
use crate::domain::text::memo::Memo;

/// The same of pieces of all texts, by the order of vocabularies. About 3 MB each.
static MET: LazyLock<[Memo<usize>; 2]> = LazyLock::new(|| std::array::from_fn(|_| Memo::new(1 << 15, 32)));

/// How many tokens those pieces of a text are that had to be encoded.
#[derive(Debug, Default)]
pub struct Known<'t> {
    counts: HashMap<&'t [u8], usize, RandomState>,
}

impl Tokenizer {
    /// The pieces of a text, as [`Self::pieces`] has them; their counts are kept in `known`, which is of one tokenizer only.
    pub fn pieces_noted<'t>(
        &self,
        text: &'t str,
        known: &mut Known<'t>,
    ) -> impl Iterator<Item = (usize, usize)> {
        self.cut(text, |piece| *known.counts.entry(piece).or_insert_with(|| self.encoded(piece)))
    }

    /// The tokens of the vocabulary of a text that is mostly made of what `known` is of.
    pub fn raw_known(&self, text: &str, known: &Known<'_>) -> usize {
        let count = |piece: &[u8]| known.counts.get(piece).copied().unwrap_or_else(|| self.encoded(piece));
        self.cut(text, count).map(|(_, tokens)| tokens).sum()
    }

    /// How many tokens a piece is that isn't known to be one.
    pub(super) fn encoded(&self, piece: &[u8]) -> usize {
        let met = &MET[usize::from(self.vocabulary == Vocabulary::Cl100k)];
        met.get_or_insert_with(piece, || self.encoder().bpe.count(piece))
    }
}
