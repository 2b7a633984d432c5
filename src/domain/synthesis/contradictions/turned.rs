//! A rise for one is a fall for the other: `rose by 5 %` and `fell by 3 %`, `stieg auf 12.900` and `sank auf 12.300`.
//!
//! How far something moved is part of the move, so these figures needn't agree. All others must: they say when, where and
//! of what. And what is cheaper than another thing leaves that more expensive: no contradiction, but the same.

use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::polarity::Marked;
use crate::domain::text::words::Term;

use super::differ::agree;

/// Whether all figures agree, but for how far it rose or fell by these two marks.
pub(super) fn figures_agree(
    one: &Features<'_>,
    mine: &Marked,
    other: &Features<'_>,
    theirs: &Marked,
) -> bool {
    let (mut left, mut right) = (others(one, mine), others(other, theirs));
    left.sort_by_key(|figure| figure.unit);
    right.sort_by_key(|figure| figure.unit);
    mine.mark.moves()
        && left.len() == right.len()
        && left.iter().zip(&right).all(|(a, b)| a.comparable(b) && agree(a, b))
}

/// Stands between the two things that are compared.
const THAN: [&str; 3] = ["than", "als", "que"];

/// Whether both compare the same two things, each from another side: `x is cheaper than y`, `y is more expensive than x`.
pub(super) fn is_converse(
    (one, mine): (&Features<'_>, &Marked),
    (other, theirs): (&Features<'_>, &Marked),
) -> bool {
    let (Some(mine), Some(theirs)) = (sides(one, mine), sides(other, theirs)) else { return false };
    // What stands on both sides of one, such as the `power` of solar and coal power, tells nothing.
    let meet = |before: &[Term], [own, after]: [&[Term]; 2], [first, _]: [&[Term]; 2]| {
        let tells = |term: &&Term| !after.contains(term) && !first.contains(term);
        before.iter().filter(tells).any(|term| own.contains(term))
    };
    let [a, b] = [[&mine.0[..], &mine.1], [&theirs.0, &theirs.1]];
    meet(a[0], [b[1], a[1]], b) && meet(b[0], [a[1], b[1]], a)
}

/// What a comparison says before its mark, and behind its `than`.
fn sides(of: &Features<'_>, mark: &Marked) -> Option<(Vec<Term>, Vec<Term>)> {
    let is_than = |start: usize, end: usize| {
        start >= mark.end && THAN.iter().any(|than| of.text[start..end].eq_ignore_ascii_case(than))
    };
    let than = of.words.iter().find(|word| is_than(word.start, word.end))?;
    // `rose more than`, `fell faster than`: the mark isn't what compares.
    let is_apart = |element: &Element| element.start >= mark.end && element.end <= than.start;
    if mark.mark.moves() || of.elements.iter().any(is_apart) {
        return None;
    }
    let said = |element: &&Element| matches!(element.role, Role::Content | Role::Name);
    let within = |from: usize, to: usize| {
        let inside = of.elements.iter().filter(said);
        inside.filter(move |element| element.start >= from && element.end <= to).map(|element| element.term)
    };
    Some((within(0, mark.start).collect(), within(than.end, of.text.len()).collect()))
}

/// The figures that don't say how far a mark moved something.
fn others<'f>(of: &'f Features<'_>, mark: &Marked) -> Vec<&'f Figure> {
    of.figures.iter().filter(|figure| !is_extent(of, mark, figure)).collect()
}

/// Whether a figure stands behind the mark with nothing but a date between them, or directly before it (`a 5 % rise`).
pub(super) fn is_extent(of: &Features<'_>, mark: &Marked, figure: &Figure) -> bool {
    // `doubled` and `halved` say both in a word.
    let is_mark = figure.start >= mark.start && figure.end <= mark.end;
    if is_mark && matches!(figure.unit, Unit::Times | Unit::Fraction) {
        return true;
    }
    if !matches!(
        figure.unit,
        Unit::Plain | Unit::Percent | Unit::Points | Unit::Money(_) | Unit::Measure { .. } | Unit::Times
    ) {
        return false;
    }
    let between = if figure.start >= mark.end {
        mark.end..figure.start
    } else if figure.end <= mark.start {
        figure.end..mark.start
    } else {
        return false;
    };
    let inside =
        of.elements.iter().filter(|element| element.start >= between.start && element.end <= between.end);
    let is_date = |start: usize| of.figures.iter().any(|date| date.start == start && date.unit == Unit::Date);
    let mut said = inside.filter(|element| match element.role {
        Role::Direction | Role::Adverb | Role::Discourse => false,
        Role::Figure => !is_date(element.start),
        // `a augmenté de 5 %`, `aumentaron un 5 %`: function words of other languages.
        Role::Content => element.end - element.start > 3,
        Role::Character | Role::Name | Role::Attribution => true,
    });
    said.next().is_none()
}
