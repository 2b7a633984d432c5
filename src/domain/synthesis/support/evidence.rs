//! The text that a claim cites, as an index: read once, asked by every claim that cites it.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::claim::NUMBERS;
use crate::domain::text::polarity::negates;
use crate::domain::text::words::{Lexicon, Term, Word};

/// A sentence that was read.
#[derive(Debug, Clone)]
pub struct Read<'a, 'w> {
    /// As it was given.
    pub text: Cow<'a, str>,
    /// Its words.
    pub words: Cow<'w, [Word]>,
    /// Whether it has a negation.
    pub negated: bool,
}

impl<'a> Read<'a, '_> {
    /// Reads a sentence.
    pub fn new(lexicon: &mut Lexicon, text: Cow<'a, str>) -> Self {
        let words = lexicon.words(&text);
        let negated = negates(&text, &words);
        Self { text, words: Cow::Owned(words), negated }
    }
}

/// The sentences of one source, and where each term stands in them.
#[derive(Debug, Clone, Default)]
pub struct Evidence<'a> {
    sentences: Vec<Cow<'a, str>>,
    /// The terms of each sentence, in its order.
    terms: Vec<(Term, u32)>,
    /// The same sorted, each pair once: the sentences of a term are neighbours. Most evidence is never asked for one, since
    /// what quotes it is known by its text.
    postings: OnceLock<Vec<(Term, u32)>>,
    negated: Vec<bool>,
}

impl PartialEq for Evidence<'_> {
    fn eq(&self, other: &Self) -> bool {
        // What was asked for before makes no difference.
        (&self.sentences, &self.terms, &self.negated) == (&other.sentences, &other.terms, &other.negated)
    }
}

impl<'a> Evidence<'a> {
    /// Reads the sentences of a source, in their order. O(words · log words). Sentences past the 2³²th aren't read.
    pub fn new(lexicon: &mut Lexicon, sentences: &[&'a str]) -> Self {
        Self::of(lexicon, sentences.iter().map(|sentence| Cow::Borrowed(*sentence)).collect())
    }

    /// The same of sentences that were made for it.
    pub fn of(lexicon: &mut Lexicon, sentences: Vec<Cow<'a, str>>) -> Self {
        Self::of_read(sentences.into_iter().map(|sentence| Read::new(lexicon, sentence)))
    }

    /// The same of sentences that were read.
    pub fn of_read<'w>(sentences: impl IntoIterator<Item = Read<'a, 'w>>) -> Self {
        let numbers = &*NUMBERS;
        let sentences: Vec<Read<'a, 'w>> = sentences.into_iter().collect();
        let words = sentences.iter().map(|read| read.words.len()).sum();
        let mut evidence = Self { terms: Vec::with_capacity(words), ..Self::default() };
        for (at, Read { text, words, negated }) in (0..u32::MAX).zip(sentences) {
            evidence.sentences.push(text);
            evidence.negated.push(negated);
            let content = words.iter().filter(|word| word.is_content());
            evidence.terms.extend(content.map(|word| (numbers.normal(word).0, at)));
        }
        evidence
    }

    fn postings(&self) -> &[(Term, u32)] {
        self.postings.get_or_init(|| {
            let mut postings = self.terms.clone();
            // One number compares faster than two.
            postings.sort_unstable_by_key(|&(term, at)| u128::from(term.0) << 32 | u128::from(at));
            postings.dedup();
            postings
        })
    }

    /// How many sentences there are.
    pub fn len(&self) -> usize {
        self.negated.len()
    }

    /// Whether there is no sentence.
    pub fn is_empty(&self) -> bool {
        self.negated.is_empty()
    }

    /// A sentence as it was given; empty where there is none.
    pub fn sentence(&self, at: usize) -> &str {
        self.sentences.get(at).map(AsRef::as_ref).unwrap_or_default()
    }

    /// All sentences, in their order.
    pub fn sentences(&self) -> &[Cow<'a, str>] {
        &self.sentences
    }

    /// Whether a sentence has a negation.
    pub fn is_negated(&self, at: usize) -> bool {
        self.negated.get(at).copied().unwrap_or_default()
    }

    /// Whether a sentence is this text, to the byte.
    pub(in crate::domain::synthesis) fn says(&self, text: &str) -> bool {
        self.sentences.iter().any(|sentence| sentence == text)
    }

    /// Whether any sentence has a term.
    pub fn has(&self, term: Term) -> bool {
        self.sentences_with(term).next().is_some()
    }

    /// The sentences that have a term, ascending.
    pub(in crate::domain::synthesis) fn sentences_with(&self, term: Term) -> impl Iterator<Item = usize> {
        let postings = self.postings();
        let first = postings.partition_point(|&(known, _)| known < term);
        let same = postings[first..].iter().take_while(move |(known, _)| *known == term);
        same.map(|&(_, sentence)| sentence as usize)
    }
}
