//! What can't be the end of anything: an open bracket, a comma, `and the`, the number of what is enumerated.

use super::super::plain::word_count;
use super::{INSIDE_SENTENCE, Line};

/// Words that don't end a sentence.
#[rustfmt::skip]
pub(super) const OPEN_WORDS: &[&str] = &[
    "the", "a", "an", "of", "and", "or", "to", "in", "with", "that", "which", "is", "are", "was", "were", "for", "from",
    "by", "as", "at", "on", "than", "because", "but", "their", "its", "this", "these", "such", "between", "including",
    "und", "oder", "der", "die", "das", "ein", "eine", "mit", "von", "für", "dass", "weil", "et", "ou", "le", "la", "les",
    "un", "une", "des", "du", "de", "avec", "pour", "que", "y", "el", "los", "las", "una", "con", "para",
    "my", "your", "our", "into", "onto", "whose", "while", "although", "whether", "via", "despite", "during", "every",
    "dem", "den", "des", "einen", "einem", "einer", "eines", "zum", "zur", "im", "am", "vom", "beim", "ins", "sowie",
    "deren", "dessen", "gegen", "ohne", "zwischen", "wegen", "dans", "par", "au", "aux", "ses", "cette", "ces", "qui",
    "dont", "chez", "sans", "sous", "vers", "à", "del", "al", "en", "por", "sin", "su", "sus", "desde", "hasta", "según",
    "unos", "unas", "gli", "dei", "degli", "della", "delle", "nel", "nella", "dalla", "alla", "um", "uma", "pelo", "pela",
];

/// Words that end no item of three words.
const OPEN_ITEMS: [&str; 9] = ["the", "a", "an", "and", "or", "of", "with", "for", "und"];

/// Verbs that others follow.
const MODALS: [&str; 7] = ["should", "must", "would", "could", "might", "cannot", "shall"];

/// Words of Chinese that don't end a sentence: each of more than one character, as those end other words.
#[rustfmt::skip]
const OPEN_WIDE: &[&str] =
    &["因为", "由于", "以及", "包括", "例如", "比如", "如果", "虽然", "但是", "并且", "而且", "或者", "为了", "对于", "关于"];

/// Join clauses.
const JOINTS: [&str; 10] = ["and", "but", "while", "und", "aber", "während", "et", "mais", "y", "pero"];
/// What the subject of a clause begins with.
#[rustfmt::skip]
const ARTICLES: [&str; 22] = [
    "the", "a", "an", "its", "their", "our", "this", "der", "die", "das", "ein", "eine", "unsere", "le", "la", "les", "son", "sa", "el", "los", "las", "su",
];
/// What a clause before it has that states something.
#[rustfmt::skip]
const VERBS: [&str; 27] = [
    "is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "must", "ist", "sind", "war", "waren", "hat", "haben", "wird", "werden", "est", "sont", "ont", "es", "son", "está",
    "están", "ha",
];
/// Words of a sentence that may break off so.
const CLAUSE_WORDS_MIN: usize = 8;

/// Marks that can't be the end of anything.
pub(super) fn open_end(line: &Line<'_>) -> Option<&'static str> {
    let words = line.words.trim_end_matches(['*', '_']);
    let last = words.chars().next_back()?;
    if has_open_bracket(words) {
        return Some("it ends inside brackets");
    }
    match last {
        // It closes what `„` opens.
        '“' if words.contains('„') => None,
        ',' | '，' | '、' | '；' | '(' | '[' | '（' | '【' | '“' | '「' | '《' => {
            Some(INSIDE_SENTENCE)
        }
        ':' | '：' if word_count(words) > 2 => Some("what should follow the colon is missing"),
        '-' | '–' | '—' if words.chars().rev().nth(1).is_some_and(char::is_alphanumeric) => {
            Some(INSIDE_SENTENCE)
        }
        _ if !last.is_alphanumeric() => None,
        _ if begins_clause(words) => Some(INSIDE_SENTENCE),
        _ if OPEN_WIDE
            .iter()
            .any(|word| words.strip_suffix(word).is_some_and(|before| !before.is_empty())) =>
        {
            Some(INSIDE_SENTENCE)
        }
        _ => {
            let word = words.rsplit(' ').next().unwrap_or(words).to_lowercase();
            // `Audit logs for` is no item, and `Who is in` may be.
            let least = if line.is_item && OPEN_ITEMS.contains(&word.as_str()) { 3 } else { 4 };
            // `It is a must` ends so.
            let is_modal = || MODALS.contains(&word.as_str()) && !words.to_lowercase().contains(" a ");
            let is_open = word_count(words) >= least
                && (OPEN_WORDS.contains(&word.as_str()) || is_modal())
                && !words.contains("://");
            is_open.then_some(INSIDE_SENTENCE)
        }
    }
}

/// Whether a sentence ends with the subject of a clause, `the supplier is late by three weeks, and the certification`: a list has more than
/// one comma, or none.
fn begins_clause(words: &str) -> bool {
    let ends = |mark: &str| words.rfind(mark).map(|at| at + mark.len());
    let begin = [". ", ": ", "; ", "! ", "? "].into_iter().filter_map(ends).max().unwrap_or_default();
    let Some((before, behind)) = words[begin..].split_once(", ") else { return false };
    let Some((_, subject)) = behind.split_once(' ').filter(|(joint, _)| JOINTS.contains(joint)) else {
        return false;
    };
    let mut said = subject.split(' ');
    let is_named =
        said.next().is_some_and(|first| ARTICLES.contains(&first)) && matches!(said.count(), 1 | 2);
    let states = before.split(' ').any(|word| VERBS.contains(&word));
    is_named && states && !subject.contains(',') && word_count(&words[begin..]) >= CLAUSE_WORDS_MIN
}

/// Whether the last bracket that was opened in a line isn't closed. Emoticons and `1)` close more than they open.
fn has_open_bracket(words: &str) -> bool {
    let (mut round, mut square) = (0_i32, 0_i32);
    for c in words.chars() {
        match c {
            '(' | '（' => round += 1,
            ')' | '）' => round = (round - 1).max(0),
            '[' | '【' => square += 1,
            ']' | '】' => square = (square - 1).max(0),
            _ => {}
        }
    }
    (round > 0 || square > 0) && !words.contains("`")
}

/// Whether a line ends with the number of what it enumerates: `heat, 2) dust, 3)`.
pub(super) fn ends_with_number(line: &str) -> bool {
    let Some(before) = line.strip_suffix(')') else { return false };
    let bare = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = before[bare.len()..].parse::<u8>().unwrap_or_default();
    number > 1 && bare.ends_with(' ') && bare.contains(&format!(" {}) ", number - 1))
}
