//! What has an attribute: the subject before a verb, who owns a noun, what stands behind `of`.

use crate::domain::text::phrases::ends_with_any;
use std::ops::Range;

/// What has something.
#[rustfmt::skip]
const HAVING: [&str; 32] = [
    "has", "have", "had", "with", "offers", "boasts", "carries", "features", "provides", "supports", "comes with", "is home to", "reaches", "achieves", "attains", "gives", "includes", "uses", "holds", "reports", "bears",
    "also has", "currently has", "hat", "besitzt", "bietet", "erreicht", "possède", "atteint", "tiene", "alcanza", "cuenta con",
];
/// What begins another clause, or ends the one before.
const BREAKS: [&str; 6] = [", ", "; ", ": ", " – ", " — ", ". "];
/// Words of which a subject has none: it would be a clause.
#[rustfmt::skip]
const VERBS: [&str; 26] = [
    "is", "are", "was", "were", "has", "have", "had", "which", "that", "who", "and", "or", "if", "when", "while", "than", "because", "ist", "sind", "hat", "und", "oder", "wenn", "est", "et", "y",
];
/// Words that say that it is one of several.
#[rustfmt::skip]
const AMONG: [&str; 20] = [
    "larger", "largest", "smaller", "smallest", "bigger", "biggest", "longer", "longest", "shorter", "taller", "other", "another", "each", "every", "most", "some", "many", "few", "all", "both",
];
/// Words of a subject.
const WORDS_MAX: usize = 6;
/// What stands for something that is named elsewhere, or for nothing.
#[rustfmt::skip]
const POINTING: [&str; 25] = [
    "it", "they", "its", "their", "this", "the", "these", "a", "an", "our", "your", "es", "sie", "er", "der", "die", "das", "le", "la", "il", "elle", "el", "les", "los", "also",
];

/// What stands before a verb of having with which a text ends.
pub(super) fn has(before: &str) -> Option<&str> {
    HAVING.iter().filter_map(|verb| super::ended(before, verb)).min_by_key(|rest| rest.len())
}

/// The subject before a verb, as a place in the text that begins where `before` does.
pub(super) fn holder(before: &str) -> Option<Range<usize>> {
    let before = before.trim_end();
    let end = before.trim_end_matches(" also").trim_end_matches(" currently").len();
    let before = &before[..end];
    // `The bridge, opened in 1937, is …`: the subject begins the sentence.
    let goes_on =
        before.ends_with([',', ')']) || ends_with_any(before, &[" and", " und", " et", " y", " but"]);
    if goes_on {
        let cut = |word: &str| before.find(&format!(" {word} "));
        let verb = VERBS.iter().filter_map(|word| cut(word)).min().unwrap_or(before.len());
        let end = before.find([',', '(', ';', ':']).unwrap_or(before.len()).min(verb);
        return subject(before, 0..end);
    }
    let start = BREAKS.iter().filter_map(|mark| before.rfind(mark).map(|at| at + mark.len())).max();
    subject(before, start.unwrap_or(0)..before.len())
}

/// Whoever owns a noun: `the bridge's`, `the battery`, `its`, or nobody.
pub(super) fn owner(left: &str) -> Option<Range<usize>> {
    let left = left.trim_end_matches([' ', '*', '_', '-']);
    let start = BREAKS.iter().filter_map(|mark| left.rfind(mark).map(|at| at + mark.len())).max();
    subject(left, start.unwrap_or(0)..left.len())
}

/// The rest of a text from a place on, where it is no clause.
pub(super) fn whole(text: &str, start: usize) -> Option<Range<usize>> {
    subject(text, start..text.len())
}

/// The place that stands at a place.
pub(super) fn place(lower: &str, start: usize) -> Range<usize> {
    let end = lower[start..].find([',', '.', ';', '(']).map_or(lower.len(), |end| start + end);
    start..end
}

/// Whether what stands here only joins what follows to what was said.
pub(super) fn is_joined(text: &str) -> bool {
    let start = BREAKS.iter().filter_map(|mark| text.rfind(mark).map(|at| at + mark.len())).max();
    text[start.unwrap_or(0)..].split(' ').all(|word| word.is_empty() || POINTING.contains(&word))
}

fn subject(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let said = text.get(range.clone())?;
    let words = || {
        said.split([' ', '\u{a0}'])
            .map(|word| word.trim_matches(['*', '_', '-', '`', ',']))
            .filter(|word| !word.is_empty())
    };
    let telling = words().filter(|word| !POINTING.contains(word)).count();
    let is_clause = words().any(|word| VERBS.contains(&word) || AMONG.contains(&word))
        || said.contains([',', ';', '"', '“', '(', '|']);
    (telling <= WORDS_MAX && !is_clause).then_some(range)
}
