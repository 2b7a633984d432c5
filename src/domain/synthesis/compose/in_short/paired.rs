//! Where things are told apart by their headings or tasks, what is quoted of one is quoted of the others, too: the price of one beside the
//! delivery time of another would pass for a comparison.

use super::aspects;
use crate::domain::aggregate::result::Finding;
use crate::domain::synthesis::gaps::aspect;
use crate::domain::text::words::{Lexicon, Term, Word};

/// Quotations that a summary then has at most, their bytes, and things that are told apart.
const CHOSEN_MAX: usize = 8;
const BYTES_MAX: usize = 900;
const THINGS_MAX: usize = 4;
/// Words of a statement that is paired.
const WORDS_MAX: usize = 14;

/// Adds to what is chosen of one thing the same of each other thing.
pub(super) fn with_the_same_of_others(
    lexicon: &mut Lexicon,
    chosen: &mut Vec<usize>,
    (findings, words): (&[Finding], &[Vec<Word>]),
    question: &str,
) {
    let named: Vec<Option<Vec<Term>>> =
        findings.iter().zip(words).map(|(finding, words)| thing(finding, words, lexicon)).collect();
    let mut things: Vec<&Vec<Term>> = named.iter().flatten().collect();
    things.sort_unstable();
    things.dedup();
    let asked: Vec<Term> = lexicon.terms(question).into_iter().map(aspect).collect();
    let is_asked = |thing: &&Vec<Term>| thing.iter().all(|term| asked.contains(term));
    if !(2..=THINGS_MAX).contains(&things.len()) || things.iter().any(is_asked) {
        return;
    }
    let said: Vec<Vec<Term>> = findings.iter().zip(words).map(|(of, words)| told(of, words)).collect();
    let is_same = |one: usize, other: usize| {
        let shared = said[one].iter().filter(|term| said[other].contains(term)).count();
        shared > 0 && 2 * shared >= said[one].len().max(said[other].len())
    };
    for of in chosen.clone() {
        let Some(own) = &named[of] else { continue };
        for thing in things.iter().filter(|thing| **thing != own) {
            let bytes: usize = chosen.iter().map(|at| findings[*at].content.len()).sum();
            let is_one = |at: &usize| named[*at].as_ref() == Some(*thing) && is_same(of, *at);
            if chosen.len() >= CHOSEN_MAX || bytes >= BYTES_MAX || chosen.iter().any(is_one) {
                continue;
            }
            chosen.extend((0..findings.len()).find(is_one));
        }
    }
}

/// The name that a short statement stands below, where it doesn't say it itself.
fn thing(finding: &Finding, words: &[Word], lexicon: &mut Lexicon) -> Option<Vec<Term>> {
    let topic = &finding.topic;
    let is_name = topic.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && !topic.contains(": ")
        && topic.split_whitespace().count() <= THINGS_MAX;
    if finding.by_model || !is_name || finding.content.split_whitespace().nth(WORDS_MAX).is_some() {
        return None;
    }
    let terms: Vec<Term> = lexicon.terms(topic).into_iter().map(aspect).collect();
    let is_said = |term: &Term| words.iter().any(|word| aspect(word.term) == *term);
    (!terms.is_empty() && !terms.iter().any(is_said)).then_some(terms)
}

/// What a statement says but for its figures.
fn told(finding: &Finding, words: &[Word]) -> Vec<Term> {
    let is_figure = |word: &Word| finding.content[word.range()].contains(|c: char| c.is_ascii_digit());
    let words: Vec<Word> = words.iter().filter(|word| !is_figure(word)).copied().collect();
    let mut terms = aspects(&words);
    terms.sort_unstable();
    terms.dedup();
    terms
}
