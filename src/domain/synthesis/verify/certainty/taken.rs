//! What of a sentence a claim takes over, and in which tense.

use std::ops::Range;

use super::meant;
use super::words::PASTS;
use crate::domain::near_duplicates::{Element, Features};
use crate::domain::synthesis::verify::meaning::is_light;
use crate::domain::synthesis::verify::scope::{clauses, is_taken, tokens};

/// Whether a claim has two words of a part that say something: what is denied is told by few.
pub(super) fn shares(claim: &Features<'_>, said: &Features<'_>, part: &Range<usize>) -> bool {
    const SHARED_MIN: usize = 2;
    let inside = said.elements.iter().filter(|element| part.contains(&element.start));
    let says = |element: &&Element| {
        let has = claim.elements.iter().any(|own| own.term == element.term);
        has && !is_light(&said.text[element.range()].to_lowercase())
    };
    inside.filter(says).count() >= SHARED_MIN
}

/// The word that says how often it is so, where a claim takes over its clause without it.
pub(super) fn left_out_often(
    (claim, whole): (&Features<'_>, &str),
    said: &Features<'_>,
) -> Option<Range<usize>> {
    let often = meant::often(whole, said.text);
    if often.is_empty() {
        return None; // the usual case
    }
    let parts = clauses(said.text, |_| false);
    let own = |word: &Range<usize>| parts.iter().find(|part| part.contains(&word.start));
    often.into_iter().find(|word| own(word).is_some_and(|part| is_taken(claim, said, part)))
}

/// Whether a claim tells as done what the first word behind `will` says.
pub(super) fn is_past(claim: &str, behind: &str) -> bool {
    const STEM: usize = 3;
    let mut verbs = tokens(behind).map(|(_, word)| word).filter(|word| {
        !matches!(word.as_str(), "be" | "have" | "not" | "also" | "then" | "likely" | "now")
            && !word.ends_with("ly")
    });
    let Some(verb) = verbs.next() else { return false };
    let past = PASTS.iter().find(|(present, _)| *present == verb).map(|(_, past)| *past);
    let stem = verb.get(..STEM).unwrap_or(&verb);
    let words: Vec<String> = tokens(claim).map(|(_, word)| word).collect();
    let done = |at: usize| {
        const HAVING: &[&str] = &["has", "have", "had", "was", "were"];
        let word = &words[at];
        let having = words[..at].iter().rev().take(2).any(|word| HAVING.contains(&word.as_str()));
        past == Some(word.as_str())
            || (word.starts_with(stem) && *word != verb && (word.ends_with("ed") || having))
    };
    (0..words.len()).any(done)
}
