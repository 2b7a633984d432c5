//! `ResultCache`: the store of sessions' logs.
//!
//! The contract, which one suite of tests checks against every implementation:
//!
//! 1. **Append is compare-and-set.** Entries are stored only if the log's position is `expected`, all of them or none,
//!    together with the state that they lead to. Otherwise nothing changes and the caller gets what it missed.
//! 2. **Stored before shown.** When an append has returned `Stored`, every later call sees it, and every
//!    [`LogWindow`] of the session gets it, once and in order.
//! 3. **Dense.** Sequences of an epoch have no hole and no double; each entry's `previous_chain` is the chain before it.
//! 4. **A timed-out append may have been applied** ([`StoreError::TimedOut`]). The caller repeats it as it is: if it was
//!    applied, the answer is a conflict whose first missing entry carries the caller's `append_id`.
//! 5. **Expired is not unknown.** When the data's time is over, position and epoch stay known (a tombstone) and the
//!    sequence goes on; only after the tombstone's own time is the session unknown.
//! 6. **The clock is the store's.** Every answer carries its `now`; callers decide with it.
//! 7. **Trimming takes the oldest first**, never the last entry, and leaves what a snapshot needs.
//! 8. **What an archive hasn't got stays**, where the store was told that one follows it: neither trimming nor time take an
//!    entry after the last [`ResultCache::archived`] position. Where that makes a log, or all of them, too large, appends
//!    are refused with [`StoreError::Backlog`].
//! 9. **What only ends something has a reserve** ([`Append::only_ends`], [`reserve_of`]): a bound on bytes, of a session or of
//!    all, doesn't keep steps from ending, or nothing would ever be let go.

use std::collections::HashMap;
use std::future::Ready;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::{BoxFuture, Either};

use crate::domain::entry::Entry;
use crate::domain::ids::{SessionId, SessionKey, TenantId};
use crate::domain::position::{AppendId, Position, Sequence};
use crate::domain::record::Output;
use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;
use crate::engine::mux::LogWindow;
use crate::engine::ports::archive::Archive;
use crate::engine::telemetry::Origin;

mod bounds;
mod error;
mod listed;
mod lost;
mod snapshot;

pub use bounds::{AGAIN, fitting, reserve_of};
pub use error::StoreError;
pub use listed::Listed;
pub use lost::Lost;
pub use snapshot::{Lack, Misses, Restored, Snapshot};

/// Entries to store and the state that they lead to.
#[derive(Debug, Clone)]
pub struct Append {
    /// Which session.
    pub key: SessionKey,
    /// Where the log must stand.
    pub expected: Position,
    /// Names this append; every entry carries it.
    pub append_id: AppendId,
    /// What to store; at least one.
    pub entries: Vec<Arc<Entry>>,
    /// The state after the last of them.
    pub state: Arc<SessionState>,
    /// Whether they only end what runs: the store takes them out of its reserve where there is no other room.
    pub only_ends: bool,
    /// Where they came from; not stored.
    pub origin: Origin,
}

/// What an append came to.
#[derive(Debug, Clone)]
pub enum Appended {
    /// Stored and ordered.
    Stored {
        /// The store's clock.
        now: Timestamp,
    },
    /// The log stands elsewhere; nothing was stored.
    Conflict(Missed),
}

/// What a writer doesn't know yet.
#[derive(Debug, Clone)]
pub struct Missed {
    /// The entries after the position it expected, where they still exist and continue it.
    pub entries: Vec<Arc<Entry>>,
    /// The state at the store's position, where the entries don't lead there.
    pub state: Option<Arc<SessionState>>,
    /// The store's clock.
    pub now: Timestamp,
}

/// What is known of a session.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// Whether it is there.
    pub presence: Presence,
    /// The oldest entry that can be read; the next one to come where there is none.
    pub oldest: Sequence,
    /// How many late results each output had, where any.
    pub late: HashMap<Output, u64>,
    /// What the log lacks of its beginning, because that was lost and isn't put back yet.
    pub lacks: Option<Lack>,
    /// The store's clock.
    pub now: Timestamp,
}

