//! What negations deny: `Patients with diabetes should not take it` isn't `Patients without diabetes should take it`.
//!
//! Paraphrases move clauses, and a negation goes with its clause: the word before which it stands stays the same. Asked last, of
//! texts that say the same otherwise. Linear but for a sort.

use super::features::{Element, Features, Role};
use crate::domain::text::polarity::Marked;
use crate::domain::text::words::Term;

/// Tie a clause to a word, or to another clause.
const TIES: [&str; 13] = [
    "who", "whom", "whose", "which", "that", "if", "when", "where", "unless", "with", "because", "while",
    "although",
];
/// Stand before the `no` of a whole sentence: `There is no …`.
const THERE_IS: [&str; 7] = ["there", "is", "are", "was", "were", "has", "been"];

/// Before `few` and `little` they leave some: `few users` are next to none, `a few users` aren't.
const LEAVE_SOME: [&str; 12] =
    ["a", "the", "these", "those", "past", "last", "next", "first", "his", "her", "its", "their"];

/// Whether the negations of both stand before the same words, or one is of a whole sentence: `No data was lost`, `Data was not lost`.
pub(super) fn agree(one: &Features<'_>, other: &Features<'_>) -> bool {
    if leave_some(one).ne(leave_some(other)) {
        return false;
    }
    if !one.marks.iter().any(|marked| marked.mark.is_negation()) {
        return true;
    }
    denied(one) == denied(other) || (denies_all(one) || denies_all(other)) && !is_tied(one) && !is_tied(other)
}

/// What stands behind each negation, or before the one that is last; ascending.
fn denied(of: &Features<'_>) -> Vec<Term> {
    // Adverbs stand before their verb or behind it; `significantly` is a word with an opposite, too.
    let is_adverb = |element: &Element| element.marked && of.text[element.range()].ends_with("ly");
    let says_nothing = |element: &Element| {
        matches!(element.role, Role::Adverb | Role::Discourse | Role::Direction | Role::Attribution)
            || is_adverb(element)
    };
    let says = |element: &&Element| !says_nothing(element);
    let denied = |marked: &Marked| {
        let behind = of.elements.partition_point(|element| element.start < marked.end);
        let (before, behind) = of.elements.split_at(behind);
        let found = behind.iter().find(says).or_else(|| before.iter().rev().find(says));
        found.map_or(Term(0), |element| element.term)
    };
    let mut all: Vec<Term> = negations(of).map(denied).collect();
    all.sort_unstable();
    all
}

/// Of each `few` and `little` whether it leaves some.
fn leave_some<'f>(of: &'f Features<'_>) -> impl Iterator<Item = bool> + 'f {
    let written = |at: usize| &of.text[of.words[at].range()];
    let is_few = move |at: &usize| {
        let word = written(*at);
        matches!(word.len(), 3 | 6) && is_one_of(word, &["few", "little"])
    };
    let before = move |at: usize| at.checked_sub(1).map_or("", written);
    (0..of.words.len()).filter(is_few).map(move |at| is_one_of(before(at), &LEAVE_SOME))
}

fn negations<'f>(of: &'f Features<'_>) -> impl Iterator<Item = &'f Marked> {
    of.marks.iter().filter(|marked| marked.mark.is_negation())
}

/// Whether the only negation is a `no` with which the sentence begins.
fn denies_all(of: &Features<'_>) -> bool {
    let mut all = negations(of);
    let (Some(first), None) = (all.next(), all.next()) else { return false };
    let mut before = of.words.iter().take_while(|word| word.end <= first.start);
    of.text[first.start..first.end].eq_ignore_ascii_case("no")
        && before.all(|word| is_one_of(&of.text[word.range()], &THERE_IS))
}

fn is_tied(of: &Features<'_>) -> bool {
    of.words.iter().any(|word| is_one_of(&of.text[word.range()], &TIES))
}

fn is_one_of(word: &str, listed: &[&str]) -> bool {
    listed.iter().any(|known| known.eq_ignore_ascii_case(word))
}
