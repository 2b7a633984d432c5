//! Numbers whose groups of three digits are divided by spaces: `10 000 clients`, `12 400,50 €`.
//!
//! A space that doesn't break, or a thin one, is written for that. A plain one divides two numbers as well (`In 2023 120
//! patients`): it counts in a text of a language that groups by points or spaces, in three groups and more, and beside a
//! currency or a word for people.

use super::units;
use super::value::{self, Value};

/// What is written between the digits of one number only.
const NARROW: [char; 3] = ['\u{a0}', '\u{202f}', '\u{2009}'];
/// Groups behind the first: more are no number that anyone writes.
const GROUPS_MAX: usize = 8;
/// What is counted in so many only.
#[rustfmt::skip]
const COUNTED: [&str; 15] = [
    "€", "euros", "eur", "habitants", "inhabitants", "hab", "habitantes", "abitanti", "einwohner", "kč", "zł", "ft", "рублей", "рубля", "руб",
];

/// A number that goes on behind the digits `written` that end at `end`: value, power of ten of its last digit, and its end.
pub(super) fn grouped(
    text: &str,
    written: &str,
    end: usize,
    groups_by_space: impl Fn() -> bool,
) -> Option<(Value, i32, usize)> {
    let is_first = (1..=3).contains(&written.len())
        && !written.starts_with('0')
        && written.bytes().all(|byte| byte.is_ascii_digit());
    let separator =
        text.get(end..)?.chars().next().filter(|c| is_first && (*c == ' ' || NARROW.contains(c)))?;
    let (mut digits, mut at, mut count) = (written.to_owned(), end, 0);
    while let Some(group) = text[at..].strip_prefix(separator).filter(|_| count < GROUPS_MAX).and_then(group)
    {
        digits.push_str(group);
        (at, count) = (at + separator.len_utf8() + group.len(), count + 1);
    }
    let before = &text[..end - written.len()];
    if count == 0 || goes_on(&text[at..], separator) || is_joined(before) {
        return None;
    }
    let decimals = decimals(&text[at..]);
    digits.push_str(&decimals.replace(',', "."));
    at += decimals.len();
    let is_one = separator != ' '
        || count > 1
        || units::currency_before(before).0.is_some()
        || counts(&text[at..])
        || groups_by_space();
    let (value, place, _) = value::decimal(&digits).filter(|_| is_one)?;
    Some((value, place, at))
}

/// The three digits that a text begins with, where no other and no letter follows.
fn group(text: &str) -> Option<&str> {
    let group = text.get(..3).filter(|group| group.bytes().all(|byte| byte.is_ascii_digit()))?;
    (!text[3..].starts_with(|c: char| c.is_ascii_alphanumeric())).then_some(group)
}

/// Whether more digits follow that belong to something else: those of a telephone, a date, a version.
fn goes_on(rest: &str, separator: char) -> bool {
    let digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let next = rest.strip_prefix([separator, '/', ':']).unwrap_or_default();
    digit(next) || rest.strip_prefix(['.', ',']).is_some_and(|rest| digit(rest) && decimals_of(rest) > 2)
}

/// Whether the digits belong to what stands before them: `+49 170`, `3.5 000`, `GPT-4 100`, `5 12 000`.
fn is_joined(before: &str) -> bool {
    let is_range = before.strip_suffix('-').is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_digit()));
    before.ends_with(['+', '.', ',', '/', ':', '_', '#', '-']) && !is_range
        || before
            .strip_suffix([' ', '\u{a0}'])
            .is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_digit()))
}

/// One or two decimals with what divides them from the number.
fn decimals(rest: &str) -> &str {
    let count = rest.strip_prefix([',', '.']).map_or(0, decimals_of);
    if (1..=2).contains(&count) { &rest[..count + 1] } else { "" }
}

fn decimals_of(rest: &str) -> usize {
    rest.bytes().take_while(u8::is_ascii_digit).count()
}

/// Whether a word follows of which there are thousands.
fn counts(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix([' ', '\u{a0}', '\u{202f}']) else { return rest.starts_with('€') };
    let word = rest.split(|c: char| !c.is_alphabetic() && c != '€').next().unwrap_or_default();
    word.len() <= 12 && COUNTED.contains(&word.to_lowercase().as_str())
}
