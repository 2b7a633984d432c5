//! What is asked in Chinese or Japanese, character by character where it is one word: `橋` of `橋はいつ開通しましたか`.

use memchr::memmem::Finder;

use super::COVERED;
use crate::domain::aggregate::near_duplicates::Features;

/// Whether a statement has enough of what a part asks for, where `plain` is the part without what holds it together: of a
/// run of characters each pair of neighbours, of one that stands alone itself.
pub(super) fn has_most_characters(plain: &str, features: &[Features<'_>]) -> bool {
    let runs = plain.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
    // Each is looked for in every statement.
    let asked: Vec<Finder<'_>> = runs.flat_map(pieces).map(Finder::new).collect();
    let needed = (COVERED * asked.len() as f64).ceil() as usize;
    // Most statements lack too many soon.
    let has_most = |text: &str| {
        let mut lacking = asked.iter().filter(|piece| piece.find(text.as_bytes()).is_none());
        lacking.nth(asked.len() - needed).is_none()
    };
    !asked.is_empty() && features.iter().any(|of| has_most(of.text))
}

/// The pairs of neighbours of a run; of what is written in Latin letters or digits, and of a single character, all of it.
fn pieces(run: &str) -> Vec<&str> {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    match starts.len() {
        0..=2 => vec![run],
        _ if run.is_ascii() => vec![run],
        _ => starts.windows(3).map(|ends| &run[ends[0]..ends[2]]).collect(),
    }
}
