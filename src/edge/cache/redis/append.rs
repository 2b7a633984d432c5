//! Appending and confirming: one script that compares first.

use std::sync::Arc;

use redis::Cmd;

use super::archived::keys_of;
use super::head::{Asked, Turn, head_of};
use super::reply::{Conflict, Reply, read_reply};
use super::tail::{Offer, Tail};
use super::writing::Writing;
use super::{Shared, meta};
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Epoch, Position, Sequence};
use crate::domain::record::Output;
use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;
use crate::engine::ports::result_cache::{Append, Appended, Missed, Presence, StoreError};

/// Conflicts in a row after which the store reserves the next append.
const CONFLICTS_BEFORE_TURN: u32 = 2;
/// How often an append waits for another's turn.
const TURNS: usize = 50;

impl Shared {
    pub(super) async fn append(self: &Arc<Self>, append: &Append) -> Result<Appended, StoreError> {
        let tail = self.tail(&append.key);
        let mut writing = Writing::of(append.expected, &append.entries, &append.state);
        writing.only_ends = append.only_ends;
        let writing = Arc::new(writing);
        if let Some(missed) = self.missed_here(&tail, &writing) {
            return Ok(Appended::Conflict(missed));
        }
        if writing.is_fresh {
            Box::pin(self.list(&append.key)).await?;
        }
        let stored = match self.append_with_others(&tail, &writing).await? {
            Some(now) => Ok(now),
            // Seldom: each append would carry its room.
            None => Box::pin(self.compare(&tail, &writing)).await?,
        };
        match stored {
            Ok(now) => {
                if tail.appended(append, writing.is_fresh) == Offer::Hole {
                    self.sync_later(&tail);
                }
                if writing.is_fresh {
                    Box::pin(self.list_again(&append.key)).await;
                }
                Ok(Appended::Stored { now })
            }
            Err(missed) => Ok(Appended::Conflict(missed)),
        }
    }

    pub(super) async fn confirm(
        self: &Arc<Self>,
        key: &SessionKey,
        position: Position,
    ) -> Result<Option<Missed>, StoreError> {
        let tail = self.tail(key);
        let nothing = Writing::nothing(position);
        if let Some(missed) = self.missed_here(&tail, &nothing) {
            return Ok(Some(missed));
        }
        Ok(self.compare(&tail, &nothing).await?.err())
    }

    /// Counts a late result, beside the log.
    pub(super) async fn note_late(&self, key: &SessionKey, output: &Output) -> Result<(), StoreError> {
        let tail = self.tail(key);
        let field = meta::late_field(output);
        let counted = self.link.call(&self.scripts.note_late, |command| {
            command.arg(1).arg(&tail.keys.meta).arg(&field).arg(meta::FORMAT);
        });
        meta::count_unless_newer(&counted.await?).map(|_| ())
    }

    /// What a writer missed that this process knows already. Not only faster: a store that has just lost the newest
    /// entries would take an append in their place from a writer that hasn't seen them.
    fn missed_here(&self, tail: &Tail, writing: &Writing) -> Option<Missed> {
        let expected = writing.expected;
        let held = tail.window.tail();
        let knows_more = held.position.is_some_and(|held| {
            held.epoch == expected.epoch
                && held.sequence > expected.sequence
                && tail.window.chain_at(expected.sequence) == Some(expected.chain)
        });
        if !knows_more || held.expired || (!writing.is_fresh && tail.began_after(expected.sequence)) {
            return None;
        }
        let entries =
            tail.window.after(expected.sequence, usize::MAX).filter(|entries| !entries.is_empty())?;
        Some(Missed { entries, state: None, now: self.now() })
    }

    /// Runs the script until it is this replica's turn. A store that knows less than this replica is mended first.
    async fn compare(
        self: &Arc<Self>,
        tail: &Arc<Tail>,
        writing: &Writing,
    ) -> Result<Result<Timestamp, Missed>, StoreError> {
        // What is rare is boxed: each append would carry its room.
        let mut mended = false;
        for _ in 0..TURNS {
            match self.try_write(tail, writing).await? {
                Reply::Stored { now, .. } => return Ok(Ok(now)),
                Reply::Turn(wait) => tokio::time::sleep(wait).await,
                Reply::Conflict(conflict) if !mended && must_mend(tail, &conflict, writing.expected) => {
                    mended = true;
                    Box::pin(self.sync(tail)).await?;
                }
                Reply::Conflict(conflict) => {
                    return Box::pin(self.missed(tail, writing.expected, conflict)).await.map(Err);
                }
            }
        }
        Err(StoreError::Unavailable("other replicas took every turn".into()))
    }

    /// The store's time, as far as it was told.
    pub(super) fn now(&self) -> Timestamp {
        match self.set_now() {
            0 => self.clock.now(),
            set => Timestamp(set),
        }
    }

