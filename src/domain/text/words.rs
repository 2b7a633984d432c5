//! Words as terms: what two texts have in common, whatever the case, the ending and the width of their letters.
//!
//! A term is a hash of a word's stem (Snowball English; other words are stemmed the same way on both sides, which does no
//! harm), so that terms compare like integers and mean the same on every machine. Chinese and Japanese, which are
//! written without spaces, give overlapping pairs of characters, as Lucene's CJK analyzer does. Time is linear.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use xxhash_rust::xxh3::xxh3_64;

pub use self::again::Known;
use self::inflections::Inflections;
use self::letters::{ASCII, Class, ascii_end, class_at, end_of_word, key_of, lower, stands_alone};
use self::names::{Abbreviation, country};
use self::short_forms::{Meaning, is_short};
use self::stopwords::is_stopword;
use super::memo::Memo;
use super::scripts::{is_mark, is_wide};
use super::terms::TermMap;

mod again;
mod inflections;
mod letters;
mod names;
mod short_forms;
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
/// What it has met never changes what it finds, only how fast. Words are told apart by a hash that isn't secret, so one is for one
/// request only: who makes two words collide spoils nothing but its own.
pub struct Lexicon {
    stemmer: Stemmer,
    /// By the [`key_of`] a word as it is written.
    known: TermMap<(Term, Kind)>,
    lowered: String,
    inflections: Option<Inflections>,
    /// By the hash of its letters.
    short_forms: TermMap<Meaning>,
}

impl Default for Lexicon {
    fn default() -> Self {
        Self {
            stemmer: Stemmer::create(Algorithm::English),
            known: TermMap::default(),
            lowered: String::new(),
            inflections: None,
            short_forms: TermMap::default(),
        }
    }
}

/// Words that are remembered at most (a hostile text has as many as it likes).
const KNOWN_MAX: usize = 65_536;
/// Longer ones aren't stemmed: they aren't words of a language.
const STEMMED_BYTES_MAX: usize = 48;

/// What words in lower case are: stemming one takes thirty times as long as looking it up. About 4 MB.
static READ: LazyLock<Memo<(Term, Kind)>> = LazyLock::new(|| Memo::new(1 << 15, STEMMED_BYTES_MAX));

impl Lexicon {
    /// The words of a text, in its order.
    pub fn words(&mut self, text: &str) -> Vec<Word> {
        let mut words = Vec::with_capacity(text.len() / 4);
        self.read_on(text, 0..text.len(), &mut words);
        words
    }

    /// The words that begin in a part of a text.
    fn read_on(&mut self, text: &str, part: Range<usize>, words: &mut Vec<Word>) {
        let bytes = text.as_bytes();
        let (mut at, part) = (part.start, &bytes[..part.end]);
        while let Some(&byte) = part.get(at) {
            // Most of most texts is ASCII: a table says what its bytes are.
            at = match ASCII[usize::from(byte)] {
                Class::Other if byte.is_ascii() => at + 1,
                Class::Letter | Class::Digit => {
                    let end = ascii_end(bytes, at).unwrap_or_else(|| end_of_word(text, at));
                    if let Some(meaning) = self.short_form(&bytes[at..end]) {
                        let letters = meaning.iter().zip(at..);
                        words.extend(letters.map(|(&(term, kind), start)| Word {
                            term,
                            kind,
                            start,
                            end: start + 1,
                        }));
                        end
                    } else if let Some(short) = Abbreviation::at(bytes, at, end) {
                        self.spell_out(&short, at, words)
                    } else {
                        words.push(self.word(text, at, end));
                        end
                    }
                }
                Class::Other | Class::Cjk => self.beyond_ascii(text, at, words),
            };
        }
    }

    /// The words that the letters of an abbreviation stand for; returns its end.
    fn spell_out(&mut self, short: &Abbreviation, at: usize, words: &mut Vec<Word>) -> usize {
        let mut start = at;
        for word in short.words {
            let Word { term, kind, .. } = self.word(word, 0, word.len());
            words.push(Word { term, kind, start, end: start + 1 });
            start += short.step;
        }
        start - short.step + 1
    }

    /// What begins with a character beyond ASCII; returns its end.
    fn beyond_ascii(&mut self, text: &str, at: usize, words: &mut Vec<Word>) -> usize {
        match class_at(text, at) {
            None => text.len(),
            Some((Class::Other, width)) => at + width,
            Some((Class::Letter | Class::Digit, _)) => {
                let end = end_of_word(text, at);
                words.push(self.word(text, at, end));
                end
            }
            Some((Class::Cjk, _)) => self.pairs(text, at, words),
        }
    }

