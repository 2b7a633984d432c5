//! Names in other cases than a text has them: `Kritikern` beside `Kritiker`, `Batteriespeicher` beside `Batteriespeichern`.
//!
//! Words are the same where Snowball's stemmer of the text's language says so (<https://snowballstem.org/algorithms>); of
//! several the one that is spelled most alike. Only of words with a capital: what else a stem leaves out is often the time
//! or the mood of a verb.

use rust_stemmers::{Algorithm, Stemmer};
use xxhash_rust::xxh3::xxh3_64;

use super::Term;
use crate::domain::text::terms::{TermMap, TermSet};

/// Shorter words have many neighbours.
const CHARS_MIN: usize = 4;

/// Languages whose names take endings, by their names in English.
const LANGUAGES: &[(&str, Algorithm)] = &[
    ("Danish", Algorithm::Danish),
    ("Finnish", Algorithm::Finnish),
    ("German", Algorithm::German),
    ("Greek", Algorithm::Greek),
    ("Hungarian", Algorithm::Hungarian),
    ("Norwegian", Algorithm::Norwegian),
    ("Romanian", Algorithm::Romanian),
    ("Russian", Algorithm::Russian),
    ("Swedish", Algorithm::Swedish),
    ("Turkish", Algorithm::Turkish),
];

/// The words of a text, by their stems.
pub(super) struct Inflections {
    stemmer: Stemmer,
    /// In lower case.
    by_stem: TermMap<Vec<(String, Term)>>,
    known: TermSet,
}

impl Inflections {
    /// Of a text in a language; `None` where its names take no endings.
    pub(super) fn of(language: &str) -> Option<Self> {
        let algorithm = LANGUAGES.iter().find(|(name, _)| *name == language)?.1;
        Some(Self {
            stemmer: Stemmer::create(algorithm),
            by_stem: TermMap::default(),
            known: TermSet::default(),
        })
    }

    /// Takes note of a word of the text.
    pub(super) fn note(&mut self, lowered: &str, term: Term) {
        if lowered.chars().count() >= CHARS_MIN && self.known.insert(term) {
            self.by_stem.entry(self.stem(lowered)).or_default().push((lowered.to_owned(), term));
        }
    }

    /// The word of the text that a word is, where the text hasn't got it as it is.
    pub(super) fn same(&self, lowered: &str, term: Term) -> Option<Term> {
        if self.known.contains(&term) || lowered.chars().count() < CHARS_MIN {
            return None;
        }
        let alike = |other: &str| lowered.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let others = self.by_stem.get(&self.stem(lowered))?;
        let nearest = others.iter().max_by_key(|(other, _)| (alike(other), std::cmp::Reverse(other.len())));
        nearest.map(|(_, term)| *term)
    }

    fn stem(&self, lowered: &str) -> Term {
        Term(xxh3_64(self.stemmer.stem(lowered).as_bytes()))
    }
}
