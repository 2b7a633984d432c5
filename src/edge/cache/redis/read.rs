//! Reading: what is known of a session, and older entries.

use std::collections::HashMap;
use std::sync::Arc;

use redis::Value;

use super::Shared;
use super::meta::Meta;
use super::reply::restore;
use super::tail::Tail;
use super::value::number;
use super::value::text;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Epoch, Sequence};
use crate::domain::time::Timestamp;
use crate::engine::mux::Tail as WindowTail;
use crate::engine::ports::result_cache::{Loaded, Presence, Read, StoreError};

/// Entries of one read at most.
const READ_MOST: usize = 2_048;
/// How often a place that moved between two questions is asked for.
const READ_TRIES: usize = 3;

/// What the store says of a session, at one moment.
pub(super) struct Found {
    pub(super) now: Timestamp,
    pub(super) meta: Meta,
    first: Option<Sequence>,
    /// Whether its log is gone as well, and the last of everything is there.
    has_latest: bool,
}

impl Found {
    /// The oldest entry that can be read.
    pub(super) fn oldest(&self) -> Sequence {
        self.meta.oldest(self.first)
    }

    /// Whether there is any log.
    pub(super) fn has_log(&self) -> bool {
        self.first.is_some()
    }

    /// Where a log should begin that Redis let go of, whole or up to what was appended since: its place and state still stand.
    pub(super) fn lost_log(&self) -> Option<Sequence> {
        self.meta.log_begins().filter(|begins| *begins < self.oldest())
    }

    /// Whether a session's place and state are gone, and other keys of it still stand: Redis let go of one key of several. They go together
    /// where its time is over, and where it was deleted.
    pub(super) fn is_left_over(&self) -> bool {
        self.meta.position().is_none() && (self.first.is_some() || self.has_latest)
    }
}

impl Shared {
    pub(super) async fn find(&self, tail: &Tail) -> Result<Found, StoreError> {
        let answer = self.link.call(&self.scripts.load, |command| {
            let keys = &tail.keys;
            command.arg(3).arg(&keys.meta).arg(&keys.log).arg(&keys.latest).arg(self.set_now());
        });
        let Value::Array(parts) = answer.await? else {
            return Err(StoreError::Corrupt("what is known of a session can't be read".into()));
        };
        let mut parts = parts.into_iter();
        let mut next = || parts.next().unwrap_or_default();
        let now = Timestamp(number(&next()) as i64);
        let meta = Meta::read(next());
        let (first, has_latest) = (sequence_of(&text(&next())), number(&next()) == 1);
        Ok(Found { now, meta, first, has_latest })
    }

    pub(super) async fn load(self: &Arc<Self>, key: &SessionKey) -> Result<Loaded, StoreError> {
        let tail = self.tail(key);
        // Taken before the store is asked, as what is appended meanwhile isn't lost.
        let held = tail.window.tail();
        let mut found = self.find(&tail).await?;
        if self.has_lost(&tail, &found) {
            found = self.found_again(&tail).await?;
        } else if has_gone_back(&held, &found) {
            self.sync(&tail).await?;
            found = self.find(&tail).await?;
        } else if found.lost_log().is_some() && self.put_held_in_front(&tail, &found).await {
            found = self.find(&tail).await?;
        }
        if let Some(store) = found.meta.position() {
            tail.may_come_from(store.epoch, found.meta.past());
        }
        let presence = found.meta.presence(&key.session, found.now, self.lifetime())?;
        if matches!(presence, Presence::Unknown) && !found.meta.is_forgotten(None) {
            self.look_before_unknown().await;
        }
        self.notice_overdue(&tail, &presence, found.now).await;
        let (oldest, late) = match &presence {
            Presence::Unknown => (Sequence(1), HashMap::new()),
            Presence::Expired(position) => (position.sequence.next(), HashMap::new()),
            Presence::Live(_) | Presence::Archived(_) => (found.oldest(), found.meta.late()),
        };
        let lacks = found.meta.lacks();
        Ok(Loaded { presence, oldest, late, lacks, now: found.now })
    }

    /// Whether there should be more of a session than the store says.
    fn has_lost(&self, tail: &Tail, found: &Found) -> bool {
        let held = tail.window.tail().position.map(|held| held.epoch);
        let is_lost = found.meta.position().is_none() && !found.meta.is_forgotten(held);
        is_lost && (found.is_left_over() || tail.state().is_some())
    }

    /// What is held of a session that the store has lost goes back, from here or from who holds it, before anybody is told that
    /// there is nothing.
    async fn found_again(self: &Arc<Self>, tail: &Tail) -> Result<Found, StoreError> {
        self.sync(tail).await?;
        let found = self.find(tail).await?;
        if !self.has_lost(tail, &found) {
            return Ok(found);
        }
        self.call_others(tail).await?;
        self.others_first(tail, |found| !self.has_lost(tail, found)).await
    }

