//! Words by which a sentence is told apart, to be found at once.

use std::collections::HashSet;
use std::ops::Range;

use foldhash::fast::RandomState;

use super::scope::tokens;

/// The words of a text, as [`tokens`] has them.
pub(super) type Words = [(Range<usize>, String)];

/// Those of a text.
pub(super) fn words(text: &str) -> Vec<(Range<usize>, String)> {
    tokens(text).collect()
}

/// A list of words in small letters; what ended with `*` stands for any ending.
pub(super) struct Listed {
    whole: HashSet<&'static str, RandomState>,
    stems: Vec<&'static str>,
}

impl Listed {
    pub fn of(entries: &[&'static str]) -> Self {
        let whole = entries.iter().filter(|entry| !entry.ends_with('*')).copied().collect();
        Self { whole, stems: entries.iter().filter_map(|entry| entry.strip_suffix('*')).collect() }
    }

    pub fn has(&self, word: &str) -> bool {
        self.whole.contains(word) || self.stems.iter().any(|stem| word.starts_with(stem))
    }
}
