//! Two days for one event, told by other words: `Launch moves to 14 May 2025` and `The launch date is 7 May 2025`.

use super::Kind;
use super::alternatives::are_others;
use super::apart::are_apart;
use super::dates::{dates_fit, is_point, names};
use super::differ::{Difference, negations};
use super::reading::Reading;
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::{Features, Role};
use crate::domain::synthesis::claims::{are_headed_alike, names_differ};
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::phrases::has_any;
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
/// What else gives an event a day, by which event it is, and the words that say so.
#[rustfmt::skip]
const OF_EVENTS: [(&[&str], &[&str]); 3] = [
    (
        &["arrives on ", "will arrive on ", "arrives by ", "is expected on ", "is expected to arrive on ", "arrival is on ", "arrival date is ", "eta is ", "llega el ", "llegará el "],
        &["arrives", "arrive", "expected", "arrival", "date", "eta", "llega", "llegará"],
    ),
    (
        &["expires on ", "will expire on ", "ends on ", "will end on ", "runs until ", "is valid until ", "end date is ", "expiry date is "],
        &["expires", "expire", "ends", "end", "runs", "valid", "date", "expiry"],
    ),
    (
        &["deadline is ", "must be submitted by ", "must be filed by ", "is due on ", "is due by ", "are due on ", "are due by "],
        &["deadline", "submitted", "filed", "due"],
    ),
];
/// What names the deadline of something: `The deadline for applications is 5 May`.
const DEADLINE: &str = "deadline for ";
/// The same of what no longer holds: who says so contradicts nobody.
const PAST: [&str; 8] =
    ["was set", "was scheduled", "was planned", "original", "initial", "previous", "formerly", "date was"];

/// Another day for the same event, and nothing else said.
pub(super) fn difference(a: &Reading<'_, '_>, b: &Reading<'_, '_>) -> Option<Difference> {
    let (one, other) = (a.of, b.of);
    let (mine, theirs) = (day(one)?, day(other)?);
    if mine.same(theirs) || dates_fit(mine, theirs) {
        return None;
    }
    let (event, their_event) = (event(one), event(other));
    let is_event = event.is_some() && event == their_event;
    let about = subject(one, event);
    let are_named_alike = others(one).map(Figure::key).eq(others(other).map(Figure::key));
    let differs = !about.is_empty()
        && are_named_alike
        && about == subject(other, their_event)
        && (is_event || event == their_event && (gives(one) || gives(other)))
        && [(one, mine), (other, theirs)].iter().all(|(of, day)| has(of, day))
        && negations(one) + negations(other) == 0
        && are_headed_alike((a.said, one), (b.said, other))
        && !names_differ(one, other)
        && !are_others(one, other)
        && !are_apart(one, other);
    let written = |of: &Features<'_>, day: &Figure| of.text[day.range()].to_owned();
    differs.then(|| Difference::new(Kind::Date, written(one, mine), written(other, theirs)))
}

/// The only figure of a statement, where it is a day; beside it one may belong to a name, as in `Shipment 8841`.
pub(super) fn day<'f>(of: &'f Features<'_>) -> Option<&'f Figure> {
    let mut dates = of.figures.iter().filter(|figure| figure.unit == Unit::Date);
    let figure = dates.next().filter(|_| dates.next().is_none())?;
    let is_alone = of.figures.len() == 1 || others(of).all(|other| names(of, other));
    let is_day = |date: u64| date > 100 && !date.is_multiple_of(100);
    (is_alone && figure.low == figure.high && figure.low.whole().is_some_and(is_day)).then_some(figure)
}

/// The figures that are no dates.
fn others<'f>(of: &'f Features<'_>) -> impl Iterator<Item = &'f Figure> {
    of.figures.iter().filter(|figure| figure.unit != Unit::Date)
}

/// Whether a statement says that its event is on that day. What a row or a label is about often stands elsewhere.
fn has(of: &Features<'_>, day: &Figure) -> bool {
    let lower = of.text.to_lowercase();
    let is_over = has_any(&lower, &PAST);
    let has_day = gives(of) || event(of).is_some() || is_point(of, day);
    !is_over && !of.text.contains(['|', ':', '：']) && has_day
}

fn gives(of: &Features<'_>) -> bool {
    let lower = of.text.to_lowercase();
    has_any(&lower, &GIVES)
}

/// Which of [`OF_EVENTS`] a statement gives a day.
fn event(of: &Features<'_>) -> Option<usize> {
    let lower = of.text.to_lowercase();
    let has = |phrases: &[&str]| has_any(&lower, phrases);
    OF_EVENTS.iter().position(|(phrases, _)| has(phrases)).or_else(|| lower.contains(DEADLINE).then_some(2))
}

/// What has a day, beside the words that say so of an event.
fn subject(of: &Features<'_>, event: Option<usize>) -> Vec<Term> {
    let words = event.map_or(SAYS_WHEN.as_slice(), |event| OF_EVENTS[event].1);
    let says = of.elements.iter().filter(|element| {
        matches!(element.role, Role::Content | Role::Name | Role::Character)
            && !words.iter().any(|word| word.eq_ignore_ascii_case(&of.text[element.range()]))
    });
    distinct(says.map(|element| element.term))
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
            ("The gala takes place on 14 May.", "The gala is scheduled for 7 May."),
            ("The shipment arrives on 14 June.", "The shipment arrives on 12 June."),
            ("The shipment arrives on 14 June.", "The shipment will arrive on 12 June."),
            ("Shipment 8841 arrives on 14 June.", "Shipment 8841 will arrive on 12 June."),
            ("El envío llega el 14 de junio.", "El envío llegará el 12 de junio."),
            ("The shipment arrives on 14 June.", "The shipment is expected on 12 June."),
            ("The contract expires on 14 June.", "The contract runs until 30 June."),
            ("The contract expires on 31 December 2025.", "The contract ends on 30 June 2026."),
            ("The deadline for applications is 5 May.", "Applications must be submitted by 12 May."),
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
            ("The shipment arrives on 14 June.", "The second shipment arrives on 12 June."),
            ("The shipment arrives on 14 June.", "The shipment leaves on 12 June."),
            ("Shipment 8841 arrives on 14 June.", "Shipment 8842 arrives on 12 June."),
            ("The shipment arrives on 14 June.", "The shipment arrived on 12 June 2019."),
            ("The shipment arrives on 14 June.", "The shipment will arrive on 14 June 2025."),
            ("The contract starts on 14 June.", "The contract runs until 30 June."),
            ("The contract expires on 14 June.", "The lease ends on 30 June."),
            ("The deadline for applications is 5 May.", "Comments must be submitted by 12 May."),
            ("The deadline for applications is 5 May.", "The original deadline for applications is 12 May."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
