//! Statements that are the same letter by letter but for a few words which exclude each other: `Everyone can …` and `No one can …`.
//!
//! Elsewhere such words needn't be opposites, and a word more would make another condition of them; here nothing else differs.

use super::Kind;
use super::dates;
use super::differ::Difference;
use super::reading::Reading;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::are_headed_alike;
use crate::domain::text::figures::{Bound, Figure, Unit};
use crate::domain::text::phrases::{begins_with_any, ends_with_any};
use crate::domain::text::words::Kind as WordKind;
use std::ops::Range;

/// Bytes of the words that are exchanged.
const BYTES_MAX: usize = 24;

/// Words of which only one can be said, in small letters: one of the first side, one of the second.
#[rustfmt::skip]
const PAIRS: &[[&[&str]; 2]] = &[
    [&["yes,"], &["no,"]],
    [&["everyone", "everybody"], &["no one", "nobody", "noone"]],
    [&["everything"], &["nothing"]],
    [&["includes", "included"], &["excludes", "excluded"]],
    [&["passed", "accepted", "approved", "adopted"], &["rejected", "declined", "failed", "refused"]],
    [&["possible"], &["impossible"]],
    [&["beneficial"], &["harmful", "detrimental"]],
    [&["survived"], &["died"]],
];
/// What switches have; only where that is all: `is on by default`, `is off`.
const SWITCHED: [&str; 2] = ["on", "off"];
/// When something happens that happens once.
const WHEN: [&str; 2] = ["before", "after"];
#[rustfmt::skip]
const COUNTS: [&str; 11] = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// What is exchanged in one, and in the other.
pub(super) fn difference(a: &Reading<'_, '_>, b: &Reading<'_, '_>) -> Option<Difference> {
    let (one, other) = (a.of, b.of);
    let (mine, theirs) = exchanged(one.text, other.text)?;
    let (said, told) = (&one.text[mine.clone()], &other.text[theirs.clone()]);
    let kind = if is_opposite(one, &mine, [said, told]) {
        Kind::Polarity
    } else if is_other_count(&one.text[mine.end..], [said, told])
        || has_other_sign([said, told])
        || has_other_end((one, &mine), (other, &theirs))
    {
        Kind::Number
    } else {
        return None;
    };
    // Where nothing but `It` is said to have passed, it may be anything.
    let is_outside = |range: Range<usize>| range.end <= mine.start || range.start >= mine.end;
    let says = one.words.iter().any(|word| word.kind != WordKind::Stopword && is_outside(word.range()));
    let is_same = says && !told_of_a_part(one.text) && are_headed_alike((a.said, one), (b.said, other));
    let bare = |text: &str| text.trim_matches(',').to_owned();
    is_same.then(|| Difference::new(kind, bare(said), bare(told)))
}

/// The only words in which two texts differ, but for their last stop.
fn exchanged(one: &str, other: &str) -> Option<(Range<usize>, Range<usize>)> {
    let bare = |text: &str| text.trim_end_matches(['.', '!', ' ']).len();
    let (one, other) = (&one[..bare(one)], &other[..bare(other)]);
    if one.len().abs_diff(other.len()) > BYTES_MAX {
        return None;
    }
    let (mine, theirs) = (one.as_bytes(), other.as_bytes());
    let same = mine.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    let start = mine[..same].iter().rposition(|byte| *byte == b' ').map_or(0, |blank| blank + 1);
    let rest = mine[start..].iter().rev().zip(theirs[start..].iter().rev());
    let behind = rest.take_while(|(a, b)| a == b).count();
    let tail = &mine[mine.len() - behind..];
    let behind = tail.iter().position(|byte| *byte == b' ').map_or(0, |blank| tail.len() - blank);
    let (mine, theirs) = (start..one.len() - behind, start..other.len() - behind);
    let is_short = !mine.is_empty() && !theirs.is_empty() && mine.len().max(theirs.len()) <= BYTES_MAX;
    // Blanks and the beginning are whole characters.
    is_short.then_some((mine, theirs))
}

fn is_opposite(of: &Features<'_>, place: &Range<usize>, both: [&str; 2]) -> bool {
    // Mostly it is figures that are exchanged.
    if !both.iter().all(|word| word.starts_with(char::is_alphabetic)) {
        return false;
    }
    let [one, other] = both.map(str::to_lowercase);
    let is = |sides: [&[&str]; 2]| {
        let has = |side: &[&str], word: &str| side.contains(&word);
        has(sides[0], &one) && has(sides[1], &other) || has(sides[1], &one) && has(sides[0], &other)
    };
    let (before, behind) = (&of.text[..place.start], of.text[place.end..].trim_end_matches(['.', '!']));
    let ends = |words: &[&str]| ends_with_any(before, words);
    if let Some(pair) = PAIRS.iter().find(|pair| is(**pair)) {
        // `failed to`, `refused to`: something else is said to have passed.
        let may_go_on = pair[1].contains(&"failed");
        return !(may_go_on && begins_with_any(behind, &[" to ", " from "]));
    }
    is([&SWITCHED[..1], &SWITCHED[1..]])
        && ends(&["is ", "are ", "was ", "were "])
        && matches!(behind, "" | " by default")
        || is([&WHEN[..1], &WHEN[1..]]) && dates::is_once(of)
}

