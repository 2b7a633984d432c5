//! Figures of one quantity in units that don't share a base: `100 km/h` and `62 mph`, `10 acres` and `4 ha`.
//!
//! Who converts also rounds, and a round number rounds more than its last digit says (`300 m` is `1,000 feet`). So two such
//! figures are others only where they are further apart than their rounding explains.

use super::differ::agree;
use super::spans;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Bound, Figure, Unit};
use crate::domain::text::phrases::has_any;

/// What is measured, by its base in metres, grams, square metres, metres per second, or seconds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Length,
    Weight,
    Area,
    Speed,
    Time,
}

/// Bases by what they measure, and what one of each is. `ton` is often written for `tonne`, and gallons and pounds of money are others.
#[rustfmt::skip]
const BASES: [(&str, Quantity, f64); 14] = [
    ("m", Quantity::Length, 1.0), ("mile", Quantity::Length, 1_609.344), ("yard", Quantity::Length, 0.9144), ("ft", Quantity::Length, 0.3048), ("inch", Quantity::Length, 0.0254),
    ("g", Quantity::Weight, 1.0), ("lb", Quantity::Weight, 453.592_37), ("oz", Quantity::Weight, 28.349_523_125),
    ("m2", Quantity::Area, 1.0), ("acre", Quantity::Area, 4_046.856_422_4), ("mi2", Quantity::Area, 2_589_988.110_336), ("ft2", Quantity::Area, 0.092_903_04),
    // A month of the Gregorian calendar is 30.436875 days on average.
    ("s", Quantity::Time, 1.0), ("month", Quantity::Time, 2_629_746.0),
];
/// Speeds as they are written, and what one of what their figure counts is: that of `km/h` counts metres.
const SPEEDS: [(&str, f64); 6] = [
    ("km/h", 1.0 / 3_600.0),
    ("kph", 1_000.0 / 3_600.0),
    ("kmh", 1_000.0 / 3_600.0),
    ("mph", 1_609.344 / 3_600.0),
    ("m/s", 1.0),
    ("km/s", 1.0),
];
/// What makes a speed of a length before it.
const PER_HOUR: [&str; 3] = [" per hour", " an hour", " pro Stunde"];
const METALS: [&str; 4] = ["gold", "silver", "platin", "troy"];
/// A round number is rounded by no more than this share of itself.
const ROUNDED: f64 = 0.05;
/// What is only about so much may be this share off.
const ABOUT: f64 = 0.1;