    /// What a followed session's tail knows, without asking the store.
    pub(super) fn known(&self, key: &SessionKey) -> Option<Loaded> {
        let tail = self.tails.get(key)?.clone();
        if !self.is_followed(&tail) {
            return None;
        }
        let (presence, oldest) = tail.presence();
        match presence {
            Presence::Live(state) => {
                let now = state.last_at;
                Some(Loaded {
                    presence: Presence::Live(state),
                    oldest,
                    late: HashMap::new(),
                    lacks: None,
                    now,
                })
            }
            Presence::Unknown | Presence::Expired(_) | Presence::Archived(_) => None,
        }
    }

    /// Entries of the log after `after`.
    pub(super) async fn range(
        &self,
        tail: &Tail,
        after: Sequence,
        epoch: Epoch,
        limit: usize,
    ) -> Result<Vec<Arc<Entry>>, StoreError> {
        let mut command = redis::cmd("XRANGE");
        command.arg(&tail.keys.log).arg(format!("({after}-0")).arg("+").arg("COUNT").arg(limit);
        let Value::Array(items) = self.link.run(&command).await? else { return Ok(Vec::new()) };
        let mut entries = Vec::with_capacity(items.len());
        for item in &items {
            // {id, {"e", bytes}}
            let Value::Array(item) = item else { continue };
            if let Some(Value::Array(fields)) = item.get(1)
                && let Some(bytes) = fields.get(1)
            {
                entries.push(restore(bytes, epoch)?);
            }
        }
        Ok(entries)
    }

    pub(super) async fn read(
        self: &Arc<Self>,
        key: &SessionKey,
        after: Sequence,
        limit: usize,
    ) -> Result<Read, StoreError> {
        let tail = self.tail(key);
        if self.is_followed(&tail)
            && let Some(entries) = tail.window.after(after, limit)
        {
            return Ok(Read::Entries(entries));
        }
        // An entry's bytes don't depend on the epoch's name.
        let epoch = Epoch::from_random(0);
        for _ in 0..READ_TRIES {
            let entries = self.range(&tail, after, epoch, limit.min(READ_MOST));
            let (loaded, entries) = futures::future::try_join(self.load(key), entries).await?;
            let first = entries.first().map(|entry| entry.sequence);
            match continued(after, loaded.oldest, loaded.presence.tail(), first) {
                Continued::Entries => return Ok(Read::Entries(entries)),
                Continued::Trimmed(oldest) => return Ok(Read::Trimmed { oldest }),
                Continued::Moved => {}
            }
        }
        Err(StoreError::Unavailable("a log moved faster than it could be read".into()))
    }
}

/// Whether the store stands before what was held here: who is told what it says would find no step that others were told is stored.
fn has_gone_back(held: &WindowTail, found: &Found) -> bool {
    let both = held.position.zip(found.meta.position()).filter(|_| !held.expired);
    both.is_some_and(|(held, store)| held.epoch == store.epoch && held.sequence > store.sequence)
}

/// What two questions say together of the log after a place.
#[derive(Debug, PartialEq, Eq)]
enum Continued {
    /// The entries follow it, or there is nothing after it.
    Entries,
    /// The log begins later.
    Trimmed(Sequence),
    /// It was written or wholly trimmed between the questions: nobody may be told that there is nothing.
    Moved,
}

/// Of the entries after `after` the first is `first`; the state says that the log goes from `oldest` to `tail`.
fn continued(after: Sequence, oldest: Sequence, tail: Sequence, first: Option<Sequence>) -> Continued {
    match first {
        _ if after.next() < oldest => Continued::Trimmed(oldest),
        Some(first) if first == after.next() => Continued::Entries,
        // Trimmed between the two.
        Some(first) => Continued::Trimmed(first),
        None if tail <= after => Continued::Entries,
        None => Continued::Moved,
    }
}

/// The sequence in a stream's id.
fn sequence_of(id: &str) -> Option<Sequence> {
    id.split('-').next()?.parse().ok().map(Sequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moved_between_two_questions_is_not_taken_for_the_end() {
        let at = Sequence;
        for (after, oldest, tail, first, expected) in [
            (4, 1, 9, Some(5), Continued::Entries),
            (9, 1, 9, None, Continued::Entries),
            (4, 7, 9, Some(7), Continued::Trimmed(at(7))),
            (4, 7, 9, None, Continued::Trimmed(at(7))),
            // The state was read before a trim.
            (4, 1, 9, Some(7), Continued::Trimmed(at(7))),
            // The entries were read before a write, or after a trim of all.
            (4, 1, 9, None, Continued::Moved),
            (9, 1, 10, None, Continued::Moved),
        ] {
            let found = continued(at(after), at(oldest), at(tail), first.map(at));
            assert_eq!(found, expected, "after {after} of {oldest} to {tail}, first {first:?}");
        }
    }
}
