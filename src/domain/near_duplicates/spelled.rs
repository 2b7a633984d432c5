//! Names and identifiers are spelled as they are: `get_users` is no inflection of `get_user`, and `she` isn't `he`.
//!
//! Terms leave endings out, so that `Teachers use tools` is `A teacher uses a tool`. Of an identifier or of a person's name the ending
//! is a part. Asked last, of texts that say the same otherwise. Linear but for a sort.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::features::Features;
use crate::domain::text::words::{Kind, Term, Word};

/// What stands around a token and isn't a part of it. A `/` in front is the root of a path.
const AROUND: [char; 20] =
    ['(', ')', '[', ']', '{', '}', '"', '\'', '“', '”', '‘', '’', '*', '_', ',', ';', ':', '!', '?', '.'];
/// Bytes of what a title is at most: `Dr.`, `Prof.`
const TITLE_BYTES_MAX: usize = 5;

/// Whether no name and no identifier is spelled otherwise, and nobody is of the other sex.
pub(super) fn agree(one: &Features<'_>, other: &Features<'_>) -> bool {
    !genders_differ(one, other) && !is_respelled(one, other) && !is_respelled(other, one)
}

/// Whether one speaks of him where the other speaks of her.
pub(in crate::domain) fn genders_differ(one: &Features<'_>, other: &Features<'_>) -> bool {
    let genders = |of: &Features<'_>| -> Vec<bool> {
        let small = of.words.iter().filter(|word| word.kind == Kind::Stopword);
        small.filter_map(|word| is_she(&of.text[word.range()])).collect()
    };
    let (mine, theirs) = (genders(one), genders(other));
    let lacks = |of: &[bool], others: &[bool]| !of.is_empty() && of.iter().all(|she| !others.contains(she));
    mine != theirs
        && !mine.is_empty()
        && !theirs.is_empty()
        && (mine.len() == theirs.len() || lacks(&mine, &theirs))
}

fn is_she(word: &str) -> Option<bool> {
    // Most small words are out by their first letter.
    if !matches!(word.as_bytes()[0] | 0x20, b's' | b'h') {
        return None;
    }
    let is_one = |listed: &[&str]| listed.iter().any(|known| known.eq_ignore_ascii_case(word));
    match word.len() {
        2..=4 if is_one(&["she", "her", "hers"]) => Some(true),
        2..=3 if is_one(&["he", "him", "his"]) => Some(false),
        _ => None,
    }
}

/// How a word must be spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// To the letter, but for its case.
    Exact,
    /// A person's name may have no `s` more.
    Name,
}

/// Whether a word stands in an identifier or is a part of a name: then no other spelling is a typing error.
pub(super) fn is_spelled(text: &str, word: &Range<usize>) -> bool {
    tokens(text).iter().any(|(token, _)| token.start <= word.start && word.end <= token.end)
}

/// Whether something that must be spelled as it is in `one` stands in `other` only in another spelling.
fn is_respelled(one: &Features<'_>, other: &Features<'_>) -> bool {
    let strict = tokens(one.text);
    if strict.is_empty() {
        return false;
    }
    let mut theirs: Vec<(Term, u64)> =
        (words(other)).map(|word| (word.term, digest(&spelled(&other.text[word.range()])))).collect();
    theirs.sort_unstable();
    let mut strict = strict.into_iter().peekable();
    words(one).any(|word| {
        while strict.next_if(|(token, _)| token.end <= word.start).is_some() {}
        let Some((_, spelling)) = strict.peek().filter(|(token, _)| token.start <= word.start) else {
            return false;
        };
        let has = |spelled: &str| theirs.binary_search(&(word.term, digest(spelled))).is_ok();
        let mine = spelled(&one.text[word.range()]);
        if has(&mine) {
            return false;
        }
        let first = theirs.partition_point(|(term, _)| *term < word.term);
        match spelling {
            Spelling::Exact => theirs.get(first).is_some_and(|(term, _)| *term == word.term),
            Spelling::Name => has(&format!("{mine}s")) || mine.strip_suffix('s').is_some_and(has),
        }
    })
}

/// The words that something may be called by. The letters of an abbreviation stand for words that aren't written.
fn words<'f>(of: &'f Features<'_>) -> impl Iterator<Item = &'f Word> {
    of.words.iter().filter(|word| word.kind == Kind::Content && word.end - word.start > 1)
}

fn spelled(word: &str) -> String {
    let lower = word.to_lowercase().replace('’', "'");
    lower.strip_suffix("'s").unwrap_or(&lower).to_owned()
}

fn digest(spelled: &str) -> u64 {
    xxh3_64(spelled.as_bytes())
}

/// What must be spelled as it is, in the order of the text.
fn tokens(text: &str) -> Vec<(Range<usize>, Spelling)> {
    let mut found = Vec::new();
    let mut in_code = false;
    let mut before = "";
    for token in text.split_ascii_whitespace() {
        let start = token.as_ptr() as usize - text.as_ptr() as usize;
        let is_code = in_code || token.contains('`');
        in_code ^= token.bytes().filter(|byte| *byte == b'`').count() % 2 == 1;
        let bare = token.trim_matches(|c| c == '`' || AROUND.contains(&c));
        let range = start..start + token.len();
        if is_code || is_identifier_alone(bare) {
            found.push((range, Spelling::Exact));
        } else if is_name(before, bare) {
            found.push((range, Spelling::Name));
        }
        before = token;
    }
    found
}

/// Whether a token without what stands around it is an identifier: `user_id`, `/v1/orders`, `settings.json`, `maxRetries`, `--force`.
fn is_identifier_alone(token: &str) -> bool {
    let bytes = token.as_bytes();
    let both = |joint: u8| {
        bytes.windows(3).any(|three| {
            three[1] == joint && three[0].is_ascii_alphanumeric() && three[2].is_ascii_alphanumeric()
        })
    };
    // `e.g.` and `U.S` are abbreviations, and `and/or` is no path.
    let is_dotted = both(b'.')
        && bytes.iter().any(u8::is_ascii_alphabetic)
        && token.split('.').any(|part| part.len() > 1);
    let is_path =
        bytes.len() > 1 && (bytes[0] == b'/' || bytes.iter().filter(|byte| **byte == b'/').count() > 1);
    let has_inner_capital =
        bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let has_digit =
        bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.iter().any(u8::is_ascii_digit);
    token.starts_with("--") || both(b'_') || is_dotted || is_path || has_inner_capital || has_digit
}

/// Whether a word is the last of a name of several: `Anna Williams`, `Dr. Williams`.
fn is_name(before: &str, bare: &str) -> bool {
    let begins = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.as_bytes().get(1).is_some_and(u8::is_ascii_lowercase)
    };
    let is_title = before.len() <= TITLE_BYTES_MAX && before.ends_with('.');
    begins(bare) && begins(before) && (is_title || before.ends_with(|c: char| c.is_ascii_lowercase()))
}