    /// Runs the script once.
    pub(super) async fn try_write(&self, tail: &Tail, writing: &Writing) -> Result<Reply, StoreError> {
        let turn = if writing.puts_back {
            Turn::NotNeeded
        } else if !writing.message.is_empty() && tail.count_conflict() >= CONFLICTS_BEFORE_TURN {
            Turn::Wanted
        } else {
            Turn::Any
        };
        let answer =
            self.link.call(&self.scripts.append, |command| self.arguments(command, tail, writing, turn));
        let reply = read_reply(answer.await?, writing.expected)?;
        match &reply {
            Reply::Stored { now, past } => {
                self.clock.observe(*now);
                if past.is_some() && !writing.puts_back {
                    tail.came_from(writing.expected.epoch, past.as_deref());
                }
            }
            Reply::Conflict(Conflict { now, .. }) => {
                self.clock.observe(*now);
                tail.note_contention();
            }
            Reply::Turn(_) => {}
        }
        Ok(reply)
    }

    fn arguments(&self, command: &mut Cmd, tail: &Tail, writing: &Writing, turn: Turn) {
        keys_of(command, tail);
        command.arg(self.head(tail, writing, turn)).arg(&tail.keys.channel);
        values_of(command, writing);
    }

    pub(super) fn head(&self, tail: &Tail, writing: &Writing, turn: Turn) -> Vec<u8> {
        let own_listeners = match (self.link.is_cluster(), tail.followed_in()) {
            (true, _) => -1,
            (false, subscription) => {
                i8::from(subscription != 0 && subscription == self.subscriptions.current())
            }
        };
        head_of(writing, &Asked { now: self.set_now(), own_listeners, turn, replica: &self.replica })
    }

    /// What a writer at `expected` doesn't know, for it and for the window.
    async fn missed(
        self: &Arc<Self>,
        tail: &Arc<Tail>,
        expected: Position,
        conflict: Conflict,
    ) -> Result<Missed, StoreError> {
        let now = conflict.now;
        let continues = |entry: &Arc<Entry>| entry.previous_chain == expected.chain;
        if conflict.entries.first().is_some_and(continues) {
            // `ended` is told with the message, or when the window catches up.
            if self.offer_missed(tail, expected, &conflict.entries) == Offer::Hole && tail.followed_in() != 0
            {
                self.sync_later(tail);
            }
            return Ok(Missed { entries: conflict.entries, state: None, now });
        }
        let presence = if conflict.entries.is_empty() && !conflict.is_without_place() {
            if let Some(store) = conflict.position {
                tail.may_come_from(store.epoch, conflict.meta.past());
            }
            conflict.meta.presence(&tail.key.session, now, self.lifetime())?
        } else {
            self.load(&tail.key).await?.presence
        };
        let state = match presence {
            Presence::Live(state) | Presence::Archived(state) => state,
            Presence::Expired(position) => self.empty(tail, position),
            Presence::Unknown => self.empty(tail, self.start_above(tail, conflict.last_in_log)),
        };
        Ok(Missed { entries: Vec::new(), state: Some(state), now })
    }

    /// The window learns from conflicts too, where the state says whether the session has ended.
    fn offer_missed(&self, tail: &Tail, expected: Position, entries: &[Arc<Entry>]) -> Offer {
        let Some(mut state) = tail.state().filter(|state| state.position == expected) else {
            return Offer::Hole;
        };
        let folding = Arc::make_mut(&mut state);
        entries.iter().for_each(|entry| folding.apply(entry));
        tail.offer(expected.epoch, entries, folding.is_ended(), false)
    }

    fn empty(&self, tail: &Tail, position: Position) -> Arc<SessionState> {
        Arc::new(SessionState::new(tail.key.session.clone(), position))
    }

    /// The start of a new epoch, above all that is known of the session.
    pub(super) fn start_above(&self, tail: &Tail, last_in_log: Sequence) -> Position {
        let held = tail.window.tail().position.map_or(Sequence(0), |position| position.sequence);
        let epoch = Epoch::from_random(fastrand::u32(..));
        Position { sequence: held.max(last_in_log), ..Position::start(epoch) }
    }
}

/// What is written, after the head.
pub(super) fn values_of(command: &mut Cmd, writing: &Writing) {
    for entry in writing.entries() {
        command.arg(entry);
    }
    for (name, value) in &writing.fields {
        command.arg(name).arg(value);
    }
    for (slot, _) in &writing.slots {
        command.arg(slot);
    }
}

/// Whether the store may have lost what is held here: it knows less than the writer, or of another epoch.
fn must_mend(tail: &Tail, conflict: &Conflict, expected: Position) -> bool {
    let is_held = || tail.window.tail().position.is_some_and(|held| held.epoch == expected.epoch);
    let is_elsewhere = conflict.position.is_some_and(|store| store.epoch != expected.epoch);
    conflict.is_behind(expected) || is_elsewhere && is_held()
}
