//! Something else was stored in the place of what is held here: the store had gone back, or lost the session, and another replica
//! went on, or began anew, before that was noticed.
//!
//! One of both goes on, in a new epoch above both; what was acknowledged in the other is decided again. Of two branches of an epoch the one
//! that holds more that was acknowledged goes on, of two beginnings the one with the larger state. An archive is given both first (`hand_over`).

use std::collections::HashSet;
use std::sync::Arc;

use redis::Value;

use super::archived::{keys_of, latest_of};
use super::descent::line;
use super::hand_over::Branches;
use super::place::where_of;
use super::read::Found;
use super::tail::Tail;
use super::weigh::{acknowledged, knows, was_over, weight};
use super::{Shared, codec};
use crate::domain::entry::Entry;
use crate::domain::position::{Chain, Epoch, Position, Sequence};
use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;
use crate::edge::cache::keep_until;
use crate::engine::ports::result_cache::{Lost, StoreError};
use crate::engine::ports::wake_index::Work;

/// What only one of both has.
#[derive(Default)]
struct Apart {
    held: Vec<Arc<Entry>>,
    stored: Vec<Arc<Entry>>,
    /// All of the store's log, how much of that is held too, and where it begins.
    log: Vec<Arc<Entry>>,
    in_both: usize,
    in_store: HashSet<Chain>,
    oldest: Sequence,
}

impl Apart {
    /// Whether an entry may be one of the store's log.
    fn may_have(&self, entry: &Entry) -> bool {
        entry.sequence < self.oldest || self.in_store.contains(&entry.chain)
    }
}

impl Shared {
    /// Two branches of one epoch were handed out: the next look finds another one.
    pub(super) async fn resolve_fork(
        &self,
        tail: &Tail,
        found: &Found,
        store: &Arc<SessionState>,
    ) -> Result<(), StoreError> {
        let apart = self.apart(tail, store).await?;
        let is_more = acknowledged(&apart.held) > acknowledged(&apart.stored);
        match tail.state().filter(|_| is_more && !mutant!("branch-of-the-store-goes-on")) {
            Some(held) => self.replace(tail, found, store, &held, apart).await,
            None => self.rotate(tail, found, store, apart).await,
        }
    }

    /// The store knows nothing of the epoch that is held. `true` where what is held was put back: the next look finds it. Otherwise
    /// what the store has is to be taken.
    pub(super) async fn resolve_loss(
        &self,
        tail: &Tail,
        found: &Found,
        store: &Arc<SessionState>,
    ) -> Result<bool, StoreError> {
        let apart = self.apart(tail, store).await?;
        match tail.state().filter(|held| tail.is_of_before(store.position) || weight(held) > weight(store)) {
            Some(held) => self.replace(tail, found, store, &held, apart).await.map(|()| true),
            None => {
                tail.keep_newest(|entry| apart.may_have(entry));
                self.hand_over_left(tail, held_epoch(tail, store.position), &apart.held).await;
                self.decide_again(tail, apart.held, was_over(store, &apart.stored));
                Ok(false)
            }
        }
    }

    /// Whether what the store calls expired is held here and isn't: the store lost it, and a replica that held nothing of it
    /// asked the archive. That the log goes on from there, in a new epoch, is all that was put back.
    pub(super) fn lives_here(&self, tail: &Tail, held: Position, place: Position, now: Timestamp) -> bool {
        // Who asked may know of a place only that the window has let go of.
        let is_before = place.sequence.next() < tail.window.tail().oldest;
        let goes_on = held.epoch != place.epoch && (tail.reaches(place) || is_before);
        let is_alive = || tail.state().is_some_and(|state| now < self.lives_until(&state));
        goes_on && !tail.window.tail().expired && is_alive() && !mutant!("held-session-given-up-as-expired")
    }

