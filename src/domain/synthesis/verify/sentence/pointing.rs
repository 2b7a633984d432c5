//! Sentences that only point back at what was said before them.

use super::{SAYING_WORDS_MIN, Sentence};
use crate::domain::synthesis::verify::reason::{Reason, shown};

/// Words that stand for what was said before.
const POINTERS: &[&str] = &[
    "did", "does", "do", "so", "too", "it", "they", "this", "that", "these", "those", "is", "are", "was",
    "were", "he", "she", "es", "sie", "er", "das", "dies", "auch", "il", "elle", "cela", "aussi", "eso",
    "esto", "también",
];

impl Sentence<'_> {
    /// `Siemens did too.`, `It is.`: what it says was said before, of something else, and can't be looked up.
    pub(super) fn points_nowhere(&self) -> Option<Reason> {
        let says = self.words.iter().filter(|word| word.is_content()).count();
        let points = self
            .text
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| POINTERS.contains(&word.to_lowercase().as_str()));
        (says < SAYING_WORDS_MIN && points && !self.text.trim_end().ends_with('?'))
            .then(|| Reason::new("unsupported", format!("“{}” doesn't say of what", shown(self.text))))
    }
}