impl Loaded {
    /// Nothing is known.
    pub fn unknown(now: Timestamp) -> Self {
        Self { presence: Presence::Unknown, oldest: Sequence(1), late: HashMap::new(), lacks: None, now }
    }
}

/// Whether a session is there.
#[derive(Debug, Clone)]
pub enum Presence {
    /// It was never there, or that was forgotten.
    Unknown,
    /// Its data's time is over; its log goes on from this position.
    Expired(Position),
    /// The same, but an archive still has its log: it can be read, and a directive brings it back with all it was.
    Archived(Arc<SessionState>),
    /// It is there.
    Live(Arc<SessionState>),
}

impl Presence {
    /// The last place of the log; 0 where nothing is known of it.
    pub fn tail(&self) -> Sequence {
        match self {
            Self::Unknown => Sequence(0),
            Self::Expired(position) => position.sequence,
            Self::Archived(state) | Self::Live(state) => state.position.sequence,
        }
    }
}

/// Entries older than what a [`LogWindow`] holds.
#[derive(Debug, Clone)]
pub enum Read {
    /// The entries after the asked place, in order; empty at the tail.
    Entries(Vec<Arc<Entry>>),
    /// The same, out of an archive; never empty.
    Archived(Vec<Arc<Entry>>),
    /// The asked place is before the oldest entry that is kept.
    Trimmed {
        /// The oldest entry that is kept.
        oldest: Sequence,
    },
}

impl Read {
    /// The entries, wherever they come from; `None` where the asked place is no longer kept.
    pub fn entries(self) -> Option<Vec<Arc<Entry>>> {
        match self {
            Self::Entries(entries) | Self::Archived(entries) => Some(entries),
            Self::Trimmed { .. } => None,
        }
    }
}

/// `load`, of a store that has settled: the look that comes before anybody is told `Unknown` may be the one that finds that something was
/// lost, and who holds it puts it back.
///
/// # Errors
/// Where the store doesn't answer.
pub async fn load_settled(cache: &dyn ResultCache, key: &SessionKey) -> Result<Loaded, StoreError> {
    cache.settled().await;
    let loaded = cache.load(key).await?;
    let is_unknown =
        matches!(loaded.presence, Presence::Unknown) && !mutant!("reader-outruns-what-is-put-back");
    if is_unknown && cache.settled().await { cache.load(key).await } else { Ok(loaded) }
}

/// The answer of a store, some time later.
pub type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// An answer that may be there at once: then it isn't boxed. For what is asked for each event.
pub type MaybeReady<'a, T> = Either<Ready<T>, BoxFuture<'a, T>>;

