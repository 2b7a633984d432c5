//! What sentences have in common: stems of content words, and pairs of neighbouring words.

use super::Sentence;
use crate::domain::text::terms::TermMap;
use crate::domain::text::words::{Term, Word};

/// What a pair of words counts more than a word: pairs carry the phrasing that summaries share.
const PAIR_WEIGHT: f64 = 2.0;

/// The units of all sentences.
pub struct Units {
    /// Of each unit: the weighted share of sentences that have it. Units of one sentence only are left out.
    pub weights: Vec<f64>,
    /// Words of each sentence.
    pub lengths: Vec<usize>,
    /// Sentence by sentence, its units.
    members: Vec<u32>,
    /// Where each sentence's members begin; one more than there are sentences.
    starts: Vec<usize>,
}

/// A unit in a sentence: its hash, whether it is a pair, and the sentence.
type Occurrence = (u64, bool, u32);

impl Units {
    /// `words` are those of each sentence.
    pub fn of(sentences: &[Sentence<'_>], words: &[Vec<Word>]) -> Self {
        let mut lengths = Vec::with_capacity(sentences.len());
        // A word and a pair for each at most.
        let mut occurrences: Vec<Occurrence> =
            Vec::with_capacity(2 * words.iter().map(Vec::len).sum::<usize>());
        for (at, words) in (0..u32::MAX).zip(words) {
            let content = words.iter().filter(|word| word.is_content());
            occurrences.extend(content.map(|word| (word.term.0, false, at)));
            let pairs = words.windows(2);
            occurrences.extend(pairs.map(|pair| (joined(pair[0].term, pair[1].term), true, at)));
            lengths.push(words.len());
        }
        lengths.resize(sentences.len(), 0);
        if sentences.len() > 1 {
            drop_lone(&mut occurrences);
        }
        // One number compares faster than three.
        let key = |&(unit, is_pair, at): &Occurrence| {
            u128::from(unit) << 64 | u128::from(is_pair) << 32 | u128::from(at)
        };
        occurrences.sort_unstable_by_key(key);
        occurrences.dedup();
        Self::grouped(&occurrences, sentences, lengths)
    }

    fn grouped(occurrences: &[Occurrence], sentences: &[Sentence<'_>], lengths: Vec<usize>) -> Self {
        let weight = |sentence: u32| usable(sentences[sentence as usize].weight);
        let total: f64 = sentences.iter().map(|sentence| usable(sentence.weight)).sum();
        let mut weights = Vec::new();
        let mut owned: Vec<(u32, u32)> = Vec::new();
        for same in occurrences.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            // What one sentence alone says is central only where there is but one.
            if same.len() < 2 && sentences.len() > 1 {
                continue;
            }
            let unit = u32::try_from(weights.len()).unwrap_or(u32::MAX);
            let share = same.iter().map(|&(_, _, sentence)| weight(sentence)).sum::<f64>()
                / total.max(f64::MIN_POSITIVE);
            weights.push(if same[0].1 { PAIR_WEIGHT * share } else { share });
            owned.extend(same.iter().map(|&(_, _, sentence)| (sentence, unit)));
        }
        owned.sort_unstable_by_key(|&(sentence, unit)| u64::from(sentence) << 32 | u64::from(unit));
        let starts =
            (0..=lengths.len()).map(|at| owned.partition_point(|&(sentence, _)| (sentence as usize) < at));
        let starts = starts.collect();
        Self { weights, lengths, members: owned.into_iter().map(|(_, unit)| unit).collect(), starts }
    }

    /// The units of a sentence, each once.
    pub fn of_sentence(&self, at: usize) -> impl Iterator<Item = usize> {
        self.members[self.starts[at]..self.starts[at + 1]].iter().map(|&unit| unit as usize)
    }
}

/// Leaves out units that one sentence alone has: they are most, they count for nothing, and sorting costs more than counting.
fn drop_lone(occurrences: &mut Vec<Occurrence>) {
    const SHARED: u32 = u32::MAX;
    let mut sentence_of: TermMap<u32> = TermMap::default();
    sentence_of.reserve(occurrences.len() / 2);
    // A word and a pair with the same hash keep each other: sorted, they are told apart.
    for &(unit, _, at) in occurrences.iter() {
        let first = sentence_of.entry(Term(unit)).or_insert(at);
        if *first != at {
            *first = SHARED;
        }
    }
    occurrences.retain(|(unit, ..)| sentence_of.get(&Term(*unit)) == Some(&SHARED));
}

/// A weight that can be reckoned with.
pub fn usable(weight: f64) -> f64 {
    if weight.is_finite() && weight > 0.0 { weight } else { 0.0 }
}

/// The hash of two words one after the other.
fn joined(first: Term, second: Term) -> u64 {
    (first.0.rotate_left(31) ^ second.0).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
