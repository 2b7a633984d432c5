//! Archiving what another replica left behind.
//!
//! Before a replica appends to a session it says, for a while from now, that the session has to be looked at. Whoever
//! finds that due notes the session for its own archiver, which does nothing where the archive is level. Then the mark
//! is for later, and goes when the store is about to let go of the session: an archive may go back.

use std::time::Duration;

use tokio::time::Instant;

use super::cache::ArchivedCache;
use crate::domain::ids::SessionKey;
use crate::domain::time::Timestamp;
use crate::engine::clock::millis;
use crate::engine::ports::archive::ArchivedSession;
use crate::engine::ports::result_cache::{Presence, StoreError};
use crate::engine::ports::wake_index::{Claim, WakeIndex, Work};

/// Marks that are remembered; beyond, those that are due again go.
const MARKS: usize = 65_536;
/// When a quiet session is looked at again, in hundredths of the time that the store keeps it.
const LOOKS_AT: [u64; 2] = [45, 90];

/// When sessions are looked at.
#[derive(Debug, Clone, Copy)]
pub struct LookAfter {
    /// So long after an append.
    pub appended: Duration,
    /// How long the store keeps a session that is quiet.
    pub kept: Duration,
}

impl LookAfter {
    /// When a session that is level is looked at again, which is quiet `since` then: an archive that was put back from a backup, or failed over
    /// to a copy, lacks what it had. Twice while the store has it, the second time shortly before it lets go.
    fn next(self, since: Timestamp, now: Timestamp) -> Option<Timestamp> {
        let hundredth = millis(self.kept) / 100;
        LOOKS_AT.map(|share| since.plus_ms(share * hundredth)).into_iter().find(|at| *at > now)
    }
}

impl ArchivedCache {
    /// Says that a session's entries have to be archived, before there are any: a crash right after the append leaves a
    /// mark too many, never one too few.
    pub(super) async fn mark(&self, key: &SessionKey) -> Result<(), StoreError> {
        let Some(index) = &self.wake_index else { return Ok(()) };
        let look_after = self.look_after.appended;
        let is_fresh = |at: &Instant| at.elapsed() < look_after / 2;
        if self.marks.lock().get(key).is_some_and(is_fresh) || mutant!("archive-not-marked") {
            return Ok(());
        }
        // By a clock that isn't set it would be due at once.
        let at = self.now(key).await?.plus_ms(millis(look_after));
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
        let (position, quiet_since) = match loaded.presence {
            Presence::Live(state) => (Some(state.position), Some(state.last_at)),
            Presence::Archived(state) => (Some(state.position), None),
            Presence::Expired(position) => (Some(position), None),
            Presence::Unknown => (None, None),
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
        let next = quiet_since.and_then(|since| self.look_after.next(since, loaded.now));
        index.move_wake(key, Work::Archive, *until, next).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_sessions_are_looked_at_twice_before_the_store_lets_go_of_them() {
        let look_after = LookAfter { appended: Duration::from_secs(60), kept: Duration::from_secs(100) };
        let next = |seconds: i64| look_after.next(Timestamp(7), Timestamp(7 + seconds * 1_000));
        let at = |seconds: i64| Some(Timestamp(7 + seconds * 1_000));
        for (passed, expected) in
            [(0, at(45)), (44, at(45)), (45, at(90)), (89, at(90)), (90, None), (200, None)]
        {
            assert_eq!(next(passed), expected, "after {passed} s");
        }
    }
}