    /// Puts that back.
    pub(super) async fn resolve_expiry(
        &self,
        tail: &Tail,
        found: &Found,
        place: Position,
    ) -> Result<(), StoreError> {
        let Some(held) = tail.state() else { return Ok(()) };
        let store = SessionState::new(tail.key.session.clone(), place);
        let apart = Apart { held: tail.entries(), ..Apart::default() };
        self.replace(tail, found, &store, &held, apart).await
    }

    /// What only one of both has, of the entries that are kept. Where what is held begins after the place at which they parted, its state says
    /// what it knows of the store's.
    async fn apart(&self, tail: &Tail, store: &SessionState) -> Result<Apart, StoreError> {
        let mut held = tail.entries();
        let log = self.entries_after(tail, Sequence(0), store.position).await?;
        let (mut stored, mut in_both) = (log.clone(), 0);
        let oldest = stored.first().map_or(store.position.sequence.next(), |first| first.sequence);
        let before_held = held.first().map(|first| first.previous_chain);
        let in_held: HashSet<Chain> = held.iter().map(|entry| entry.chain).chain(before_held).collect();
        let in_store: HashSet<Chain> = stored.iter().map(|entry| entry.chain).collect();
        held.retain(|entry| !in_store.contains(&entry.chain));
        match (stored.iter().rposition(|entry| in_held.contains(&entry.chain)), tail.state()) {
            (Some(last), _) => in_both = stored.drain(..=last).count(),
            (None, Some(state)) if state.position.epoch == store.position.epoch => {
                stored.retain(|entry| !knows(&state, entry));
            }
            (None, _) => {}
        }
        Ok(Apart { held, stored, log, in_both, in_store, oldest })
    }

    /// The store's branch goes on.
    async fn rotate(
        &self,
        tail: &Tail,
        found: &Found,
        state: &SessionState,
        mut apart: Apart,
    ) -> Result<(), StoreError> {
        let store = state.position;
        let branches = Branches {
            goes_on: std::mem::take(&mut apart.log),
            last: store,
            left: &apart.held,
            left_epoch: held_epoch(tail, store),
        };
        let start = self.hand_over(tail, branches, start_above(tail, store)).await;
        let past = line(&[(found.meta.past(), store)]);
        self.announce(tail, state).await?;
        let rotated = self.link.call(&self.scripts.rotate, |command| {
            command.arg(2).arg(&tail.keys.meta).arg(&tail.keys.log);
            command.arg(&where_of(store)).arg(&where_of(start));
            command.arg(&tail.keys.channel).arg(codec::moved()).arg(&past);
        });
        let was_over = was_over(state, &apart.stored);
        let is_done = rotated.await? == Value::Int(1);
        if is_done {
            tail.keep_newest(|entry| apart.may_have(entry));
        }
        self.moved(tail, is_done, apart.held, was_over);
        Ok(())
    }

    /// The store left the epoch that is held at this place, and went on without what comes after it: that is decided again. Of a log
    /// longer than the ring a part of it may be in an archive alone.
    pub(super) async fn leave_at(&self, tail: &Tail, held: Position, at: Sequence, was_over: bool) {
        tail.keep_newest(|entry| entry.sequence <= at);
        if tail.has_left(held) {
            return;
        }
        let mut lost = tail.entries();
        let missing = lost.first().map_or(0, |first| first.sequence.previous().0.saturating_sub(at.0));
        if missing > 0 {
            tracing::warn!(session = %tail.key.session, missing, "the log goes on from before what is held: entries between aren't decided again");
        }
        lost.retain(|entry| entry.sequence > at);
        self.hand_over_left(tail, held.epoch, &lost).await;
        self.decide_again(tail, lost, was_over);
    }

