//! What is asked in German and the like, where it stands within longer words or with other endings: `Strom` in `Stromkosten`.

use super::{COVERED, LONG_WORD};

/// Whether a statement, in small letters, has enough of a part's words within longer ones, or with other endings: `Strom` in
/// `Stromkosten`.
///
/// Where it is `strict` more than half: of who does something half is what he does it with.
pub(super) fn is_said_within(
    plain: &str,
    statements: &[String],
    (is_loose, is_strict): (bool, bool),
) -> bool {
    let beginning = |word: &str| {
        let lower = word.to_lowercase();
        // An ending of a longer word may have two letters: `erhöhen`, `erhöht`.
        let count = lower.chars().count();
        let kept = count.saturating_sub(if count >= LONG_WORD { 2 } else { 1 }).max(3);
        lower.chars().take(kept).collect::<String>()
    };
    let words: Vec<String> = plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 3)
        .map(beginning)
        .collect();
    // One long word is enough of a question that is one part.
    let is_long =
        |word: &&String| word.len() >= LONG_WORD - 2 && !word.starts_with(|c: char| c.is_ascii_digit());
    let has_one = |text: &str| words.iter().filter(is_long).any(|word| text.contains(word.as_str()));
    let has_most = |text: &str| {
        let count = words.iter().filter(|word| text.contains(word.as_str())).count();
        count as f64 >= COVERED * words.len() as f64 && !(is_strict && 2 * count <= words.len())
    };
    !words.is_empty() && statements.iter().any(|text| has_most(text) || is_loose && has_one(text))
}
