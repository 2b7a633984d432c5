//! Extractive fragments: what the synthesis shares with the results word by word, found greedily from left to right
//! (Grusky et al. 2018, figure 3).

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::read::Read;
use crate::domain::text::terms::{TermHasher, TermSet};
use crate::domain::text::words::{Term, Word};

/// Places of a pair of words that are tried as the beginning of a fragment: keeps the search linear.
const STARTS_MAX: usize = 32;

/// The pairs of neighbouring words of the synthesis, and where they stand in the results.
struct Pairs {
    /// Each with its place in `starts`.
    known: HashMap<(Term, Term), usize, BuildHasherDefault<TermHasher>>,
    /// Where the places of each pair begin; one more than there are pairs.
    starts: Vec<usize>,
    /// The first [`STARTS_MAX`] places of each pair, ascending.
    places: Vec<usize>,
}

/// Share of the synthesis's words that are in fragments, and the mean length of the fragment that a word belongs to;
/// none of no words.
pub(super) fn measure(sentences: &[Read], results: &[(&str, &[Word])]) -> Option<(f64, f64)> {
    let mut summary: Vec<Term> = Vec::with_capacity(sentences.iter().map(|read| read.words.len()).sum());
    summary.extend(sentences.iter().flat_map(|read| &read.words));
    let mut source: Vec<Term> = Vec::with_capacity(results.iter().map(|(_, words)| words.len()).sum());
    source.extend(results.iter().flat_map(|(_, words)| words.iter().map(|word| word.term)));
    let pairs = Pairs::of(&summary, &source);
    let (mut at, mut covered, mut squared) = (0, 0, 0);
    let mut alone = Vec::new();
    while at < summary.len() {
        let places = summary.get(at + 1).map_or(&[][..], |next| pairs.places_of(summary[at], *next));
        let common =
            |start: usize| source[start..].iter().zip(&summary[at..]).take_while(|(a, b)| a == b).count();
        let longest = places.iter().map(|&start| common(start)).max();
        if longest.is_none() {
            alone.push(summary[at]);
        }
        let length = longest.unwrap_or_default();
        covered += length;
        squared += length * length;
        at += length.max(1);
    }
    let single = count_found(&alone, &source);
    let words = summary.len() as f64;
    (words > 0.0).then(|| ((covered + single) as f64 / words, (squared + single) as f64 / words))
}

/// How many of some words of the synthesis the results have.
fn count_found(words: &[Term], source: &[Term]) -> usize {
    if words.is_empty() {
        return 0; // as most are quoted with what stands beside them
    }
    let asked: TermSet = words.iter().copied().collect();
    let found: TermSet = source.iter().filter(|term| asked.contains(term)).copied().collect();
    words.iter().filter(|term| found.contains(term)).count()
}

impl Pairs {
    fn of(summary: &[Term], source: &[Term]) -> Self {
        let mut pairs = Self { known: HashMap::default(), starts: Vec::new(), places: Vec::new() };
        pairs.known.reserve(summary.len());
        for pair in summary.windows(2) {
            let place = pairs.known.len();
            pairs.known.entry((pair[0], pair[1])).or_insert(place);
        }
        pairs.find(source);
        pairs
    }

    /// Notes where the pairs stand. Of the source only what the summary has is kept.
    fn find(&mut self, source: &[Term]) {
        let mut counts = vec![0; self.known.len()];
        let mut found: Vec<(usize, usize)> = Vec::with_capacity(source.len() / 2);
        for (at, pair) in source.windows(2).enumerate() {
            if let Some(&place) = self.known.get(&(pair[0], pair[1]))
                && counts[place] < STARTS_MAX
            {
                counts[place] += 1;
                found.push((place, at));
            }
        }
        self.starts = Vec::with_capacity(counts.len() + 1);
        let mut start = 0;
        for count in counts {
            self.starts.push(start);
            start += count;
        }
        self.starts.push(start);
        let mut free = self.starts.clone();
        self.places = vec![0; start];
        for (pair, at) in found {
            self.places[free[pair]] = at;
            free[pair] += 1;
        }
    }

    fn places_of(&self, first: Term, second: Term) -> &[usize] {
        let pair = self.known.get(&(first, second));
        pair.map_or(&[], |pair| &self.places[self.starts[*pair]..self.starts[pair + 1]])
    }
}
