//! The clause of a statement that says the fact: `Revenue rose by 5 %` of `Revenue rose by 5 %, which surprised analysts`.
//!
//! What follows it would make two statements about the same look as if they were about something else, and its figures
//! would be held against figures of another thing.

use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::Unit;

/// What begins a clause behind a comma that takes nothing back of what stands before it, with a space behind it. No
/// conditions: what is said under one isn't said.
#[rustfmt::skip]
const ASIDES: &[&str] = &[
    "which", "who", "whose", "driven", "reflecting", "making", "surprising", "thanks", "due", "because", "since", "while", "whereas", "despite",
    "although", "though", "according",
    "wodurch", "womit", "während", "obwohl", "weil", "da", "sodass", "so dass", "laut", "so",
    "ce qui", "ce que", "tandis que", "alors que", "grâce", "en raison", "soit", "selon", "car",
    "lo que", "lo cual", "mientras", "debido", "gracias", "según", "porque", "ya que",
];
/// The same of what happens where the fact doesn't hold.
const OTHERWISE: [&str; 4] = ["otherwise", "sonst", "ansonsten", "sinon"];
/// Commas of a sentence that are looked at.
const COMMAS_MAX: usize = 32;

/// Where the main clause ends, where another one stands behind it.
pub(super) fn end_of(of: &Features<'_>) -> Option<usize> {
    let text = of.text;
    // A date behind it says when, or what it is compared with.
    let dates = |at: usize| of.figures.iter().any(|figure| figure.start >= at && figure.unit == Unit::Date);
    let is_clause = |at: &usize| {
        let rest = &text[*at..];
        // Another sentence, with its own day. Where it has a figure and the first says nothing it is what is compared.
        let is_sentence = || rest.starts_with("; ") || begins(rest, &OTHERWISE);
        begins(rest, ASIDES) && says(of, *at) && !dates(*at)
            || is_sentence() && (says(of, *at) || !counts_from(of, *at))
    };
    memchr::memchr2_iter(b',', b';', text.as_bytes()).take(COMMAS_MAX).find(is_clause)
}

/// The main clause alone.
pub(super) fn main_clause<'t>(of: &Features<'t>, end: usize) -> Features<'t> {
    // All are in the order of the text, and what they are in the whole.
    let words = of.words[..of.words.partition_point(|word| word.end <= end)].to_vec();
    let figures = of.figures[..of.figures.partition_point(|figure| figure.end <= end)].to_vec();
    let marks = of.marks[..of.marks.partition_point(|marked| marked.end <= end)].to_vec();
    Features::of_read(&of.text[..end], (words, figures, marks))
}

/// Whether a clause begins with one of some words behind the comma that `rest` begins with.
fn begins(rest: &str, words: &[&str]) -> bool {
    let Some(behind) = rest.strip_prefix(", ") else { return false };
    let is_begun = |word: &&str| {
        // Most are out by their first byte.
        word.as_bytes().first() == behind.as_bytes().first()
            && behind.strip_prefix(*word).is_some_and(|next| next.starts_with([' ', '\n']))
    };
    words.iter().any(is_begun)
}

/// Whether a figure that is no date stands behind `start`.
fn counts_from(of: &Features<'_>, start: usize) -> bool {
    let counts = |unit| !matches!(unit, Unit::Date | Unit::Weekday | Unit::Label | Unit::Ordinal);
    of.figures.iter().any(|figure| figure.start >= start && counts(figure.unit))
}

/// Whether what stands before `end` says what can be contradicted: a figure that is no date, a negation, an opposite.
fn says(of: &Features<'_>, end: usize) -> bool {
    let counts = of.figures.iter().any(|figure| {
        figure.end <= end && !matches!(figure.unit, Unit::Date | Unit::Weekday | Unit::Label | Unit::Ordinal)
    });
    counts || of.marks.iter().any(|mark| mark.end <= end && (mark.mark.strong() || mark.mark.is_negation()))
}
