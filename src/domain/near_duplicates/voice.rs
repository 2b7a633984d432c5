//! Who does it, to whom, and whether it has been done: what function words say that are compared nowhere else.
//!
//! `The bank sued the customer` and `The bank was sued by the customer` have the same words, and so have `トヨタがスバルを買収した` and
//! `スバルがトヨタを買収した`. Asked last, of texts that say the same otherwise. Linear.

use super::features::Features;
use crate::domain::text::words::{Kind, Word};

/// Stand before what is done to somebody.
const BE: [&str; 15] = [
    "is", "are", "was", "were", "be", "been", "being", "wurde", "wurden", "wird", "werden", "fue", "fueron",
    "est", "été",
];
/// Stand before who does it.
const AGENT: [&str; 5] = ["by", "von", "par", "por", "vom"];
/// Words between the two, at most.
const BETWEEN_MAX: usize = 4;
/// Chinese characters for the same, and for what is to come.
const CHINESE: [char; 2] = ['被', '将'];
/// Japanese particles that tell roles; `は` stands for `が` as often.
const PARTICLES: [char; 4] = ['が', 'は', 'を', 'に'];
/// Limit what follows them.
const FOCUS: [&str; 5] = ["only", "just", "solely", "merely", "exclusively"];

/// Whether both texts tell the same of who does what.
pub(super) fn agree(one: &Features<'_>, other: &Features<'_>) -> bool {
    passives(one) == passives(other)
        && CHINESE.iter().all(|c| one.text.contains(*c) == other.text.contains(*c))
        && focused(one) == focused(other)
        && !particles_exchanged(one.text, other.text)
}

/// How often somebody does something in the passive.
fn passives(of: &Features<'_>) -> usize {
    let is = |word: &Word, listed: &[&str]| {
        listed.iter().any(|known| known.eq_ignore_ascii_case(&of.text[word.range()]))
    };
    let by = |at: &usize| {
        // `was cut by 5 %`.
        let counts = of.words.get(at + 1).is_none_or(|next| next.kind == Kind::Number);
        is(&of.words[*at], &AGENT) && !counts
    };
    let done = |at: usize| of.words[at.saturating_sub(BETWEEN_MAX)..at].iter().any(|word| is(word, &BE));
    (0..of.words.len()).filter(|at| by(at) && done(*at)).count()
}

/// What stands behind the words that limit, in order.
fn focused(of: &Features<'_>) -> Vec<u64> {
    let limits = |word: &Word| FOCUS.iter().any(|known| known.eq_ignore_ascii_case(&of.text[word.range()]));
    let next = |at: usize| of.words.get(at + 1).map_or(0, |next| next.term.0);
    (0..of.words.len()).filter(|at| limits(&of.words[*at])).map(next).collect()
}

/// Whether what stands before some particles in one text stands before none but others in the other.
fn particles_exchanged(one: &str, other: &str) -> bool {
    let (mine, theirs) = (particles(one), particles(other));
    let moved = |(thing, _): &(char, char)| {
        let of = |all: &[(char, char)]| {
            all.iter().filter(|(other, _)| other == thing).map(|known| known.1).collect::<Vec<_>>()
        };
        let (here, there) = (of(&mine), of(&theirs));
        !there.is_empty() && here.iter().all(|particle| !there.contains(particle))
    };
    mine.iter().any(moved)
}

/// Each particle and the character before it.
fn particles(text: &str) -> Vec<(char, char)> {
    let with_particle = |(before, particle): (char, char)| {
        let role = if particle == 'は' { 'が' } else { particle };
        (PARTICLES.contains(&particle) && before.is_alphabetic()).then_some((before, role))
    };
    text.chars().zip(text.chars().skip(1)).filter_map(with_particle).collect()
}
