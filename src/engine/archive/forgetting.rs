//! A session is forgotten in both stores.

use super::ArchivedCache;
use super::cache::away;
use crate::domain::ids::SessionKey;
use crate::domain::position::Epoch;
use crate::engine::ports::archive::Deletion;
use crate::engine::ports::result_cache::{Loaded, Presence, StoreError, load_settled};

impl ArchivedCache {
    pub(super) async fn forget_both(&self, key: &SessionKey) -> Result<bool, StoreError> {
        // What was just lost comes back before that: the archive forgets an epoch, and takes what comes later.
        unless_damaged(load_settled(&*self.inner, key).await)?;
        let mut cursors = self.writing.lock().await;
        // The archive first: where it is away nothing is forgotten, and the caller tries again.
        let deletion = match unless_damaged(self.inner.load(key).await)? {
            Some(loaded) => Deletion { at: loaded.now, epoch: epoch_of(&loaded.presence) },
            None => Deletion { at: self.clock.now(), epoch: None },
        };
        let archived = self.archive.forget(key, deletion).await.map_err(away)?;
        let cached = self.inner.forget(key).await?;
        cursors.remove(key);
        self.backlog.forget(key);
        self.sessions.forget(|known| known == key);
        self.folds.forget(|(known, _)| known == key);
        self.newest.forget(|known| known == key);
        Ok(archived || cached)
    }
}

/// `None` for a session whose state can't be read: nothing else can be done with it than to forget it.
fn unless_damaged(loaded: Result<Loaded, StoreError>) -> Result<Option<Loaded>, StoreError> {
    match loaded {
        Err(StoreError::Corrupt(_)) => Ok(None),
        loaded => loaded.map(Some),
    }
}

/// The life that a log is in, where anything is known of it.
fn epoch_of(presence: &Presence) -> Option<Epoch> {
    match presence {
        Presence::Unknown => None,
        Presence::Expired(position) => Some(position.epoch),
        Presence::Archived(state) | Presence::Live(state) => Some(state.position.epoch),
    }
}
