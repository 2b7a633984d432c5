//! Extractive fragments: what the synthesis shares with the results word by word, found greedily from left to right
//! (Grusky et al. 2018, figure 3).

use super::read::Read;
use crate::domain::text::terms::TermMap;
use crate::domain::text::words::{Term, Word};

/// Places of a pair of words that are tried as the beginning of a fragment: keeps the search linear.
const STARTS_MAX: usize = 32;

/// A word of the synthesis, and where the pairs that it begins there stand in the results.
#[derive(Default)]
struct Known {
    /// Whether the results have it.
    found: bool,
    /// What may follow it, each with the first [`STARTS_MAX`] places of both.
    followers: Vec<(Term, Vec<usize>)>,
}

/// Share of the synthesis's words that are in fragments, and the mean length of the fragment that a word belongs to.
pub(super) fn measure(sentences: &[Read], results: &[(&str, &[Word])]) -> (f64, f64) {
    let summary: Vec<Term> = sentences.iter().flat_map(|read| &read.words).copied().collect();
    let source: Vec<Term> =
        results.iter().flat_map(|(_, words)| words.iter().map(|word| word.term)).collect();
    let known = known(&summary, &source);
    let (mut at, mut covered, mut squared) = (0, 0.0, 0.0);
    while at < summary.len() {
        let of = known.get(&summary[at]);
        let follows = |next: &Term| {
            let followers = &of?.followers;
            followers.binary_search_by_key(next, |(term, _)| *term).ok().map(|place| &followers[place])
        };
        let places = summary.get(at + 1).and_then(follows).map_or(&[][..], |(_, places)| places);
        let common =
            |start: usize| source[start..].iter().zip(&summary[at..]).take_while(|(a, b)| a == b).count();
        let longest = places.iter().map(|&start| common(start)).max();
        let length = longest.unwrap_or(usize::from(of.is_some_and(|of| of.found)));
        covered += length as f64;
        squared += (length * length) as f64;
        at += length.max(1);
    }
    let words = summary.len().max(1) as f64;
    (covered / words, squared / words)
}

/// Where the pairs of the summary's words stand in the source. Of the source only what the summary has is kept.
fn known(summary: &[Term], source: &[Term]) -> TermMap<Known> {
    let mut known: TermMap<Known> = TermMap::default();
    for term in summary {
        known.entry(*term).or_default();
    }
    let mut pairs: Vec<[Term; 2]> = summary.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    // One number compares faster than two.
    pairs.sort_unstable_by_key(|[first, second]| u128::from(first.0) << 64 | u128::from(second.0));
    pairs.dedup();
    for [first, second] in pairs {
        known.entry(first).or_default().followers.push((second, Vec::new()));
    }
    for (at, term) in source.iter().enumerate() {
        let Some(of) = known.get_mut(term) else { continue };
        of.found = true;
        let Some(next) = source.get(at + 1) else { continue };
        // In the order of their terms, as they were put in.
        if let Ok(place) = of.followers.binary_search_by_key(next, |(term, _)| *term) {
            let places = &mut of.followers[place].1;
            if places.len() < STARTS_MAX {
                places.push(at);
            }
        }
    }
    known
}
