//! None against some: `No data was lost` and `Some data was lost during the failover`, `12 orders were lost` and `No orders were lost`.

use super::Kind;
use super::differ::{Difference, negations};
use super::reading::Reading;
use crate::domain::synthesis::claims::are_headed_alike;
use crate::domain::text::figures::Unit;

/// What says that there is some, beside numbers.
#[rustfmt::skip]
const SOME: [&str; 15] = [
    "some ", "several ", "many ", "a few ", "most ", "all ", "numerous ", "multiple ", "at least one ", "one ", "two ", "three ", "hundreds of ",
    "a ", "an ",
];
/// Words behind `No`.
const WORDS: std::ops::RangeInclusive<usize> = 2..=12;
/// What makes the other one hold under a condition, or not at all.
#[rustfmt::skip]
const HEDGES: [&str; 12] =
    ["if", "unless", "until", "before", "would", "could", "might", "may", "except", "when", "only", "but"];

/// What begins where, for whom or for what there is some.
const ELSEWHERE: [&str; 7] = [
    " to ",
    " for ",
    " on ",
    " in the other ",
    " in a neighbouring ",
    " in the neighbouring ",
    " in the test ",
];

/// Whether a statement may say so.
pub(super) fn may_deny(text: &str) -> bool {
    text.trim_start_matches(['*', '_', ' ']).starts_with("No ")
}

/// What one says of none and the other of some.
pub(super) fn difference(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    let no = || "No".to_owned();
    let mine = || some(one, other).map(|some| Difference::new(Kind::Negation, no(), some));
    let theirs = || some(other, one).map(|some| Difference::new(Kind::Negation, some, no()));
    mine().or_else(theirs).filter(|_| are_headed_alike((one.said, one.of), (other.said, other.of)))
}

/// How much there is of what the first says there is none of; an empty text where the other doesn't say.
fn some(none: &Reading<'_, '_>, some: &Reading<'_, '_>) -> Option<String> {
    let denied = none.of.text.trim_matches(['*', '_', ' ', '.', '!']).strip_prefix("No ")?;
    let is_plain = WORDS.contains(&denied.split(' ').count()) && !denied.contains([',', ';', ':']);
    let has_time = || some.of.figures.iter().any(|figure| figure.unit == Unit::Date);
    if !is_plain || negations(some.of) != 0 || has_time() {
        return None;
    }
    let denied = denied.to_lowercase();
    let said = some.of.text.trim_start_matches(['*', '_', ' ']).to_lowercase();
    let number = said.find(' ').filter(|end| is_number(&said[..*end])).map(|end| end + 1);
    let quantified = || SOME.iter().find(|some| said.starts_with(**some)).map(|some| some.len());
    let from = number.or_else(quantified).unwrap_or_default();
    let behind = said[from..].strip_prefix(denied.as_str())?;
    let is_narrowed = ELSEWHERE.iter().any(|lead| behind.starts_with(lead) && !denied.contains(lead));
    (goes_on(behind) && !is_narrowed).then(|| said[..from].trim().to_owned())
}

/// Whether a sentence in small letters goes on, or ends, behind a whole word and without a condition.
pub(super) fn goes_on(behind: &str) -> bool {
    let ends = behind.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '-');
    ends && !behind.split(|c: char| !c.is_alphabetic()).any(|word| HEDGES.contains(&word))
}

/// `12`, `1,240`; not `0`.
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| ('1'..='9').contains(&c))
        && word.chars().all(|c| c.is_ascii_digit() || c == ',')
}

#[cfg(test)]
mod tests {
    use super::super::tests::between_texts;

    #[test]
    fn none_and_some_contradict() {
        for (none, some) in [
            ("No data was lost.", "Some data was lost during the failover."),
            ("No orders were lost.", "1,240 orders were lost in the outage."),
            (
                "No severe hypoglycaemia occurred.",
                "Severe hypoglycaemia occurred in 2 patients of the trial.",
            ),
            ("No pets are allowed.", "All pets are allowed in the garden."),
            ("No license is required.", "A license is required."),
            ("No appointment is needed for the flu shot.", "An appointment is needed for the flu shot."),
        ] {
            assert_eq!(between_texts(none, some).len(), 1, "{none} / {some}");
            assert_eq!(between_texts(some, none).len(), 1, "{none} / {some}");
        }
    }

    #[test]
    fn another_part_time_or_condition_contradicts_nothing() {
        for (none, some) in [
            ("No data was lost in Europe.", "Some data was lost."),
            ("No data was lost.", "Some data was lost in 2019."),
            ("No data was lost.", "Some data was lost only if the disk was full."),
            ("No data was lost.", "0 data was lost during the failover."),
            ("No data was lost.", "Some data was lost, but no orders."),
            ("No data was lost.", "Some data was lostish during it."),
            ("No license is required.", "A license is required for lorries."),
            ("No license is required.", "A licence fee is required."),
            ("No license is required for bicycles.", "A license is required."),
            ("## Europe\n\nNo data was lost.", "## Asia\n\nSome data was lost during the failover."),
        ] {
            assert_eq!(between_texts(none, some).len(), 0, "{none} / {some}");
            assert_eq!(between_texts(some, none).len(), 0, "{none} / {some}");
        }
    }
}
