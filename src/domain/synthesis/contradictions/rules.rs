//! The rules by which two statements are held against each other, and which of them can apply to a pair at all.

use super::contents::alike;
use super::differ::{self, Difference};
use super::reading::Reading;
use super::{
    Kind, bracketed, counted, denied, exchanged, free, holders, korean, none, offices, opposites, rates,
    reversed, rights, scheduled, spans, superlatives, swapped, trailing,
};
use crate::domain::text::words::Term;

/// What a statement may have that a rule asks for, a bit each.
pub(super) mod has {
    pub(in super::super) const NO_FIGURE: u16 = 1;
    /// Its only figure is a price.
    pub(in super::super) const PRICE: u16 = 1 << 1;
    /// Its only figure is a day.
    pub(in super::super) const DAY: u16 = 1 << 2;
    /// A Chinese clause behind its last figure.
    pub(in super::super) const CLAUSE_BEHIND: u16 = 1 << 3;
    pub(in super::super) const RATE: u16 = 1 << 4;
    pub(in super::super) const SIDE: u16 = 1 << 5;
    pub(in super::super) const RANGE: u16 = 1 << 6;
    /// Brackets at its end with its only price.
    pub(in super::super) const PRICE_BEHIND: u16 = 1 << 7;
    /// `the best`: what only one can be.
    pub(in super::super) const HOLDER: u16 = 1 << 8;
    /// `No` at its beginning.
    pub(in super::super) const NONE: u16 = 1 << 9;
    /// An odd number of negations.
    pub(in super::super) const DENIAL: u16 = 1 << 10;
    /// Who did it, or where somebody sits.
    pub(in super::super) const DOER: u16 = 1 << 11;
    /// A word that has an opposite.
    pub(in super::super) const OPPOSITE: u16 = 1 << 12;
    /// The ending of a sentence in Korean.
    pub(in super::super) const KOREAN: u16 = 1 << 13;
    /// An office that one holds.
    pub(in super::super) const OFFICE: u16 = 1 << 14;
}

/// How two statements may differ.
struct Rule {
    /// What both must have.
    both: u16,
    /// What one or the other must have.
    either: u16,
    differ: fn(&Reading<'_, '_>, &Reading<'_, '_>) -> Option<Difference>,
}

/// The first that finds something decides. Pairs are many, and most rules apply to nearly none.
const RULES: [Rule; 21] = [
    Rule { both: 0, either: 0, differ: by_clause },
    Rule { both: 0, either: 0, differ: as_whole },
    Rule { both: 0, either: has::PRICE | has::NO_FIGURE, differ: free::difference },
    Rule { both: 0, either: has::PRICE_BEHIND, differ: bracketed::difference },
    Rule { both: has::RANGE, either: 0, differ: spans::difference },
    Rule { both: has::RATE, either: 0, differ: rates::difference },
    Rule { both: has::SIDE, either: 0, differ: swapped::difference },
    Rule { both: 0, either: 0, differ: reversed::difference },
    Rule { both: 0, either: 0, differ: exchanged::difference },
    Rule { both: has::DAY, either: 0, differ: scheduled::difference },
    Rule { both: 0, either: has::CLAUSE_BEHIND, differ: trailing::difference },
    Rule { both: 0, either: 0, differ: counted::difference },
    Rule { both: has::HOLDER, either: 0, differ: superlatives::difference },
    Rule { both: 0, either: has::NONE, differ: none::difference },
    Rule { both: 0, either: 0, differ: rights::difference },
    Rule { both: 0, either: has::DENIAL, differ: denied::difference },
    Rule { both: 0, either: has::OPPOSITE, differ: opposites::difference },
    Rule { both: has::DOER, either: 0, differ: holders::difference },
    Rule { both: has::OFFICE, either: 0, differ: offices::difference },
    Rule { both: has::KOREAN, either: 0, differ: korean::difference },
    Rule { both: 0, either: 0, differ: by_gist },
];

/// How two statements differ, if they do.
pub(super) fn difference(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    let (both, either) = (one.has() & other.has(), one.has() | other.has());
    let applies = |rule: &&Rule| both & rule.both == rule.both && either & rule.either == rule.either;
    RULES.iter().filter(applies).find_map(|rule| (rule.differ)(one, other))
}

fn by_clause(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    let contents = [one.content(), other.content()];
    alike(contents[0], contents[1])
        .then(|| {
            let contents = contents.map(|content| content.terms.as_slice());
            differ::difference((one.said, one.clause()), (other.said, other.clause()), contents, true)
        })
        .flatten()
}

/// What stands behind a main clause may differ, too.
fn as_whole(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    if one.whole().is_none() && other.whole().is_none() {
        return None;
    }
    let wholes =
        [one.whole().unwrap_or_else(|| one.content()), other.whole().unwrap_or_else(|| other.content())];
    alike(wholes[0], wholes[1])
        .then(|| {
            let wholes = wholes.map(|whole| whole.terms.as_slice());
            differ::difference((one.said, one.of), (other.said, other.of), wholes, true)
        })
        .flatten()
}

/// The same may be told in other words. Where one says no more than the other, these stand anywhere; what happened on a day must be all the same.
fn by_gist(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    let (mine, theirs) = (one.gist(), other.gist());
    if !alike(mine, theirs) {
        return None;
    }
    let [mine, theirs] = [mine, theirs].map(|gist| gist.terms.as_slice());
    let is_near = !(is_within(mine, theirs) || is_within(theirs, mine));
    let (a, b) = ((one.said, one.of), (other.said, other.of));
    let difference = differ::difference(a, b, [mine, theirs], is_near)?;
    (difference.kind != Kind::Date || mine == theirs).then_some(difference)
}

/// Whether ascending terms are all among others.
fn is_within(terms: &[Term], others: &[Term]) -> bool {
    terms.iter().all(|term| others.binary_search(term).is_ok())
}
