//! One number per another time: `100 requests per second` and `100 requests per minute`.
//!
//! What is the same per another time has another number, so that everything but the time must be the same.

use super::Kind;
use super::besides::same_besides;
use super::differ::Difference;
use crate::domain::aggregate::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use std::cell::LazyCell;
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
/// The first time that `a` may stand before.
const HOUR: usize = 2;

/// The only rate of a statement with a figure.
pub(super) fn rate(of: &Features<'_>) -> Option<Rate> {
    if of.figures.is_empty() {
        return None;
    }
    let bytes = of.text.as_bytes();
    let lower = LazyCell::new(|| of.text.to_ascii_lowercase());
    // Nearly all bytes begin no lead; a word that does stands behind a blank.
    let may_lead = |at: &usize| match bytes[*at] {
        b'/' | 0xE6 => true,
        byte => matches!(byte | 0x20, b'p' | b'a' | b'e') && *at > 0 && bytes[at - 1] == b' ',
    };
    let leads = (0..bytes.len()).filter(may_lead).filter_map(|at| {
        let begins = |(lead, _): &&(&str, bool)| {
            let head = bytes.get(at..at + lead.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(lead.as_bytes()))
        };
        Some((at, *LEADS.iter().find(begins)?))
    });
    let mut found = leads.filter_map(|(at, lead)| read(&lower, at, lead));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn read(text: &str, at: usize, (lead, of_long): (&str, bool)) -> Option<Rate> {
    let start = at + lead.len();
    let rest = &text[start..];
    let times = TIMES.iter().enumerate().skip(if of_long { HOUR } else { 0 });
    let named = times.flat_map(|(time, words)| words.iter().map(move |word| (time, *word)));
    // Chinese has no blanks.
    let is_whole = |word: &str| {
        !word.starts_with(|c: char| c.is_alphabetic() && c.len_utf8() < 3)
            || !rest[word.len()..].starts_with(char::is_alphanumeric)
    };
    let (time, word) = named
        .filter(|(_, word)| rest.starts_with(word) && is_whole(word))
        .max_by_key(|(_, word)| word.len())?;
    Some(Rate { range: at..start + word.len(), time: time as u8 })
}

/// The same number per another time.
pub(super) fn difference(
    (a, one, mine): (&Statement<'_>, &Features<'_>, Option<&Rate>),
    (b, other, theirs): (&Statement<'_>, &Features<'_>, Option<&Rate>),
) -> Option<Difference> {
    let (mine, theirs) = (mine?, theirs?);
    let differs = mine.time != theirs.time && same_besides((a, one, &mine.range), (b, other, &theirs.range));
    let written = |of: &Features<'_>, rate: &Rate| of.text[rate.range.clone()].to_owned();
    differs.then(|| Difference { kind: Kind::Number, one: written(one, mine), other: written(other, theirs) })
}
