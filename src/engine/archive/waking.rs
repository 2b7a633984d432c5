//! Archiving what another replica left behind.
//!
//! Before a replica appends to a session it says, for a while from now, that the session has to be looked at. Whoever
//! finds that due notes the session for its own archiver, which does nothing where the archive is level; then the mark
//! goes.

use tokio::time::Instant;

use super::cache::ArchivedCache;
use crate::domain::ids::SessionKey;
use crate::domain::position::Position;
use crate::domain::time::Timestamp;
use crate::engine::ports::result_cache::{Presence, StoreError};
use crate::engine::ports::wake_index::Work;

/// Marks that are remembered; beyond, those that are due again go.
const MARKS: usize = 65_536;

impl ArchivedCache {
    /// Says that a session's entries have to be archived, before there are any: a crash right after the append leaves a
    /// mark too many, never one too few.
    pub(super) async fn mark(&self, key: &SessionKey) -> Result<(), StoreError> {
        let Some(index) = &self.wake_index else { return Ok(()) };
        let is_fresh = |at: &Instant| at.elapsed() < self.look_after / 2;
        if self.marks.lock().get(key).is_some_and(is_fresh) {
            return Ok(());
        }
        if self.clock.now() == Timestamp::default() {
            // Nothing was asked of the store yet: a mark by a clock that isn't set would be due at once.
            self.clock.observe(self.inner.load(key).await?.now);
        }
        let at = self.clock.now().plus_ms(u64::try_from(self.look_after.as_millis()).unwrap_or(u64::MAX));
        index.wake_at(key, Work::Archive, Some(at)).await?;
        let mut marks = self.marks.lock();
        if marks.len() >= MARKS {
            marks.retain(|_, at| is_fresh(at));
        }
        marks.insert(key.clone(), Instant::now());
        Ok(())
    }

    /// Looks at the sessions of all replicas that may wait for the archive. To be called about once a second.
    ///
    /// # Errors
    /// Where the store or the archive doesn't answer: what was claimed comes again.
    pub async fn look_after_others(&self) -> Result<(), StoreError> {
        let Some(index) = &self.wake_index else { return Ok(()) };
        for key in index.due(Work::Archive).await? {
            match self.unarchived(&key).await? {
                // The claim stands until a later look finds the archive level.
                Some(position) => self.backlog.note(&key, position),
                None => index.wake_at(&key, Work::Archive, None).await?,
            }
        }
        Ok(())
    }

    /// Where a log stands that the archive hasn't got whole.
    async fn unarchived(&self, key: &SessionKey) -> Result<Option<Position>, StoreError> {
        let loaded = self.inner.load(key).await?;
        self.clock.observe(loaded.now);
        let position = match loaded.presence {
            Presence::Live(state) | Presence::Archived(state) => state.position,
            Presence::Expired(position) => position,
            Presence::Unknown => return Ok(None),
        };
        let known = self.archive.session(key).await.map_err(super::cache::away)?;
        Ok(known.is_none_or(|known| known.position != position).then_some(position))
    }
}
