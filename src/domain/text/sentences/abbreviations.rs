//! Full stops that end no sentence: abbreviations, initials, numbers of list items, German ordinals.
//!
//! The lists hold what research reports in English, German, French, Spanish, Italian, Polish and Russian really write; an abbreviation
//! that isn't listed costs a boundary too many, one that is listed wrongly costs one too few.

use super::LOOK_BACK;
use super::following::is_opener;
use lists::{List, is_in, of};

mod coded;
mod lists;
mod pairs;
mod small;

use crate::domain::text::scripts::is_wide_or_mark;
pub(super) use pairs::is_of_name;
use small::begins_in_small;

/// Whether the full stop at `stop` ends the sentence that began at `start`; `lower`: what follows at `next` begins in a small
/// letter.
pub(super) fn ends(text: &str, start: usize, stop: usize, next: usize, lower: bool) -> bool {
    (!lower || begins_in_small(text, start, stop, next)) && !continues(text, start, stop, next)
}

/// Whether the sentence that began at `start` goes on after the full stop at `stop`, with the text going on (after white
/// space) at `next`.
fn continues(text: &str, start: usize, stop: usize, next: usize) -> bool {
    let begin = word_begin(text, start, stop);
    let word = &text[begin..stop];
    let following = text[next..].trim_start();
    if word.is_empty() {
        return false;
    }
    let first = begin == start || only_marks(&text[start..begin]) || starts_line(text, begin);
    if word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        let ordinal =
            || is_in(List::Ordinal, next_word(following)) || is_in(List::Articles, word_before(text, begin));
        return (first && word.len() <= 8)
            || (word.len() <= 2 && ordinal())
            || is_of_date(text, begin, stop, following);
    }
    let mut letters = word.chars();
    let one_letter = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
    if one_letter && !is_wide_or_mark(word.chars().next().unwrap_or(' ')) {
        // A letter of a list, `z. B.`, an initial; but `vitamin C. The`, and `8 s. Tests`.
        return first || after_letter(text, begin) || !starts_sentence(following) && !is_unit(text, begin);
    }
    if pairs::goes_on(word, following) {
        return true;
    }
    let capital = word.chars().next().is_some_and(char::is_uppercase);
    let lists = of(word);
    if (capital && lists.has(List::Titles)) || lists.has(List::Inner) || (first && is_roman(word)) {
        return true;
    }
    if lists.has(List::Numbered) || word.ends_with("str") || word.ends_with("nr") || word.ends_with("-Nr") {
        return before_number(following) || coded::goes_on(word, &text[start..begin], following);
    }
    // `Иванов и др. (2020)`: before a name it may end.
    if word == "др" && following.starts_with('(') {
        return true;
    }
    let doubled = is_doubled(word) && !is_roman(word);
    (lists.has(List::Outer) || is_dotted(word) || doubled) && !starts_sentence(following)
}

/// Whether the stop at `stop` is one within a date: `1. 1. 2020`.
fn is_of_date(text: &str, begin: usize, stop: usize, following: &str) -> bool {
    let is_small =
        |digits: &str, max: u8| digits.parse::<u8>().is_ok_and(|number| (1..=max).contains(&number));
    let is_year = |rest: &str| rest.bytes().take_while(u8::is_ascii_digit).count() == 4;
    let word = &text[begin..stop];
    let month_follows = || {
        let (month, rest) = following.split_once('.').unwrap_or_default();
        is_small(month, 12) && is_year(rest.trim_start_matches(' '))
    };
    let day_before = || {
        let before = text[..begin].trim_end_matches(' ').strip_suffix('.').unwrap_or_default();
        let day = before.len() - before.bytes().rev().take_while(u8::is_ascii_digit).count();
        is_small(&before[day..], 31)
    };
    is_small(word, 31) && month_follows() || is_small(word, 12) && is_year(following) && day_before()
}

/// The word before the one that begins at `at`, where only a space stands between; at most [`LOOK_BACK`] bytes of it.
fn word_before(text: &str, at: usize) -> &str {
    let Some(before) = text[..at].strip_suffix(' ') else { return "" };
    let begin = before.char_indices().rev().take(LOOK_BACK).find(|(_, c)| !c.is_alphabetic());
    before
        .get(begin.map_or(0, |(at, c)| at + c.len_utf8())..)
        .filter(|word| word.len() <= LOOK_BACK)
        .unwrap_or("")
}

