//! Words as terms: what two texts have in common, whatever the case, the ending and the width of their letters.
//!
//! A term is a hash of a word's stem (Snowball English; other words are stemmed the same way on both sides, which does no
//! harm), so that terms compare like integers and mean the same on every machine. Chinese and Japanese, which are
//! written without spaces, give overlapping pairs of characters, as Lucene's CJK analyzer does. Time is linear.

use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};
use xxhash_rust::xxh3::xxh3_64;

use self::stopwords::is_stopword;
use super::terms::TermMap;

mod stopwords;
#[cfg(test)]
mod tests;

/// A word without what inflection, case and width add: equal for `Converts` and `converted`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub u64);

/// What kind of word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Carries meaning.
    Content,
    /// Holds a sentence together: articles, prepositions, pronouns, auxiliaries.
    Stopword,
    /// Begins with a digit; its term leaves out separators of thousands: `1,200` is `1200`.
    Number,
    /// Two neighbouring Chinese or Japanese characters, or one that stands alone.
    Cjk,
}

/// A word and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// What it means.
    pub term: Term,
    /// What kind of word it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last. Pairs of characters overlap.
    pub end: usize,
}

impl Word {
    /// Its place in the text, in bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Whether it says something: everything but a stopword.
    pub fn is_content(&self) -> bool {
        self.kind != Kind::Stopword
    }
}

/// Finds words, and remembers those that it has met: a word is stemmed once.
///
/// What it has met never changes what it finds, only how fast.
pub struct Lexicon {
    stemmer: Stemmer,
    /// By the hash of the word in lower case.
    known: TermMap<(Term, Kind)>,
    lowered: String,
}

impl Default for Lexicon {
    fn default() -> Self {
        Self {
            stemmer: Stemmer::create(Algorithm::English),
            known: TermMap::default(),
            lowered: String::new(),
        }
    }
}

/// Words that are remembered at most (a hostile text has as many as it likes).
const KNOWN_MAX: usize = 65_536;
/// Longer ones aren't stemmed: they aren't words of a language.
const STEMMED_BYTES_MAX: usize = 48;

impl Lexicon {
    /// The words of a text, in its order.
    pub fn words(&mut self, text: &str) -> Vec<Word> {
        let mut words = Vec::with_capacity(text.len() / 6);
        let mut at = 0;
        while let Some((class, width)) = class_at(text, at) {
            let end = match class {
                Class::Other => at + width,
                Class::Letter | Class::Digit => {
                    let end = end_of_word(text, at);
                    words.push(self.word(text, at, end));
                    end
                }
                Class::Cjk => self.pairs(text, at, &mut words),
            };
            at = end;
        }
        words
    }

    /// The terms of the words that say something, in the text's order, with repetitions.
    pub fn terms(&mut self, text: &str) -> Vec<Term> {
        self.words(text).into_iter().filter(Word::is_content).map(|word| word.term).collect()
    }

    fn word(&mut self, text: &str, start: usize, end: usize) -> Word {
        let mut lowered = std::mem::take(&mut self.lowered);
        lower(&text[start..end], &mut lowered);
        let key = Term(xxh3_64(lowered.as_bytes()));
        let known = self.known.get(&key).copied();
        let (term, kind) = known.unwrap_or_else(|| self.meet(key, &lowered));
        self.lowered = lowered;
        Word { term, kind, start, end }
    }

    fn meet(&mut self, key: Term, lowered: &str) -> (Term, Kind) {
        let found = if lowered.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            let digits: String = lowered.chars().filter(|&c| c != ',').collect();
            (Term(xxh3_64(digits.as_bytes())), Kind::Number)
        } else if is_stopword(lowered) {
            (key, Kind::Stopword)
        } else if lowered.is_ascii() && lowered.len() <= STEMMED_BYTES_MAX {
            let stem = self.stemmer.stem(lowered.trim_end_matches("'s"));
            (Term(xxh3_64(stem.as_bytes())), Kind::Content)
        } else {
            (key, Kind::Content)
        };
        if self.known.len() < KNOWN_MAX {
            self.known.insert(key, found);
        }
        found
    }

    /// A run of Chinese or Japanese characters, from `at`; returns its end.
    fn pairs(&mut self, text: &str, at: usize, words: &mut Vec<Word>) -> usize {
        let pair = |start, end| Word {
            term: Term(xxh3_64(&text.as_bytes()[start..end])),
            kind: Kind::Cjk,
            start,
            end,
        };
        let (mut before, mut end) = (None, at);
        while let Some((Class::Cjk, width)) = class_at(text, end) {
            let start = end;
            end += width;
            if let Some(before) = before.replace(start) {
                words.push(pair(before, end));
            }
        }
        if before == Some(at) {
            words.push(pair(at, end));
        }
        end
    }
}

/// What a character does to a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Cjk,
    Other,
}

/// The class of the character at a byte, and its width in bytes; `None` at the end.
fn class_at(text: &str, at: usize) -> Option<(Class, usize)> {
    let byte = *text.as_bytes().get(at)?;
    if byte.is_ascii() {
        let class = match byte {
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
            _ => Class::Other,
        };
        return Some((class, 1));
    }
    let c = text[at..].chars().next()?;
    let class = match c {
        '\u{2E80}'..='\u{2FDF}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}' => Class::Cjk,
        '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}' => Class::Cjk,
        '\u{FF10}'..='\u{FF19}' => Class::Digit,
        // A combining accent belongs to the letter before it.
        '\u{0300}'..='\u{036F}' => Class::Letter,
        _ if c.is_alphabetic() => Class::Letter,
        _ if c.is_numeric() => Class::Digit,
        _ => Class::Other,
    };
    Some((class, c.len_utf8()))
}

/// Where the word that begins at `start` ends. A point or comma between digits and an apostrophe between letters are
/// inside: `1,200.5`, `don't`.
fn end_of_word(text: &str, start: usize) -> usize {
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
                    "'" | "’" => Class::Letter,
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

/// A word in lower case, with plain apostrophes, and with full-width letters and digits as the usual ones.
fn lower(word: &str, into: &mut String) {
    into.clear();
    if word.is_ascii() {
        into.push_str(word);
        into.make_ascii_lowercase();
        return;
    }
    for c in word.chars() {
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
