//! Conditions: what they limit, and whether a claim tells them as met.

use std::ops::Range;

use super::coming;
use crate::domain::synthesis::verify::scope::tokens;
use crate::domain::text::scripts::is_wide;

/// What a condition in the clause `own` limits: another clause, or what follows where nothing divides them.
pub(super) fn supposed(
    text: &str,
    parts: &[Range<usize>],
    own: usize,
    hedge: &Range<usize>,
) -> Option<Range<usize>> {
    const CHARACTERS: usize = 4;
    let says = |part: &&Range<usize>| {
        let part = &text[(*part).clone()];
        part.split_whitespace().count() > 1 || part.chars().filter(|c| is_wide(*c)).count() >= CHARACTERS
    };
    let before = parts[..own].iter().rfind(says).or_else(|| parts[own + 1..].iter().find(says)).cloned();
    match ends_clause(&text[hedge.clone()]) {
        true => Some(hedge.end..text.len()),
        // `Only if it rains will the game be off`: nothing divides them.
        false => before.or_else(|| (own + 1 == parts.len()).then(|| parts[own].clone())),
    }
}

/// Whether a word stands at the end of the clause that says the condition: `承認すれば`, `승인하면`.
fn ends_clause(word: &str) -> bool {
    word == "的话" || word.chars().any(|c| matches!(c, '\u{3040}'..='\u{309F}' | '\u{AC00}'..='\u{D7A3}'))
}

/// Whether a claim tells what a condition says as done: `shareholders approved` for `if shareholders approve`.
pub(super) fn is_met(claim: &str, condition: &str) -> bool {
    const STEM: usize = 4;
    if condition.chars().any(is_wide) {
        return coming::is_done(claim);
    }
    let begins = |word: &str, other: &str| other.get(..STEM).is_some_and(|stem| word.starts_with(stem));
    tokens(claim).filter(|(_, word)| word.ends_with("ed")).any(|(_, word)| {
        let same: Vec<String> =
            tokens(condition).map(|(_, other)| other).filter(|other| begins(&word, other)).collect();
        !same.is_empty() && same.iter().all(|other| !other.ends_with("ed"))
    })
}

/// The clause of a condition.
pub(super) fn condition(text: &str, parts: &[Range<usize>], hedge: &Range<usize>) -> Option<Range<usize>> {
    let part = parts.iter().find(|part| part.contains(&hedge.start))?;
    let own = parts.iter().position(|other| other == part)?;
    supposed(text, parts, own, hedge).filter(|limited| limited != part)?;
    let range = if ends_clause(&text[hedge.clone()]) { 0..hedge.end } else { part.clone() };
    text[part.clone()].contains(char::is_alphabetic).then_some(range)
}
