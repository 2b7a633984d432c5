//! The last of everything of a session, and what is known to be missing.

use std::sync::Arc;

use super::StoreError;
use crate::domain::entry::Entry;
use crate::domain::position::{Position, Sequence};
use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;

/// The beginning of a log that was put back without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lack {
    /// The first entry of it.
    pub from: Sequence,
    /// When the rest was put back.
    pub since: Timestamp,
}

impl Lack {
    /// How long a replica may still hold it, in milliseconds.
    pub const HELD_MS: u64 = 60_000;
    /// How long after the loss somebody is waited for who does, in milliseconds.
    pub const AWAITED_MS: u64 = 10_000;

    /// Whether somebody may be about to put it back.
    pub fn is_awaited(&self, now: Timestamp) -> bool {
        now.since_ms(self.since) < Self::AWAITED_MS
    }
}

/// What a reader needs who can't be given every entry: see docs/reading.md, 4.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The place that it stands for.
    pub position: Position,
    /// Its entries, in order.
    pub entries: Vec<Arc<Entry>>,
    /// What the log lacks of its beginning, and with it perhaps some of these.
    pub lacks: Option<Lack>,
    /// Entries that should be among these: the store lost them.
    pub misses: Option<Misses>,
    /// Whether some of them came out of an archive.
    pub is_archived: bool,
}

impl Snapshot {
    /// A snapshot out of a store that has all of it.
    pub fn whole(position: Position, entries: Vec<Arc<Entry>>) -> Self {
        Self { position, entries, lacks: None, misses: None, is_archived: false }
    }

    /// The snapshot, for who needs all of it.
    ///
    /// # Errors
    /// Where entries are missing that an archive may have which doesn't answer now.
    pub fn unless_away(self) -> Result<Self, StoreError> {
        match &self.misses {
            Some(misses) if misses.are_away => Err(StoreError::Unavailable(
                "the store lost what the session's outputs said, and the archive doesn't answer".into(),
            )),
            _ => Ok(self),
        }
    }
}

/// That entries of a snapshot are missing.
#[derive(Debug, Clone)]
pub struct Misses {
    /// The state, which knows of them.
    pub state: Arc<SessionState>,
    /// Whether an archive may have them that doesn't answer now.
    pub are_away: bool,
}

/// A session as an archive knows it.
#[derive(Debug, Clone)]
pub struct Restored {
    /// The fold of its log, at the position where the log goes on.
    pub state: Arc<SessionState>,
    /// What a snapshot needs, in order.
    pub latest: Vec<Arc<Entry>>,
    /// Where the log was left, in the epoch that the archive knows: who holds more of that has it decided again.
    pub left: Position,
}
