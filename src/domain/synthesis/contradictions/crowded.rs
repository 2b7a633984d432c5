//! What tells many statements apart that say nearly the same: `Phase 1 cost …`, `Phase 2 cost …`, up to `Phase 40`.
//!
//! Their words are in so many statements that none is rare, so that by their words alone none would be compared. What a number
//! belongs to is: `Phase 1` is in few. [`Crowd`] counts those of which not even that is, so that it can be told.

use super::dates;
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::terms::TermMap;
use crate::domain::text::words::Term;

/// Apart from the terms of words, which they are listed with.
const SEED: u64 = 0x0C30_3DED;

/// What tells one of many like statements: all that it says but for what it counts, and with that its figures with the words
/// before them.
pub(super) fn specifics(of: &Features<'_>) -> (Term, Vec<Term>) {
    let whole = whole(of);
    let places = of.elements.iter().enumerate().filter(|(_, element)| element.role == Role::Figure);
    let named = |(figure, (at, element)): (&Figure, (usize, &Element))| {
        let before = at.checked_sub(1).filter(|_| !is_date(figure)).map(|before| of.elements[before].term.0);
        Term(mix(mix(SEED, before.unwrap_or_default()), element.term.0))
    };
    let mut found: Vec<Term> = Vec::with_capacity(of.figures.len() + 1);
    found.extend(of.figures.iter().zip(places).map(named));
    found.push(whole);
    found.sort_unstable();
    found.dedup();
    (whole, found)
}

/// All that a statement says but for what it counts: equal for those between which only a count may differ.
fn whole(of: &Features<'_>) -> Term {
    said(of, |figure| is_date(figure) || dates::names(of, figure))
}

/// The same without dates: equal for those between which only a count or a date may differ.
fn undated(of: &Features<'_>) -> Term {
    said(of, |figure| dates::names(of, figure))
}

/// The words of a statement, with some of its figures.
fn said(of: &Features<'_>, is_said: impl Fn(&Figure) -> bool) -> Term {
    let figures = of.figures.iter().zip(of.elements.iter().filter(|element| element.role == Role::Figure));
    let words = of.terms.iter().fold(SEED, |key, term| mix(key, term.0));
    let said = figures.filter(|(figure, _)| is_said(figure));
    Term(said.fold(words, |key, (_, element)| mix(key, element.term.0)))
}

fn is_date(figure: &Figure) -> bool {
    matches!(figure.unit, Unit::Date | Unit::Weekday)
}