    /// The words of a part of a text whose words are known: as [`Self::words`] finds them in the part alone.
    pub fn words_within(&mut self, text: &str, words: &[Word], part: Range<usize>) -> Vec<Word> {
        if !stands_alone(text, &part) {
            return self.words(&text[part]);
        }
        let first = words.partition_point(|word| word.start < part.start);
        let inside = words[first..].partition_point(|word| word.start < part.end);
        let moved =
            |word: &Word| Word { start: word.start - part.start, end: word.end - part.start, ..*word };
        words[first..first + inside].iter().map(moved).collect()
    }

    /// The terms of the words that say something, in the text's order, with repetitions.
    pub fn terms(&mut self, text: &str) -> Vec<Term> {
        self.words(text).into_iter().filter(Word::is_content).map(|word| word.term).collect()
    }

    #[inline(always)]
    fn word(&mut self, text: &str, start: usize, end: usize) -> Word {
        let written = &text.as_bytes()[start..end];
        if written.iter().all(u8::is_ascii_digit) {
            // Most stand once in a text, and there is nothing to stem.
            return Word { term: Term(xxh3_64(written)), kind: Kind::Number, start, end };
        }
        let key = key_of(text.as_bytes(), start..end);
        let (term, kind) = match self.known.get(&key) {
            Some(known) => *known,
            None => self.meet(key, &text[start..end]),
        };
        Word { term, kind, start, end }
    }

    #[cold]
    fn meet(&mut self, key: Term, written: &str) -> (Term, Kind) {
        let mut lowered = std::mem::take(&mut self.lowered);
        lower(written, &mut lowered);
        // Stemming costs most: `Word` is what `word` is.
        let plain = key_of(lowered.as_bytes(), 0..lowered.len());
        let known = if plain == key { None } else { self.known.get(&plain).copied() };
        let found = known.unwrap_or_else(|| self.read(&lowered));
        let meant = self.named(written, &lowered, found);
        self.lowered = lowered;
        if self.known.len() < KNOWN_MAX {
            self.known.insert(key, meant);
            if plain != key {
                self.known.entry(plain).or_insert(found);
            }
        }
        meant
    }

    /// From now on, a name that some texts have in another case only is the same word ([`inflections`]), and a short form that
    /// one of them explains is what it stands for ([`short_forms`]). `language` is that of the texts, by its name in English.
    pub fn learn<'t>(&mut self, texts: impl Iterator<Item = &'t str> + Clone, language: &str) {
        // What was met before may be such a word, or was one.
        self.known.clear();
        (self.inflections, self.short_forms) = (None, TermMap::default());
        for (short, meaning) in short_forms::explained(self, texts.clone()) {
            self.short_forms.entry(Term(xxh3_64(short.as_bytes()))).or_insert(meaning);
        }
        let Some(mut inflections) = Inflections::of(language) else { return };
        for text in texts {
            for word in self.words(text).iter().filter(|word| word.kind == Kind::Content) {
                inflections.note(&text[word.range()].to_lowercase(), word.term);
            }
        }
        self.inflections = Some(inflections);
        self.known.clear();
    }

    fn short_form(&self, written: &[u8]) -> Option<&Meaning> {
        let is_one = !self.short_forms.is_empty() && is_short(written);
        is_one.then(|| self.short_forms.get(&Term(xxh3_64(written)))).flatten()
    }

    /// A word with a capital may be written otherwise elsewhere.
    fn named(&self, written: &str, lowered: &str, (term, kind): (Term, Kind)) -> (Term, Kind) {
        if kind != Kind::Content || !written.starts_with(char::is_uppercase) {
            return (term, kind);
        }
        let term = country(lowered).map_or(term, |country| self.read(country).0);
        let same = self.inflections.as_ref().and_then(|known| known.same(lowered, term));
        (same.unwrap_or(term), kind)
    }

    /// What a word in lower case is.
    fn read(&self, lowered: &str) -> (Term, Kind) {
        let term = |word: &str| Term(xxh3_64(word.as_bytes()));
        if lowered.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            (term(&without_commas(lowered)), Kind::Number)
        } else if lowered.is_ascii() && lowered.len() <= STEMMED_BYTES_MAX {
            READ.get_or_insert_with(lowered.as_bytes(), || match is_stopword(lowered) {
                true => (term(lowered), Kind::Stopword),
                false => (term(&self.stemmer.stem(lowered.trim_end_matches("'s"))), Kind::Content),
            })
        } else {
            (term(lowered), Kind::Content)
        }
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
            let marks = text[end..].chars().take_while(|c| is_mark(*c) && !is_wide(*c));
            end += marks.map(char::len_utf8).sum::<usize>();
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

fn without_commas(number: &str) -> Cow<'_, str> {
    if number.contains(',') { number.replace(',', "").into() } else { number.into() }
}
