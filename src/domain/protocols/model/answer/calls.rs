//! The calls of tools in a language model's answer, put together of their pieces.
//!
//! A piece belongs to the call at its index. Servers that are called compatible stream whole calls that all have the index 0,
//! or none: a piece with another id, or with a name where the arguments of the call are whole, begins another one.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Serialize, Serializer};

use crate::domain::protocols::Failure;

/// What a call of a tool counts for, beside its texts, against the bound of all.
const CALL_BYTES: usize = 128;

/// Calls in the order of their indices, and of those in the order in which they began.
#[derive(Debug)]
pub(in crate::domain::protocols) struct ToolCalls {
    calls: BTreeMap<(u64, u32), ToolCall>,
    /// What may still be held.
    bytes_left: usize,
    bytes_max: usize,
}

/// One call of a tool.
#[derive(Debug, Default, Serialize)]
struct ToolCall {
    #[serde(skip_serializing_if = "String::is_empty")]
    id: String,
    name: String,
    arguments: String,
}

impl ToolCall {
    /// Whether a piece with this id and name, and arguments or not, belongs to another call.
    fn is_other(&self, id: &str, name: &str, arguments: &str) -> bool {
        if !id.is_empty() && !self.id.is_empty() {
            return id != self.id;
        }
        let is_named_again = !name.is_empty() && !self.name.is_empty();
        is_named_again && (name != self.name || !arguments.is_empty() && self.has_arguments())
    }

    fn has_arguments(&self) -> bool {
        serde_json::from_str::<IgnoredAny>(&self.arguments).is_ok()
    }
}

impl ToolCalls {
    /// None yet; all together may have `bytes_max` bytes.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self { calls: BTreeMap::new(), bytes_left: bytes_max, bytes_max }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// A part of a call at `index`, unless it is empty. An id and a name count once; `arguments` are added.
    pub fn take(&mut self, index: u64, id: &str, name: &str, arguments: &str) -> Result<(), Failure> {
        if id.is_empty() && name.is_empty() && arguments.is_empty() {
            return Ok(());
        }
        let last = self.last_at(index);
        let (place, known) = match last {
            Some((place, call)) if call.is_other(id, name, arguments) => (place.saturating_add(1), None),
            Some((place, call)) => (place, Some(call)),
            None => (0, None),
        };
        let id = if known.is_none_or(|call| call.id.is_empty()) { id } else { "" };
        let name = if known.is_none_or(|call| call.name.is_empty()) { name } else { "" };
        let own = if known.is_none() { CALL_BYTES } else { 0 };
        let bytes = own + id.len() + name.len() + arguments.len();
        let Some(left) = self.bytes_left.checked_sub(bytes) else {
            return Err(Failure::too_large("calls of tools", self.bytes_max));
        };
        self.bytes_left = left;
        let call = self.calls.entry((index, place)).or_default();
        call.id.push_str(id);
        call.name.push_str(name);
        call.arguments.push_str(arguments);
        Ok(())
    }

    /// Whether there is a call at `index`.
    pub fn has(&self, index: u64) -> bool {
        self.last_at(index).is_some()
    }

    /// Whether the arguments of each are JSON, where it has any.
    pub(super) fn are_whole(&self) -> bool {
        self.calls.values().all(|call| call.arguments.trim().is_empty() || call.has_arguments())
    }

    fn last_at(&self, index: u64) -> Option<(u32, &ToolCall)> {
        let at = self.calls.range((index, 0)..=(index, u32::MAX)).next_back();
        at.map(|((_, place), call)| (*place, call))
    }
}

impl Serialize for ToolCalls {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.calls.values())
    }
}