/// Whether two figures in units of one quantity may be the same amount; `None` where they aren't such, or have one base.
pub(super) fn may_agree(
    (one, a): (&Features<'_>, &Figure),
    (other, b): (&Features<'_>, &Figure),
) -> Option<bool> {
    let measured = |figure: &Figure| matches!(figure.unit, Unit::Measure { .. });
    if a.comparable(b) && !follows_hour(one, a) && !follows_hour(other, b) || !measured(a) || !measured(b) {
        return None;
    }
    let ((mine, factor), (theirs, their_factor)) = (quantity(one, a)?, quantity(other, b)?);
    if mine != theirs || factor == their_factor && a.comparable(b) {
        return None;
    }
    let ((low, high), (their_low, their_high)) = (ends(a, factor), ends(b, their_factor));
    let slack = rounding(a, factor) + rounding(b, their_factor);
    Some(low <= their_high + slack && their_low <= high + slack)
}

/// Whether two figures can both be true of the same; `None` where they can't be compared.
pub(super) fn agrees(one: (&Features<'_>, &Figure), other: (&Features<'_>, &Figure)) -> Option<bool> {
    may_agree(one, other).or_else(|| {
        one.1.comparable(other.1).then(|| agree(one.1, other.1) && !spans::differ(one.1, other.1))
    })
}

/// What a figure measures, and what one of what it counts is.
fn quantity(of: &Features<'_>, figure: &Figure) -> Option<(Quantity, f64)> {
    let written = &of.text[figure.range()];
    let speed = SPEEDS.iter().find(|(unit, _)| {
        written.strip_suffix(unit).is_some_and(|number| !number.ends_with(char::is_alphabetic))
    });
    if let Some((_, factor)) = speed {
        return Some((Quantity::Speed, *factor));
    }
    let Unit::Measure { base, per } = figure.unit else { return None };
    // Metals are weighed in other ounces.
    if base == "oz" && has_any(&of.text.to_lowercase(), &METALS) {
        return None;
    }
    let (_, quantity, factor) = BASES.iter().find(|(known, ..)| *known == base && per == 0)?;
    match (quantity, follows_hour(of, figure)) {
        (Quantity::Length, true) => Some((Quantity::Speed, factor / 3_600.0)),
        _ => Some((*quantity, *factor)),
    }
}

/// Whether a figure is one per hour, in words: `186 miles per hour`.
fn follows_hour(of: &Features<'_>, figure: &Figure) -> bool {
    PER_HOUR.iter().any(|per| of.text[figure.end..].starts_with(per))
}

/// The lowest and the highest amount that a figure can mean.
fn ends(figure: &Figure, factor: f64) -> (f64, f64) {
    let (low, high) = (figure.low.approximate() * factor, figure.high.approximate() * factor);
    match figure.bound {
        Bound::Exact | Bound::About => (low, high),
        Bound::AtLeast => (low, f64::INFINITY),
        Bound::AtMost => (f64::NEG_INFINITY, high),
    }
}

/// How far a figure may be rounded: by half of its last digit, and by half of its last one that isn't 0 where that isn't too much.
fn rounding(figure: &Figure, factor: f64) -> f64 {
    let value = figure.high.approximate().abs();
    let half = |place: i32| 0.5 * 10_f64.powi(place.clamp(-300, 300));
    let is_round = |place: &i32| (value / 10_f64.powi((*place).clamp(-300, 300))).fract() == 0.0;
    let zeros = (figure.place..figure.place.saturating_add(12)).take_while(|place| is_round(&(place + 1)));
    let last = figure.place + zeros.count() as i32;
    let round = half(last).min(ROUNDED * value);
    let about = if figure.bound == Bound::About { ABOUT * value } else { 0.0 };
    half(figure.place).max(round).max(about) * factor
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    const PAIRS: [(&str, &str, &str); 17] = [
        ("The speed limit on the bridge is 100 km/h.", "62 mph", "80 mph"),
        ("The speed limit on the bridge is 100 km/h.", "60 mph", "100 mph"),
        ("The speed limit on the bridge is 100 km/h.", "62 miles per hour", "80 miles per hour"),
        ("The speed limit on the bridge is 300 km/h.", "83 m/s", "60 m/s"),
        ("The area of the old park is 2 ha.", "20,000 m²", "10 acres"),
        ("The area of the old park is 10 acres.", "4.05 ha", "40 ha"),
        ("The area of the old park is 100 m².", "1,076 sq ft", "2,000 sq ft"),
        ("The area of the old park is 100 m².", "1,076 sq. ft.", "2,000 square feet"),
        ("The area of the old park is 10 km².", "3.86 square miles", "10 square miles"),
        ("The area of the old park is 10 sq km.", "3.9 sq mi", "6 sq mi"),
        ("The height of the old tower is 300 m.", "984 feet", "700 feet"),
        ("The height of the old tower is 300 m.", "1,000 feet", "300 feet"),
        ("The length of the old bridge is 10 km.", "6.2 miles", "9 miles"),
        ("The weight of the old bell is 10 kg.", "22 pounds", "30 lbs"),
        ("The notice period of the old lease is 3 months.", "90 days", "six weeks"),
        ("The notice period of the old lease is 6 weeks.", "42 days", "3 months"),
        ("The warranty of the old bell is 2 years.", "730 days", "90 days"),
    ];

    #[test]
    fn equal_amounts_in_other_units_agree_and_others_do_not() {
        for (one, same, another) in PAIRS {
            let (head, _) = one.split_once(" is ").unwrap();
            for (amount, expected) in [(same, None), (another, Some(Kind::Number))] {
                let other = format!("{head} is {}.", amount.trim_end_matches('.'));
                assert_eq!(kind(one, &other), expected, "{one} / {other}");
                assert_eq!(kind(&other, one), expected, "{other} / {one}");
            }
        }
    }

    #[test]
    fn bounds_and_what_is_only_about_so_much_hold_in_other_units_too() {
        for (one, other, expected) in [
            ("The old tower is over 300 m tall.", "The old tower is 1,100 feet tall.", None),
            ("The old tower is over 300 m tall.", "The old tower is 500 feet tall.", Some(Kind::Number)),
            ("The old tower is about 300 m tall.", "The old tower is 1,080 feet tall.", None),
            ("The old tower is 300 to 400 m tall.", "The old tower is 1,100 feet tall.", None),
        ] {
            assert_eq!(kind(one, other), expected, "{one} / {other}");
            assert_eq!(kind(other, one), expected, "{other} / {one}");
        }
    }

    #[test]
    fn what_measures_something_else_is_compared_as_before() {
        for (one, other) in [
            ("The old bridge is 10 km long.", "The old bridge is 30 acres long."),
            ("The old bell costs 10 pounds.", "The old bell costs 30 m."),
            ("The old train runs 300 km.", "The old train runs 100 mph."),
            ("The gold bar weighs 400 oz.", "The gold bar weighs 12.4 kg."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
        }
        let (one, other) = ("The old train reaches 300 km/h.", "The old train reaches 310 km/h.");
        assert_eq!(kind(one, other), Some(Kind::Number));
    }
}
