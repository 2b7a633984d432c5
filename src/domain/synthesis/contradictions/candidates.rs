//! Which statements are worth comparing: those that share rare terms.

use super::CHECKS_MAX;
use super::crowded::{self, Crowd, Neighbours};
use super::reading::Reading;
use crate::domain::near_duplicates::Features;
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

    fn is_crowded(&self) -> bool {
        self.statements > RARE_MAX
    }
}

/// The terms of all statements, each looked up once, and from then on known by its number.
#[derive(Default)]
struct Terms {
    numbers: TermMap<u32>,
    postings: Vec<Posting>,
    /// By statement the numbers of its terms.
    of: Vec<Vec<u32>>,
    /// By statement the number of all that it says, where most of its terms are in too many others.
    wholes: Vec<Option<(u32, Term)>>,
}

impl Terms {
    fn of(readings: &[Reading<'_, '_>]) -> Self {
        let mut terms = Self::default();
        // Growing costs more than room for terms that occur twice.
        let all: usize = readings.iter().map(|reading| reading.of.terms.len()).sum();
        terms.numbers.reserve(all / 2);
        terms.postings.reserve(all / 2);
        for reading in readings {
            let Features { terms: own, figures, .. } = reading.of;
            // With room for what tells one of many like statements.
            let mut numbers = Vec::with_capacity(own.len() + figures.len() + 1);
            numbers.extend(own.iter().map(|term| terms.counted(*term)));
            terms.of.push(numbers);
        }
        let is_crowded = |numbers: &Vec<u32>| {
            2 * numbers.iter().filter(|at| terms.postings[**at as usize].is_crowded()).count() > numbers.len()
        };
        let crowded: Vec<bool> = terms.of.iter().map(is_crowded).collect();
        terms.wholes = vec![None; readings.len()];
        for at in (0..readings.len()).filter(|at| crowded[*at]) {
            terms.specify(at, readings[at].of);
        }
        terms
    }

    /// The number of a term that one more statement has.
    fn counted(&mut self, term: Term) -> u32 {
        let next = self.postings.len() as u32;
        let number = *self.numbers.entry(term).or_insert(next);
        if number == next {
            self.postings.push(Posting::default());
        }
        self.postings[number as usize].statements += 1;
        number
    }

    /// Adds what tells a statement from the many that have its terms.
    fn specify(&mut self, at: usize, of: &Features<'_>) {
        let (whole, specifics) = crowded::specifics(of);
        for term in specifics {
            let number = self.counted(term);
            self.of[at].push(number);
            if term == whole {
                self.wholes[at] = Some((number, whole));
            }
        }
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
    let mut terms = Terms::of(readings);
    let mut found = Candidates { pairs: Vec::new(), unchecked: 0 };
    let (mut crowd, mut neighbours) = (Crowd::default(), Neighbours::default());
    // By term, the ranks of the statements so far that have it.
    let mut ranks: Vec<u32> = Vec::new();
    // By rank, how many terms a statement shares with this one; those that share any are `met`.
    let mut shared = vec![0_u32; order.len()];
    let (mut met, mut counted): (Vec<u32>, Vec<(u32, u32)>) = Default::default();
    for (rank, &at) in order.iter().enumerate() {
        for number in &terms.of[at] {
            let posting = &mut terms.postings[*number as usize];
            if !posting.is_shared() {
                continue;
            }
            if posting.so_far == 0 {
                posting.from = ranks.len();
                ranks.resize(ranks.len() + posting.statements, 0);
            }
            let own = &mut ranks[posting.from..posting.from + posting.statements];
            for other in &own[..posting.so_far] {
                let count = &mut shared[*other as usize];
                met.extend((*count == 0).then_some(*other));
                *count += 1;
            }
            own[posting.so_far] = rank as u32;
            posting.so_far += 1;
        }
        if let Some((number, whole)) = terms.wholes[at]
            && terms.postings[number as usize].is_crowded()
        {
            crowd.meet(whole, at, independent);
        }
        let is_crowded = terms.wholes[at].is_some();
        let is_short = |at: usize| readings[at].content().terms.len() <= SHORT;
        for other in met.drain(..) {
            let count = std::mem::take(&mut shared[other as usize]);
            let with = order[other as usize];
            let is_worth =
                count >= 2 || is_short(at) && is_short(with) || is_crowded && terms.wholes[with].is_some();
            counted.extend(is_worth.then_some((count, other)));
        }
        counted.sort_unstable_by_key(|&(count, other)| (std::cmp::Reverse(count), other));
        let others = counted.drain(..).map(|(count, other)| (count as usize, order[other as usize]));
        let mut others = others.filter(|&(_, other)| independent(other, at));
        let before = found.pairs.len();
        found.pairs.extend(others.by_ref().take(CHECKS_MAX).map(|(_, other)| (other, at)));
        let is_like = |(count, other): (usize, usize)| {
            2 * count >= readings[at].of.terms.len().max(readings[other].of.terms.len())
        };
        found.unchecked += usize::from(others.any(is_like));
        if is_crowded {
            let mut beside = neighbours.of(readings[at].of, at, independent);
            beside.retain(|other| !found.pairs[before..].contains(&(*other, at)));
            found.pairs.extend(beside.into_iter().map(|other| (other, at)));
        }
    }
    found.unchecked += crowd.count();
    found
}
