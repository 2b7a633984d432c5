//! The text that a claim cites, as an index: read once, asked by every claim that cites it.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::claim::NUMBERS;
use crate::domain::text::polarity::negates;
use crate::domain::text::words::{Lexicon, Term, Word};

/// Terms of a sentence from which on it is looked through by itself: a list of many addresses cites as many sources, and
/// is evidence of each.
const LONG: usize = 64;

/// A sentence that was read: once, for all the sources that it is evidence of.
#[derive(Debug, Clone)]
pub struct Read<'a> {
    /// As it was given.
    text: Cow<'a, str>,
    words: Vec<Word>,
    /// Its [terms](Self::terms), once somebody has asked.
    terms: OnceLock<Vec<Term>>,
    /// Whether it has a negation.
    negated: bool,
}

impl PartialEq for Read<'_> {
    fn eq(&self, other: &Self) -> bool {
        // What was asked for before makes no difference.
        (&self.text, &self.words, self.negated) == (&other.text, &other.words, other.negated)
    }
}

impl<'a> Read<'a> {
    /// Reads a sentence.
    pub fn new(lexicon: &mut Lexicon, text: Cow<'a, str>) -> Arc<Self> {
        let words = lexicon.words(&text);
        let negated = negates(&text, &words);
        Self::of(text, words, negated)
    }

    /// The same of a sentence whose words are known.
    pub fn of(text: Cow<'a, str>, words: Vec<Word>, negated: bool) -> Arc<Self> {
        Arc::new(Self { text, words, terms: OnceLock::new(), negated })
    }

    /// Its terms: as they come, or each once and ascending where it is long.
    fn terms(&self) -> &[Term] {
        self.terms.get_or_init(|| {
            let numbers = &*NUMBERS;
            let content = self.words.iter().filter(|word| word.is_content());
            let mut terms: Vec<Term> = Vec::with_capacity(self.words.len());
            terms.extend(content.map(|word| numbers.normal(word).0));
            if terms.len() >= LONG {
                terms.sort_unstable();
                terms.dedup();
                terms.shrink_to_fit();
            }
            terms
        })
    }

    fn is_long(&self) -> bool {
        // Most sentences have fewer words.
        self.words.len() >= LONG && self.terms().len() >= LONG
    }
}

/// The sentences of one source, and where each term stands in them.
#[derive(Debug, Clone, Default)]
pub struct Evidence<'a> {
    sentences: Vec<Arc<Read<'a>>>,
    /// The terms of the sentences that aren't long, sorted, each pair once: the sentences of a term are neighbours. Most
    /// evidence is never asked for one, since what quotes it is known by its text.
    postings: OnceLock<Vec<(Term, u32)>>,
    /// Which sentences are long.
    long: Vec<u32>,
}

impl PartialEq for Evidence<'_> {
    fn eq(&self, other: &Self) -> bool {
        // What was asked for before makes no difference.
        self.sentences == other.sentences
    }
}

impl<'a> Evidence<'a> {
    /// Reads the sentences of a source, in their order. O(words · log words). Sentences past the 2³²th aren't read.
    pub fn new(lexicon: &mut Lexicon, sentences: &[&'a str]) -> Self {
        Self::of_read(sentences.iter().map(|sentence| Read::new(lexicon, Cow::Borrowed(*sentence))))
    }

    /// The same of sentences that were read.
    pub fn of_read(sentences: impl IntoIterator<Item = Arc<Read<'a>>>) -> Self {
        let sentences: Vec<Arc<Read<'a>>> = sentences.into_iter().take(u32::MAX as usize).collect();
        let long = (0..u32::MAX).zip(&sentences).filter(|(_, read)| read.is_long()).map(|(at, _)| at);
        Self { long: long.collect(), sentences, postings: OnceLock::new() }
    }

    fn postings(&self) -> &[(Term, u32)] {
        self.postings.get_or_init(|| {
            let short = (0..u32::MAX).zip(&self.sentences).filter(|(_, read)| !read.is_long());
            let mut postings: Vec<(Term, u32)> =
                short.flat_map(|(at, read)| read.terms().iter().map(move |&term| (term, at))).collect();
            // One number compares faster than two.
            postings.sort_unstable_by_key(|&(term, at)| u128::from(term.0) << 32 | u128::from(at));
            postings.dedup();
            postings
        })
    }

    /// How many sentences there are.
    pub(super) fn len(&self) -> usize {
        self.sentences.len()
    }

    /// A sentence as it was given; empty where there is none.
    pub fn sentence(&self, at: usize) -> &str {
        self.sentences.get(at).map(|read| read.text.as_ref()).unwrap_or_default()
    }

    /// All sentences, in their order.
    pub fn sentences(&self) -> impl Iterator<Item = &str> {
        self.sentences.iter().map(|read| read.text.as_ref())
    }

    /// Whether a sentence has a negation.
    pub fn is_negated(&self, at: usize) -> bool {
        self.sentences.get(at).is_some_and(|read| read.negated)
    }

    /// Whether a sentence is this text, to the byte.
    pub(in crate::domain::synthesis) fn says(&self, text: &str) -> bool {
        self.sentences().any(|sentence| sentence == text)
    }

    /// The words of a sentence that is this text, to the byte.
    pub(in crate::domain::synthesis) fn words_of(&self, text: &str) -> Option<&[Word]> {
        self.sentences.iter().find(|read| read.text == text).map(|read| read.words.as_slice())
    }

    /// Whether any sentence has a term.
    pub fn has(&self, term: Term) -> bool {
        self.sentences_with(term).next().is_some()
    }

    /// The sentences that have a term: those that aren't long, ascending, then the others.
    pub(in crate::domain::synthesis) fn sentences_with(&self, term: Term) -> impl Iterator<Item = usize> {
        let postings = self.postings();
        let first = postings.partition_point(|&(known, _)| known < term);
        let same = postings[first..].iter().take_while(move |(known, _)| *known == term);
        let has = move |at: &usize| self.sentences[*at].terms().binary_search(&term).is_ok();
        let long = self.long.iter().map(|&at| at as usize).filter(has);
        same.map(|&(_, sentence)| sentence as usize).chain(long)
    }
}