fn mix(digest: u64, with: u64) -> u64 {
    (digest.rotate_left(5) ^ with).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Statements that say the same but for what they count, and are too many to compare.
#[derive(Default)]
pub(super) struct Crowd {
    /// By what they say: the first, how many there are, and whether any of them is another's.
    alike: TermMap<(usize, usize, bool)>,
}

impl Crowd {
    /// Takes note of one.
    pub(super) fn meet(&mut self, whole: Term, at: usize, independent: &dyn Fn(usize, usize) -> bool) {
        let (first, count, is_anothers) = self.alike.entry(whole).or_insert((at, 0, false));
        *count += 1;
        *is_anothers |= independent(*first, at);
    }

    /// How many there are, where there is more than one's own.
    pub(super) fn count(&self) -> usize {
        self.alike.values().filter(|(_, _, is_anothers)| *is_anothers).map(|(_, count, _)| count).sum()
    }
}

/// Others to compare each of many with that say the same but for counts and dates: so few that a crowd costs no more than its
/// size.
#[derive(Default)]
pub(super) struct Neighbours {
    alike: TermMap<Met>,
}

/// Those that say the same so far.
#[derive(Default)]
struct Met {
    first: Option<usize>,
    /// The first that may contradict one before it.
    anothers: Option<usize>,
    last: Option<usize>,
    /// Those before it.
    own: Vec<usize>,
}

impl Neighbours {
    /// The one before a statement in the order in which they are asked for, or else the first that is another's. Those that
    /// nobody else's has followed yet come with the first that does.
    pub(super) fn of(
        &mut self,
        of: &Features<'_>,
        at: usize,
        independent: &dyn Fn(usize, usize) -> bool,
    ) -> Vec<usize> {
        let met = self.alike.entry(undated(of)).or_default();
        let is_anothers = |other: &usize| independent(*other, at);
        let mut found: Vec<usize> =
            [met.last, met.anothers, met.first].into_iter().flatten().find(is_anothers).into_iter().collect();
        if met.anothers.is_none() {
            if found.is_empty() {
                met.own.push(at);
            } else {
                met.anothers = Some(at);
                found = std::mem::take(&mut met.own).into_iter().filter(is_anothers).collect();
            }
        }
        met.first = met.first.or(Some(at));
        met.last = Some(at);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CHECKS_MAX, Contradictions, contradictions};
    use crate::domain::near_duplicates::Reader;
    use crate::domain::synthesis::claims::{Around, Statement};
    use std::collections::BTreeSet;

    /// What is found between the texts of one and those of another.
    fn between(ones: &[String], others: &[String]) -> Contradictions {
        let said = |text, subagent| Statement {
            text,
            start: 0,
            heading: "",
            around: Around::default(),
            subagent,
            sources: Vec::new(),
            row: None,
        };
        let all: Vec<_> = ones
            .iter()
            .map(|text| said(text, "a"))
            .chain(others.iter().map(|text| said(text, "b")))
            .collect();
        let mut reader = Reader::default();
        let features: Vec<_> = all.iter().map(|statement| reader.read(statement.text)).collect();
        contradictions(&all, &features)
    }

    #[test]
    fn what_tells_one_of_many_like_statements_is_compared() {
        for count in [12, 24, 40, 200] {
            for make in [
                (|at| {
                    format!(
                        "Phase {at} of the migration cost {} euros and took {} days.",
                        1000 + 37 * at,
                        at + 3
                    )
                }) as fn(usize) -> String,
                |at| format!("Phase {at} of the migration cost {} euros and took 4 days.", 1000 + 37 * at),
                |at| format!("In {}, revenue of the firm was {} million euros.", 1800 + at, 7 * at + 3),
                |at| format!("Station {at} in the city of Bern has {} platforms.", 2 * at + 3),
            ] {
                let ones: Vec<String> = (1..=count).map(make).collect();
                // Phase 1, or the year 1801, of something else.
                let (own, another) = (make(1), make(2));
                let differing = own.split(' ').zip(another.split(' ')).enumerate();
                let at = differing.filter(|(_, (a, b))| a != b).map(|(at, _)| at).nth(1).unwrap_or_default();
                let other: Vec<&str> = own
                    .split(' ')
                    .enumerate()
                    .map(|(place, word)| if place == at { "2222" } else { word })
                    .collect();
                let found = between(&ones, &[other.join(" ")]);
                assert_eq!(found.found.len(), 1, "{count}: {}", other.join(" "));
                assert_eq!(found.unchecked, 0, "{count}: {}", other.join(" "));
                assert!(found.pairs_checked <= CHECKS_MAX * (count + 1));
                assert_eq!(between(&ones, &[]).unchecked, 0, "one's own");
            }
        }
    }

    #[test]
    fn what_is_too_much_alike_to_compare_is_counted() {
        let make = |at: usize| format!("The common subject has the value {at} in the common place.");
        let (ones, others): (Vec<String>, Vec<String>) =
            ((0..40).map(make).collect(), (40..80).map(make).collect());
        let found = between(&ones, &others);
        assert_eq!(found.unchecked, 80);
        let found = between(&ones[..12], &others[..12]);
        assert!(!found.found.is_empty() && found.unchecked <= 24, "{}", found.unchecked);
    }

    #[test]
    fn of_a_crowd_each_is_compared_with_another() {
        let year =
            |at: usize| format!("The common bridge over the common river was founded in {}.", 1800 + at);
        let length = |at: usize| format!("The common bridge over the common river is {} km long.", 3 + at);
        for (make, count) in [(year as fn(usize) -> String, 60), (length, 24), (length, 25), (length, 300)] {
            let (ones, others): (Vec<String>, Vec<String>) =
                ((0..count / 2).map(make).collect(), (count / 2..count).map(make).collect());
            let found = between(&ones, &others);
            let contested: BTreeSet<usize> = found.found.iter().flat_map(|found| found.places).collect();
            assert_eq!(contested.len(), count, "{}", make(0));
            assert!(found.pairs_checked <= CHECKS_MAX * count);
            if count > 25 {
                assert!(found.pairs_checked <= count, "{} of {count}", found.pairs_checked);
            }
            // Whoever comes first.
            let turned = between(&others, &ones);
            let texts = |of: &Contradictions| {
                of.found
                    .iter()
                    .map(|found| found.statements.clone().map(|said| said.text))
                    .collect::<Vec<_>>()
            };
            assert_eq!(texts(&found), texts(&turned));
        }
        // What is numbered is something else each time.
        let station = |at: usize| format!("Station {at} of the common line has 5 platforms over the river.");
        let (ones, others): (Vec<String>, Vec<String>) =
            ((0..40).map(station).collect(), (40..80).map(station).collect());
        assert!(between(&ones, &others).found.is_empty());
        let same = |_: usize| "The common bridge over the common river is 3 km long.".to_owned();
        let all: Vec<String> = (0..40).map(same).collect();
        assert!(between(&all, &all).found.is_empty());
    }
}
