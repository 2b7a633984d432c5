//! What the archive knows of a session that the cache has let go of.
//!
//! A session that the cache doesn't know at all, but the archive does, is one that a restart or the end of a tombstone left
//! behind: its log goes on in a new epoch above everything that is archived, so `sequence` never goes backwards.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::cache::{ArchivedCache, away};
use super::fold::fold;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Epoch, Position, Sequence};
use crate::engine::ports::archive::{ArchiveError, ArchivedSession};
use crate::engine::ports::result_cache::{Loaded, Presence, Restored, StoreError};

/// How long a reader that needs nothing else of the archive waits to be told what it reaches back to.
const LOOK_FOR: Duration = Duration::from_millis(250);

impl ArchivedCache {
    /// `load`, with what the archive adds.
    pub(super) async fn load_either(&self, key: &SessionKey) -> Result<Loaded, StoreError> {
        let mut loaded = self.load_whole(key).await?;
        if matches!(loaded.presence, Presence::Unknown) {
            let Some(session) = self.session(key).await.map_err(away)? else { return Ok(loaded) };
            if self.is_found_again(&session, loaded.now).await? {
                loaded = self.load_whole(key).await?;
            } else {
                self.inner.remember(key, in_new_epoch(&session), session.is_ended).await?;
                loaded = self.inner.load(key).await?;
            }
        }
        match &loaded.presence {
            Presence::Unknown | Presence::Archived(_) => {}
            Presence::Live(_) if loaded.oldest == Sequence(1) => {}
            Presence::Live(_) => loaded.oldest = self.oldest_of_both(key, loaded.oldest).await,
            Presence::Expired(position) => {
                if let Some(restored) = self.restored(key, *position).await? {
                    loaded.oldest = self.oldest_of_both(key, loaded.oldest).await;
                    loaded.presence = Presence::Archived(restored.state.clone());
                }
            }
        }
        Ok(loaded)
    }

    /// `revive`. A directive goes on without its session's history where the archive is away: planners
    /// don't wait for it.
    pub(super) async fn revive_from_archive(&self, key: &SessionKey) -> Result<Loaded, StoreError> {
        let mut loaded = self.load_whole(key).await?;
        if matches!(loaded.presence, Presence::Unknown)
            && self.archive.health().is_ok()
            && let Ok(Some(session)) = self.session(key).await
            && self.is_found_again(&session, loaded.now).await?
        {
            loaded = self.load_whole(key).await?;
        }
        let position = match &loaded.presence {
            Presence::Live(_) | Presence::Archived(_) => return Ok(loaded),
            Presence::Expired(position) => Some(*position),
            Presence::Unknown => None,
        };
        if self.archive.health().is_err() {
            return Ok(loaded);
        }
        let restored = match self.to_restore(key, position).await {
            Ok(Some(restored)) => restored,
            Ok(None) => return Ok(loaded),
            Err(error) => {
                tracing::warn!(session = %key.session, %error, "a session begins without what was archived of it");
                return Ok(loaded);
            }
        };
        if self.inner.restore(key, &restored).await? {
            self.inner.archived(key, restored.state.position).await?;
        }
        self.inner.load(key).await
    }

    async fn to_restore(
        &self,
        key: &SessionKey,
        position: Option<Position>,
    ) -> Result<Option<Arc<Restored>>, StoreError> {
        let position = match position {
            Some(position) => position,
            None => match self.session(key).await.map_err(away)? {
                Some(session) => in_new_epoch(&session),
                None => return Ok(None),
            },
        };
        self.restored(key, position).await
    }

    /// The fold of an archived log, where that stands at `position` (but for the epoch, which becomes that of `position`).
    pub(super) async fn restored(
        &self,
        key: &SessionKey,
        position: Position,
    ) -> Result<Option<Arc<Restored>>, StoreError> {
        let wanted = (key.clone(), position);
        if let Some(known) = self.folds.get(&wanted) {
            return Ok(Some(known));
        }
        let _one_at_a_time = self.folding.lock().await;
        if let Some(known) = self.folds.get(&wanted) {
            return Ok(Some(known));
        }
        let is_there = |session: &ArchivedSession| {
            let ArchivedSession { position: known, .. } = session;
            (known.sequence, known.chain) == (position.sequence, position.chain)
        };
        let Some(session) = self.session_if(key, is_there).await? else { return Ok(None) };
        let folded = fold(&*self.archive, &session, position.epoch).await.map_err(away)?;
        let Some(restored) = folded.map(Arc::new) else { return Ok(None) };
        self.folds.put(wanted, restored.clone());
        Ok(Some(restored))
    }

    /// What the archive knows of a session, as of a moment ago.
    pub(super) async fn session(&self, key: &SessionKey) -> Result<Option<ArchivedSession>, ArchiveError> {
        if let Some(known) = self.sessions.get(key) {
            return Ok(Some(known));
        }
        let found = self.archive.session(key).await?;
        if let Some(session) = &found {
            self.sessions.put(key.clone(), session.clone());
        }
        Ok(found)
    }

    /// [`ArchivedCache::oldest`] for a reader that could begin at once: it waits for no archive that is away or slow.
    pub(super) async fn oldest_soon(&self, key: &SessionKey, oldest: Sequence) -> Sequence {
        if self.archive.health().is_err() {
            return oldest;
        }
        timeout(LOOK_FOR, self.oldest_of_both(key, oldest)).await.unwrap_or(oldest)
    }

    /// The oldest entry that can be read of a log that the cache has from `oldest` on. Where the archive is away, a reader
    /// from before is told that its place was trimmed and gets a snapshot.
    async fn oldest_of_both(&self, key: &SessionKey, oldest: Sequence) -> Sequence {
        let joins = |session: &ArchivedSession| session.position.sequence.next() >= oldest;
        match self.session_if(key, joins).await {
            Ok(session) => session.map_or(oldest, |session| session.first.min(oldest)),
            Err(error) => {
                // The archiver says that it is away; thousands of readers needn't.
                tracing::debug!(session = %key.session, %error, "what was archived of a session can't be read");
                oldest
            }
        }
    }

    /// What the archive knows of a session, where `holds` is true of it. What is remembered may be a moment old: where it
    /// isn't true of that, the archive is asked again.
    async fn session_if(
        &self,
        key: &SessionKey,
        holds: impl Fn(&ArchivedSession) -> bool,
    ) -> Result<Option<ArchivedSession>, StoreError> {
        let known = self.session(key).await.map_err(away)?;
        if known.as_ref().is_none_or(&holds) {
            return Ok(known);
        }
        self.sessions.forget(|known| known == key);
        Ok(self.session(key).await.map_err(away)?.filter(holds))
    }
}

/// Where a log goes on that only the archive knows.
pub(super) fn in_new_epoch(session: &ArchivedSession) -> Position {
    Position { epoch: Epoch::from_random(fastrand::u32(..)), ..session.position }
}
