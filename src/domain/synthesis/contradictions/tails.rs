//! What stands behind a figure at the end of a statement and takes nothing of it back: `… $599 and has 12 GB of VRAM`, `… on
//! 16 July 1969 at 9:32 a.m.`, `… is 11 March (last updated 20 Feb)`, `… is 9 months at the current burn`.
//!
//! Only what is listed here is: anything else may say of what, when, or for whom the figure holds.

use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::phrases::begins_with_any;

/// What says that it is so now, as what says no time does, too.
const NOW: [&str; 7] = [
    " at the current burn",
    " at the current burn rate",
    " at current burn",
    " at the moment",
    " at present",
    " right now",
    " currently",
];
/// When somebody looked at it.
const UPDATED: [&str; 5] =
    [" (last updated", " (last modified", " (last reviewed", " (last checked", " (updated "];
/// With which a predicate begins that says something else of what has an amount.
const HAS: [&str; 7] = ["has ", "have ", "had ", "offers ", "features ", "supports ", "weighs "];
/// What in such a predicate may say of what, when, or for whom the figure before it holds, or another one for it.
#[rustfmt::skip]
const BOUNDS: [&str; 24] = [
    "if", "unless", "only", "when", "before", "after", "until", "instead", "excluding", "including", "without", "except", "then", "again", "again,", "but", "postponed",
    "moved", "delayed", "rescheduled", "cancelled", "canceled", "expected", "planned",
];

/// Where it begins.
pub(super) fn end_of(of: &Features<'_>) -> Option<usize> {
    let body = of.text.trim_end_matches(['.', ' ', '\n']);
    let says = |figure: &&Figure| !matches!(figure.unit, Unit::Label | Unit::Ordinal | Unit::Weekday);
    let is_before = |figure: &&Figure| body.get(figure.end..).is_some_and(|rest| is_tail(figure, rest));
    of.figures.iter().filter(says).find(is_before).map(|figure| figure.end)
}

fn is_tail(figure: &Figure, rest: &str) -> bool {
    // Most figures have something else behind them.
    if !rest.starts_with(' ') {
        return false;
    }
    let is_date = figure.unit == Unit::Date;
    let is_updated = begins_with_any(rest, &UPDATED);
    NOW.contains(&rest)
        || is_updated && rest.ends_with(')') && rest.matches('(').count() == 1
        || is_date && rest.strip_prefix(" at ").is_some_and(is_by_day)
        || rest.strip_prefix(" and ").is_some_and(|behind| is_predicate(behind, is_date))
}

/// Whether a text is a time at which it is the same day nearly everywhere.
fn is_by_day(time: &str) -> bool {
    let mut words = time.split(' ');
    let clock = words.next().unwrap_or_default();
    let digits = clock.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '.');
    let rest: Vec<&str> = std::iter::once(&clock[digits.len()..]).chain(words).collect();
    let half = |word: &str| word.trim_matches(['(', ')', ',']).replace('.', "").to_lowercase();
    let is_afternoon = rest.iter().any(|word| half(word) == "pm");
    let is_zone = |word: &&str| {
        let word = half(word);
        word.len() <= 4 && word.chars().all(|c| c.is_ascii_alphabetic())
            || matches!(word.as_str(), "local" | "time")
    };
    let hour = digits.split(':').next().and_then(|hour| hour.parse::<u32>().ok());
    let hour = hour.map(|hour| if is_afternoon && hour < 12 { hour + 12 } else { hour });
    rest.iter().all(is_zone)
        && digits.chars().all(|c| c.is_ascii_digit() || c == ':')
        && hour.is_some_and(|hour| (5..=17).contains(&hour))
}

/// Whether a text is a predicate that says something else of the same.
fn is_predicate(text: &str, is_date: bool) -> bool {
    let mut words = text.split([' ', ',']);
    let is_bound = |word: &str| BOUNDS.iter().any(|bound| word.eq_ignore_ascii_case(bound));
    let verb = words.clone().next().unwrap_or_default();
    // What is done again has another date.
    let is_past = || is_date && verb.len() > 4 && verb.ends_with("ed") && !verb.starts_with("re");
    (begins_with_any(text, &HAS) || is_past()) && !words.any(is_bound)
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn what_takes_nothing_back_hides_no_contradiction() {
        for (one, other, expected) in [
            ("The runway is 12 months.", "The runway is 9 months at the current burn.", Kind::Number),
            ("The RTX 4070 costs $549.", "The RTX 4070 costs $599 and has 12 GB of VRAM.", Kind::Number),
            (
                "Apollo 11 launched on July 16, 1969 and landed on July 20.",
                "Apollo 11 launched on 17 July 1969.",
                Kind::Date,
            ),
            (
                "Apollo 11 launched on July 16, 1969 at 9:32 a.m. EDT.",
                "Apollo 11 launched on 17 July 1969.",
                Kind::Date,
            ),
            (
                "The delivery date of PO-4711 is 11 March 2025 (last updated 20 Feb 2025).",
                "The delivery date of PO-4711 is 18 March 2025.",
                Kind::Date,
            ),
        ] {
            assert_eq!(kind(one, other), Some(expected), "{one} / {other}");
            assert_eq!(kind(other, one), Some(expected), "{other} / {one}");
        }
    }

    #[test]
    fn what_says_of_what_a_figure_holds_belongs_to_it() {
        for (one, other) in [
            ("The runway is 12 months at the planned burn.", "The runway is 9 months at the current burn."),
            ("The runway is 12 months.", "The runway is 9 months at twice the current burn."),
            ("The runway is 12 months.", "The runway is 12 months at the current burn."),
            ("The RTX 4070 costs $549.", "The RTX 4070 costs $599 in Germany."),
            ("The RTX 4070 costs $549.", "The RTX 4070 costs $599 and the Ti."),
            ("The RTX 4070 costs $549.", "The RTX 4070 costs $599 and has a price of $549 in the US."),
            ("The RTX 4070 costs $549.", "The RTX 4070 costs $599 and includes a game."),
            ("The RTX 4070 costs $549.", "The RTX 4070 costs $599 and has VAT only in the EU."),
            ("The RTX 4070 costs $549.", "The RTX 4080 costs $599 and has 12 GB of VRAM."),
            (
                "Apollo 11 launched on July 16, 1969 and landed on July 20.",
                "Apollo 11 landed on 20 July 1969.",
            ),
            (
                "Apollo 11 launched on July 16, 1969 and landed on July 20.",
                "Apollo 12 launched on 14 November 1969.",
            ),
            ("Apollo 11 launched on July 16, 1969 at 9:32 p.m. EDT.", "Apollo 11 launched on 17 July 1969."),
            (
                "The patch was released on 5 May 2024 and released again on 9 May 2024.",
                "The patch was released on 7 May 2024.",
            ),
            (
                "The patch was released on 5 May 2024 and updated on 9 May 2024.",
                "The patch was released on 9 May 2024.",
            ),
            (
                "The delivery date of PO-4711 is 11 March 2025 (first part).",
                "The delivery date of PO-4711 is 18 March 2025.",
            ),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
