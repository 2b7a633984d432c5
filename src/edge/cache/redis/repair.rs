//! A store that knows less than this replica has lost something (a restart, a failover to a replica that was behind).
//!
//! Where its tail is an ancestor of what is held here, the missing entries are appended again, byte for byte. Where something else
//! was stored meanwhile, see `fork`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Shared;
use super::deletions::FORGOTTEN_MS;
use super::descent::OTHERS;
use super::read::Found;
use super::reply::Reply;
use super::sync::PAGE;
use super::tail::{Offer, Tail};
use super::writing::Writing;
use crate::domain::position::Position;
use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;
use crate::edge::cache::keep_until;
use crate::engine::ports::result_cache::{StoreError, fitting};
use crate::engine::ports::wake_index::Work;

impl Shared {
    /// The store is empty, but perhaps for a log: everything that is held goes back, with the state after it. `false`
    /// where too little is held here: the session begins anew above all that is known, and readers are told by verdict.
    pub(super) async fn restore_all(
        &self,
        tail: &Tail,
        held: Position,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut entries = tail.entries();
        entries.truncate(entries.len().saturating_sub(usize::from(mutant!("restore-drops-the-last"))));
        let Some(state) = tail.state().filter(|state| state.position == held) else {
            tracing::warn!(session = %tail.key.session, sequence = held.sequence.0, "the store lost a session, and its state isn't held here");
            return Ok(false);
        };
        if now >= self.lives_until(&state) && !self.settings.is_gated {
            // Its time was over, whether or not that was noticed here: only that it was there is put back.
            // Where somebody was first, the next look decides.
            self.remember(&tail.key, held, state.is_ended()).await?;
            return Ok(true);
        }
        let Some(first) = entries.first() else {
            let is_left = mutant!("state-without-entries-not-put-back");
            return if is_left { Ok(false) } else { self.restore_state(tail, &state, now).await };
        };
        let start = first.previous_position(held.epoch);
        let mut writing = Writing::of(start, &entries, &state);
        writing.fields = state.fields();
        writing
            .fields
            .push(("past".to_owned(), tail.past().unwrap_or_else(|| OTHERS.to_owned()).into_bytes()));
        let lacks_from = tail.lacks_from();
        if let Some(from) = lacks_from {
            // Who holds what came before puts it in front (`beginning`).
            writing.fields.push(("torn".to_owned(), format!("{from} {}", now.0).into_bytes()));
        }
        self.announce(tail, &state).await?;
        (writing.begins, writing.is_fresh, writing.puts_back) = (Some(held.sequence), true, true);
        match self.try_write(tail, &writing).await? {
            Reply::Stored { .. } => {
                self.list_again(&tail.key).await;
                // Whoever has the beginning has the rest too, and wouldn't look.
                let called = if lacks_from.is_some() { self.call_others(tail).await } else { Ok(()) };
                if let Err(error) = self.add_newest(tail).await.and(called) {
                    // The entries are back all the same; the next sweep adds the rest.
                    tail.uncompared.store(!mutant!("failed-adding-forgotten"), Ordering::Release);
                    tracing::warn!(%error, session = %tail.key.session, "what came before the entries that were put back was not added");
                }
                self.settings.meters.restored.add(entries.len() as u64);
                tracing::warn!(session = %tail.key.session, entries = entries.len(), "the store was empty: entries were put back");
                Ok(true)
            }
            // Only `meta` was lost.
            Reply::Conflict(conflict) if conflict.is_without_place() => {
                if self.read_on(tail, &state).await? {
                    return Ok(true);
                }
                tracing::warn!(session = %tail.key.session, sequence = held.sequence.0, "the store lost a session's place, and its log is longer than what is held here");
                Ok(false)
            }
            // Another replica was first: the next look decides.
            Reply::Conflict(_) | Reply::Turn(_) => Ok(true),
        }
    }

    /// When the time of a session's data is over.
    pub(super) fn lives_until(&self, state: &SessionState) -> Timestamp {
        state.last_at.plus_ms(self.settings.ttl_ms).max(keep_until(state))
    }

    /// Reads what the log has after what is held. `false` where that doesn't follow.
    async fn read_on(&self, tail: &Tail, held: &SessionState) -> Result<bool, StoreError> {
        let Position { epoch, sequence, chain } = held.position;
        let entries = self.range(tail, sequence, epoch, PAGE).await?;
        let follows = entries.first().is_some_and(|first| first.previous_chain == chain);
        if !follows || entries.windows(2).any(|two| two[1].previous_chain != two[0].chain) {
            return Ok(false);
        }
        let mut state = held.clone();
        entries.iter().for_each(|entry| state.apply(entry));
        Ok(tail.offer(epoch, &entries, state.is_ended(), false) == Offer::Taken)
    }

    /// The store stands before what is held, or elsewhere.
    pub(super) async fn mend(
        &self,
        tail: &Tail,
        found: &Found,
        state: &Arc<SessionState>,
    ) -> Result<(), StoreError> {
        let place = state.position;
        if !tail.reaches(place) {
            if self.is_reached_with_the_archive(tail, place).await? {
                return Ok(());
            }
            return self.resolve_fork(tail, found, state).await;
        }
        let Some(missing) = tail.window.after(place.sequence, usize::MAX) else {
            return self.resolve_fork(tail, found, state).await;
        };
        let (mut state, mut rest) = (SessionState::clone(state), &missing[..]);
        let mut whole = state.clone();
        missing.iter().for_each(|entry| whole.apply(entry));
        self.announce(tail, &whole).await?;
        while !rest.is_empty() {
            let (batch, after) = rest.split_at(fitting(rest));
            let expected = state.position;
            batch.iter().for_each(|entry| state.apply(entry));
            let writing = Writing { puts_back: true, ..Writing::of(expected, batch, &state) };
            // Where the store has moved on meanwhile, the next look decides.
            let Reply::Stored { .. } = self.try_write(tail, &writing).await? else { return Ok(()) };
            rest = after;
        }
        // That took its time: who looked meanwhile may have taken the wake-up away.
        if let Some(at) = whole.next_wake() {
            self.wake_by(&tail.key, Work::Deadline, at).await?;
        }
        self.settings.meters.restored.add(missing.len() as u64);
        tracing::warn!(session = %tail.key.session, entries = missing.len(), "the store had lost entries: they were put back");
        Ok(())
    }
}

impl Shared {
    /// Waits, once a line, for who puts back out of the archive what lies between the store's place and what is held here. Begun
    /// anew, the log would lose what isn't archived yet. `true` where the next look decides.
    async fn is_reached_with_the_archive(&self, tail: &Tail, place: Position) -> Result<bool, StoreError> {
        let is_before = place.sequence.next() < tail.window.tail().oldest;
        let may_wait = self.settings.is_gated && is_before && !mutant!("older-file-forks-the-log");
        if !may_wait || !tail.waits_in(self.subscriptions.current()) {
            return Ok(false);
        }
        let is_reached = |found: &Found| found.meta.position().is_some_and(|now| tail.reaches(now));
        self.others_first(tail, is_reached).await.map(|found| is_reached(&found))
    }
}

const _: () = assert!(FORGOTTEN_MS > 60_000, "a deletion is known longer than entries are held");
