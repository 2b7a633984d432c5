//! Beside what denies something that was asked what affirms it, and the reverse: a summary that has the yes of one and not the no of
//! another that is as sure makes a winner, also where the two don't contradict each other word by word.

use std::cell::OnceCell;

use super::aspects;
use crate::domain::aggregate::result::{Finding, Level};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::contradictions::differ::negations;
use crate::domain::synthesis::gaps::aspect;
use crate::domain::text::words::{Lexicon, Term, Word};

/// Findings that are added at most.
const ADDED_MAX: usize = 2;
/// Words of the question that two must share to speak of the same of it.
const SHARED_MIN: usize = 2;

/// Adds to each that is chosen the first of others that says the opposite of the same words of the question.
pub(super) fn with_the_other(
    lexicon: &mut Lexicon,
    chosen: &mut Vec<usize>,
    (findings, words): (&[Finding], &[Vec<Word>]),
    question: &str,
) {
    let asked: Vec<Term> = lexicon.terms(question).into_iter().map(aspect).collect();
    let said = |words: &Vec<Word>| -> Vec<Term> {
        let mut terms = aspects(words);
        terms.retain(|term| asked.contains(term));
        terms.sort_unstable();
        terms.dedup();
        terms
    };
    let said: Vec<Vec<Term>> = words.iter().map(said).collect();
    // `Safe to merge.` is all of it a verdict, as is `Allergies: penicillin` by its label.
    let is_all_asked =
        |at: usize| !said[at].is_empty() && aspects(&words[at]).iter().all(|term| asked.contains(term));
    let is_labelled = |at: usize, lexicon: &mut Lexicon| {
        let label = findings[at].content.split_once(": ").map(|(label, _)| lexicon.terms(label));
        let all = |terms: Vec<Term>| {
            !terms.is_empty() && terms.into_iter().all(|term| asked.contains(&aspect(term)))
        };
        label.is_some_and(all)
    };
    let is_verdict: Vec<bool> =
        (0..findings.len()).map(|at| is_all_asked(at) || is_labelled(at, lexicon)).collect();
    // Few say as much of what was asked as another one: of the others nobody has to know.
    let known = vec![OnceCell::new(); findings.len()];
    let mut denies =
        |at: usize| *known[at].get_or_init(|| negations(&Features::of(lexicon, &findings[at].content)) == 1);
    let mut is_other = |at: usize, of: usize| {
        let [own, other] = [at, of].map(|at| &findings[at]);
        let shared = said[at].iter().filter(|term| said[of].contains(term)).count();
        let is_alike = shared >= SHARED_MIN && 3 * shared >= 2 * said[of].len()
            || shared > 0
                && (is_verdict[at] || is_verdict[of])
                && 2 * shared >= said[of].len().min(said[at].len());
        is_alike
            && own.contributors.iter().all(|name| !other.contributors.contains(name))
            && denies(at) != denies(of)
    };
    let mut added = 0;
    for of in chosen.clone() {
        if added >= ADDED_MAX || chosen.iter().any(|at| is_other(*at, of)) {
            continue;
        }
        let is_as_sure = |at: usize| rank(findings[at].confidence) >= rank(findings[of].confidence);
        let first = (0..findings.len()).find(|at| is_other(*at, of) && is_as_sure(*at));
        added += usize::from(first.is_some());
        chosen.extend(first);
    }
}

fn rank(level: Level) -> u8 {
    match level {
        Level::High => 2,
        Level::Medium => 1,
        Level::Low => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(content: &str, who: &str, confidence: Level) -> Finding {
        let (topic, content, contributors) = ("t".to_owned(), content.to_owned(), vec![who.to_owned()]);
        Finding {
            topic,
            content,
            sources: Vec::new(),
            confidence,
            contributors,
            verify: None,
            by_model: false,
            step: None,
        }
    }

    /// What is quoted beside the first of some findings.
    fn beside(findings: &[Finding]) -> Vec<usize> {
        let (mut lexicon, mut chosen) = (Lexicon::default(), vec![0]);
        let words: Vec<Vec<Word>> = findings.iter().map(|of| lexicon.words(&of.content)).collect();
        with_the_other(&mut lexicon, &mut chosen, (findings, &words), "Is creatine useful for endurance?");
        chosen.split_off(1)
    }

    #[test]
    fn who_denies_stands_beside_who_affirms() {
        let yes = || finding("Creatine is useful for endurance athletes.", "coach", Level::Low);
        let no = |who, level| finding("Creatine is not useful for endurance performance.", who, level);
        let sold = || finding("Creatine is sold in powders, and not in tablets.", "shop", Level::Medium);
        assert_eq!(beside(&[yes(), sold(), no("issn", Level::Medium)]), [2]);
        assert_eq!(beside(&[no("issn", Level::Low), yes()]), [1]);
        // Who says both says so himself, and what is less sure is no other side of it.
        assert_eq!(beside(&[yes(), no("coach", Level::Medium)]), [0; 0]);
        assert_eq!(beside(&[no("issn", Level::Medium), yes()]), [0; 0]);
        assert_eq!(beside(&[yes(), no("issn", Level::Medium), no("lab", Level::Medium)]), [1]);
    }
}
