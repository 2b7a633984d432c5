//! When something is measured: dates, quarters, numbers of what comes one after another. And times of day.

use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::phrases::begins_with_any;

/// The figures of a text that say when, or which of several it is; four digits that count something aren't told from a year.
pub(super) fn times<'f>(of: &'f Features<'_>) -> impl Iterator<Item = Figure> + 'f {
    of.figures
        .iter()
        .copied()
        .filter(|figure| matches!(figure.unit, Unit::Date | Unit::Ordinal | Unit::Label))
}

/// What a year counts in a day that is written `yyyymmdd`.
pub(super) const YEAR: u32 = 10_000;

/// The first and the last day that a date may be, each `yyyymmdd`; `None` for quarters, halves and decades, whose months are from 21.
pub(super) fn days(date: &Figure) -> Option<(u32, u32)> {
    let whole = u32::try_from(date.low.whole()?).ok()?;
    let (year, month, day) = (whole / YEAR, whole / 100 % 100, whole % 100);
    match (month, day) {
        _ if year == 0 || month > 12 => None,
        (0, _) => Some((year * YEAR, year * YEAR + 1_299)),
        (_, 0) => Some((whole, whole + 99)),
        _ => Some((whole, whole)),
    }
}

/// The times of day of a text in minutes, with where they are written; a number alone is one where `is_bare` says so of what is
/// around it.
pub(in super::super) fn clock_times(text: &str) -> Vec<(u32, std::ops::Range<usize>)> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        if let Some((minutes, end)) = time_at(text, start, at) {
            found.push((minutes, start..end));
            at = end;
        }
    }
    found
}

/// The time whose hours are the digits from `start` to `end`.
fn time_at(text: &str, start: usize, end: usize) -> Option<(u32, usize)> {
    let alone = |at: usize| {
        !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ',' | '$' | '€' | ':'))
    };
    if end - start > 2 || !alone(start) {
        return None;
    }
    let hours: u32 = text[start..end].parse().ok()?;
    let behind = &text[end..];
    let (minutes, mut end) = match behind.strip_prefix([':', '.']).and_then(|rest| rest.get(..2)) {
        Some(two) if two.bytes().all(|byte| byte.is_ascii_digit()) => (two.parse().ok()?, end + 3),
        _ => (0, end),
    };
    let behind = text[end..].trim_start_matches([' ', '\u{A0}', '\u{202F}']);
    let lower: String = behind.chars().take(8).collect::<String>().to_lowercase();
    let skipped = text[end..].len() - behind.len();
    let half = ["am", "a.m", "pm", "p.m"].iter().position(|half| lower.starts_with(half));
    let is_told =
        end - start > 2 || half.is_some() || begins_with_any(&lower, &["uhr", "h ", "h.", "h,", "时", "時"]);
    let leads = begins_with_any(&lower, &["bis ", "to ", "a ", "–", "-", "至", "から"]);
    if hours > 24 || minutes > 59 || !(is_told || leads) {
        return None;
    }
    if half.is_some() {
        end += skipped + 2;
    }
    let hours = match half {
        Some(0 | 1) => hours % 12,
        Some(_) => hours % 12 + 12,
        None => hours,
    };
    Some((hours * 60 + minutes, end))
}