/// `One of three`, `Two of three`.
fn is_other_count(behind: &str, both: [&str; 2]) -> bool {
    let is_count = |word: &str| {
        COUNTS.contains(&word.to_lowercase().as_str()) || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let all = behind.strip_prefix(" of ").map(|rest| rest.strip_prefix("the ").unwrap_or(rest));
    let all = all.and_then(|rest| rest.split(' ').next());
    all.is_some_and(is_count) && both.iter().all(|word| is_count(word))
}

/// `+5`, `-5`.
fn has_other_sign([one, other]: [&str; 2]) -> bool {
    let is_negative = |of: &str| of.starts_with(['-', '−', '–']);
    let number = |of: &str| of.trim_start_matches(['+', '-', '−', '–']).to_owned();
    let signed = |a: &str, b: &str| a.starts_with('+') && is_negative(b);
    (signed(one, other) || signed(other, one))
        && number(one) == number(other)
        && number(one).starts_with(|c: char| c.is_ascii_digit())
}

/// `between 3 and 5`, `between 3 and 6`: the same end of both, and another one.
fn has_other_end(
    (one, mine): (&Features<'_>, &Range<usize>),
    (other, theirs): (&Features<'_>, &Range<usize>),
) -> bool {
    let figure = |of: &Features<'_>, place: &Range<usize>| {
        let mut around =
            of.figures.iter().filter(|figure| figure.start < place.end && figure.end > place.start);
        around.next().copied().filter(|figure| around.next().is_none() && is_range(figure))
    };
    let (Some(a), Some(b)) = (figure(one, mine), figure(other, theirs)) else { return false };
    a.unit == b.unit && (a.low == b.low) != (a.high == b.high)
}

fn is_range(figure: &Figure) -> bool {
    let counts = !matches!(figure.unit, Unit::Date | Unit::Weekday | Unit::Label | Unit::Ordinal);
    counts && figure.bound == Bound::Exact && figure.low != figure.high
}

/// `Some tests passed`, `some tests failed`; `one can cancel before …` and after.
pub(super) fn told_of_a_part(text: &str) -> bool {
    #[rustfmt::skip]
    const PART: [&str; 14] = [
        "some", "many", "several", "few", "most", "half", "other", "others", "certain", "another", "sometimes", "often", "may", "might",
    ];
    text.split(|c: char| !c.is_alphanumeric()).any(|word| PART.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::kind;
    use super::*;

    #[test]
    fn words_that_exclude_each_other_where_nothing_else_differs() {
        for (one, other, expected) in [
            ("Yes, it works.", "No, it works.", Kind::Polarity),
            ("Everyone can access the file.", "No one can access the file.", Kind::Polarity),
            ("The plan includes support.", "The plan excludes support.", Kind::Polarity),
            ("The test passed.", "The test failed.", Kind::Polarity),
            ("The bill was passed.", "The bill was rejected.", Kind::Polarity),
            ("It is possible to cancel online.", "It is impossible to cancel online.", Kind::Polarity),
            ("Encryption is on by default.", "Encryption is off by default.", Kind::Polarity),
            ("The deadline is before Friday.", "The deadline is after Friday.", Kind::Polarity),
            ("The treatment is beneficial.", "The treatment is harmful.", Kind::Polarity),
            ("Growth was +5 %.", "Growth was -5 %.", Kind::Number),
            ("Two of three pilots agreed.", "One of three pilots agreed.", Kind::Number),
            ("The rate is between 3 and 5 percent.", "The rate is between 3 and 6 percent.", Kind::Number),
        ] {
            assert_eq!(
                (kind(one, other), kind(other, one)),
                (Some(expected), Some(expected)),
                "{one} / {other}"
            );
        }
        for (one, other) in [
            ("You can cancel before the trial ends.", "You can cancel after the trial ends."),
            ("Sales rose before the election.", "Sales rose after the election."),
            ("Some tests passed.", "Some tests failed."),
            ("It passed.", "It failed."),
            ("The plan includes support.", "The plan excludes tax."),
            ("The alarm goes on at 5.", "The alarm goes off at 5."),
            ("The rate is between 3 and 5 percent.", "The rate is between 4 and 6 percent."),
            ("The rate is about 3 to 5 percent.", "The rate is about 3 to 6 percent."),
            ("Everyone can access the file.", "No one can access the folder."),
            ("Yes, it works.", "Yes, it works!"),
            ("One of the pilots agreed.", "Two of the pilots agreed."),
        ] {
            assert_eq!((kind(one, other), kind(other, one)), (None, None), "{one} / {other}");
        }
    }
}
