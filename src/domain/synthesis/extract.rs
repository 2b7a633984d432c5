//! An extractive summary: which sentences of many say together most of what the many say. Verbatim, nothing reworded.
//!
//! A monotone submodular function is maximised greedily under a limit (Lin & Bilmes 2011, "A Class of Submodular
//! Functions for Document Summarization"): units are the stems of content words and pairs of neighbouring words; a
//! unit's weight is the share of all sentences that have it (centrality, as SumBasic and LexRank measure it); each time
//! a chosen sentence has a unit already, the unit counts for [`REPEATED`] of before (redundancy). What is compared is
//! the gain for each word of the sentence, so that a long sentence must earn its length.
//!
//! Constants are from the middle of a plateau on opinosis (two sentences): ROUGE-1/2/L .338/.132/.278; chosen without the
//! topic that is measured .330/.130/.272 (54 settings).
//!
//! Deterministic: sums run in a fixed order, the earliest of equals wins. Gains only ever fall, so a queue with
//! outdated gains finds the best sentence without asking all (Minoux 1978, "lazy greedy"): O(words · log words) and in
//! practice a few re-evaluations for each sentence chosen.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use self::units::Units;
use crate::domain::text::words::{Lexicon, Word};

#[cfg(test)]
mod tests;
mod units;

/// What a unit is still worth each time it has been said.
const REPEATED: f64 = 0.4;
/// What a sentence is worth for each sentence that its group already has in the summary: others are heard too.
const GROUP_REPEATED: f64 = 0.9;
/// Added to a sentence's words before its gain is divided by them: without it the shortest sentence always wins.
const LENGTH_OFFSET: f64 = 3.0;
/// Shorter sentences are chosen only where every one is shorter: they say too little alone.
const WORDS_MIN: usize = 4;

/// A sentence that may be quoted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sentence<'a> {
    /// As it stands in its source.
    pub text: &'a str,
    /// How much it counts, as a vote for what is central and as a candidate: 1 is usual, 0 never. Relevance, position
    /// and agreement belong here. What isn't a positive finite number is 0.
    pub weight: f64,
    /// Who said it: a subagent, a source.
    pub group: usize,
}

/// The sentences of a summary, `most` at most, by their places, ascending.
pub fn summarise(lexicon: &mut Lexicon, sentences: &[Sentence<'_>], most: usize) -> Vec<usize> {
    let words: Vec<Vec<Word>> = sentences.iter().map(|sentence| lexicon.words(sentence.text)).collect();
    summarise_read((sentences, &words), most)
}

/// The same where the words of each sentence are known.
pub fn summarise_read((sentences, words): (&[Sentence<'_>], &[Vec<Word>]), most: usize) -> Vec<usize> {
    let units = Units::of(sentences, words);
    let shortest = if units.lengths.iter().any(|&words| words >= WORDS_MIN) { WORDS_MIN } else { 1 };
    let mut draft = Draft { sentences, said: vec![0; units.weights.len()], chosen: BTreeMap::new(), units };
    let candidates = (0..sentences.len()).filter(|&at| draft.units.lengths[at] >= shortest);
    let mut queue: BinaryHeap<Candidate> =
        candidates.map(|at| Candidate { gain: draft.gain(at), at, round: 0 }).collect();
    let mut chosen = Vec::new();
    while let Some(best) = queue.pop().filter(|best| best.gain > 0.0 && chosen.len() < most) {
        if best.round < chosen.len() {
            queue.push(Candidate { gain: draft.gain(best.at), at: best.at, round: chosen.len() });
            continue;
        }
        draft.choose(best.at);
        chosen.push(best.at);
    }
    chosen.sort_unstable();
    chosen
}

/// A summary in the making.
struct Draft<'a> {
    sentences: &'a [Sentence<'a>],
    units: Units,
    /// How often the chosen sentences have each unit.
    said: Vec<i32>,
    /// How many sentences of a group are chosen.
    chosen: BTreeMap<usize, i32>,
}

impl Draft<'_> {
    /// What a sentence would add, for each of its words.
    fn gain(&self, at: usize) -> f64 {
        let worth = |unit: usize| self.units.weights[unit] * REPEATED.powi(self.said[unit]);
        let new: f64 = self.units.of_sentence(at).map(worth).sum();
        let sentence = &self.sentences[at];
        let heard = self.chosen.get(&sentence.group).copied().unwrap_or_default();
        let length = self.units.lengths[at] as f64 + LENGTH_OFFSET;
        units::usable(sentence.weight) * GROUP_REPEATED.powi(heard) * new / length
    }

    fn choose(&mut self, at: usize) {
        for unit in self.units.of_sentence(at) {
            self.said[unit] += 1;
        }
        *self.chosen.entry(self.sentences[at].group).or_default() += 1;
    }
}

/// A sentence in the queue, with the gain that it had when `round` sentences were chosen.
#[derive(Debug, PartialEq)]
struct Candidate {
    gain: f64,
    at: usize,
    round: usize,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.at.cmp(&self.at)).then(other.round.cmp(&self.round))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
