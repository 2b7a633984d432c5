//! Archiving what another replica left behind.
//!
//! Before a replica appends to a session it says, for a while from now, that the session has to be looked at. Whoever
//! finds that due notes the session for its own archiver, which does nothing where the archive is level; then the mark
//! goes.

use tokio::time::Instant;

use super::cache::ArchivedCache;
use crate::domain::ids::SessionKey;
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::ArchivedSession;
use crate::engine::ports::result_cache::{Presence, StoreError};
use crate::engine::ports::wake_index::{Claim, WakeIndex, Work};

/// Marks that are remembered; beyond, those that are due again go.
const MARKS: usize = 65_536;

impl ArchivedCache {
    /// Says that a session's entries have to be archived, before there are any: a crash right after the append leaves a
    /// mark too many, never one too few.
    pub(super) async fn mark(&self, key: &SessionKey) -> Result<(), StoreError> {
        let Some(index) = &self.wake_index else { return Ok(()) };
        let is_fresh = |at: &Instant| at.elapsed() < self.look_after / 2;
        if self.marks.lock().get(key).is_some_and(is_fresh) || mutant!("archive-not-marked") {
            return Ok(());
        }
        // By a clock that isn't set it would be due at once.
        let at = self.now(key).await?.plus_ms(u64::try_from(self.look_after.as_millis()).unwrap_or(u64::MAX));
        index.wake_at(key, Work::Archive, at).await?;
        let mut marks = self.marks.lock();
        if marks.len() >= MARKS {
            marks.retain(|_, at| is_fresh(at));
        }
        marks.insert(key.clone(), Instant::now());
        Ok(())
    }

    /// The store's time. Where nothing was asked of the store yet, it is asked for a session.
    pub(super) async fn now(&self, key: &SessionKey) -> Result<Timestamp, StoreError> {
        if self.clock.now() == Timestamp::default() {
            self.clock.observe(self.inner.load(key).await?.now);
        }
        Ok(self.clock.now())
    }

    /// Looks at the sessions of all replicas that may wait for the archive. To be called about once a second.
    ///
    /// # Errors
    /// Where the store or the archive doesn't answer: what was claimed comes again.
    pub async fn look_after_others(&self) -> Result<(), StoreError> {
        let Some(index) = &self.wake_index else { return Ok(()) };
        let mut looked = Ok(());
        for claim in index.due(Work::Archive).await? {
            // One that can't be looked after (a newer version's) keeps no other one waiting.
            if let Err(error) = self.look_at(&**index, &claim).await {
                tracing::debug!(session = %claim.key.session, %error, "a session was not looked after");
                looked = Err(error);
            }
        }
        looked
    }

    /// Notes a session that the archive hasn't got whole: the claim stands until a later look finds the archive level.
    async fn look_at(&self, index: &dyn WakeIndex, Claim { key, until }: &Claim) -> Result<(), StoreError> {
        let loaded = self.inner.load(key).await?;
        self.clock.observe(loaded.now);
        let position = match loaded.presence {
            Presence::Live(state) | Presence::Archived(state) => Some(state.position),
            Presence::Expired(position) => Some(position),
            Presence::Unknown => None,
        };
        if let Some(position) = position {
            let known = self.archive.session(key).await.map_err(super::cache::away)?;
            // Its epoch may be of before: chains decide.
            let is_level = |known: ArchivedSession| {
                (known.position.sequence, known.position.chain) == (position.sequence, position.chain)
            };
            if !known.is_some_and(is_level) {
                self.backlog.note(key, position);
                return Ok(());
            }
            // Who archived it may have died before it said so, and the cache would keep it for good.
            self.inner.archived(key, position).await?;
        }
        index.move_wake(key, Work::Archive, *until, None).await.map(drop)
    }
}
