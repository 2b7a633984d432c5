//! Display numbers by first use, shared by all texts of one result.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::domain::text::terms::TermHasher;

/// Hands out display numbers 1, 2, 3, … to sources in the order in which they are first cited. One `Numbering` goes
/// through all texts of a result, so that a source has the same number in each of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbering {
    /// Its order means nothing.
    numbers: HashMap<u32, u32, BuildHasherDefault<TermHasher>>,
    sources: Vec<u32>,
}

impl Numbering {
    /// A numbering that has seen no source.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The display number of `source`; the next free one at its first use.
    pub fn number_of(&mut self, source: u32) -> u32 {
        *self.numbers.entry(source).or_insert_with(|| {
            self.sources.push(source);
            u32::try_from(self.sources.len()).unwrap_or(u32::MAX)
        })
    }

    /// The display number of `source` if it has been used.
    #[must_use]
    pub fn get(&self, source: u32) -> Option<u32> {
        self.numbers.get(&source).copied()
    }

    /// The used sources in the order of their numbers: number `n` is at index `n - 1`.
    #[must_use]
    pub fn sources(&self) -> &[u32] {
        &self.sources
    }
}
