//! `ArchivedCache`: a `ResultCache` whose logs don't end where the cache lets go of them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, Either};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::archiver::Cursors;
use super::backlog::Backlog;
use super::locks::Locks;
use super::newest::Newest;
use super::waking::LookAfter;
use crate::domain::ids::{SessionId, SessionKey, TenantId};
use crate::domain::position::{Position, Sequence};
use crate::domain::record::Output;
use crate::engine::clock::StoreClock;
use crate::engine::mux::LogWindow;
use crate::engine::ports::archive::{Archive, ArchiveError, ArchivedSession, LateResult};
use crate::engine::ports::result_cache::{
    Append, Appended, Listed, Loaded, Lost, MaybeReady, Missed, Presence, Read, Restored, ResultCache,
    Snapshot, StoreError, StoreFuture,
};
use crate::engine::ports::wake_index::WakeIndex;
use crate::engine::recent::Recent;
use crate::engine::telemetry::Meters;

/// Sessions whose fold, or whose place in the archive, is remembered, and for how long.
const RECENT: usize = 64;
const FOLD_AGE: Duration = Duration::from_secs(60);
const SESSION_AGE: Duration = Duration::from_secs(2);
/// How long a log that lacks its beginning is left alone when the archive was asked for it.
const IN_FRONT_AGE: Duration = Duration::from_secs(1);

/// A cache and the archive behind it.
pub struct ArchivedCache {
    pub(super) inner: Arc<dyn ResultCache>,
    pub(super) archive: Arc<dyn Archive>,
    pub(super) backlog: Arc<Backlog>,
    /// Held while the archiver writes: what is forgotten meanwhile would otherwise come back.
    pub(super) writing: Arc<Mutex<Cursors>>,
    pub(super) sessions: Recent<SessionKey, ArchivedSession>,
    pub(super) folds: Recent<(SessionKey, Position), Arc<Restored>>,
    /// Sessions whose log was a moment ago given the beginning that it lacks, as far as the archive has it.
    pub(super) in_front: Recent<SessionKey, ()>,
    /// What snapshots lacked, as far as the archive has it.
    pub(super) newest: Recent<SessionKey, Arc<Newest>>,
    /// One fold at a time: a storm of readers of one session folds it once.
    pub(super) folding: Mutex<()>,
    /// The same for what snapshots lack, and for sessions that are given back to a store that lost them.
    pub(super) reading: Locks,
    pub(super) giving_back: Locks,
    pub(super) clock: StoreClock,
    /// Where other replicas find what this one leaves behind; `None` where there are no others.
    pub(super) wake_index: Option<Arc<dyn WakeIndex>>,
    /// When other replicas look whether a session was archived.
    pub(super) look_after: LookAfter,
    pub(super) meters: Arc<Meters>,
    /// When this process said last that a session has to be looked at.
    pub(super) marks: parking_lot::Mutex<HashMap<SessionKey, Instant>>,
}

impl ArchivedCache {
    /// A cache in front of an archive. Somebody has to run an [`Archiver`](super::Archiver) of it.
    pub fn new(
        inner: Arc<dyn ResultCache>,
        archive: Arc<dyn Archive>,
        wake_index: Option<Arc<dyn WakeIndex>>,
        look_after: LookAfter,
        meters: Arc<Meters>,
    ) -> Self {
        inner.followed_by(&archive);
        Self {
            inner,
            archive,
            backlog: Arc::default(),
            writing: Arc::default(),
            sessions: Recent::new(RECENT, SESSION_AGE),
            folds: Recent::new(RECENT, FOLD_AGE),
            in_front: Recent::new(RECENT, IN_FRONT_AGE),
            newest: Recent::new(RECENT, FOLD_AGE),
            folding: Mutex::default(),
            reading: Locks::default(),
            giving_back: Locks::default(),
            clock: StoreClock::default(),
            wake_index,
            look_after,
            meters,
            marks: parking_lot::Mutex::default(),
        }
    }

    /// What waits for the archiver. Whoever learns of a log that nobody archives (a replica that is gone) notes it here.
    pub fn backlog(&self) -> &Arc<Backlog> {
        &self.backlog
    }

    async fn append_and_note(&self, append: &Append) -> Result<Appended, StoreError> {
        if let Some(why) = self.archive.taken() {
            return Err(StoreError::Unavailable(why));
        }
        self.mark(&append.key).await?;
        let _coming = self.backlog.coming();
        let appended = self.inner.append(append).await?;
        match &appended {
            Appended::Stored { now } => {
                self.clock.observe(*now);
                self.backlog.note(&append.key, append.state.position);
            }
            Appended::Conflict(missed) => self.note_own(append, missed),
        }
        Ok(appended)
    }

