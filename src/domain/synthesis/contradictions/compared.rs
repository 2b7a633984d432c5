//! The figures of two statements, held against each other.

use super::Kind;
use super::ambiguous;
use super::bounds::{denies, limits_differ};
use super::converted::may_agree;
use super::dates::{is_point, is_version};
use super::differ::{agree, by_unit};
use super::near::same_role;
use super::open_dates;
use super::units::{grouped_alike, same_numeral, same_written};
use super::weekdays;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit, clock_time};

/// Figures of a statement that are compared.
const FIGURES_MAX: usize = 12;

/// Bytes in which a sentence that begins with a time has it.
const FRAME_BYTES_MAX: usize = 6;
/// What has one time of day.
#[rustfmt::skip]
const BEGINS: &[&str] = &[
    "start", "starts", "started", "begin", "begins", "began", "end", "ends", "ended", "open", "opens", "close", "closes", "depart", "departs", "leaves", "arrive", "arrives", "beginnt", "begann", "startet", "startete", "endet", "endete", "öffnet", "schließt", "fährt",
    "commence", "débute", "ouvre", "ferme", "part", "termine", "empieza", "comienza", "abre", "cierra", "sale", "llega", "termina", "inizia", "comincia", "apre", "chiude", "parte", "arriva", "finisce", "começa", "inicia", "fecha", "chega",
    "begint", "opent", "sluit", "vertrekt", "zaczyna", "rozpoczyna", "kończy", "odjeżdża", "начинается", "открывается", "закрывается", "отправляется", "заканчивается",
];

/// What the figures of two statements are to each other.
pub(super) enum Figures<'f> {
    Agree,
    Differ(Kind, &'f Figure, &'f Figure),
    /// They can't be compared.
    Unlike,
}

/// Figures are compared in pairs of the same unit and place; all but one must agree. `is_near` says whether the same word must stand beside the
/// two that differ.
pub(super) fn compatible_figures<'f>(
    one: &'f Features<'_>,
    other: &'f Features<'_>,
    is_near: bool,
) -> Figures<'f> {
    // Another date is another day of the week.
    if weekdays::are_of_dates(one) || weekdays::are_of_dates(other) {
        match compared((one, weekdays::without(one)), (other, weekdays::without(other)), is_near) {
            Figures::Agree => {}
            figures @ (Figures::Differ(..) | Figures::Unlike) => return figures,
        }
    }
    compared((one, by_unit(&one.figures)), (other, by_unit(&other.figures)), is_near)
}

fn compared<'f>(
    (one, mine): (&'f Features<'_>, Vec<&'f Figure>),
    (other, theirs): (&'f Features<'_>, Vec<&'f Figure>),
    is_near: bool,
) -> Figures<'f> {
    if mine.len() != theirs.len() || mine.len() > FIGURES_MAX {
        return Figures::Unlike;
    }
    let mut differing = None;
    for (a, b) in mine.iter().copied().zip(theirs.iter().copied()) {
        let both = ((one, a), (other, b));
        let converted = may_agree(both.0, both.1);
        if converted == Some(true) {
            continue;
        }
        let other_unit = converted.is_some() || same_numeral(a, b) || same_written(both.0, both.1);
        if !a.comparable(b) && !other_unit {
            return Figures::Unlike;
        }
        let is_agreed = || agree(a, b) || grouped_alike(both.0, both.1);
        if !other_unit && is_agreed() && !denies(both.0, both.1) && !limits_differ(both.0, both.1) {
            continue;
        }
        let goes_on = |of: &Features<'_>, x: &Figure, a: &Figure| {
            are_of_one_time(of, x, a) || are_of_one_span(of, x, a)
        };
        if differing.is_some_and(|(x, y)| goes_on(one, x, a) && goes_on(other, y, b)) {
            continue;
        }
        if differing.is_some() || ambiguous::may_be_equal(both.0, both.1) {
            return Figures::Unlike;
        }
        differing = Some((a, b));
    }
    let Some((a, b)) = differing else { return Figures::Agree };
    let kind = match a.unit {
        Unit::Label if is_version(one, a) && is_version(other, b) => Kind::Number,
        Unit::Label | Unit::Ordinal => return Figures::Unlike,
        Unit::Date | Unit::Weekday if is_point(one, a) && is_point(other, b) => Kind::Date,
        Unit::Date | Unit::Weekday => return Figures::Unlike,
        Unit::Plain
        | Unit::Percent
        | Unit::Points
        | Unit::Money(_)
        | Unit::Measure { .. }
        | Unit::Times
        | Unit::Fraction => Kind::Number,
    };
    // `Foo 4.2` and `Foo 4.25` agree as numbers, and are two.
    let mut rest = mine.iter().zip(&theirs).filter(|(one, _)| !std::ptr::eq(**one, a));
    let other_day = || !open_dates::fit((one, a), (other, b));
    if kind == Kind::Date && (rest.any(|(a, b)| !a.same(b)) || !other_day()) {
        return Figures::Unlike;
    }
    if kind == Kind::Number && are_affected([(one, a), (other, b)]) {
        return Figures::Unlike;
    }
    if kind == Kind::Number && (is_near || a.unit == Unit::Plain) && !same_role(one, a, other, b) {
        return Figures::Unlike;
    }
    Figures::Differ(kind, a, b)
}

