//! A rise for one is a fall for the other: `rose by 5 %` and `fell by 3 %`, `stieg auf 12.900` and `sank auf 12.300`.
//!
//! How far something moved is part of the move, so these figures needn't agree. All others must: they say when, where and
//! of what. And what is cheaper than another thing leaves that more expensive: no contradiction, but the same.

use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::phrases::ends_with_any;
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

/// Whether a figure says what something came to, beside by how much: `by 4 % to €82 million`.
fn is_result(of: &Features<'_>, figure: &Figure) -> bool {
    const TO: [&str; 10] = [" to", " auf", " à", " a", " al", " hasta", " op", " para", " na", " до"];
    let before = of.text[..figure.start].trim_end_matches([' ', '€', '$', '£', '~']);
    ends_with_any(before, &TO)
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
    let is_aside = |start: usize| {
        let other = of.figures.iter().find(|other| other.start == start);
        other.is_some_and(|other| {
            other.unit == Unit::Date || is_result(of, if figure.start > other.start { figure } else { other })
        })
    };
    let mut said = inside.filter(|element| match element.role {
        Role::Direction | Role::Adverb | Role::Discourse => false,
        Role::Figure => !is_aside(element.start),
        // `a augmenté de 5 %`, `aumentaron un 5 %`: function words of other languages.
        Role::Content => element.end - element.start > 3,
        Role::Character | Role::Name | Role::Attribution => true,
    });
    said.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn what_it_came_to_explains_no_other_direction() {
        for (one, other) in [
            ("Revenue rose by 4% to €82 million in 2024.", "Revenue fell by 4% in 2024."),
            ("Revenue rose by 4% in 2024 to €82 million.", "Revenue fell by 4% in 2024."),
            (
                "Der Umsatz der Sparte Nord ist 2024 um 4 % auf 82 Mio. € gestiegen.",
                "Der Umsatz der Sparte Nord ist 2024 um 4 % gesunken.",
            ),
            ("Churn rose in 2024.", "Churn fell in 2024, mainly because of lower prices."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Polarity), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Polarity), "{other} / {one}");
        }
        for (one, other) in [
            ("Revenue rose by 4% to €82 million in 2024.", "Revenue fell by 4% in 2023."),
            ("Revenue rose by 4% to €82 million in 2024.", "Profit fell by 4% in 2024."),
            ("Revenue rose by 4% in 12 of 16 regions.", "Revenue fell by 4% in 4 of 16 regions."),
            ("Revenue rose by 4% to €82 million in Europe.", "Revenue fell by 4% in Asia."),
            ("Sales rose 4% and 12 stores opened.", "Sales fell 4%, and 15 stores closed."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
