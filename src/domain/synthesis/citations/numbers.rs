//! What a text's numbers mean: mapped to sources and numbered by first use, or kept as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Numbering;

/// Where a rewriter looks numbers up.
#[derive(Debug)]
pub(super) enum Numbers<'m> {
    /// Local numbers have source keys, and sources get display numbers by first use.
    Mapped(&'m BTreeMap<u32, u32>, &'m mut Numbering),
    /// These numbers are the display numbers already.
    Kept(Arc<BTreeSet<u32>>),
}

impl Numbers<'_> {
    /// The source that `number` stands for in the text; none if it dangles.
    pub(super) fn source_of(&self, number: u32) -> Option<u32> {
        match self {
            Numbers::Mapped(map, _) => map.get(&number).copied(),
            Numbers::Kept(known) => known.contains(&number).then_some(number),
        }
    }

    /// The greatest number that stands for a source; 0 where none does.
    pub(super) fn last(&self) -> u32 {
        let last = match self {
            Numbers::Mapped(map, _) => map.keys().next_back(),
            Numbers::Kept(known) => known.last(),
        };
        last.copied().unwrap_or_default()
    }

    /// The number that `source` is shown with.
    pub(super) fn number_of(&mut self, source: u32) -> u32 {
        match self {
            Numbers::Mapped(_, numbering) => numbering.number_of(source),
            Numbers::Kept(_) => source,
        }
    }
}
