//! The beginning of a log that was put back without it: who held only the end of a session was the first to find the store empty.
//!
//! The log is marked then (`torn`), and whoever holds what came before, a replica or an archive, puts that in front of it, byte for
//! byte, as far as there is room: positions, chain and state stay what they are. A log that Redis let go of alone is known by its place,
//! which says where it began; a replica that holds it puts it back by the same way.

use std::sync::Arc;

use super::Shared;
use super::archived::{keys_of, latest_of};
use super::codec::{self, entry_bytes};
use super::meta::count_unless_newer;
use super::place::where_of;
use super::read::Found;
use super::tail::Tail;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Chain, Position, Sequence};
use crate::engine::ports::result_cache::{Lack, Presence, StoreError};

/// Where entries are put in front.
struct Joint {
    at: Sequence,
    /// The chain that leads there.
    before: Chain,
    /// That of the entry which stands there; the log's where there is none.
    chain: Chain,
}

impl Shared {
    /// Puts what is held here in front of a log that lacks it, and says whether it was. That it fails does no harm: the window stands
    /// where the store does, and the next look tries again.
    pub(super) async fn put_held_in_front(&self, tail: &Tail, found: &Found) -> bool {
        let lacks = found.meta.lacks().is_some() && !mutant!("beginning-not-put-back");
        if !lacks && found.lost_log().is_none() {
            return false;
        }
        let put = self.put_in_front(tail, found, &tail.held(), false).await;
        put.unwrap_or_else(|error| {
            tracing::debug!(%error, session = %tail.key.session, "the beginning of a log was not put back");
            false
        })
    }

    /// The same with what an archive has. Once no replica holds anything more, that is all there is.
    pub(super) async fn put_archived_in_front(
        &self,
        key: &SessionKey,
        known: &[Arc<Entry>],
    ) -> Result<bool, StoreError> {
        let tail = self.tail(key);
        let found = self.find(&tail).await?;
        let is_old = |lack: Lack| found.now.since_ms(lack.since) >= Lack::HELD_MS;
        let is_all = found.meta.lacks().is_some_and(is_old);
        self.put_in_front(&tail, &found, known, is_all).await
    }

    /// `false` where nothing of it belongs in front of the log.
    async fn put_in_front(
        &self,
        tail: &Tail,
        found: &Found,
        known: &[Arc<Entry>],
        is_all: bool,
    ) -> Result<bool, StoreError> {
        let presence = found.meta.presence(&tail.key.session, found.now, self.lifetime())?;
        let Presence::Live(state) = presence else { return Ok(false) };
        let lost = found.lost_log();
        let Some(from) = lost.or(found.meta.lacks().map(|lack| lack.from)) else { return Ok(false) };
        // Of what Redis let go of others may hold more, whatever an archive has.
        let is_all = is_all && lost.is_none();
        let (position, oldest) = (state.position, found.oldest());
        let is_earlier = |entry: &&Arc<Entry>| (from..oldest).contains(&entry.sequence);
        let mut earlier: Vec<Arc<Entry>> = known.iter().filter(is_earlier).cloned().collect();
        if earlier.is_empty() && !is_all {
            return Ok(false);
        }
        let Some(next) = self.joint(tail, found, position).await? else { return Ok(false) };
        let surplus = earlier.len() - leading_to(next.before, &earlier);
        earlier.drain(..surplus);
        if earlier.is_empty() && !is_all {
            return Ok(false);
        }
        let is_all = is_all || earlier.first().is_some_and(|first| first.sequence <= from);
        let count = self.write_in_front(tail, (position, &next), &earlier, is_all).await?;
        let Some(first) = earlier.len().checked_sub(count).and_then(|at| earlier.get(at)) else {
            return Ok(false);
        };
        tail.begins_at(oldest, first.sequence);
        self.settings.meters.restored.add(count as u64);
        tracing::warn!(session = %tail.key.session, entries = count, "the store had a log without its beginning: that was put back");
        Ok(true)
    }

    /// What stands in the log first, or, where there is no log, would follow it. `None` where the log moved since it was found.
    async fn joint(
        &self,
        tail: &Tail,
        found: &Found,
        position: Position,
    ) -> Result<Option<Joint>, StoreError> {
        let oldest = found.oldest();
        if !found.has_log() {
            return Ok(Some(Joint { at: oldest, before: position.chain, chain: position.chain }));
        }
        let first = self.range(tail, oldest.previous(), position.epoch, 1).await?;
        let first = first.first().filter(|first| first.sequence == oldest);
        Ok(first.map(|first| Joint { at: oldest, before: first.previous_chain, chain: first.chain }))
    }

    /// How many were written: none where the log was trimmed or put back meanwhile, which the next look sees.
    async fn write_in_front(
        &self,
        tail: &Tail,
        (position, next): (Position, &Joint),
        earlier: &[Arc<Entry>],
        is_all: bool,
    ) -> Result<usize, StoreError> {
        let first = earlier.first().map_or(next.at, |first| first.sequence);
        let done = self.link.call(&self.scripts.complete, |command| {
            keys_of(command, tail);
            command.arg(&where_of(position)[..16]).arg(next.at.0).arg(&next.chain.0.to_be_bytes());
            command.arg(first.0).arg(u8::from(is_all));
            command.arg(self.settings.ring_entries).arg(self.settings.ring_bytes);
            command.arg(&tail.keys.channel).arg(codec::moved()).arg(earlier.len()).arg(self.set_now());
            for entry in earlier {
                command.arg(entry_bytes(entry));
            }
            for (slot, bytes) in latest_of(earlier) {
                command.arg(slot).arg(bytes);
            }
        });
        Ok(usize::try_from(count_unless_newer(&done.await?)?).unwrap_or(usize::MAX))
    }

    /// Waits a while for who holds the beginning of a log that lacks it.
    pub(super) async fn await_beginning(&self, tail: &Tail) -> Result<(), StoreError> {
        self.call_others(tail).await?;
        self.others_first(tail, |found| found.meta.lacks().is_none()).await.map(|_| ())
    }
}

/// How many of the last entries lead to a place without a hole.
fn leading_to(place: Chain, entries: &[Arc<Entry>]) -> usize {
    let chains = entries.iter().rev().scan(place, |before, entry| {
        let leads = entry.chain == *before;
        *before = entry.previous_chain;
        leads.then_some(())
    });
    chains.count()
}
