//! A session that the store doesn't know any more, though it goes on: the store came back empty.
//!
//! A replica that holds it puts it back within moments, and may hold more than is archived. Who asks before that, at a replica that
//! holds nothing of it, must not take it for one whose time is over: that would be noted in the store, and whoever holds it would
//! let go of it.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::cache::{ArchivedCache, away};
use super::locate::in_new_epoch;
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::ArchivedSession;
use crate::engine::ports::result_cache::{Lack, Presence, StoreError};

/// How long it is waited for a replica that puts a session back, and after what pause that is looked at.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(50);

impl ArchivedCache {
    /// Whether a session that the store didn't know goes on, now that a replica, or the archive, has put it back.
    pub(super) async fn is_found_again(
        &self,
        session: &ArchivedSession,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let is_recent = now.since_ms(session.updated_at) < Lack::HELD_MS;
        // Only a store that replicas share loses what others hold. Nor has a running step outlived its data's time.
        let may_go_on = self.wake_index.is_some() && (session.has_open_step || is_recent);
        if !may_go_on || mutant!("lost-session-taken-for-expired") {
            return Ok(false);
        }
        if self.is_put_back(session, Instant::now() + PATIENCE).await? {
            return Ok(true);
        }
        // Where it isn't given back here, somebody else may have been first.
        Ok(session.has_open_step && (self.give_back(session).await? || self.is_known(session).await?))
    }

    /// Puts a session with a running step back that the store doesn't know, unless a replica that holds it has done so until then.
    pub(super) async fn find_again(
        &self,
        session: &ArchivedSession,
        until: Instant,
    ) -> Result<bool, StoreError> {
        Ok(!self.is_put_back(session, until).await? && self.give_back(session).await?)
    }

    async fn give_back(&self, session: &ArchivedSession) -> Result<bool, StoreError> {
        let key = &session.key;
        // A storm of readers has it given back once: each fold of it would be of another epoch.
        let _one_at_a_time = match mutant!("storm-gives-back-each") {
            true => None,
            false => Some(self.giving_back.lock(key).await),
        };
        if self.is_known(session).await? {
            return Ok(false);
        }
        // The replica that is gone may have archived more meanwhile.
        self.sessions.forget(|known| known == key);
        let Some(session) = self.session(key).await.map_err(away)? else { return Ok(false) };
        let Some(restored) = self.restored(key, in_new_epoch(&session)).await? else { return Ok(false) };
        let is_back = self.inner.restore(key, &restored).await?;
        if is_back {
            self.inner.archived(key, restored.state.position).await?;
            self.wake(key, &restored.state).await?;
        }
        Ok(is_back)
    }

    /// Waits for who holds it.
    async fn is_put_back(&self, session: &ArchivedSession, until: Instant) -> Result<bool, StoreError> {
        loop {
            if self.is_known(session).await? {
                return Ok(true);
            }
            if Instant::now() >= until {
                return Ok(false);
            }
            sleep(PAUSE).await;
        }
    }

    async fn is_known(&self, session: &ArchivedSession) -> Result<bool, StoreError> {
        Ok(!matches!(self.inner.load(&session.key).await?.presence, Presence::Unknown))
    }
}
