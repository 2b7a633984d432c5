//! Where a log ends, and how much of it is held.

use crate::domain::position::{Position, Sequence};

/// A session's tail as a reader needs to know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail {
    /// The place after the last entry; `None` while there is no log.
    pub position: Option<Position>,
    /// The oldest entry that the window holds; the next one to come where it holds none.
    pub oldest: Sequence,
    /// Whether the session expects nothing more.
    pub ended: bool,
    /// Whether the data's time is over.
    pub expired: bool,
    /// Rises with every change.
    pub version: u64,
    /// Readers at present.
    pub readers: usize,
}

/// What of a log to hold.
#[derive(Debug, Clone, Copy)]
pub struct WindowBounds {
    /// Entries at most.
    pub entries: usize,
    /// Bytes at most, by [`Entry::weight`].
    pub bytes: usize,
}
