//! What an API names beside a model's text as what it rests on, under the names that it has in an answer that is pushed as it
//! came: there it is read, and so it is of an answer to a call.
//!
//! | member | whose |
//! |---|---|
//! | `annotations` | OpenAI, OpenRouter: of the message, also in deltas |
//! | `citations`, `search_results` | Perplexity and others, of the whole answer and in every chunk |
//! | `blocks: [{citations}]` | Anthropic, of blocks |

use std::collections::BTreeSet;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::one_line_of;
use crate::domain::protocols::Failure;
use crate::domain::protocols::part::items;

/// Members of a whole answer.
const NAMES: [&str; 2] = ["citations", "search_results"];

/// What was named.
#[derive(Debug)]
pub(in crate::domain::protocols) struct Sources {
    annotations: Noted,
    passages: Noted,
    /// In the order of [`NAMES`]; of each the last one that came.
    lists: [Option<Box<RawValue>>; 2],
    bytes_left: usize,
    bytes_max: usize,
}

/// Items that come one by one. A stream's end may repeat them.
#[derive(Debug, Default)]
struct Noted {
    items: Vec<Box<RawValue>>,
    known: BTreeSet<u128>,
}

impl Sources {
    /// None yet; all together may have `bytes_max` bytes.
    pub(super) fn new(bytes_max: usize) -> Self {
        let (annotations, passages) = (Noted::default(), Noted::default());
        Self { annotations, passages, lists: [None, None], bytes_left: bytes_max, bytes_max }
    }

    /// Annotations of a message: an array of them.
    pub fn annotated(&mut self, annotations: Option<&RawValue>) -> Result<(), Failure> {
        items(annotations).into_iter().try_for_each(|item| self.annotation(item))
    }

    /// One annotation.
    pub fn annotation(&mut self, item: &RawValue) -> Result<(), Failure> {
        self.make_room(item)?;
        self.annotations.take(item);
        Ok(())
    }

    /// What a block cites: an array of places.
    pub fn cited(&mut self, citations: Option<&RawValue>) -> Result<(), Failure> {
        items(citations).into_iter().try_for_each(|item| self.citation(item))
    }

    /// One place that a block cites.
    pub fn citation(&mut self, item: &RawValue) -> Result<(), Failure> {
        self.make_room(item)?;
        self.passages.take(item);
        Ok(())
    }

    /// The lists of a whole answer, `citations` and `search_results`, as far as they are such.
    pub fn listed(&mut self, lists: [Option<&RawValue>; 2]) -> Result<(), Failure> {
        for (known, list) in self.lists.iter_mut().zip(lists) {
            let Some(list) = list.filter(|list| !items(Some(list)).is_empty()) else { continue };
            if list.get().len() > self.bytes_max {
                return Err(Failure::too_large("sources", self.bytes_max));
            }
            if known.as_ref().is_none_or(|known| known.get() != list.get()) {
                *known = Some(one_line_of(list));
            }
        }
        Ok(())
    }

    fn make_room(&mut self, item: &RawValue) -> Result<(), Failure> {
        let left = self.bytes_left.checked_sub(item.get().len());
        self.bytes_left = left.ok_or_else(|| Failure::too_large("sources", self.bytes_max))?;
        Ok(())
    }
}

impl Noted {
    fn take(&mut self, item: &RawValue) {
        if item.get() != "{}" && self.known.insert(xxhash_rust::xxh3::xxh3_128(item.get().as_bytes())) {
            self.items.push(one_line_of(item));
        }
    }
}

impl Serialize for Sources {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Block<'a> {
            citations: &'a [Box<RawValue>],
        }
        let mut members = serializer.serialize_map(None)?;
        if !self.annotations.items.is_empty() {
            members.serialize_entry("annotations", &self.annotations.items)?;
        }
        for (name, list) in NAMES.iter().zip(&self.lists) {
            if let Some(list) = list {
                members.serialize_entry(name, list)?;
            }
        }
        if !self.passages.items.is_empty() {
            members.serialize_entry("blocks", &[Block { citations: &self.passages.items }])?;
        }
        members.end()
    }
}