/// The store of sessions' logs. The module's text is the contract.
pub trait ResultCache: Send + Sync + 'static {
    /// Stores entries at the end of a log.
    fn append<'a>(&'a self, append: &'a Append) -> MaybeReady<'a, Result<Appended, StoreError>>;

    /// What is known of a session.
    fn load<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Loaded>;

    /// What this process knows of a session that it follows, without asking the store; `None` where the store must be
    /// asked. Enough for a reader that goes on exactly; every other verdict is confirmed with [`ResultCache::load`].
    fn known(&self, key: &SessionKey) -> Option<Loaded>;

    /// The oldest entry that can be read of a log which is known from `oldest` on: an archive may reach further back.
    fn oldest<'a>(&'a self, _key: &'a SessionKey, oldest: Sequence) -> BoxFuture<'a, Sequence> {
        std::future::ready(oldest).boxed()
    }

    /// `None` where a log still stands at `position`. One that nobody began stands at the start of every epoch.
    fn confirm<'a>(&'a self, key: &'a SessionKey, position: Position) -> StoreFuture<'a, Option<Missed>>;

    /// The session's tail in this process, kept up to date while somebody holds it, also where there is no session yet.
    fn follow<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Arc<LogWindow>>;

    /// [`ResultCache::follow`], with the window as far as the store is now: for verdicts, which mustn't be given on what
    /// another replica knows better.
    fn refresh<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Arc<LogWindow>> {
        self.follow(key)
    }

    /// At most `limit` entries after `after`, for readers who are behind the window.
    fn read<'a>(&'a self, key: &'a SessionKey, after: Sequence, limit: usize) -> StoreFuture<'a, Read>;

    /// The last of everything; `None` where there is no data.
    fn snapshot<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Option<Snapshot>>;

    /// Counts a late result, beside the log.
    fn note_late<'a>(&'a self, key: &'a SessionKey, output: Output) -> StoreFuture<'a, ()>;

    /// At most `limit` sessions of a tenant that have data, by name, after `after`; also those that can't be read.
    fn sessions<'a>(
        &'a self,
        tenant: &'a TenantId,
        after: Option<&'a SessionId>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<Listed>>;

    /// Entries that the store had and has lost for good, since the last call: what they came from is decided again.
    fn lost(&self) -> Vec<Lost> {
        Vec::new()
    }

    /// Comes back when there is something to ask [`ResultCache::lost`] for; one may wait.
    fn loses(&self) -> BoxFuture<'_, ()> {
        std::future::pending().boxed()
    }

    /// Comes back when a store that may have just lost something was given time to get that back from who holds it. To be waited for before
    /// anything is decided, stored, or judged for readers. `true` where that took a while, so that what was told to the store before may be lost.
    fn settled(&self) -> MaybeReady<'_, bool> {
        Either::Left(std::future::ready(false))
    }

    /// Whether a store has lost something a moment ago that somebody may still put back: what it doesn't know may be known again.
    fn may_lack(&self) -> bool {
        false
    }

    /// Which archive follows its logs: what a log lets go of because it begins anew is to be there first.
    fn followed_by(&self, _archive: &Arc<dyn Archive>) {}

    /// What it is: `memory`, `redis`.
    fn backend(&self) -> &'static str;

    /// Whether the store answers, as last seen; the text says why not.
    fn health(&self) -> Result<(), String>;

    /// Forgets a session and everything of it. `false` where there was nothing.
    fn forget<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, bool>;

    /// An archive has everything up to a position: trimming and time may take it. A position on another chain than the log's says nothing.
    fn archived<'a>(&'a self, _key: &'a SessionKey, _position: Position) -> StoreFuture<'a, ()> {
        std::future::ready(Ok(())).boxed()
    }

    /// Where nothing is known of a session: its log goes on from `position`, as that of one whose data's time is over.
    /// `ended` says whether it expects nothing more. `false`, and nothing changes, where something is known.
    fn remember<'a>(
        &'a self,
        _key: &'a SessionKey,
        _position: Position,
        _ended: bool,
    ) -> StoreFuture<'a, bool> {
        std::future::ready(Ok(false)).boxed()
    }

    /// Where there is no data of a session: it is live again, as it was, without its entries. `false`, and nothing
    /// changes, where there is data, or its log goes on from another position than that of the state.
    fn restore<'a>(&'a self, _key: &'a SessionKey, _restored: &'a Restored) -> StoreFuture<'a, bool> {
        std::future::ready(Ok(false)).boxed()
    }

    /// Puts what an archive has in front of a log that lacks its beginning, as far as there is room. `false`, and nothing
    /// changes, where the log doesn't, or the entries don't lead up to it.
    fn put_in_front<'a>(&'a self, _key: &'a SessionKey, _entries: &'a [Arc<Entry>]) -> StoreFuture<'a, bool> {
        std::future::ready(Ok(false)).boxed()
    }

    /// What is known of a session for who is about to begin a step in it: what an archive still has is brought back.
    fn revive<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Loaded> {
        self.load(key)
    }
}
