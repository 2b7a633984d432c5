//! Where a word begins and ends, by its characters, how it is written in lower case, and what tells it from others.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::Term;
use crate::domain::text::composed::composed;
use crate::domain::text::scripts::is_mark;

/// What a character does to a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Letter,
    Digit,
    Cjk,
    Other,
}

/// The classes of ASCII; beyond it nothing is known by one byte.
pub(super) static ASCII: [Class; 256] = ascii();

const fn ascii() -> [Class; 256] {
    let mut table = [Class::Other; 256];
    let mut byte = 0_u8;
    while byte.is_ascii() {
        table[byte as usize] = match byte {
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
}

/// Where the word that begins at `start` ends, as [`end_of_word`] has it, where that is plain from ASCII alone.
pub(super) fn ascii_end(bytes: &[u8], start: usize) -> Option<usize> {
    let class = |at: usize| bytes.get(at).map_or(Class::Other, |&byte| ASCII[usize::from(byte)]);
    let is_inside = |byte: &u8| matches!(ASCII[usize::from(*byte)], Class::Letter | Class::Digit);
    let rest = bytes.get(start + 1..).unwrap_or_default();
    let end = start + 1 + rest.iter().position(|byte| !is_inside(byte)).unwrap_or(rest.len());
    let inside = match bytes.get(end) {
        None => return Some(end),
        Some(b'.' | b',') => Class::Digit,
        Some(b'\'') => Class::Letter,
        Some(byte) => return byte.is_ascii().then_some(end),
    };
    let goes_on = bytes.get(end + 1).is_some_and(|next| !next.is_ascii()) || class(end + 1) == inside;
    (class(end - 1) != inside || !goes_on).then_some(end)
}

/// The class of the character at a byte, and its width in bytes; `None` at the end.
pub(super) fn class_at(text: &str, at: usize) -> Option<(Class, usize)> {
    let byte = *text.as_bytes().get(at)?;
    if byte.is_ascii() {
        return Some((ASCII[usize::from(byte)], 1));
    }
    // The commonest of all that isn't ASCII: a Chinese character, U+4E00 to U+9FFF.
    if let [0xE4, 0xB8..=0xBF, _, ..] | [0xE5..=0xE9, _, _, ..] = &text.as_bytes()[at..] {
        return Some((Class::Cjk, 3));
    }
    let c = text[at..].chars().next()?;
    let class = match c {
        '\u{2E80}'..='\u{2FDF}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}' => Class::Cjk,
        '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}' => Class::Cjk,
        '\u{FF10}'..='\u{FF19}' => Class::Digit,
        // A combining accent belongs to the letter before it.
        '\u{0300}'..='\u{036F}' => Class::Letter,
        // Punctuation, the commonest characters that are none of those: looking it up takes long.
        '\u{2000}'..='\u{206F}'
        | '\u{3000}'..='\u{3003}'
        | '\u{3008}'..='\u{3020}'
        | '\u{FF01}'..='\u{FF0F}'
        | '\u{FF1A}'..='\u{FF20}' => Class::Other,
        _ if c.is_alphabetic() => Class::Letter,
        _ if c.is_numeric() => Class::Digit,
        // So does a vowel or a tone, and what joins two consonants.
        _ if is_mark(c) => Class::Letter,
        _ => Class::Other,
    };
    Some((class, c.len_utf8()))
}

/// Where the word that begins at `start` ends. A point or comma between digits and an apostrophe between letters are
/// inside: `1,200.5`, `don't`.
pub(super) fn end_of_word(text: &str, start: usize) -> usize {
    let mut before = Class::Other;
    let mut at = start;
    while let Some((class, width)) = class_at(text, at) {
        match class {
            Class::Letter | Class::Digit => {
                before = class;
                at += width;
            }
            Class::Cjk => break,
            Class::Other => {
                let inside = match &text[at..at + width] {
                    "." | "," => Class::Digit,
                    // The last two are seen by no one: they say how letters are joined in Persian and Hindi.
                    "'" | "’" | "\u{200C}" | "\u{200D}" => Class::Letter,
                    _ => break,
                };
                let after = class_at(text, at + width).map(|(class, _)| class);
                if before != inside || after != Some(inside) {
                    break;
                }
                at += width;
            }
        }
    }
    at
}

/// Whether what stands around a part of a text makes no difference to the words in it: none reaches over its edges, and
/// no mark at them belongs to one.
pub(super) fn stands_alone(text: &str, part: &Range<usize>) -> bool {
    let divides =
        |c: char| is_plain(c) && !matches!(c, '.' | ',' | '\'' | '’' | '$' | '\u{200C}' | '\u{200D}');
    let before = text[..part.start].chars().next_back();
    let (last, next) = (text[part.clone()].chars().next_back(), text[part.end..].chars().next());
    let ascii_divides = |c: char| c.is_ascii() && divides(c);
    before.is_none_or(divides) && (last.is_some_and(divides) || next.is_none_or(ascii_divides))
}

/// Whether a character is no letter, no digit and no part of one.
fn is_plain(c: char) -> bool {
    matches!(class_at(c.encode_utf8(&mut [0; 4]), 0), Some((Class::Other, _)))
}

/// What tells a word as it is written from others: its bytes, where it has eight at most, or their hash.
#[inline]
pub(super) fn key_of(text: &[u8], word: Range<usize>) -> Term {
    let written = &text[word.clone()];
    if written.is_empty() || written.len() > 8 {
        return Term(xxh3_64(written));
    }
    let packed = match text[word.start..].first_chunk::<8>() {
        Some(bytes) => u64::from_le_bytes(*bytes) & u64::MAX >> (64 - 8 * written.len()),
        None => written.iter().rev().fold(0, |packed, byte| packed << 8 | u64::from(*byte)),
    };
    // All of its bits tell words apart, not those of the first letters: each number has one that it becomes.
    let spread = packed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Term(spread ^ spread >> 32)
}

/// A word in lower case, with plain apostrophes, and with full-width letters and digits as the usual ones. A letter with an accent is
/// one character (NFC), however it was sent.
pub(super) fn lower(word: &str, into: &mut String) {
    into.clear();
    if word.is_ascii() {
        into.push_str(word);
        into.make_ascii_lowercase();
        return;
    }
    for c in composed(word).chars() {
        match c {
            '’' => into.push('\''),
            '\u{FF01}'..='\u{FF5E}' => {
                let narrow = char::from_u32(c as u32 - 0xFEE0).unwrap_or(c);
                into.push(narrow.to_ascii_lowercase());
            }
            _ => into.extend(c.to_lowercase()),
        }
    }
}
