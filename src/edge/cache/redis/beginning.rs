//! The beginning of a log that was put back without it: who held only the end of a session was the first to find the store empty.
//!
//! The log is marked then (`torn`), and whoever holds what came before, a replica or an archive, puts that in front of it, byte for
//! byte: positions, chain and state stay what they are.

use std::sync::Arc;

use super::Shared;
use super::archived::{keys_of, latest_of};
use super::codec::{self, entry_bytes};
use super::meta::{Meta, count_unless_newer};
use super::place::where_of;
use super::read::Found;
use super::tail::Tail;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::time::Timestamp;
use crate::engine::ports::result_cache::StoreError;

/// How long after a log was put back so somebody is waited for who holds more of it, in milliseconds.
const AWAITED_MS: u64 = 10_000;

impl Shared {
    /// Puts what is held here in front of a log that lacks it.
    pub(super) async fn complete_from_here(&self, tail: &Tail, found: &Found) -> Result<(), StoreError> {
        if found.meta.torn().is_none() || mutant!("beginning-not-put-back") {
            return Ok(());
        }
        self.complete(tail, found, &tail.entries()).await.map(|_| ())
    }

    /// The same with what an archive has.
    pub(super) async fn complete_with(
        &self,
        key: &SessionKey,
        known: &[Arc<Entry>],
    ) -> Result<bool, StoreError> {
        let tail = self.tail(key);
        let found = self.find(&tail).await?;
        self.complete(&tail, &found, known).await
    }

    /// `false` where nothing of it belongs in front of the log.
    async fn complete(&self, tail: &Tail, found: &Found, known: &[Arc<Entry>]) -> Result<bool, StoreError> {
        let (Some((from, _)), Some(position)) = (found.meta.torn(), found.meta.position()) else {
            return Ok(false);
        };
        let oldest = found.oldest();
        let earlier: Vec<&Arc<Entry>> =
            known.iter().filter(|entry| (from..oldest).contains(&entry.sequence)).collect();
        let (Some(first), Some(last)) = (earlier.first(), earlier.last()) else { return Ok(false) };
        let next = self.range(tail, oldest.previous(), position.epoch, 1).await?;
        let follows =
            next.first().is_some_and(|next| next.sequence == oldest && next.previous_chain == last.chain);
        let is_dense = earlier.windows(2).all(|two| two[1].previous_chain == two[0].chain);
        if !follows || !is_dense {
            return Ok(false);
        }
        let (first, is_whole) = (first.sequence, first.sequence <= from);
        let entries: Vec<Arc<Entry>> = earlier.into_iter().cloned().collect();
        let done = self.link.call(&self.scripts.complete, |command| {
            keys_of(command, tail);
            command.arg(&where_of(position)[..16]).arg(oldest.0).arg(first.0).arg(u8::from(is_whole));
            command.arg(&tail.keys.channel).arg(codec::moved()).arg(entries.len());
            for entry in &entries {
                command.arg(entry_bytes(entry));
            }
            for (slot, bytes) in latest_of(&entries) {
                command.arg(slot).arg(bytes);
            }
        });
        // Where the log was trimmed or put back meanwhile, the next look decides.
        if count_unless_newer(&done.await?)? == 0 {
            return Ok(false);
        }
        tail.begins_at(first);
        self.settings.meters.restored.add(entries.len() as u64);
        tracing::warn!(session = %tail.key.session, entries = entries.len(), "the store had a log without its beginning: that was put back");
        Ok(true)
    }

    /// Whether somebody may be about to put the beginning of a log in front of it.
    pub(super) fn awaits_beginning(&self, meta: &Meta, now: Timestamp) -> bool {
        meta.torn().is_some_and(|(_, at)| now.since_ms(at) < AWAITED_MS)
    }

    /// Waits a while for who does.
    pub(super) async fn await_beginning(&self, tail: &Tail) -> Result<(), StoreError> {
        let mut command = redis::cmd("PUBLISH");
        self.link.run(command.arg(&tail.keys.channel).arg(codec::moved())).await?;
        self.others_first(tail, |found| found.meta.torn().is_none()).await.map(|_| ())
    }
}
