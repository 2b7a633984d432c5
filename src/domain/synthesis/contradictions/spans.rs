//! Spans with other ends: `The museum is open from 9 to 17` and `The museum is open from 10 to 18`.
//!
//! Two estimates may overlap and both be right. But who says the same, word for word, and gives another beginning and another end
//! says something else. Shares are estimates in any case, and what is only about so much, or has one end in common, contradicts nothing.

use super::Kind;
use super::differ::{Difference, agree, is_part};
use super::exchanged::told_of_a_part;
use super::reading::Reading;
use crate::domain::synthesis::claims::are_headed_alike;
use crate::domain::text::figures::{Bound, Figure, Unit};

/// A span each, beside the same words.
pub(super) fn difference(a: &Reading<'_, '_>, b: &Reading<'_, '_>) -> Option<Difference> {
    let (one, other) = (a.of, b.of);
    if one.figures.len() != other.figures.len() {
        return None;
    }
    let mut pairs = one.figures.iter().zip(&other.figures).filter(|(mine, theirs)| !mine.same(theirs));
    let (mine, theirs) = pairs.next().filter(|(mine, theirs)| differ(mine, theirs))?;
    let is_same = words(&one.text[..mine.start]).eq(words(&other.text[..theirs.start]))
        && words(&one.text[mine.end..]).eq(words(&other.text[theirs.end..]));
    let are_told = is_same
        && !told_of_a_part(one.text)
        && !is_part(a.said, &a.content().terms)
        && !is_part(b.said, &b.content().terms)
        && are_headed_alike((a.said, one), (b.said, other));
    are_told.then(|| {
        Difference::new(Kind::Number, &one.text[mine.start..mine.end], &other.text[theirs.start..theirs.end])
    })
}

/// The words of a text, in small letters.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Whether both are spans, and have no end in common.
pub(super) fn differ(a: &Figure, b: &Figure) -> bool {
    let is_span = |figure: &Figure| {
        figure.bound == Bound::Exact
            && figure.low != figure.high
            && matches!(figure.unit, Unit::Plain | Unit::Money(_) | Unit::Measure { .. })
    };
    let only = |figure: &Figure, value| {
        let mut end = *figure;
        (end.low, end.high) = (value, value);
        end
    };
    let begin = |figure: &Figure| only(figure, figure.low);
    let end = |figure: &Figure| only(figure, figure.high);
    is_span(a) && is_span(b) && a.comparable(b) && !agree(&begin(a), &begin(b)) && !agree(&end(a), &end(b))
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn spans_with_other_ends_of_the_same_contradict() {
        for (one, other) in [
            ("The museum in Ulm is open from 9 to 17.", "The museum in Ulm is open from 10 to 18."),
            ("The summer camp takes children aged 9–17.", "The summer camp takes children aged 10-18."),
            // All that each says, below one label.
            ("Ages: 9–17", "Ages: 10–18"),
            ("The grapes of the valley ripen at 18–25 °C.", "The grapes of the valley ripen at 20–28 °C."),
            (
                "Tickets for the tower cost $10–20 on Sundays.",
                "Tickets for the tower cost $12–25 on Sundays.",
            ),
            ("The museum in Ulm is open from 9 to 17.", "The museum in Ulm is open from 10 to 16."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Number), "{other} / {one}");
        }
    }

    #[test]
    fn spans_that_may_both_be_right_contradict_nothing() {
        for (one, other) in [
            // About so much, shares, some of them, and one figure within.
            ("Some summer camps take children aged 9–17.", "Some summer camps take children aged 10–18."),
            ("The old wall is about 9–17 m high.", "The old wall is about 10–18 m high."),
            ("The old wall is 1.5–2.6 m high.", "The old wall is 2–3 m high."),
            ("The region's share was 10–20% of exports.", "The region's share was 15–25% of exports."),
            ("The trip takes between 10 and 20 days.", "The trip takes about 15 days."),
            ("The trip takes between 10 and 20 days.", "The trip takes 15 days."),
            ("The plan of the reform is for 2015–2020.", "The plan of the reform is for 2016–2021."),
            // Other words.
            (
                "The museum in Ulm is open from 9 to 17 in summer.",
                "The museum in Ulm is open from 10 to 18 in winter.",
            ),
            (
                "The museum in Ulm is open from 9 to 17.",
                "The museum in Ulm is open from 10 to 18 on Sundays.",
            ),
            ("Ages: 9–17", "Ages: 9–17 in summer, 10–18 in winter"),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
