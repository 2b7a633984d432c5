//! How much of what two statements say is the same.
//!
//! Pairs are many, and nearly all of them share too little: that is told by bits of their terms before any term is compared.

use crate::domain::text::words::Term;

/// Shared content that two statements with different figures must have: of the one with less, and of both.
const NUMBER: (f64, f64) = (0.8, 0.6);
/// The same for negations and opposites, where a single word decides.
pub(super) const WORD: (f64, f64) = (0.85, 0.7);
/// The same for sentences whose clauses needn't be compared.
const WHOLE: (f64, f64) = (0.9, 0.8);
/// The same where how far each moved is left aside: one word may be what it is compared with, as in `year on year`.
pub(super) const TURNED: (f64, f64) = (1.0, 0.7);
/// Content words or characters that must be shared at least; one where there is no other (`The price is 10 euros.`).
const SHARED_MIN: usize = 3;

/// What a statement says.
pub(super) struct Content {
    /// Distinct and ascending.
    pub(super) terms: Vec<Term>,
    /// A bit for each term, which several may share.
    bits: u128,
}

impl Content {
    /// Of distinct terms, ascending.
    pub(super) fn of(terms: Vec<Term>) -> Self {
        // Terms are hashes: their highest bits are as good as any.
        let bits = terms.iter().fold(0, |bits, term| bits | 1 << (term.0 >> 57));
        Self { terms, bits }
    }

    /// At least how many of its terms another one hasn't.
    fn lacking_in(&self, other: &Self) -> usize {
        (self.bits & !other.bits).count_ones() as usize
    }

    fn shares(&self, other: &Self, least: (f64, f64)) -> bool {
        Alike::at_most(self, other).at_least(least) && Alike::of(&self.terms, &other.terms).at_least(least)
    }
}

/// Whether two contents are nearly the same: clauses of such sentences are those that stand in the same place.
pub(super) fn say_the_same(one: &Content, other: &Content) -> bool {
    one.shares(other, WHOLE)
}

/// Whether two contents have enough in common to be about the same.
pub(super) fn alike(one: &Content, other: &Content) -> bool {
    one.shares(other, NUMBER)
}

/// How much of their content two statements share.
pub(super) struct Alike {
    shared: usize,
    pub(super) less: usize,
    all: usize,
}

impl Alike {
    pub(super) fn of(mine: &[Term], theirs: &[Term]) -> Self {
        let mut rest = theirs.iter().peekable();
        let shared = mine.iter().filter(|term| {
            while rest.next_if(|other| other < term).is_some() {}
            rest.next_if(|other| other == term).is_some()
        });
        Self::new([mine.len(), theirs.len()], shared.count())
    }

    /// What they share at most, as their bits tell: what has too little of that has too little.
    fn at_most(mine: &Content, theirs: &Content) -> Self {
        let lengths = [mine, theirs].map(|of| of.terms.len());
        let [own, their] = [lengths[0] - mine.lacking_in(theirs), lengths[1] - theirs.lacking_in(mine)];
        Self::new(lengths, own.min(their))
    }

    fn new([mine, theirs]: [usize; 2], shared: usize) -> Self {
        Self { shared, less: mine.min(theirs), all: mine + theirs - shared }
    }

    pub(super) fn at_least(&self, (contained, jaccard): (f64, f64)) -> bool {
        let shared = self.shared as f64;
        let shared_min = if self.shared == self.all { 1 } else { SHARED_MIN };
        self.shared >= shared_min
            && shared >= contained * self.less as f64
            && shared >= jaccard * self.all as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_never_tell_less_than_what_is_shared() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..2_000 {
            let mut terms = || {
                let mut terms: Vec<Term> =
                    (0..random.usize(..40)).map(|_| Term(random.u64(..60) << 57)).collect();
                terms.sort_unstable();
                terms.dedup();
                Content::of(terms)
            };
            let (one, other) = (terms(), terms());
            let (most, exact) = (Alike::at_most(&one, &other), Alike::of(&one.terms, &other.terms));
            assert!(most.shared >= exact.shared);
            for least in [NUMBER, WORD, WHOLE, TURNED] {
                assert_eq!(one.shares(&other, least), exact.at_least(least));
            }
        }
    }
}