/// Whether both are versions of which there may be several: `affects version 2.3`, `supports version 2.4`.
fn are_affected(both: [(&Features<'_>, &Figure); 2]) -> bool {
    const SEVERAL: [&str; 10] = [
        "affect",
        "support",
        "occurs in",
        "appears in",
        "vulnerable",
        "betrifft",
        "unterstützt",
        "concerne",
        "affecte",
        "afecta",
    ];
    both.iter().all(|(of, figure)| {
        let lower = of.text[..figure.start].trim_end().to_lowercase();
        lower.ends_with(" version") && SEVERAL.iter().any(|verb| lower.contains(verb))
    })
}

/// Whether two figures are the hour and the minutes of when something begins or ends. Of what happened at several times each is told
/// with its own: there is more than one `At 14:05 the service restarted.`
fn are_of_one_time(of: &Features<'_>, one: &Figure, other: &Figure) -> bool {
    // By their units, the minutes of `14 h 05` come first.
    let (hour, minutes) = if one.start < other.start { (one, other) } else { (other, one) };
    let time = clock_time(of.text, hour.start..hour.end);
    let is_one = time.start == hour.start && time.end == minutes.end && time.end > hour.end;
    is_one && hour.start > FRAME_BYTES_MAX && {
        let lower = of.text.to_lowercase();
        BEGINS.iter().any(|begins| lower.split(|c: char| !c.is_alphabetic()).any(|word| word == *begins))
    }
}

/// Whether two figures are of the first and of the last of two times of day: `10:00 to 12:00` differs from `13:00 to 15:00` as a
/// whole.
fn are_of_one_span(of: &Features<'_>, first: &Figure, last: &Figure) -> bool {
    const TO: [&str; 6] = ["-", "–", "—", "to", "bis", "until"];
    let [from, to] = [first, last].map(|figure| clock_time(of.text, figure.range()));
    let are_times = from.len() > first.end - first.start && to.len() > last.end - last.start;
    are_times && of.text.get(from.end..to.start).is_some_and(|between| TO.contains(&between.trim()))
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn times_of_day_are_no_range_of_minutes() {
        for (one, other) in [
            ("The museum is open from 10:00 to 18:00.", "The museum is open from 10:00 to 17:00."),
            ("The session runs from 10:00-12:00.", "The session runs from 13:00-15:00."),
            ("The meeting starts at 14:05.", "The meeting starts at 16:20."),
            ("Das Meeting beginnt um 14:05 Uhr.", "Das Meeting beginnt um 16:20 Uhr."),
            ("La réunion commence à 14:05.", "La réunion commence à 16:20."),
            ("Le train part à 14 h 05.", "Le train part à 16 h 20."),
            ("La reunión empieza a las 14:05.", "La reunión empieza a las 16:20."),
            ("La riunione inizia alle 14:05.", "La riunione inizia alle 16:20."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Number), "{other} / {one}");
        }
        for (one, other) in [
            (
                "The museum is open from 10:00 to 18:00 in summer.",
                "The museum is open from 10:00 to 17:00 in winter.",
            ),
            (
                "The shop is open on Monday from 10:00 to 18:00.",
                "The shop is open on Tuesday from 10:00 to 17:00.",
            ),
            ("The museum is open from 10:00 to 18:00.", "The museum is open from 10:00 to 18:00 daily."),
            ("At 14:05 the service restarted.", "At 16:20 the service restarted."),
            ("Queue depth reached its limit at 14:05.", "Queue depth reached its limit at 16:20."),
            ("The meeting starts at 14:05.", "The meeting ends at 16:20."),
            (
                "The train leaves at 10:00 and arrives at 12:00.",
                "The train leaves at 13:00 and arrives at 15:00.",
            ),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
