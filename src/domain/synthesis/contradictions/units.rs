//! Figures whose numbers are written alike, and whose units differ: `10 km` and `10 miles`.

use super::differ::agree;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};

/// `$10` and `€10`, `100 Mb` and `100 MB`: one number with another unit. What is the same in another unit has another
/// number.
pub(super) fn same_numeral(a: &Figure, b: &Figure) -> bool {
    let kinds = matches!(
        (a.unit, b.unit),
        (Unit::Money(_), Unit::Money(_)) | (Unit::Measure { .. }, Unit::Measure { .. })
    );
    kinds && !a.comparable(b) && (a.low, a.high, a.place) == (b.low, b.high, b.place)
}

/// Units that measure the same, by their bases. `ton` is often written for `tonne`, and `GiB` meant with `GB`.
const DIMENSIONS: [&[&str]; 7] = [
    &["m", "mile", "ft", "inch", "yard"],
    &["g", "lb", "oz"],
    &["l", "gal", "bbl"],
    &["m2", "acre", "mi2", "ft2"],
    &["°C", "°F", "K"],
    &["km/h", "mph"],
    &["s", "month"],
];

/// `10 km` and `10 miles`, `5 days` and `5 months`: the same numeral with another unit of the same dimension.
pub(super) fn same_written((one, a): (&Features<'_>, &Figure), (other, b): (&Features<'_>, &Figure)) -> bool {
    if let Some((mine, theirs)) = speed(one, a).zip(speed(other, b)) {
        return mine != theirs && a.bound == b.bound && numeral(one, a) == numeral(other, b);
    }
    let (Unit::Measure { base, per }, Unit::Measure { base: their_base, per: their_per }) = (a.unit, b.unit)
    else {
        return false;
    };
    let is_dimension = |bases: &&[&str]| bases.contains(&base) && bases.contains(&their_base);
    let (mine, theirs) = (numeral(one, a), numeral(other, b));
    let same = per == their_per && base != their_base && DIMENSIONS.iter().any(is_dimension);
    same && a.bound == b.bound && mine.is_some() && mine == theirs
}

/// The unit of a speed, of which each is written in one way.
fn speed(of: &Features<'_>, figure: &Figure) -> Option<&'static str> {
    let written = &of.text[figure.range()];
    ["km/h", "mph", "m/s", "km/s"].into_iter().find(|unit| {
        written.strip_suffix(unit).is_some_and(|number| !number.ends_with(|c: char| c.is_alphabetic()))
    })
}

/// The number of a figure as it is written, without its unit.
fn numeral(of: &Features<'_>, figure: &Figure) -> Option<String> {
    let written = &of.text[figure.range()];
    let length = written.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',')).len();
    let digits = &written[..written.len() - length];
    let word = || written.split([' ', '-']).next().unwrap_or_default();
    Some(if digits.is_empty() { word() } else { digits })
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Whether they agree where the point of one is read as the other's: `1.250` and `más de 1.200` are both thousands or none,
/// though only one of the texts shows its language.
pub(super) fn grouped_alike(
    (one, a): (&Features<'_>, &Figure),
    (other, b): (&Features<'_>, &Figure),
) -> bool {
    let grouped = |of: &Features<'_>, figure: &Figure| {
        let written = numeral(of, figure)?;
        let (whole, rest) = written.split_once('.')?;
        ((1..=3).contains(&whole.len()) && rest.len() == 3 && !whole.starts_with('0')).then_some(())
    };
    let thousands = |figure: &Figure| {
        let mut figure = *figure;
        (figure.low, figure.high) = (figure.low.scaled(3), figure.high.scaled(3));
        figure.place += 3;
        figure
    };
    let both = a.comparable(b) && grouped(one, a).is_some() && grouped(other, b).is_some();
    both && match a.place - b.place {
        -3 => agree(&thousands(a), b),
        3 => agree(a, &thousands(b)),
        _ => false,
    }
}
