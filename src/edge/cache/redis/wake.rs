//! The index of wake-ups: which session has something due, and when. A sorted set in parts, by the store's clock.

use std::time::Duration;

use futures::FutureExt;
use futures::future::join_all;
use redis::Value;

use super::keys;
use super::tail::Tail;
use super::value::text;
use super::{RedisCache, Shared};
use crate::domain::ids::SessionKey;
use crate::domain::time::Timestamp;
use crate::engine::clock::millis;
use crate::engine::ports::result_cache::{Presence, StoreError, StoreFuture};
use crate::engine::ports::wake_index::{Claim, WakeIndex, Work};

/// How long a claim holds: a replica that dies after it delays what was due by as much.
const CLAIMED_MS: u64 = 30_000;
/// How long after its time a wake-up may be lost: who is to look usually has by then.
const OVERDUE_MS: u64 = 1_000;
/// Wake-ups of one part that are claimed at once.
const CLAIMED_AT_ONCE: usize = 128;

impl Shared {
    /// Has the session looked at when `at` has come, and not before.
    pub(super) async fn wake_at(
        &self,
        key: &SessionKey,
        work: Work,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let mut command = redis::cmd("ZADD");
        command.arg(keys::wake_part(key, work)).arg(at.0).arg(keys::name(key));
        self.link.run(&command).await.map(|_| ())
    }

    /// Has the session looked at when `at` has come, or before where that was said already. Gives when.
    pub(super) async fn wake_by(
        &self,
        key: &SessionKey,
        work: Work,
        at: Timestamp,
    ) -> Result<Timestamp, StoreError> {
        self.wake_within(key, work, (at, Duration::ZERO)).await
    }

    /// The same before what is due then is stored: not before that had its time.
    pub(super) async fn wake_announced(
        &self,
        key: &SessionKey,
        work: Work,
        at: Timestamp,
    ) -> Result<Timestamp, StoreError> {
        self.wake_within(key, work, (at, 2 * self.link.bound())).await
    }

    async fn wake_within(
        &self,
        key: &SessionKey,
        work: Work,
        (at, hold): (Timestamp, Duration),
    ) -> Result<Timestamp, StoreError> {
        let hold_ms = millis(hold);
        let stands = self.link.call(&self.scripts.wake_by, |command| {
            command.arg(1).arg(keys::wake_part(key, work)).arg(keys::name(key)).arg(at.0);
            command.arg(self.set_now()).arg(hold_ms);
        });
        let Value::Int(at) = stands.await? else { return Err(unreadable()) };
        Ok(Timestamp(at))
    }

    /// Has the session looked at when `at` has come, where nothing says when: the index has lost that. One that stands is somebody's, and
    /// isn't touched. Whether it was missing.
    pub(super) async fn wake_if_missing(
        &self,
        key: &SessionKey,
        work: Work,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut command = redis::cmd("ZADD");
        command.arg(keys::wake_part(key, work)).arg("NX").arg(at.0).arg(keys::name(key));
        let is_missing = self.link.run(&command).await? == Value::Int(1);
        if is_missing {
            tracing::warn!(session = %key.session, "the wake-up of a session with an open step was lost: it is announced again");
        }
        Ok(is_missing)
    }

    /// Whoever sees a session that was to be looked at some time ago sees to it that it is: nobody may know when to.
    pub(super) async fn notice_overdue(&self, tail: &Tail, presence: &Presence, now: Timestamp) {
        let Presence::Live(state) = presence else { return };
        let overdue = state.next_wake().filter(|at| at.plus_ms(OVERDUE_MS) < now);
        let Some(at) = overdue.filter(|_| tail.looks_for_wake()) else { return };
        if let Err(error) = self.wake_if_missing(&tail.key, Work::Deadline, at).await {
            tracing::debug!(%error, session = %tail.key.session, "whether a wake-up was lost isn't known");
        }
    }

    /// Moves a wake-up that stands at `from`, or takes it away. `false`: one that somebody else has moved stays.
    pub(super) async fn move_wake(
        &self,
        key: &SessionKey,
        work: Work,
        from: Timestamp,
        to: Option<Timestamp>,
    ) -> Result<bool, StoreError> {
        let to = to.map_or_else(String::new, |to| to.0.to_string());
        let moved = self.link.call(&self.scripts.wake_move, |command| {
            command.arg(1).arg(keys::wake_part(key, work)).arg(keys::name(key)).arg(from.0).arg(&to);
        });
        Ok(moved.await? == Value::Int(1))
    }

    /// The sessions with something due, claimed for a while. What was claimed is looked after though a node of a cluster
    /// is gone, and its parts with it.
    pub(super) async fn due(&self, work: Work) -> Result<Vec<Claim>, StoreError> {
        let parts = join_all((0..keys::WAKE_PARTS).map(|part| self.claim(work, part))).await;
        let (claimed, failed): (Vec<_>, Vec<_>) = parts.into_iter().partition(Result::is_ok);
        match failed.into_iter().find_map(Result::err) {
            Some(error) if claimed.is_empty() => return Err(error),
            Some(error) => tracing::debug!(%error, "a part of what is due was not looked for"),
            None => {}
        }
        Ok(claimed.into_iter().flatten().flatten().collect())
    }

    async fn claim(&self, work: Work, part: u64) -> Result<Vec<Claim>, StoreError> {
        let part = keys::wake_part_number(work, part);
        let claimed = self.link.call(&self.scripts.claim, |command| {
            command.arg(1).arg(&part).arg(self.set_now()).arg(CLAIMED_MS).arg(CLAIMED_AT_ONCE);
        });
        let Value::Array(claimed) = claimed.await? else { return Err(unreadable()) };
        let [Value::Int(until), Value::Array(names)] = &*claimed else { return Err(unreadable()) };
        let until = Timestamp(*until);
        let keys = names.iter().filter_map(|name| keys::named(&text(name)));
        Ok(keys.map(|key| Claim { key, until }).collect())
    }
}

fn unreadable() -> StoreError {
    StoreError::Corrupt("the index of wake-ups can't be read".into())
}

impl WakeIndex for RedisCache {
    fn wake_at<'a>(&'a self, key: &'a SessionKey, work: Work, at: Timestamp) -> StoreFuture<'a, ()> {
        self.shared.wake_at(key, work, at).boxed()
    }

    fn wake_by<'a>(&'a self, key: &'a SessionKey, work: Work, at: Timestamp) -> StoreFuture<'a, Timestamp> {
        self.shared.wake_by(key, work, at).boxed()
    }

    fn announce<'a>(&'a self, key: &'a SessionKey, work: Work, at: Timestamp) -> StoreFuture<'a, Timestamp> {
        self.shared.wake_announced(key, work, at).boxed()
    }

    fn move_wake<'a>(
        &'a self,
        key: &'a SessionKey,
        work: Work,
        from: Timestamp,
        to: Option<Timestamp>,
    ) -> StoreFuture<'a, bool> {
        self.shared.move_wake(key, work, from, to).boxed()
    }

    fn due(&self, work: Work) -> StoreFuture<'_, Vec<Claim>> {
        self.shared.due(work).boxed()
    }
}
