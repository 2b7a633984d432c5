//! Counts that were made before: encoding a piece takes a hundred times as long as looking it up.

use std::collections::HashMap;

use super::Tokenizer;

/// How many tokens those pieces of a text are that had to be encoded.
#[derive(Debug, Default)]
pub struct Known<'t> {
    counts: HashMap<&'t [u8], usize>,
}

impl Tokenizer {
    /// The pieces of a text, as [`Self::pieces`] has them; their counts are kept in `known`, which is of one tokenizer only.
    pub fn pieces_noted<'t>(
        &self,
        text: &'t str,
        known: &mut Known<'t>,
    ) -> impl Iterator<Item = (usize, usize)> {
        let bpe = &self.encoder().bpe;
        self.cut(text, |piece| *known.counts.entry(piece).or_insert_with(|| bpe.count(piece)))
    }

    /// The tokens of the vocabulary of a text that is mostly made of what `known` is of.
    pub fn raw_known(&self, text: &str, known: &Known<'_>) -> usize {
        let bpe = &self.encoder().bpe;
        let count = |piece: &[u8]| known.counts.get(piece).copied().unwrap_or_else(|| bpe.count(piece));
        self.cut(text, count).map(|(_, tokens)| tokens).sum()
    }
}
