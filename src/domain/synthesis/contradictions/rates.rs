//! One number per another time: `100 requests per second` and `100 requests per minute`.
//!
//! What is the same per another time has another number, so that everything but the time must be the same.

use super::Kind;
use super::besides::same_besides;
use super::differ::Difference;
use super::reading::Reading;
use crate::domain::near_duplicates::Features;
use crate::domain::text::words::Word;
use std::ops::Range;

/// Where a statement says per what time, and which.
pub(super) struct Rate {
    range: Range<usize>,
    time: u8,
}

/// What stands before the time.
#[rustfmt::skip]
const LEADS: [(&str, bool); 11] = [
    ("per ", false), ("pro ", false), ("par ", false), ("por ", false), ("al ", false), ("/", false), ("每", false), ("毎", false),
    // `a second` may be another one.
    ("a ", true), ("an ", true), ("every ", true),
];
/// Times, without the plural: second, minute, hour, day, week, month, quarter, year.
#[rustfmt::skip]
const TIMES: [&[&str]; 8] = [
    &["second", "sekunde", "seconde", "segundo", "秒"], &["minute", "minuto", "分钟", "分"], &["hour", "stunde", "heure", "hora", "小时", "時間"],
    &["day", "tag", "jour", "día", "天", "日"], &["week", "woche", "semaine", "semana", "周", "週"], &["month", "monat", "mois", "mes", "月"],
    &["quarter", "quartal", "trimestre", "季度"], &["year", "jahr", "an", "année", "año", "年"],
];
/// What times begin with, a bit for each by the last five bits of its first byte: those of a letter tell it in any case.
const FIRST_OF_TIMES: u32 = {
    let (mut bits, mut time) = (0, 0);
    while time < TIMES.len() {
        let mut word = 0;
        while word < TIMES[time].len() {
            bits |= 1 << (TIMES[time][word].as_bytes()[0] & 31);
            word += 1;
        }
        time += 1;
    }
    bits
};
/// The first time that `a` may stand before.
const HOUR: usize = 2;

/// The only rate of a statement with a figure.
pub(super) fn rate(of: &Features<'_>) -> Option<Rate> {
    if of.figures.is_empty() {
        return None;
    }
    let bytes = of.text.as_bytes();
    // Nearly all words begin no lead; one that does is as long, or a letter of an abbreviation, and stands behind a blank.
    let begins_one = |word: &&Word| {
        let may_be = match bytes[word.start] | 0x20 {
            b'p' => matches!(word.end - word.start, 1 | 3),
            b'a' => word.end - word.start <= 2,
            b'e' => matches!(word.end - word.start, 1 | 5),
            _ => false,
        };
        may_be && word.start.checked_sub(1).is_some_and(|at| bytes[at] == b' ')
    };
    let words = of.words.iter().filter(begins_one).map(|word| word.start);
    let may_lead = words.chain(memchr::memchr2_iter(b'/', 0xE6, bytes));
    let lead = |at: usize| LEADS.iter().find(|(lead, _)| begins(&bytes[at..], lead));
    let leads = may_lead.filter_map(|at| Some((at, *lead(at)?)));
    let mut found = leads.filter_map(|(at, lead)| read(of.text, at, lead));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Whether a text begins with a word in small letters, in any case.
fn begins(text: &[u8], with: &str) -> bool {
    // Most are out by their first byte.
    text.first().is_some_and(|first| first.to_ascii_lowercase() == with.as_bytes()[0])
        && text.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()))
}

fn read(text: &str, at: usize, (lead, of_long): (&str, bool)) -> Option<Rate> {
    let start = at + lead.len();
    let rest = &text[start..];
    // Most words are out by their first letter.
    if rest.bytes().next().is_none_or(|first| FIRST_OF_TIMES >> (first & 31) & 1 == 0) {
        return None;
    }
    let times = TIMES.iter().enumerate().skip(if of_long { HOUR } else { 0 });
    let named = times.flat_map(|(time, words)| words.iter().map(move |word| (time, *word)));
    // Chinese has no blanks.
    let is_whole = |word: &str| {
        !word.starts_with(|c: char| c.is_alphabetic() && c.len_utf8() < 3)
            || !rest[word.len()..].starts_with(char::is_alphanumeric)
    };
    let (time, word) = named
        .filter(|(_, word)| begins(rest.as_bytes(), word) && is_whole(word))
        .max_by_key(|(_, word)| word.len())?;
    Some(Rate { range: at..start + word.len(), time: time as u8 })
}

/// Whether two statements tell of something per other times: `100 requests per minute`, `5,000 requests per hour`.
pub(super) fn are_per_others(one: &Features<'_>, other: &Features<'_>) -> bool {
    rate(one).zip(rate(other)).is_some_and(|(mine, theirs)| mine.time != theirs.time)
}

/// The same number per another time.
pub(super) fn difference(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    let (mine, theirs) = (one.rate()?, other.rate()?);
    let differs = mine.time != theirs.time
        && same_besides((one.said, one.of, &mine.range), (other.said, other.of, &theirs.range));
    let written = |of: &Features<'_>, rate: &Rate| of.text[rate.range.clone()].to_owned();
    differs.then(|| Difference::new(Kind::Number, written(one.of, mine), written(other.of, theirs)))
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;
    use super::LEADS;

    #[test]
    fn every_lead_is_found_that_begins_with_a_letter() {
        for (lead, _) in LEADS.iter().filter(|(lead, _)| lead.starts_with(|c: char| c.is_ascii_alphabetic()))
        {
            let [one, other] =
                ["hour", "day"].map(|time| format!("The API allows 100 requests {lead}{time}."));
            assert_eq!(kind(&one, &other), Some(Kind::Number), "{one} / {other}");
        }
    }

    #[test]
    fn a_rate_is_found_once_wherever_it_begins() {
        for (one, other) in [
            ("The API allows 100 requests /second.", "The API allows 100 requests /minute."),
            ("The API allows 100 requests/second.", "The API allows 100 requests per Minute."),
            ("The API allows 100 requests PER HOUR.", "The API allows 100 requests a day."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Number), "{other} / {one}");
        }
        for (one, other) in [
            ("The API allows 100 requests per second.", "The API allows 100 requests super minute."),
            ("The API allows 100 requests a second.", "The API allows 100 requests a day."),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
        }
    }
}
