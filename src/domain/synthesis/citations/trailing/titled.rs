//! Whether an item is a title with its address and no more, or says something.

use crate::domain::synthesis::citations::entries::link;

/// A longer title says something.
const TITLE_BYTES_MAX: usize = 240;
/// What stands between a title and its address.
const DIVIDERS: [char; 12] = [':', '：', '-', '–', '—', '|', '.', ',', '，', '"', '”', '\n'];
/// The same before a link, which has a title of its own.
const LINK_DIVIDERS: [char; 6] = [':', '：', '-', '–', '—', '|'];

/// Whether an item, without its number, is a title with `url`: before the address a name, or what a divider ends, and
/// behind it a name or a date.
pub(super) fn is_titled(item: &str, url: &str) -> bool {
    let (before, behind, dividers) = match link(item) {
        Some((before, _, address)) if address == url => (before, behind(item, url), &LINK_DIVIDERS[..]),
        _ => (item.split(url).next().unwrap_or_default(), behind(item, url), &DIVIDERS[..]),
    };
    let title = before.trim_end_matches([' ', '<', '(', '（', '*', '[']);
    let is_title = is_name(title) || is_dated(title) || title.ends_with(dividers);
    let rest = behind.trim_matches(|c: char| !c.is_alphanumeric());
    let is_alone = title.trim_matches(|c: char| !c.is_alphanumeric()).is_empty();
    let is_led = behind.trim_start_matches([' ', '>']).starts_with(LINK_DIVIDERS);
    before.len() <= TITLE_BYTES_MAX
        && is_title
        && (rest.is_empty()
            || is_dated(behind)
            || in_brackets(behind)
            || has_capitals(rest)
            || is_alone && is_led)
}

fn behind<'t>(item: &'t str, url: &str) -> &'t str {
    item.find(url).map_or("", |at| &item[at + url.len()..])
}

/// Whether most words of a text begin in capitals, or there are none. Chinese and Japanese have no capitals.
pub(super) fn is_name(text: &str) -> bool {
    let words = || text.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
    words().filter(|word| word.starts_with(char::is_lowercase)).count() * 3 <= words().count()
}

/// Whether every word of a text begins in capitals, or is a number.
fn has_capitals(text: &str) -> bool {
    text.split_whitespace().all(|word| {
        word.trim_start_matches(|c: char| !c.is_alphanumeric())
            .chars()
            .next()
            .is_none_or(|c| c.is_uppercase() || c.is_numeric())
    })
}

/// Whether a text has a year: `(accessed 2025)`, `4 May 2025`, `Smith (2023)`.
pub(super) fn is_dated(text: &str) -> bool {
    let is_year = |digits: &str| digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    text.split(|c: char| !c.is_ascii_digit()).any(is_year)
}

fn in_brackets(text: &str) -> bool {
    let text = text.trim_matches([' ', '.', ')', ']', '>', '*', ',', ';']);
    text.starts_with(['(', '[', '（'])
}
