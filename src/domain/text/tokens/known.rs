//! Counts that were made before: encoding a piece takes a hundred times as long as looking it up.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use super::{Tokenizer, Vocabulary};
use crate::domain::text::memo::Memo;

/// The same of pieces of all texts, by the order of vocabularies. About 3 MB each.
static MET: LazyLock<[Memo<usize>; 2]> = LazyLock::new(|| std::array::from_fn(|_| Memo::new(1 << 15, 32)));

/// Bytes after which the tokens of a run begin anew: more than the longest token has, a power of two.
const PERIOD: usize = 1 << 10;
/// Periods of a run that are encoded.
const PERIODS_KEPT: usize = 4;
/// Bytes around a run that may be other ones.
const AROUND: usize = 8;

/// The one ASCII character that a long piece repeats, but for a few bytes around it.
fn run(piece: &[u8]) -> Option<Range<usize>> {
    let inside = piece.get(AROUND..piece.len().checked_sub(AROUND)?)?;
    let (first, is_long) = (*inside.first()?, inside.len() > PERIOD * (PERIODS_KEPT + 1));
    (is_long && first.is_ascii() && inside.iter().all(|byte| *byte == first))
        .then(|| AROUND..piece.len() - AROUND)
}

/// How many tokens those pieces of a text are that had to be encoded.
#[derive(Debug, Default)]
pub struct Known<'t> {
    counts: HashMap<&'t [u8], usize, RandomState>,
}

impl Known<'_> {
    /// Nothing yet, with room for what a text of so many bytes mostly has.
    pub fn of_bytes(bytes: usize) -> Self {
        const BYTES_EACH: usize = 64;
        Self { counts: HashMap::with_capacity_and_hasher(bytes / BYTES_EACH, RandomState::default()) }
    }
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
        met.get_or_insert_with(piece, || match run(piece) {
            Some(run) => self.of_run(piece, run),
            None => self.encoder().bpe.count(piece),
        })
    }

    /// The same of a piece with a run in which every so many bytes are as many tokens: a line of a million dashes.
    fn of_run(&self, piece: &[u8], run: Range<usize>) -> usize {
        let count = |piece: &[u8]| self.encoder().bpe.count(piece);
        let left_out = (run.len() / PERIOD).saturating_sub(PERIODS_KEPT);
        let cut = run.start + PERIOD..run.start + PERIOD * (1 + left_out);
        let rest = [&piece[..cut.start], &piece[cut.end..]].concat();
        let periods = |periods: usize| count(&vec![piece[run.start]; PERIOD * periods]);
        count(&rest) + left_out * (periods(PERIODS_KEPT) - periods(PERIODS_KEPT - 1))
    }
}
