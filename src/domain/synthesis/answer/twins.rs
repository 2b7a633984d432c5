//! The extractive twin of a sentence that the sheet doesn't support: what the sheet says itself of it.

use std::collections::BTreeSet;

use super::verified::{AnswerSentence, is_mended, said_in};
use crate::domain::synthesis::compose::is_stopped;
use crate::domain::synthesis::verify::is_said;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::words::{Lexicon, Term};

/// The share of its words, and how many of them, that a sentence must have in common with its twin.
const SHARED_MIN: f64 = 0.3;
const WORDS_MIN: usize = 2;

/// Puts into the place of each sentence that fails the statement of the sheet that shares most with it; how many found one. Where
/// that statement is part of the answer already the sentence has none: it would be said twice.
pub(super) fn replace(
    lexicon: &mut Lexicon,
    sentences: &mut [AnswerSentence],
    parts: &[String],
    sources: usize,
) -> usize {
    if !sentences.iter().any(is_mended) {
        return 0;
    }
    let (said, entry_of) = said_in(parts, sources);
    let words: Vec<BTreeSet<Term>> =
        said.iter().map(|said| lexicon.terms(&said.text).into_iter().collect()).collect();
    let mut replaced = 0;
    for failing in 0..sentences.len() {
        if !is_mended(&sentences[failing]) || breaks_off(&sentences[failing]) {
            continue;
        }
        let AnswerSentence { text, sources: cited, paragraph, .. } = &sentences[failing];
        let own: BTreeSet<Term> = lexicon.terms(text).into_iter().collect();
        let shared = |at: usize| own.intersection(&words[at]).count();
        let cites =
            |at: usize| said[at].places.iter().filter(|place| cited.contains(&(**place as u32 + 1))).count();
        let is_near =
            |at: &usize| shared(*at) >= WORDS_MIN && shared(*at) as f64 >= SHARED_MIN * own.len() as f64;
        // The first of equals.
        let near = (0..said.len()).filter(is_near).rev().max_by_key(|at| (shared(*at), cites(*at)));
        let Some(at) = near else { continue };
        let twin = AnswerSentence {
            paragraph: *paragraph,
            text: stopped(&said[at].text),
            sources: said[at]
                .places
                .iter()
                .filter(|place| **place < sources)
                .map(|place| *place as u32 + 1)
                .collect(),
            reasons: Vec::new(),
            entries: BTreeSet::from([entry_of[at]]),
            said: BTreeSet::from([at]),
            is_gap: false,
            row: None,
        };
        let stands = || sentences.iter().filter(|sentence| sentence.reasons.is_empty());
        let is_used = stands().any(|sentence| sentence.said.contains(&at));
        if !is_used && !is_said(lexicon, &twin.text, stands().map(|sentence| sentence.text.as_str())) {
            sentences[failing] = twin;
            replaced += 1;
        }
    }
    replaced
}

/// Whether an answer ends in the middle of a sentence: what it says until there is all that it says.
fn breaks_off(sentence: &AnswerSentence) -> bool {
    sentence.reasons.iter().any(|reason| reason.code == "broken_off")
}

/// A statement with a stop at its end.
fn stopped(text: &str) -> String {
    let stop = match is_stopped(text) {
        true => "",
        false if text.ends_with(is_wide) => "。",
        false => ".",
    };
    format!("{text}{stop}")
}
