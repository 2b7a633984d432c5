//! Statements that a gap makes beside saying that something is missing: nobody has proven them.

use super::says_missing;
use crate::domain::synthesis::verify::scope::joined;
use crate::domain::text::words::{Kind, Lexicon};

/// Words at the beginning of a text within which it says that something is missing, where it has a figure.
const OPENING_WORDS: usize = 7;
/// Words from which on a part of a text claims something by itself.
const PART_WORDS_MIN: usize = 4;
/// Words that join two statements against each other.
#[rustfmt::skip]
const OPPOSING: &[&str] = &[
    "but", "while", "whereas", "although", "though", "aber", "während", "obwohl", "mais", "tandis", "pero", "mientras", "aunque",
];

/// Whether a text has a figure that nobody asked about before it says that something is missing, or a statement of its own that is set
/// against that.
pub(super) fn claims_beside(lexicon: &mut Lexicon, question: &str, text: &str) -> bool {
    tells_figure(lexicon, question, text) || joins_statement(lexicon, text)
}

fn tells_figure(lexicon: &mut Lexicon, question: &str, text: &str) -> bool {
    let asked = lexicon.terms(question);
    let words = lexicon.words(text);
    let figure = words.iter().any(|word| word.kind == Kind::Number && !asked.contains(&word.term));
    let opening: Vec<&str> = text.split_whitespace().take(OPENING_WORDS).collect();
    // Without spaces the opening is all of it.
    figure && !says_missing(lexicon, &opening.join(" "))
}

fn joins_statement(lexicon: &mut Lexicon, text: &str) -> bool {
    let parts = joined(text);
    let is_cut = |at: usize| {
        let (before, part) = (text[..at].trim_end(), text[at..].trim_start());
        let first = part.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty());
        before.ends_with([',', '，'])
            || part.starts_with([';', '；'])
            || first.is_some_and(|first| OPPOSING.contains(&first.to_lowercase().as_str()))
    };
    if !parts.iter().skip(1).any(|part| is_cut(part.start)) {
        return false;
    }
    let is_long = |part: &&str| part.split_whitespace().count() >= PART_WORDS_MIN;
    let said: Vec<&str> = parts.into_iter().map(|part| &text[part]).filter(is_long).collect();
    // Behind `it is unclear whether` another statement may be open, too.
    let opposes = |part: &str| {
        let first = part.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty());
        first.is_some_and(|first| OPPOSING.contains(&first.to_lowercase().as_str()))
    };
    let mut claiming = said.iter().enumerate().filter(|(at, part)| *at == 0 || opposes(part));
    said.len() > 1 && claiming.any(|(_, part)| !says_missing(lexicon, part))
}
