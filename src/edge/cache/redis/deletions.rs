//! Deleting a session, for every replica and for good.
//!
//! A mark in the store says that nothing is to be put back, and all replicas are told to let go of what they hold. A store that loses the
//! mark, perhaps before all were told, could be given the session back by who wrote to it. So who deleted it looks after that as long as
//! replicas hold anything.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;

use super::tail::Tail;
use super::{RedisCache, Shared, codec, keys, meta};
use crate::domain::ids::SessionKey;
use crate::domain::position::Epoch;
use crate::engine::ports::result_cache::StoreError;

/// How long a deleted session's mark stays: longer than replicas hold what they wrote.
pub(super) const FORGOTTEN_MS: u64 = 600_000;
/// How long a deletion is looked after.
const LOOKED_AFTER: Duration = Duration::from_millis(FORGOTTEN_MS);
/// Deletions that are looked after; beyond, the oldest go.
const DELETIONS_MAX: usize = 10_000;
/// When is looked, after the line is new and from look to look: others may be putting back what they hold, or be frozen.
const LOOKS: [Duration; 3] = [Duration::ZERO, Duration::from_secs(2), Duration::from_secs(28)];

/// A session, the epoch that was deleted of it, and when.
type Deletion = (SessionKey, Epoch, Instant);

/// What was deleted.
#[derive(Default)]
pub(super) struct Deleted {
    here: Mutex<Vec<Deletion>>,
    /// Who wants to be told of what any replica deletes.
    heard: Mutex<Option<UnboundedSender<SessionKey>>>,
}

impl Deleted {
    /// A replica, this one or another, says that it deleted a session.
    pub(super) fn hear(&self, key: &SessionKey) {
        if let Some(heard) = &*self.heard.lock() {
            // Nobody listens any more while the service stops.
            let _ = heard.send(key.clone());
        }
    }

    fn note(&self, key: &SessionKey, epoch: Epoch) {
        let mut all = self.here.lock();
        all.retain(|(known, _, at)| known != key && at.elapsed() < LOOKED_AFTER);
        if all.len() == DELETIONS_MAX {
            all.remove(0);
        }
        all.push((key.clone(), epoch, Instant::now()));
    }

    fn recent(&self) -> Vec<Deletion> {
        let mut all = self.here.lock();
        all.retain(|(_, _, at)| at.elapsed() < LOOKED_AFTER);
        all.clone()
    }
}

impl RedisCache {
    /// The sessions that are deleted from now on, by whichever replica: for what a process keeps of them beside the store. One
    /// receiver at a time. What is deleted while the line to the store is down isn't heard.
    pub fn deletions(&self) -> UnboundedReceiver<SessionKey> {
        // Not bounded: as many as clients delete while the receiver is at one; a name each.
        let (heard, deletions) = unbounded_channel();
        *self.shared.deleted.heard.lock() = Some(heard);
        deletions
    }
}

impl Shared {
    pub(super) async fn forget(self: &Arc<Self>, key: &SessionKey) -> Result<bool, StoreError> {
        let tail = self.tail(key);
        let mut meta = self.find(&tail).await?.meta;
        // What the store has just lost is put back first: a deletion is of an epoch, and what comes later would stay.
        if meta.position().is_none() && !meta.is_forgotten(None) {
            self.look_before_unknown().await;
            if self.settled().await {
                meta = self.find(&tail).await?.meta;
            }
            // Who holds it, and is frozen, may put it back: that wouldn't be deleted.
            if meta.position().is_none() && !meta.is_forgotten(None) && self.settling.may_lack() {
                return Err(StoreError::Unavailable(
                    "what it lost a moment ago may still be put back".into(),
                ));
            }
        }
        let epoch = meta.position().map(|position| position.epoch);
        let was_known = self.delete(&tail).await?;
        if let Some(epoch) = epoch {
            self.deleted.note(key, epoch);
        }
        Ok(was_known)
    }

    async fn delete(&self, tail: &Tail) -> Result<bool, StoreError> {
        let (keys, feedback) = (&tail.keys, keys::feedback(&tail.key));
        let was_known = self.link.call(&self.scripts.forget, |command| {
            command.arg(4).arg(&keys.meta).arg(&keys.log).arg(&keys.latest).arg(&feedback);
            command.arg(&keys.channel).arg(codec::forgotten()).arg(FORGOTTEN_MS).arg(meta::FORMAT);
        });
        let was_known = meta::count_unless_newer(&was_known.await?)? > 0;
        tail.forget();
        self.unlist(&tail.key).await?;
        // After a loss of the mark nobody may put back what he had written.
        let mut told = redis::cmd("PUBLISH");
        if let Err(error) = self.link.run(told.arg(keys::DELETIONS).arg(keys::name(&tail.key))).await {
            tracing::warn!(session = %tail.key.session, %error, "a deletion was not told to the other replicas");
        }
        Ok(was_known)
    }

    /// The line is new: what was deleted here stays deleted, though the store lost the mark, or somebody puts the session back.
    pub(super) async fn delete_again(&self) {
        for pause in LOOKS {
            tokio::time::sleep(pause).await;
            for (key, epoch, _) in self.deleted.recent() {
                if let Err(error) = self.stays_deleted(&key, epoch).await {
                    tracing::debug!(session = %key.session, %error, "whether a deleted session came back isn't known");
                }
            }
        }
    }

    /// A session that was begun anew under the name has another epoch.
    async fn stays_deleted(&self, key: &SessionKey, epoch: Epoch) -> Result<(), StoreError> {
        let tail = self.tail(key);
        match self.find(&tail).await?.meta.position() {
            Some(position) if position.epoch == epoch => self.delete(&tail).await.map(drop),
            Some(_) => Ok(()),
            None => {
                let marked = self.link.call(&self.scripts.mark_again, |command| {
                    command.arg(1).arg(&tail.keys.meta).arg(epoch.as_str()).arg(FORGOTTEN_MS);
                });
                marked.await.map(drop)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(name: usize) -> SessionKey {
        SessionKey { tenant: "t".parse().unwrap(), session: format!("s{name}").parse().unwrap() }
    }

    #[tokio::test(start_paused = true)]
    async fn the_newest_deletions_are_looked_after_each_once_and_for_a_time() {
        let deleted = Deleted::default();
        let epoch = Epoch::from_random;
        (0..=DELETIONS_MAX).for_each(|name| deleted.note(&session(name), epoch(1)));
        let recent = deleted.recent();
        assert_eq!(recent.len(), DELETIONS_MAX);
        assert_eq!(recent[0].0, session(1), "the oldest went");

        deleted.note(&session(1), epoch(2));
        let recent = deleted.recent();
        assert_eq!(recent.len(), DELETIONS_MAX);
        let (key, of, _) = recent.last().unwrap();
        assert_eq!((key, *of), (&session(1), epoch(2)), "once, and of its last life");

        tokio::time::advance(LOOKED_AFTER).await;
        assert!(deleted.recent().is_empty());
    }
}
