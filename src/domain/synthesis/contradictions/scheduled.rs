//! Two days for one event, told by other words: `Launch moves to 14 May 2025` and `The launch date is 7 May 2025`.

use super::Kind;
use super::alternatives::are_others;
use super::apart::are_apart;
use super::dates::is_point;
use super::differ::{Difference, negations};
use super::reading::Reading;
use crate::domain::aggregate::near_duplicates::{Features, Role};
use crate::domain::synthesis::claims::{are_headed_alike, names_differ};
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::words::Term;

/// What says no more than that an event has a day.
#[rustfmt::skip]
const SAYS_WHEN: [&str; 22] = [
    "date", "move", "moves", "moved", "moving", "set", "scheduled", "planned", "postponed", "delayed", "pushed", "back", "rescheduled", "slips", "slipped", "shifts",
    "shifted", "takes", "place", "falls", "fixed", "happens",
];
/// What gives an event a day.
#[rustfmt::skip]
const GIVES: [&str; 20] = [
    "moves to ", "moved to ", "moving to ", "postponed to ", "postponed until ", "delayed to ", "delayed until ", "pushed to ", "pushed back to ", "rescheduled to ", "rescheduled for ",
    "slips to ", "slipped to ", "shifts to ", "shifted to ", "takes place on ", "falls on ", "is set for ", "is scheduled for ", "is planned for ",
];
/// The same of what no longer holds: who says so contradicts nobody.
const PAST: [&str; 8] =
    ["was set", "was scheduled", "was planned", "original", "initial", "previous", "formerly", "date was"];

/// Another day for the same event, and nothing else said.
pub(super) fn difference(a: &Reading<'_, '_>, b: &Reading<'_, '_>) -> Option<Difference> {
    let (one, other) = (a.of, b.of);
    let (mine, theirs) = (day(one)?, day(other)?);
    if mine.same(theirs) {
        return None;
    }
    let about = subject(one);
    let differs = !about.is_empty()
        && about == subject(other)
        && (gives(one) || gives(other))
        && [(one, mine), (other, theirs)].iter().all(|(of, day)| has(of, day))
        && negations(one) + negations(other) == 0
        && are_headed_alike((a.said, one), (b.said, other))
        && !names_differ(one, other)
        && !are_others(one, other)
        && !are_apart(one, other);
    let written = |of: &Features<'_>, day: &Figure| of.text[day.start..day.end].to_owned();
    differs.then(|| Difference { kind: Kind::Date, one: written(one, mine), other: written(other, theirs) })
}

/// The only figure of a statement, where it is a day.
pub(super) fn day<'f>(of: &'f Features<'_>) -> Option<&'f Figure> {
    let [figure] = of.figures.as_slice() else { return None };
    let is_day = |date: u64| date / 10_000 > 0 && !date.is_multiple_of(100);
    let is_one = figure.unit == Unit::Date && figure.low == figure.high;
    (is_one && figure.low.whole().is_some_and(is_day)).then_some(figure)
}

/// Whether a statement says that its event is on that day. What a row or a label is about often stands elsewhere.
fn has(of: &Features<'_>, day: &Figure) -> bool {
    let lower = of.text.to_lowercase();
    let is_over = PAST.iter().any(|words| lower.contains(words));
    !is_over && !of.text.contains(['|', ':', '：']) && (gives(of) || is_point(of, day))
}

fn gives(of: &Features<'_>) -> bool {
    let lower = of.text.to_lowercase();
    GIVES.iter().any(|words| lower.contains(words))
}

/// What has a day.
fn subject(of: &Features<'_>) -> Vec<Term> {
    let says = of.elements.iter().filter(|element| {
        matches!(element.role, Role::Content | Role::Name | Role::Character)
            && !SAYS_WHEN.iter().any(|word| word.eq_ignore_ascii_case(&of.text[element.start..element.end]))
    });
    let mut terms: Vec<Term> = says.map(|element| element.term).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn an_event_has_one_day() {
        for (one, other) in [
            ("Launch moves to 14 May 2025.", "The launch date is 7 May 2025."),
            ("The iOS launch was postponed to 14 May 2025.", "The iOS launch is on 7 May 2025."),
            (
                "The board meeting is scheduled for 14 May 2025.",
                "The board meeting takes place on 7 May 2025.",
            ),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Date), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Date), "{other} / {one}");
        }
        for (one, other) in [
            ("Launch moves to 14 May 2025.", "The launch date was 7 May 2025."),
            ("Launch moves to 14 May 2025.", "The original launch date is 7 May 2025."),
            ("Launch moves to 14 May 2025.", "The launch was planned for 7 May 2025."),
            ("Launch moves to 14 May 2025.", "The launch date is 14 May 2025."),
            ("Launch moves to 14 May 2025.", "The launch date is in May 2025."),
            ("Launch moves to 14 May 2025.", "Launch date: 7 May 2025"),
            ("Deadline: 14 May 2025", "Deadline date: 7 May 2025"),
            ("Launch moves to 14 May 2025.", "The review date is 7 May 2025."),
            ("The iOS launch moves to 14 May 2025.", "The Android launch date is 7 May 2025."),
            ("Launch moves to 14 May 2025.", "The launch date is not 7 May 2025."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
