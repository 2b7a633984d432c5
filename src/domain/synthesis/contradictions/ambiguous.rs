//! Figures that may be equal, since what one of them is written with means two things: `¥999` is yen or yuan, and `1.000` one or
//! a thousand.

use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};

/// Whether both may be the same amount.
pub(super) fn may_be_equal(one: (&Features<'_>, &Figure), other: (&Features<'_>, &Figure)) -> bool {
    is_yen_or_yuan(one, other) || is_grouped_or_not(one, other)
}

/// `¥999` and `999 yen`: its sign may be either, or its text may be about the other one.
fn is_yen_or_yuan((one, a): (&Features<'_>, &Figure), (other, b): (&Features<'_>, &Figure)) -> bool {
    let has_sign = |of: &Features<'_>, figure: &Figure| written(of, figure).contains(['¥', '￥']);
    let is_sign = match (a.unit, b.unit) {
        (Unit::Money("CNY" | "JPY" | "¥"), Unit::Money("CNY" | "JPY" | "¥")) if a.unit != b.unit => {
            has_sign(one, a) || has_sign(other, b)
        }
        _ => false,
    };
    is_sign && (a.low, a.high) == (b.low, b.high)
}

/// `1.000 euros` and `1,000 euros`: the same digits, and the point of one divides thousands or decimals.
fn is_grouped_or_not((one, a): (&Features<'_>, &Figure), (other, b): (&Features<'_>, &Figure)) -> bool {
    let (mine, theirs) = (numeral(one, a), numeral(other, b));
    let digits = |numeral: &str| numeral.replace([',', '.'], "");
    let is_thousand = |numeral: &str| {
        let Some((whole, rest)) = numeral.split_once('.') else { return false };
        let is_digits = rest.bytes().all(|byte| byte.is_ascii_digit());
        (1..=3).contains(&whole.len()) && !whole.starts_with('0') && rest.len() == 3 && is_digits
    };
    a.comparable(b)
        && (is_thousand(mine) || is_thousand(theirs))
        && !mine.is_empty()
        && digits(mine) == digits(theirs)
        && (a.place - b.place).abs() == 3
}

fn written<'t>(of: &Features<'t>, figure: &Figure) -> &'t str {
    &of.text[figure.range()]
}

/// The digits of a figure with what divides them.
fn numeral<'t>(of: &Features<'t>, figure: &Figure) -> &'t str {
    let written = written(of, figure).trim_start_matches(|c: char| !c.is_ascii_digit());
    let rest = written.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    &written[..written.len() - rest.len()]
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn what_may_be_the_same_amount_is_none() {
        for (one, other) in [
            ("The ticket costs 999 yen.", "The ticket costs ¥999."),
            ("The ticket costs JPY 999.", "The ticket costs ¥999."),
            ("The ticket costs CNY 999.", "The ticket costs ¥999."),
            ("The price is 1.000 euros.", "The price is 1,000 euros."),
            ("The price is 1.500 euros.", "The price is 1500 euros."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
        for (one, other) in [
            ("The ticket costs $999.", "The ticket costs ¥999."),
            ("The ticket costs CNY 999.", "The ticket costs JPY 999."),
            ("The price is 1.500 euros.", "The price is 1,000 euros."),
            ("The price is 10.5 euros.", "The price is 105 euros."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Number), "{other} / {one}");
        }
    }
}