    /// What is held goes on.
    async fn replace(
        &self,
        tail: &Tail,
        found: &Found,
        state: &SessionState,
        held: &SessionState,
        apart: Apart,
    ) -> Result<(), StoreError> {
        let store = state.position;
        let mut goes_on: Vec<_> = apart.log.iter().take(apart.in_both).chain(&apart.held).cloned().collect();
        // What is held may begin before the store's log does.
        goes_on.sort_unstable_by_key(|entry| entry.sequence);
        let branches =
            Branches { goes_on, last: held.position, left: &apart.stored, left_epoch: store.epoch };
        let start = self.hand_over(tail, branches, start_above(tail, store)).await;
        // Two branches of an epoch have the same line behind them.
        let is_one_epoch = store.epoch == held.position.epoch;
        let past_of_held = tail.past();
        let of_held = past_of_held.as_deref().or_else(|| found.meta.past().filter(|_| is_one_epoch));
        let past = line(&[(found.meta.past(), store), (of_held, held.position)]);
        // Where the store only went back, what it has of the last of everything is as old, or older.
        let keeps_latest = is_one_epoch && apart.stored.is_empty();
        self.announce(tail, held).await?;
        let replaced = self.link.call(&self.scripts.replace, |command| {
            keys_of(command, tail);
            command.arg(self.set_now()).arg(&where_of(store)).arg(&where_of(start));
            command.arg(&past).arg(keep_until(held).0).arg(self.settings.ttl_ms);
            command.arg(u8::from(self.settings.is_gated)).arg(self.settings.tombstone_ms);
            command.arg(u8::from(keeps_latest)).arg(&tail.keys.channel).arg(codec::moved());
            let fields = held.fields();
            command.arg(fields.len());
            for (name, value) in &fields {
                command.arg(name).arg(value);
            }
            for (slot, bytes) in latest_of(&tail.newest(held)) {
                command.arg(slot).arg(bytes);
            }
        });
        let was_over = was_over(held, &apart.held);
        self.moved(tail, replaced.await? == Value::Int(1), apart.stored, was_over);
        Ok(())
    }

    /// Where the store has moved on meanwhile, the next look decides.
    fn moved(&self, tail: &Tail, is_done: bool, lost: Vec<Arc<Entry>>, was_over: bool) {
        if is_done {
            self.settings.meters.epochs.add(1);
            tracing::warn!(session = %tail.key.session, lost = lost.len(), "the log was forked: a new epoch begins");
            self.decide_again(tail, lost, was_over);
            // What is held belongs to a branch that doesn't go on.
            tail.leave_branch();
            tail.forget_hand_overs();
        }
    }

    /// Has what was acknowledged in these entries decided again.
    pub(super) fn decide_again(&self, tail: &Tail, entries: Vec<Arc<Entry>>, was_over: bool) {
        if !entries.is_empty() {
            self.lost.lock().push(Lost { key: tail.key.clone(), entries, was_over, closes: false });
            self.loses.notify_one();
        }
    }

    /// What is put back is listed, its next deadline is known, and the archive looks at it: the store may have lost that as well.
    pub(super) async fn announce(&self, tail: &Tail, state: &SessionState) -> Result<(), StoreError> {
        self.list(&tail.key).await?;
        if self.settings.is_gated {
            self.wake_announced(&tail.key, Work::Archive, self.now()).await?;
        }
        match state.next_wake() {
            Some(at) => self.wake_announced(&tail.key, Work::Deadline, at).await.map(drop),
            None => Ok(()),
        }
    }
}

fn held_epoch(tail: &Tail, store: Position) -> Epoch {
    tail.window.tail().position.unwrap_or(store).epoch
}

/// The start of an epoch above the store and what is held.
fn start_above(tail: &Tail, store: Position) -> Position {
    let random = Epoch::from_random(fastrand::u32(..));
    let epoch = if mutant!("epoch-kept-after-a-fork") { store.epoch } else { random };
    let held = tail.window.tail().position;
    let sequence = held.map_or(store.sequence, |held| held.sequence.max(store.sequence));
    Position { epoch, sequence, chain: Chain::seed(epoch) }
}