/// Where the word before a full stop begins: after white space or an opening mark, not before the sentence does.
fn word_begin(text: &str, start: usize, stop: usize) -> usize {
    let mut begin = stop;
    for (at, c) in text[start..stop].char_indices().rev() {
        if c.is_whitespace()
            || is_opener(c)
            || matches!(c, '/' | '—' | '–' | '，' | '、' | '：')
            || stop - begin > LOOK_BACK
        {
            break;
        }
        begin = start + at;
    }
    begin
}

fn only_marks(text: &str) -> bool {
    text.len() <= LOOK_BACK
        && text.chars().all(|c| c.is_whitespace() || is_opener(c) || matches!(c, '-' | '#' | '>' | '+' | '•'))
}

/// Whether only white space and marks stand between the start of the line and `at`.
fn starts_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t', '*']);
    before.ends_with('\n')
}

/// Whether a single letter and a full stop stand right before `at`: `z. B.`, `J. K.`
fn after_letter(text: &str, at: usize) -> bool {
    let mut before = text[..at].chars().rev();
    before.next().is_some_and(char::is_whitespace)
        && before.next() == Some('.')
        && before.next().is_some_and(char::is_alphabetic)
        && before.next().is_none_or(|c| !c.is_alphanumeric())
}

/// Whether the small letter at `at` is the unit of the number before it, or what something is counted by: `8 s`, `12 m`, `420 €/t`, `20 mg/d`.
fn is_unit(text: &str, at: usize) -> bool {
    if let Some(before) = text[..at].strip_suffix('/') {
        return text[at..].starts_with(char::is_lowercase)
            && before.ends_with(|c: char| c.is_lowercase() || matches!(c, '€' | '$' | '£' | '²' | '³'));
    }
    let is_small = text[at..].starts_with(['s', 'm', 'g', 'h', 'l', 'd']);
    let before = text[..at].trim_end_matches([' ', '\u{A0}', '\u{202F}']);
    is_small && before.len() < at && before.ends_with(|c: char| c.is_ascii_digit())
}

/// `U.S`, `Ph.D`, `a.m`: short parts of letters with full stops between them.
fn is_dotted(word: &str) -> bool {
    let short = |part: &str| {
        let part = part.strip_prefix('-').unwrap_or(part); // `J.-C.`
        (1..=2).contains(&part.chars().count()) && part.chars().all(char::is_alphabetic)
    };
    word.contains('.') && word.split('.').all(short)
}

/// `EE`, `UU`: a plural of Spanish initials, as in `EE. UU.`
fn is_doubled(word: &str) -> bool {
    let mut letters = word.chars();
    match (letters.next(), letters.next(), letters.next()) {
        (Some(one), Some(other), None) => one == other && one.is_uppercase(),
        _ => false,
    }
}

fn is_roman(word: &str) -> bool {
    word.len() <= 5 && word.bytes().all(|byte| matches!(byte, b'I' | b'V' | b'X'))
}

/// `Fig. 3`, `Art. IV`, `gem. § 5`, `gem. Art. 5`, `apr. J.-C.`
fn before_number(following: &str) -> bool {
    let word = next_word(following);
    let rest = following.get(word.len()..).unwrap_or_default();
    following.starts_with(|c: char| c.is_numeric() || c == '§' || c == '#')
        || is_roman(word) && !word.is_empty()
        || is_in(List::Numbered, word) && rest.starts_with('.')
        || following.starts_with("J.-C.")
}

/// The first word of a text, past opening marks; at most [`LOOK_BACK`] bytes of it.
fn next_word(following: &str) -> &str {
    let word = following.trim_start_matches(is_opener);
    let end =
        word.char_indices().take(LOOK_BACK).find(|(_, c)| !c.is_alphabetic() && *c != '\'' && *c != '’');
    word.get(..end.map_or(word.len().min(LOOK_BACK), |(at, _)| at)).unwrap_or_default()
}

/// Whether a text begins with a word that starts sentences. `A.` is an initial.
pub fn starts_sentence(following: &str) -> bool {
    let word = next_word(following);
    let rest = following.trim_start_matches(is_opener).get(word.len()..).unwrap_or_default();
    match following.chars().next() {
        Some(c) if is_wide_or_mark(c) => true,
        _ => !rest.starts_with('.') && is_in(List::Starters, word),
    }
}
