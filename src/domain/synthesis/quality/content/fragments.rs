//! Extractive fragments: what the synthesis shares with the results word by word, found greedily from left to right
//! (Grusky et al. 2018, figure 3).

use std::ops::Range;

use super::read::Read;
use crate::domain::text::terms::TermMap;
use crate::domain::text::words::{Term, Word};

/// Places of a pair of words that are tried as the beginning of a fragment: keeps the search linear.
const STARTS_MAX: usize = 32;

/// A word of the synthesis.
#[derive(Default)]
struct Known {
    /// Whether the results have it.
    found: bool,
    /// Its pairs, in [`Pairs::second`].
    pairs: Range<usize>,
}

/// The pairs of neighbouring words of the synthesis, and where they stand in the results.
struct Pairs {
    by_first: TermMap<Known>,
    /// What may follow a word, in the order of its terms.
    second: Vec<Term>,
    /// Where the places of each pair begin; one more than there are pairs.
    starts: Vec<usize>,
    /// The first [`STARTS_MAX`] places of each pair, ascending.
    places: Vec<usize>,
}

/// Share of the synthesis's words that are in fragments, and the mean length of the fragment that a word belongs to.
pub(super) fn measure(sentences: &[Read], results: &[(&str, &[Word])]) -> (f64, f64) {
    let summary: Vec<Term> = sentences.iter().flat_map(|read| &read.words).copied().collect();
    let source: Vec<Term> =
        results.iter().flat_map(|(_, words)| words.iter().map(|word| word.term)).collect();
    let pairs = Pairs::of(&summary, &source);
    let (mut at, mut covered, mut squared) = (0, 0.0, 0.0);
    while at < summary.len() {
        let places = summary.get(at + 1).map_or(&[][..], |next| pairs.places_of(summary[at], *next));
        let common =
            |start: usize| source[start..].iter().zip(&summary[at..]).take_while(|(a, b)| a == b).count();
        let longest = places.iter().map(|&start| common(start)).max();
        let length = longest.unwrap_or(usize::from(pairs.found(summary[at])));
        covered += length as f64;
        squared += (length * length) as f64;
        at += length.max(1);
    }
    let words = summary.len().max(1) as f64;
    (covered / words, squared / words)
}

impl Pairs {
    fn of(summary: &[Term], source: &[Term]) -> Self {
        let mut pairs: Vec<[Term; 2]> = summary.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        // One number compares faster than two.
        pairs.sort_unstable_by_key(|[first, second]| u128::from(first.0) << 64 | u128::from(second.0));
        pairs.dedup();
        let mut by_first: TermMap<Known> = TermMap::default();
        by_first.reserve(pairs.len());
        // The last word begins no pair.
        by_first.extend(summary.last().map(|last| (*last, Known::default())));
        let mut begin = 0;
        for same in pairs.chunk_by(|one, other| one[0] == other[0]) {
            let end = begin + same.len();
            by_first.insert(same[0][0], Known { found: false, pairs: begin..end });
            begin = end;
        }
        let second = pairs.iter().map(|[_, second]| *second).collect();
        let mut pairs = Self { by_first, second, starts: Vec::new(), places: Vec::new() };
        pairs.find(source);
        pairs
    }

    /// Notes where the pairs stand. Of the source only what the summary has is kept.
    fn find(&mut self, source: &[Term]) {
        let mut counts = vec![0; self.second.len()];
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (at, term) in source.iter().enumerate() {
            let Some(of) = self.by_first.get_mut(term) else { continue };
            of.found = true;
            let Some(next) = source.get(at + 1) else { continue };
            if let Some(pair) = place_in(&self.second, of.pairs.clone(), *next)
                && counts[pair] < STARTS_MAX
            {
                counts[pair] += 1;
                found.push((pair, at));
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
        let of = self.by_first.get(&first);
        let pair = of.and_then(|of| place_in(&self.second, of.pairs.clone(), second));
        pair.map_or(&[], |pair| &self.places[self.starts[pair]..self.starts[pair + 1]])
    }

    fn found(&self, term: Term) -> bool {
        self.by_first.get(&term).is_some_and(|of| of.found)
    }
}

/// Where a pair stands, by what comes second in it.
fn place_in(second: &[Term], pairs: Range<usize>, next: Term) -> Option<usize> {
    second[pairs.clone()].binary_search(&next).ok().map(|place| pairs.start + place)
}
