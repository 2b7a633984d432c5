//! Short forms that a text explains: `Federal Energy Regulatory Commission (FERC)`, `battery energy storage systems (BESS)`.
//!
//! What stands before the brackets counts where its words begin with the letters, in order; articles and prepositions
//! among them may be left out (Schwartz and Hearst 2003, "A simple algorithm for identifying abbreviation definitions in
//! biomedical text", with whole words only).

use super::{Kind, Lexicon, Term, Word};

/// Letters of a short form.
const LETTERS: std::ops::RangeInclusive<usize> = 2..=6;
/// Bytes before the brackets that are looked at.
const LOOK_BACK: usize = 120;
/// Brackets of all texts that are looked at.
const BRACKETS_MAX: usize = 1_024;

/// The words that the letters of a short form stand for.
pub(super) type Meaning = Vec<(Term, Kind)>;

/// Whether a word may be a short form.
pub(super) fn is_short(written: &[u8]) -> bool {
    LETTERS.contains(&written.len()) && written.iter().all(u8::is_ascii_uppercase)
}

/// The short forms that texts explain; the first explanation counts. Linear.
pub(super) fn explained<'t>(
    lexicon: &mut Lexicon,
    texts: impl Iterator<Item = &'t str>,
) -> Vec<(&'t str, Meaning)> {
    let short_forms = texts.flat_map(in_brackets).take(BRACKETS_MAX);
    let explained = short_forms.filter_map(|(before, short)| {
        let before = &before[before.floor_char_boundary(before.len().saturating_sub(LOOK_BACK))..];
        Some((short, meaning(before, &lexicon.words(before), short)?))
    });
    explained.collect()
}

/// What may be short forms in brackets, each with what stands before it.
fn in_brackets(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices('(').filter_map(|(open, _)| {
        let rest = &text.as_bytes()[open + 1..];
        let length = rest.iter().take(LETTERS.end() + 1).position(|byte| *byte == b')')?;
        is_short(&rest[..length]).then(|| (&text[..open], &text[open + 1..open + 1 + length]))
    })
}

fn meaning(before: &str, words: &[Word], short: &str) -> Option<Meaning> {
    let mut words = words.iter().rev();
    let mut meaning = Vec::new();
    for letter in short.chars().rev() {
        let begins = |word: &&Word| before[word.range()].starts_with([letter, letter.to_ascii_lowercase()]);
        let mut next = words.next()?;
        while !begins(&next) {
            // Nothing may stand between the last word and the brackets.
            if next.kind != Kind::Stopword || meaning.is_empty() {
                return None;
            }
            next = words.next()?;
        }
        meaning.push((next.term, next.kind));
    }
    meaning.reverse();
    Some(meaning)
}
