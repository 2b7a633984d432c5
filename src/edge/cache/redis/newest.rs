//! The last of everything that a store lost, from whoever saw it: a log is put back as far as a window reaches, and an output that was
//! quiet for longer ended before that.

use std::sync::Arc;

use redis::Value;

use super::Shared;
use super::archived::{keys_of, latest_of};
use super::meta::count_unless_newer;
use super::place::where_of;
use super::tail::Tail;
use super::value::number;
use crate::domain::entry::Entry;
use crate::domain::position::{Position, Sequence};
use crate::domain::session::SessionState;
use crate::engine::mux::{Latest, add_missing, misses_after, snapshot_slot};
use crate::engine::ports::result_cache::{StoreError, fitting};

/// Entries of one question.
const ASKED: usize = 1_000;

impl Shared {
    /// Compares a window with a store that may have lost something, and adds what is known here beyond it.
    pub(super) async fn sync_and_add(self: &Arc<Self>, tail: &Tail) -> Result<(), StoreError> {
        self.sync(tail).await?;
        self.add_newest(tail).await?;
        // Only now: what couldn't be added, or put in front, is tried again with the next sweep.
        tail.note_compared();
        Ok(())
    }

    /// Adds the last of everything that is held here and in no window, where the store stands where this replica does. As a rule it has
    /// all of it: only what it lacks is sent.
    pub(super) async fn add_newest(&self, tail: &Tail) -> Result<(), StoreError> {
        let Some(state) = tail.state() else { return Ok(()) };
        let oldest = tail.window.tail().oldest;
        let mut newest = tail.newest(&state);
        newest.retain(|entry| entry.sequence < oldest);
        self.add_lacking(tail, state.position, &newest).await
    }

    /// Redis let go of the last of everything, and of nothing else: what a snapshot at this state lacks is added to it, out of the log
    /// and of what is held here, and goes back to the store.
    pub(super) async fn put_newest_back(
        &self,
        tail: &Tail,
        state: &SessionState,
        snapshot: &mut Vec<Arc<Entry>>,
    ) -> Result<(), StoreError> {
        let Some(after) = misses_after(state, snapshot) else { return Ok(()) };
        if !tail.looks_for_newest() {
            return Ok(());
        }
        let is_level = tail.state().is_some_and(|held| held.position == state.position);
        let mut known = if is_level { tail.newest(state) } else { Vec::new() };
        known.extend(self.log_to(tail, after, state.position).await?);
        let mut latest = Latest::default();
        for entry in &known {
            latest.note(entry);
        }
        let newest = latest.entries();
        add_missing(snapshot, &newest);
        let is_whole = misses_after(state, snapshot).is_none();
        if !is_whole {
            tail.newest_is_gone();
        }
        match self.add_lacking(tail, state.position, &newest).await {
            Ok(()) if newest.is_empty() => {}
            Ok(()) => {
                tracing::warn!(session = %tail.key.session, is_whole, "the store had lost the last of everything: it was put back");
            }
            // This snapshot has it all the same; the next one looks again.
            Err(error) => {
                tracing::warn!(%error, session = %tail.key.session, "the last of everything, which the store had lost, was not put back");
            }
        }
        Ok(())
    }

    /// What the log has between two places; nothing where it doesn't lead to the second any more.
    async fn log_to(
        &self,
        tail: &Tail,
        after: Sequence,
        to: Position,
    ) -> Result<Vec<Arc<Entry>>, StoreError> {
        let mut log = self.entries_after(tail, after, to).await?;
        log.retain(|entry| entry.sequence <= to.sequence);
        let leads_there = log.last().is_some_and(|last| last.chain == to.chain)
            && log.windows(2).all(|two| two[1].previous_chain == two[0].chain);
        Ok(if leads_there { log } else { Vec::new() })
    }

    /// Adds what the store lacks of it, where it stands in the epoch of this place.
    async fn add_lacking(
        &self,
        tail: &Tail,
        position: Position,
        newest: &[Arc<Entry>],
    ) -> Result<(), StoreError> {
        let epoch = &where_of(position)[..16];
        for asked in newest.chunks(ASKED) {
            let mut lacking = self.lacking(tail, epoch, asked).await?;
            while !lacking.is_empty() {
                let rest = lacking.split_off(fitting(&lacking));
                self.add_latest(tail, epoch, &lacking).await?;
                lacking = rest;
            }
        }
        Ok(())
    }

    /// Those that the store doesn't have, nor anything newer in their place.
    async fn lacking(
        &self,
        tail: &Tail,
        epoch: &[u8],
        asked: &[Arc<Entry>],
    ) -> Result<Vec<Arc<Entry>>, StoreError> {
        let lacks = self.link.call(&self.scripts.lacks_latest, |command| {
            keys_of(command, tail);
            command.arg(epoch);
            for entry in asked {
                command.arg(snapshot_slot(entry).unwrap_or_default()).arg(entry.sequence.0);
            }
        });
        let lacks = lacks.await?;
        let Value::Array(lacks) = &lacks else {
            return count_unless_newer(&lacks).map(|_| Vec::new());
        };
        let at = |index: &Value| usize::try_from(number(index)).ok().and_then(|index| asked.get(index));
        Ok(lacks.iter().filter_map(at).cloned().collect())
    }

    async fn add_latest(&self, tail: &Tail, epoch: &[u8], entries: &[Arc<Entry>]) -> Result<(), StoreError> {
        let added = self.link.call(&self.scripts.add_latest, |command| {
            keys_of(command, tail);
            command.arg(self.set_now()).arg(epoch);
            for (slot, bytes) in latest_of(entries) {
                command.arg(slot).arg(bytes);
            }
        });
        count_unless_newer(&added.await?).map(drop)
    }
}
