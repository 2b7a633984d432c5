//! Words that hold a sentence together and yet decide what it says: `until` for `from`, `was` for `is`, an `if`.
//!
//! As a rule function words aren't compared: paraphrases change them. These are, though not by their place: one that only one
//! text has may have been added (`grew by 45 %`), but one in the place of another changes what is said.

use std::sync::LazyLock;

use super::features::Element;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Kind, Word};

/// Where from, where to, until when.
const DIRECTIONS: &[&str] = &["from", "to", "by", "into", "over", "under", "through", "until"];
/// Now, then, perhaps.
const TIMES: &[&str] =
    &["is", "are", "was", "were", "will", "would", "can", "could", "may", "might", "shall", "should", "must"];
/// Change what is said also where they are added.
const CONDITIONS: &[&str] = &["until", "if", "would", "could", "might", "will"];

/// Which of these words a text has, each as often as it stands there; ascending.
pub(super) fn joints(words: &[Word]) -> Vec<u8> {
    // The letters of an abbreviation stand for words, too, and aren't these.
    let is_written = |word: &&Word| word.kind == Kind::Stopword && word.end - word.start > 1;
    let mut joints: Vec<u8> =
        words.iter().filter(is_written).filter_map(|word| CODES.get(word.term).copied()).collect();
    joints.sort_unstable();
    joints
}

/// All of them, each at the place that is its code.
fn listed() -> impl Iterator<Item = &'static str> {
    DIRECTIONS.iter().chain(TIMES).chain(CONDITIONS).copied()
}

fn word(code: u8) -> Option<&'static str> {
    listed().nth(usize::from(code))
}

/// Their codes; of one that is listed twice the first.
static CODES: LazyLock<KnownTerms<u8>> = LazyLock::new(|| terms::table(listed().zip(0..)).into());

/// Whether none stands in the place of another, and no condition on one side only.
pub(super) fn agree(one: &[u8], other: &[u8]) -> bool {
    if one == other {
        return true;
    }
    let (mine, theirs) = (only(one, other), only(other, one));
    let (directions, times) = (DIRECTIONS.len(), DIRECTIONS.len() + TIMES.len());
    let has =
        |of: &[u8], from: usize, to: usize| of.iter().any(|code| (from..to).contains(&usize::from(*code)));
    let replaced = |from: usize, to: usize| has(&mine, from, to) && has(&theirs, from, to);
    let is_condition = |code: &u8| word(*code).is_some_and(|word| CONDITIONS.contains(&word));
    !replaced(0, directions) && !replaced(directions, times) && !mine.iter().chain(&theirs).any(is_condition)
}

/// What the first has and the second hasn't, or not so often.
fn only(one: &[u8], other: &[u8]) -> Vec<u8> {
    let mut theirs = other.iter().peekable();
    let mut only = Vec::new();
    for code in one {
        while theirs.next_if(|known| *known < code).is_some() {}
        if theirs.next_if(|known| *known == code).is_none() {
            only.push(*code);
        }
    }
    only
}

/// A digest of the signs that compare (`<`, `!=`) and of those that are part of a name (`C++`, `A-`); 0 where there are none.
pub(super) fn signs(text: &str) -> u64 {
    let bytes = text.as_bytes();
    // What such a sign begins with: of most characters no more need be known.
    let may_be = |byte: &u8| matches!(byte, b'<' | b'>' | b'!' | b'+' | b'#' | b'-' | 0xE2);
    // Asked of all bytes at once first: most texts have none.
    if !bytes.iter().fold(false, |any, byte| any | may_be(byte)) {
        return 0;
    }
    let mut digest = 0_u64;
    for at in (0..bytes.len()).filter(|at| may_be(&bytes[*at])) {
        let Some(c) = text[at..].chars().next() else { continue };
        let (before, after) = (at.checked_sub(1).map(|at| bytes[at]), bytes.get(at + c.len_utf8()));
        let ends_name = before.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'+')
            && after.is_none_or(|byte| !byte.is_ascii_alphanumeric());
        let counts = match c {
            '<' | '>' | '≤' | '≥' | '≠' => true,
            '!' => after == Some(&b'='),
            '+' | '#' => ends_name,
            '-' | '−' => {
                ends_name
                    && after
                        .is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'.' | b',' | b'|'))
            }
            _ => false,
        };
        if counts {
            digest = digest.rotate_left(7) ^ u64::from(u32::from(c)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }
    digest
}

/// Whether a word that only one of two texts has changes what is said: a hedge, a limit, another office.
pub(super) fn shifts(element: &Element) -> bool {
    SHIFTS.get(element.term).is_some()
}

static SHIFTS: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(SHIFTING.iter().map(|word| (*word, ()))).into());

#[rustfmt::skip]
const SHIFTING: &[&str] = &[
    "against", "despite", "since", "till", "unless", "without", "except", "excluding", "instead",
    "allegedly", "alleged", "purportedly", "purported", "supposedly", "supposed", "apparently", "seemingly", "presumably",
    "possibly", "possible", "potentially", "potential", "probably", "likely", "unlikely", "perhaps", "maybe", "hypothetical", "theoretically",
    "attempted", "failed", "suspected", "proposed", "planned", "expected", "intended", "projected", "estimated", "so-called", "fake", "false",
    "former", "formerly", "previous", "previously", "ex", "vice", "deputy", "acting", "assistant", "interim", "late",
    "almost", "nearly", "barely", "hardly", "scarcely", "partly", "partially", "mainly", "mostly", "largely", "rarely", "seldom", "sometimes",
    "occasionally", "temporarily", "initially", "conditionally",
];