    /// An append that had timed out, but was applied: its writer learns of it now, and so does the archiver.
    fn note_own(&self, append: &Append, missed: &Missed) {
        let is_own = missed.entries.first().is_some_and(|entry| entry.append_id == append.append_id);
        if let Some(last) = missed.entries.last().filter(|_| is_own) {
            self.backlog.note(&append.key, last.position(append.expected.epoch));
        }
    }

    async fn read_through(
        &self,
        key: &SessionKey,
        after: Sequence,
        limit: usize,
    ) -> Result<Read, StoreError> {
        let read = self.inner.read(key, after, limit).await?;
        let Read::Trimmed { .. } = read else { return Ok(read) };
        let entries = self.archive.read(key, after, limit).await.map_err(away)?;
        let follows = entries.first().is_some_and(|first| first.sequence == after.next());
        Ok(if follows { Read::Archived(entries) } else { read })
    }

    async fn snapshot_of_either(&self, key: &SessionKey) -> Result<Option<Snapshot>, StoreError> {
        if let Some(snapshot) = self.inner.snapshot(key).await? {
            let is_more =
                snapshot.lacks.is_some() && self.put_in_front(key, &self.inner.load(key).await?).await;
            let snapshot = if is_more { self.inner.snapshot(key).await? } else { Some(snapshot) };
            let Some(snapshot) = snapshot else { return Ok(None) };
            return Ok(Some(self.with_archived(key, snapshot).await));
        }
        let Presence::Expired(position) = self.inner.load(key).await?.presence else { return Ok(None) };
        let restored = self.restored(key, position).await?;
        let snapshot = |restored: Arc<Restored>| Snapshot {
            is_archived: true,
            ..Snapshot::whole(position, restored.latest.clone())
        };
        Ok(restored.map(snapshot))
    }
}

/// An archive's trouble as that of the store it stands behind.
pub(super) fn away(error: ArchiveError) -> StoreError {
    StoreError::Unavailable(error.to_string())
}

impl ResultCache for ArchivedCache {
    fn append<'a>(&'a self, append: &'a Append) -> MaybeReady<'a, Result<Appended, StoreError>> {
        Either::Right(self.append_and_note(append).boxed())
    }

    fn load<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Loaded> {
        self.load_either(key).boxed()
    }

    fn known(&self, key: &SessionKey) -> Option<Loaded> {
        self.inner.known(key)
    }

    fn oldest<'a>(&'a self, key: &'a SessionKey, oldest: Sequence) -> BoxFuture<'a, Sequence> {
        self.oldest_soon(key, oldest).boxed()
    }

    fn confirm<'a>(&'a self, key: &'a SessionKey, position: Position) -> StoreFuture<'a, Option<Missed>> {
        self.inner.confirm(key, position)
    }

    fn follow<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Arc<LogWindow>> {
        self.inner.follow(key)
    }

    fn refresh<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Arc<LogWindow>> {
        self.inner.refresh(key)
    }

    fn read<'a>(&'a self, key: &'a SessionKey, after: Sequence, limit: usize) -> StoreFuture<'a, Read> {
        self.read_through(key, after, limit).boxed()
    }

    fn snapshot<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Option<Snapshot>> {
        self.snapshot_of_either(key).boxed()
    }

    fn note_late<'a>(&'a self, key: &'a SessionKey, output: Output) -> StoreFuture<'a, ()> {
        let note = async move {
            // Who counts goes by the time: one by a clock that isn't set would be before all that is counted.
            let (id, at) = (fastrand::u64(..), self.now(key).await?);
            self.backlog.note_late(LateResult { id, at, key: key.clone(), output: output.clone() });
            self.inner.note_late(key, output).await
        };
        note.boxed()
    }

    fn sessions<'a>(
        &'a self,
        tenant: &'a TenantId,
        after: Option<&'a SessionId>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<Listed>> {
        self.inner.sessions(tenant, after, limit)
    }

    fn lost(&self) -> Vec<Lost> {
        self.inner.lost()
    }

    fn loses(&self) -> BoxFuture<'_, ()> {
        self.inner.loses()
    }

    fn settled(&self) -> MaybeReady<'_, bool> {
        self.inner.settled()
    }

    fn may_lack(&self) -> bool {
        self.inner.may_lack()
    }

    fn backend(&self) -> &'static str {
        self.inner.backend()
    }

    fn health(&self) -> Result<(), String> {
        self.inner.health()?;
        self.archive.taken().map_or(Ok(()), Err)
    }

    fn forget<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, bool> {
        self.forget_both(key).boxed()
    }

    fn revive<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Loaded> {
        self.revive_from_archive(key).boxed()
    }
}
