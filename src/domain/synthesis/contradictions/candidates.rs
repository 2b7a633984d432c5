//! Which statements are worth comparing: those that share rare terms.

use super::CHECKS_MAX;
use crate::domain::aggregate::near_duplicates::Features;
use crate::domain::text::terms::TermMap;
use crate::domain::text::words::Term;

/// Terms that more statements have aren't rare.
const RARE_MAX: usize = 24;

/// Words or characters of a statement, figures and opposites aside, that are few: `Revenue rose in 2023.`
const SHORT: usize = 4;

/// Where a term's statements are listed.
#[derive(Default)]
struct Posting {
    /// How many have it.
    statements: usize,
    from: usize,
    so_far: usize,
}

impl Posting {
    /// Whether others have the term too, and not too many.
    fn is_shared(&self) -> bool {
        (2..=RARE_MAX).contains(&self.statements)
    }
}

/// Pairs that share at least two rare terms, or one where both say little besides, by how many they share; the first of a pair is
/// the first in order.
pub(super) fn candidates(
    order: &[usize],
    features: &[&Features<'_>],
    contents: &[Vec<Term>],
) -> Vec<(usize, usize)> {
    let mut postings: TermMap<Posting> = TermMap::default();
    // Growing costs more than room for terms that occur twice.
    postings.reserve(features.iter().map(|of| of.terms.len()).sum::<usize>() / 2);
    for term in features.iter().flat_map(|of| &of.terms) {
        postings.entry(*term).or_default().statements += 1;
    }
    let mut pairs = Vec::new();
    // By term, the ranks of the statements so far that have it.
    let mut ranks: Vec<u32> = Vec::new();
    let mut shared: Vec<u32> = Vec::new();
    for (rank, &at) in order.iter().enumerate() {
        shared.clear();
        for term in &features[at].terms {
            let Some(posting) = postings.get_mut(term).filter(|posting| posting.is_shared()) else {
                continue;
            };
            if posting.so_far == 0 {
                posting.from = ranks.len();
                ranks.resize(ranks.len() + posting.statements, 0);
            }
            let own = &mut ranks[posting.from..posting.from + posting.statements];
            shared.extend(&own[..posting.so_far]);
            own[posting.so_far] = rank as u32;
            posting.so_far += 1;
        }
        shared.sort_unstable();
        let mut counted: Vec<(usize, u32)> = shared
            .chunk_by(|a, b| a == b)
            .map(|same| (same.len(), same[0]))
            .filter(|&(count, other)| {
                let is_short = |at: usize| contents[at].len() <= SHORT;
                count >= 2 || (is_short(at) && is_short(order[other as usize]))
            })
            .collect();
        counted.sort_unstable_by_key(|&(count, other)| (std::cmp::Reverse(count), other));
        counted.truncate(CHECKS_MAX);
        pairs.extend(counted.into_iter().map(|(_, other)| (order[other as usize], at)));
    }
    pairs
}
