//! Which statements are worth comparing: those that share rare terms.

use super::CHECKS_MAX;
use super::crowded::{self, Crowd};
use super::reading::Reading;
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

/// What is worth comparing.
pub(super) struct Candidates {
    /// The first of a pair is the first in order.
    pub(super) pairs: Vec<(usize, usize)>,
    /// How many statements are like more others than they are compared with.
    pub(super) unchecked: usize,
}

/// Pairs that share at least two rare terms, or one where both say little besides, by how many they share. Where most terms of
/// a statement are in too many others, one that is rare is enough, and what its figures belong to counts as terms do.
/// `independent` says of which others a statement may be contradicted.
pub(super) fn candidates(
    order: &[usize],
    readings: &[Reading<'_, '_>],
    independent: &dyn Fn(usize, usize) -> bool,
) -> Candidates {
    let features: Vec<&Features<'_>> = readings.iter().map(|reading| reading.of).collect();
    let mut postings: TermMap<Posting> = TermMap::default();
    // Growing costs more than room for terms that occur twice.
    postings.reserve(features.iter().map(|of| of.terms.len()).sum::<usize>() / 2);
    for term in features.iter().flat_map(|of| &of.terms) {
        postings.entry(*term).or_default().statements += 1;
    }
    let specifics = specifics(&features, &postings);
    for term in specifics.iter().flatten() {
        postings.entry(*term).or_default().statements += 1;
    }
    let mut found = Candidates { pairs: Vec::new(), unchecked: 0 };
    let mut crowd = Crowd::default();
    // By term, the ranks of the statements so far that have it.
    let mut ranks: Vec<u32> = Vec::new();
    let mut shared: Vec<u32> = Vec::new();
    for (rank, &at) in order.iter().enumerate() {
        shared.clear();
        for term in features[at].terms.iter().chain(&specifics[at]) {
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
        let is_crowded = |at: usize| !specifics[at].is_empty();
        if is_crowded(at) {
            let whole = crowded::whole(features[at]);
            if postings.get(&whole).is_some_and(|posting| posting.statements > RARE_MAX) {
                crowd.meet(whole, at, independent);
            }
        }
        shared.sort_unstable();
        let mut counted: Vec<(usize, u32)> = shared
            .chunk_by(|a, b| a == b)
            .map(|same| (same.len(), same[0]))
            .filter(|&(count, other)| {
                let both = |is: &dyn Fn(usize) -> bool| is(at) && is(order[other as usize]);
                count >= 2 || both(&|at| readings[at].content().len() <= SHORT) || both(&is_crowded)
            })
            .collect();
        counted.sort_unstable_by_key(|&(count, other)| (std::cmp::Reverse(count), other));
        let others = counted.into_iter().map(|(count, other)| (count, order[other as usize]));
        let mut others = others.filter(|&(_, other)| independent(other, at));
        found.pairs.extend(others.by_ref().take(CHECKS_MAX).map(|(_, other)| (other, at)));
        let is_like = |(count, other): (usize, usize)| {
            2 * count >= features[at].terms.len().max(features[other].terms.len())
        };
        found.unchecked += usize::from(others.any(is_like));
    }
    found.unchecked += crowd.count();
    found
}

/// Of statements most of whose terms are in too many others what tells them apart; of the others nothing.
fn specifics(features: &[&Features<'_>], postings: &TermMap<Posting>) -> Vec<Vec<Term>> {
    let is_common = |term: &&Term| postings.get(term).is_some_and(|posting| posting.statements > RARE_MAX);
    let is_crowded = |of: &Features<'_>| 2 * of.terms.iter().filter(is_common).count() > of.terms.len();
    let of = |of: &&Features<'_>| if is_crowded(of) { crowded::specifics(of) } else { Vec::new() };
    features.iter().map(of).collect()
}
