//! `Archive`: every entry, durably, in SQL; what is read when the [`ResultCache`](super::result_cache::ResultCache) has
//! let it go.
//!
//! The contract, which one suite of tests checks against every implementation:
//!
//! 1. **A write is one transaction**, for many sessions: all of it is durable when it returns, or none of it.
//! 2. **A repeat changes nothing.** A writer that doesn't know whether its write was applied writes it again.
//! 3. **One live chain.** Of a session at most one entry of each sequence is live, and each live entry continues the live
//!    one before it. Entries that leave the live chain before its end un-live the rows above the common ancestor, in the
//!    same transaction; those stay readable for an audit, and live again if the log turns back to them: entries that continue them are enough for
//!    that.
//! 4. **A hole is known.** Entries that continue nothing and have no ancestor here are taken all the same. What is missing
//!    before them is missing for good, and [`ArchivedSession::first`] says from where on nothing is.
//!    A writer that only remembers how far the archive was is refused where that stands before it: it may still have what would be missing.
//! 5. **The position is the highest live row.** Nothing else remembers how far the archive is, so a crash costs nothing.
//! 6. **What was forgotten is gone**, analytics included.

use std::sync::Arc;

use futures::future::BoxFuture;

use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Chain, Epoch, Position, Sequence};
use crate::domain::record::Output;
use crate::domain::time::Timestamp;

/// Why an archive didn't do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// It can't be reached, has no room, or didn't answer in time. Worth another try: a write is safe to repeat.
    #[error("the archive can't be reached: {0}")]
    Unavailable(String),
    /// It stands before where the writer remembers it: it was put back from a backup, or failed over to a copy that is behind. Nothing was
    /// written, as that would leave a hole: the writer asks where it stands.
    #[error("the archive went back: {0}")]
    Behind(String),
    /// What it holds can't be read. Another try won't help.
    #[error("the archive is damaged: {0}")]
    Corrupt(String),
}

impl ArchiveError {
    /// What happened, without the kind of it.
    pub fn why(&self) -> &str {
        let (Self::Unavailable(why) | Self::Behind(why) | Self::Corrupt(why)) = self;
        why
    }

    /// What a caller is told: what can be done. What the database itself said is for who runs the service, and is logged.
    pub fn told(&self) -> &'static str {
        match self {
            Self::Unavailable(_) | Self::Behind(_) => {
                "the archive can't answer just now: try again in a moment"
            }
            Self::Corrupt(_) => {
                "what the archive holds of it can't be read: no other try helps, whoever runs the service has to look"
            }
        }
    }
}

/// That a session is deleted.
#[derive(Debug, Clone, Copy)]
pub struct Deletion {
    /// When, by the store's clock.
    pub at: Timestamp,
    /// The life that its log is in, where the store has one.
    pub epoch: Option<Epoch>,
}

/// Entries of one session that continue one another.
#[derive(Debug, Clone)]
pub struct Segment {
    /// The session.
    pub key: SessionKey,
    /// The log's life at the time of writing. Told to who reads the tables; chains decide, not epochs.
    pub epoch: Epoch,
    /// At least one; each one's `previous_chain` is the chain of the one before.
    pub entries: Vec<Arc<Entry>>,
}

impl Segment {
    /// The place after its last entry.
    pub fn end(&self) -> Option<Position> {
        self.entries.last().map(|entry| entry.position(self.epoch))
    }
}

/// A result that came when its output was over: beside the log, for analytics.
#[derive(Debug, Clone)]
pub struct LateResult {
    /// Makes a repeated write count once.
    pub id: u64,
    /// When it came.
    pub at: Timestamp,
    /// The session.
    pub key: SessionKey,
    /// Whose.
    pub output: Output,
}

/// What one write holds.
#[derive(Debug, Clone, Default)]
pub struct ArchiveBatch {
    /// Entries, a session at most once.
    pub segments: Vec<Segment>,
    /// Entries of branches that their logs have left: kept, but not live. Of sessions that are known, or among the segments.
    pub left: Vec<Segment>,
    /// What is counted beside the logs.
    pub late: Vec<LateResult>,
    /// How far sessions of the segments were archived, as the writer remembers it without having asked.
    pub remembered: Vec<(SessionKey, Sequence)>,
}

impl ArchiveBatch {
    /// How many entries it has.
    pub fn entries(&self) -> usize {
        self.segments.iter().map(|segment| segment.entries.len()).sum()
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty() && self.left.is_empty() && self.late.is_empty()
    }
}

/// What the archive knows of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedSession {
    /// Which.
    pub key: SessionKey,
    /// The place after its highest live entry.
    pub position: Position,
    /// The oldest live entry from which on nothing is missing.
    pub first: Sequence,
    /// Whether a step is still running.
    pub has_open_step: bool,
    /// Whether the session expects nothing more.
    pub is_ended: bool,
    /// When its highest live entry was decided.
    pub updated_at: Timestamp,
}

/// The answer of an archive, some time later.
pub type ArchiveFuture<'a, T> = BoxFuture<'a, Result<T, ArchiveError>>;

/// The durable store of sessions' logs. The module's text is the contract.
pub trait Archive: Send + Sync + 'static {
    /// Writes entries, in one transaction.
    fn write<'a>(&'a self, batch: &'a ArchiveBatch) -> ArchiveFuture<'a, ()>;

    /// What is known of a session; `None` where nothing is live.
    fn session<'a>(&'a self, key: &'a SessionKey) -> ArchiveFuture<'a, Option<ArchivedSession>>;

    /// At most `limit` live entries after `after`, fewer where they are large, in order, without a hole between them. The first
    /// one is the next live one there is: the caller compares its `previous_chain`.
    fn read<'a>(
        &'a self,
        key: &'a SessionKey,
        after: Sequence,
        limit: usize,
    ) -> ArchiveFuture<'a, Vec<Arc<Entry>>>;

    /// The chain of the live entry `sequence`.
    fn chain_at<'a>(&'a self, key: &'a SessionKey, sequence: Sequence) -> ArchiveFuture<'a, Option<Chain>>;

    /// At most `limit` sessions that expect something, by name, after `after`: those with a running step, and those that
    /// changed at `since` or later.
    fn unfinished<'a>(
        &'a self,
        since: Timestamp,
        after: Option<&'a SessionKey>,
        limit: usize,
    ) -> ArchiveFuture<'a, Vec<ArchivedSession>>;

    /// Deletes at most `limit` rows of sessions whose last entry is older than `older_than`. Returns how many; fewer than
    /// `limit` means that none are left.
    fn prune(&self, older_than: Timestamp, limit: usize) -> ArchiveFuture<'_, usize>;

    /// Forgets a session. `false` where there was nothing. What others still write of a life that was deleted is dropped.
    fn forget<'a>(&'a self, key: &'a SessionKey, deletion: Deletion) -> ArchiveFuture<'a, bool>;

    /// Which one it is: `sqlite`, `postgres`.
    fn backend(&self) -> &'static str;

    /// Whether it answers, as last seen; the text says why not.
    fn health(&self) -> Result<(), String>;

    /// Why this process may not write, where another one has taken it that shares no log with it. What is stored meanwhile would be in this
    /// process alone.
    fn taken(&self) -> Option<String> {
        None
    }
}
