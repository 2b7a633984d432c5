//! A store that knows less than this replica has lost something (a restart, a failover to a replica that was behind).
//!
//! Where its tail is an ancestor of what is held here, the missing entries are appended again, byte for byte. Where
//! another replica has handed out the same sequences meanwhile, the epoch is rotated, so that every reader is told.

use std::collections::HashSet;
use std::sync::Arc;

use redis::Value;

use super::codec;
use super::reply::Reply;
use super::tail::Tail;
use super::writing::Writing;
use super::{FORGOTTEN_MS, Shared};
use crate::domain::entry::Entry;
use crate::domain::position::{Chain, Epoch, Position};
use crate::domain::session::SessionState;
use crate::engine::ports::result_cache::{Lost, StoreError};

/// Entries and bytes that are appended again at once.
const AGAIN: usize = 256;
const AGAIN_BYTES: usize = 256 * 1024;

impl Shared {
    /// The store is empty, but perhaps for a log: everything that is held goes back, with the state after it. `false`
    /// where too little is held here: the session begins anew above all that is known, and readers are told by verdict.
    pub(super) async fn restore_all(&self, tail: &Tail, held: Position) -> Result<bool, StoreError> {
        let oldest = tail.window.tail().oldest;
        let mut entries = tail.window.after(oldest.previous(), usize::MAX).unwrap_or_default();
        entries.truncate(entries.len().saturating_sub(usize::from(mutant!("restore-drops-the-last"))));
        let (Some(state), Some(first)) =
            (tail.state().filter(|state| state.position == held), entries.first())
        else {
            tracing::warn!(session = %tail.key.session, sequence = held.sequence.0, "the store lost a session, and its state isn't held here");
            return Ok(false);
        };
        let start = first.previous_position(held.epoch);
        let mut writing = Writing::of(start, &entries, &state);
        writing.fields = state.fields();
        (writing.begins, writing.is_fresh) = (Some(held.sequence), true);
        match self.try_write(tail, &writing).await? {
            Reply::Stored(_) => {
                self.settings.meters.restored.add(entries.len() as u64);
                tracing::warn!(session = %tail.key.session, entries = entries.len(), "the store was empty: entries were put back");
                Ok(true)
            }
            // Only `meta` was lost.
            Reply::Conflict(conflict) if conflict.is_without_place() => {
                tracing::warn!(session = %tail.key.session, sequence = held.sequence.0, "the store lost a session's place, and its log is longer than what is held here");
                Ok(false)
            }
            // Another replica was first: the next look decides.
            Reply::Conflict(_) | Reply::Turn(_) => Ok(true),
        }
    }

    /// The store stands before what is held, or elsewhere.
    pub(super) async fn mend(&self, tail: &Tail, state: &Arc<SessionState>) -> Result<(), StoreError> {
        let place = state.position;
        if tail.window.chain_at(place.sequence) != Some(place.chain) {
            return self.resolve_fork(tail, state).await;
        }
        let Some(missing) = tail.window.after(place.sequence, usize::MAX) else {
            return self.resolve_fork(tail, state).await;
        };
        let (mut state, mut rest) = (SessionState::clone(state), &missing[..]);
        while !rest.is_empty() {
            let (batch, after) = rest.split_at(fitting(rest));
            let expected = state.position;
            batch.iter().for_each(|entry| state.apply(entry));
            let writing = Writing::of(expected, batch, &state);
            // Where the store has moved on meanwhile, the next look decides.
            let Reply::Stored(_) = self.try_write(tail, &writing).await? else { return Ok(()) };
            rest = after;
        }
        self.settings.meters.restored.add(missing.len() as u64);
        tracing::warn!(session = %tail.key.session, entries = missing.len(), "the store had lost entries: they were put back");
        Ok(())
    }

    /// Two branches were handed out: neither goes on. The new epoch begins above both.
    pub(super) async fn resolve_fork(
        &self,
        tail: &Tail,
        state: &Arc<SessionState>,
    ) -> Result<(), StoreError> {
        let (store, held) = (state.position, tail.window.tail().position);
        let random = Epoch::from_random(fastrand::u32(..));
        let epoch = if mutant!("epoch-kept-after-a-fork") { store.epoch } else { random };
        let above = held.map_or(store.sequence, |held| held.sequence.max(store.sequence));
        let start = Position { epoch, sequence: above, chain: Chain::seed(epoch) };
        let lost = self.lost_entries(tail, store).await?;
        let keys = &tail.keys;
        let rotated = self
            .link
            .call(&self.scripts.rotate, |command| {
                command.arg(2).arg(&keys.meta).arg(&keys.log);
                for place in [store, start] {
                    command.arg(place.epoch.as_str()).arg(place.sequence.0).arg(place.chain.to_string());
                }
                command.arg(&keys.channel).arg(codec::moved());
            })
            .await?;
        if rotated != Value::Int(1) {
            // The store has moved on meanwhile: the next look decides.
            return Ok(());
        }
        self.settings.meters.epochs.add(1);
        tracing::warn!(session = %tail.key.session, lost = lost.len(), "the log was forked: a new epoch begins");
        if !lost.is_empty() {
            self.lost.lock().push(Lost { key: tail.key.clone(), entries: lost });
        }
        // What is held belongs to a branch that doesn't go on.
        tail.leave_branch();
        Ok(())
    }

    /// Entries that are held here and not in the store.
    async fn lost_entries(&self, tail: &Tail, store: Position) -> Result<Vec<Arc<Entry>>, StoreError> {
        let oldest = tail.window.tail().oldest;
        let mut held = tail.window.after(oldest.previous(), usize::MAX).unwrap_or_default();
        let stored = self.range(tail, oldest.previous(), store.epoch, held.len()).await?;
        let chains: HashSet<Chain> = stored.iter().map(|entry| entry.chain).collect();
        held.retain(|entry| !chains.contains(&entry.chain));
        Ok(held)
    }
}

/// How many of these entries go into one append.
fn fitting(entries: &[Arc<Entry>]) -> usize {
    let mut bytes = 0;
    let fits = entries.iter().take(AGAIN).take_while(|entry| {
        bytes += entry.weight();
        bytes <= AGAIN_BYTES
    });
    fits.count().max(1)
}

const _: () = assert!(FORGOTTEN_MS > 60_000, "a deletion is known longer than entries are held");
