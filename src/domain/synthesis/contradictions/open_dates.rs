//! Dates that leave open which day is meant: `before 2000` and `in 1998`, `in the 1990s` and `in 1995` may both be true.

use std::ops::RangeInclusive;

use super::weekdays;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::phrases::{begins_with_any, ends_with_any, has_any};

/// Words before a date that isn't the day itself.
const BEFORE: [&str; 7] = [" before", " prior to", " vor", " avant", " antes de", " antes del", " prima del"];
const UNTIL: [&str; 8] = [
    " by",
    " by the end of",
    " no later than",
    " not later than",
    " bis",
    " spätestens",
    " hasta",
    " jusqu'en",
];
const AFTER: [&str; 7] =
    [" after", " nach", " après", " después de", " después del", " dopo il", " later than"];
/// The same behind a date in Chinese.
const BEFORE_BEHIND: [&str; 3] = ["以前", "之前", "前"];
const AFTER_BEHIND: [&str; 3] = ["以后", "之后", "后"];
/// What stands before a decade where the number alone looks like a year.
const DECADES: [&str; 4] = [" années", " años", " anni", " anos"];
/// Where there is a day until which something must be done, `by 31 May` names that day.
#[rustfmt::skip]
const DUE: [&str; 16] = [
    "due", "deadline", "must", "shall", "submit", "expire", "apply", "applies", "file", "pay", "have to", "has to", "frist", "fällig", "plazo", "截止",
];

/// On which side of a date what is told happened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Until,
    After,
}

/// What a date leaves open.
#[derive(PartialEq, Eq)]
struct Open {
    side: Option<Side>,
    is_decade: bool,
}

/// Whether one leaves open what the other tells, and both may be true.
pub(super) fn fit((one, a): (&Features<'_>, &Figure), (other, b): (&Features<'_>, &Figure)) -> bool {
    let (mine, theirs) = (open(one, a), open(other, b));
    // The same word with another date says something else.
    if mine == theirs {
        return false;
    }
    let is_due = |of: &Features<'_>| {
        let lower = of.text.to_lowercase();
        has_any(&lower, &DUE)
    };
    let limits = [&mine, &theirs].iter().any(|open| matches!(open.side, Some(Side::Before | Side::Until)));
    let Some((mine, theirs)) = days(a, &mine).zip(days(b, &theirs)) else { return false };
    let meet = mine.start() <= theirs.end() && theirs.start() <= mine.end();
    meet && !(limits && (is_due(one) || is_due(other)))
}

fn open(of: &Features<'_>, date: &Figure) -> Open {
    let start = weekdays::start_of(of, date);
    let from = of.text.floor_char_boundary(start.saturating_sub(24));
    let before = format!(" {}", of.text[from..start].trim_end().to_lowercase());
    let before = before.strip_suffix(" the").unwrap_or(before.as_str());
    let rest = of.text[date.end..].trim_start_matches(' ');
    let after = rest.strip_prefix('代').unwrap_or(rest);
    let ends = |words: &[&str]| ends_with_any(before, words);
    let goes_on = |words: &[&str]| begins_with_any(after, words);
    let side = if ends(&UNTIL) {
        Some(Side::Until)
    } else if ends(&BEFORE) || goes_on(&BEFORE_BEHIND) {
        Some(Side::Before)
    } else if ends(&AFTER) || goes_on(&AFTER_BEHIND) {
        Some(Side::After)
    } else {
        None
    };
    let tens = || date.low.whole().is_some_and(|day| day.is_multiple_of(100_000));
    let is_decade = month(date) == Some(DECADE) || (ends(&DECADES) || rest.starts_with('代')) && tens();
    Open { side, is_decade }
}

/// Months of the encoding that are none, see [`Unit::Date`].
const QUARTER: u64 = 20;
const HALF: u64 = 30;
const DECADE: u64 = 40;

fn month(date: &Figure) -> Option<u64> {
    date.low.whole().map(|day| day / 100 % 100)
}

/// The days that are meant, as numbers of year, month and day.
fn days(date: &Figure, open: &Open) -> Option<RangeInclusive<u64>> {
    let day = date.low.whole().filter(|_| date.unit == Unit::Date && date.low == date.high)?;
    let year = Some(day / 10_000).filter(|year| *year > 0)?;
    let months = |from: u64, to: u64| year * 10_000 + from * 100..=year * 10_000 + to * 100 + 31;
    let said = match (month(date)?, day % 100) {
        _ if open.is_decade => year * 10_000..=(year + 9) * 10_000 + 1231,
        (0, _) => months(0, 12),
        (month @ 1..=12, 0) => months(month, month),
        (1..=12, _) => day..=day,
        (half @ 31..=32, _) => months((half - HALF) * 6 - 5, (half - HALF) * 6),
        (quarter @ 21..=24, _) => months((quarter - QUARTER) * 3 - 2, (quarter - QUARTER) * 3),
        _ => return None,
    };
    Some(match open.side {
        Some(Side::Before) => 0..=said.start() - 1,
        Some(Side::Until) => 0..=*said.end(),
        Some(Side::After) => said.end() + 1..=u64::MAX,
        None => said,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn an_open_date_fits_one_within() {
        for (one, other) in [
            ("The company was founded before 2000.", "The company was founded in 1998."),
            ("The company was founded by 2000.", "The company was founded in 1998."),
            ("The company was founded by 2000.", "The company was founded before 1999."),
            ("The company was founded after 1990.", "The company was founded in 1998."),
            ("The museum opened in the 1990s.", "The museum opened in 1995."),
            ("The museum opened in the 1920s.", "The museum opened in 1928."),
            ("The museum opened in the 1920s.", "The museum opened in May 1928."),
            ("The museum opened before March 2000.", "The museum opened in February 2000."),
            ("The museum opened before the 1990s.", "The museum opened in 1985."),
            ("博物馆成立于1990年代。", "博物馆成立于1995年。"),
            ("Die Firma wurde vor 2000 gegründet.", "Die Firma wurde 1998 gegründet."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }

    #[test]
    fn what_lies_outside_contradicts() {
        for (one, other) in [
            ("The company was founded before 2000.", "The company was founded in 2003."),
            ("The company was founded by 2000.", "The company was founded in 2003."),
            ("The company was founded after 2000.", "The company was founded in 1998."),
            ("The museum opened in the 1990s.", "The museum opened in 2003."),
            ("The museum opened in the 1990s.", "The museum opened in the 1920s."),
            ("The museum opened in 1995.", "The museum opened in 1998."),
            ("The museum opened before March 2000.", "The museum opened in April 2000."),
            ("The tax return is due by 31 May 2025.", "The tax return is due by 31 July 2025."),
            ("The tax return is due by 31 May 2025.", "The tax return is due on 15 May 2025."),
            ("博物馆成立于1990年代。", "博物馆成立于2005年。"),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Date), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Date), "{other} / {one}");
        }
    }
}
