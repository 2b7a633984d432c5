//! Something else was stored in the place of what is held here: the store had gone back, or lost the session, and another replica
//! went on, or began anew, before that was noticed.
//!
//! One of both goes on, in a new epoch above both; what was acknowledged in the other is decided again. Of two branches of an epoch the one
//! that holds more that was acknowledged goes on, of two beginnings the one with the larger state.

use std::collections::HashSet;
use std::sync::Arc;

use redis::Value;

use super::archived::{keys_of, latest_of};
use super::descent::{Descent, descent, line};
use super::meta::FORMAT;
use super::read::Found;
use super::tail::Tail;
use super::writing::keep_until;
use super::{Shared, codec};
use crate::domain::entry::Entry;
use crate::domain::position::{Chain, Epoch, Position, Sequence};
use crate::domain::record::Record;
use crate::domain::session::{SessionState, commands_again};
use crate::engine::ports::result_cache::{Lost, StoreError};
use crate::engine::ports::wake_index::Work;

/// What only one of both has.
struct Apart {
    held: Vec<Arc<Entry>>,
    stored: Vec<Arc<Entry>>,
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
        let is_more = commands_again(&apart.held).len() > commands_again(&apart.stored).len();
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
        // It went back to before a change of the epoch.
        let is_older = match descent(tail.past().as_deref(), store.position.epoch) {
            Descent::From(left) => store.position.sequence <= left,
            Descent::Foreign | Descent::Unsure => false,
        };
        match tail.state().filter(|held| is_older || weight(held) > weight(store)) {
            Some(held) => self.replace(tail, found, store, &held, apart).await.map(|()| true),
            None => {
                self.decide_again(tail, apart.held);
                Ok(false)
            }
        }
    }

    /// What only one of both has, of the entries that are kept. Where what is held begins after the place at which they parted, its state says
    /// what it knows of the store's.
    async fn apart(&self, tail: &Tail, store: &SessionState) -> Result<Apart, StoreError> {
        let mut held = tail.entries();
        let mut stored = self.entries_after(tail, Sequence(0), store.position).await?;
        let before_held = held.first().map(|first| first.previous_chain);
        let in_held: HashSet<Chain> = held.iter().map(|entry| entry.chain).chain(before_held).collect();
        let in_store: HashSet<Chain> = stored.iter().map(|entry| entry.chain).collect();
        held.retain(|entry| !in_store.contains(&entry.chain));
        match (stored.iter().rposition(|entry| in_held.contains(&entry.chain)), tail.state()) {
            (Some(last), _) => drop(stored.drain(..=last)),
            (None, Some(state)) if state.position.epoch == store.position.epoch => {
                stored.retain(|entry| !knows(&state, entry));
            }
            (None, _) => {}
        }
        Ok(Apart { held, stored })
    }

    /// The store's branch goes on.
    async fn rotate(
        &self,
        tail: &Tail,
        found: &Found,
        state: &SessionState,
        apart: Apart,
    ) -> Result<(), StoreError> {
        let store = state.position;
        let start = start_above(tail, store);
        let past = line(&[(found.meta.past(), store)]);
        self.announce(tail, state).await?;
        let rotated = self.link.call(&self.scripts.rotate, |command| {
            command.arg(2).arg(&tail.keys.meta).arg(&tail.keys.log);
            for place in [store, start] {
                command.arg(place.epoch.as_str()).arg(place.sequence.0).arg(place.chain.to_string());
            }
            command.arg(&tail.keys.channel).arg(codec::moved()).arg(&past);
        });
        self.moved(tail, rotated.await? == Value::Int(1), apart.held);
        Ok(())
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
        let start = start_above(tail, store);
        let past = line(&[(found.meta.past(), store), (tail.past().as_deref(), held.position)]);
        // Where the store only went back, what it has of the last of everything is as old, or older.
        let keeps_latest = store.epoch == held.position.epoch && apart.stored.is_empty();
        self.announce(tail, held).await?;
        let replaced = self.link.call(&self.scripts.replace, |command| {
            keys_of(command, tail);
            command.arg(self.set_now());
            command.arg(store.epoch.as_str()).arg(store.sequence.0).arg(store.chain.to_string());
            command.arg(start.epoch.as_str()).arg(start.sequence.0).arg(start.chain.to_string());
            command.arg(FORMAT).arg(&past).arg(keep_until(held).0).arg(self.settings.ttl_ms);
            command.arg(u8::from(self.settings.is_gated)).arg(self.settings.tombstone_ms);
            command.arg(u8::from(keeps_latest)).arg(&tail.keys.channel).arg(codec::moved());
            let fields = held.fields();
            command.arg(fields.len());
            for (name, value) in &fields {
                command.arg(name).arg(value);
            }
            for (slot, bytes) in latest_of(&tail.entries()) {
                command.arg(slot).arg(bytes);
            }
        });
        self.moved(tail, replaced.await? == Value::Int(1), apart.stored);
        Ok(())
    }

    /// Where the store has moved on meanwhile, the next look decides.
    fn moved(&self, tail: &Tail, is_done: bool, lost: Vec<Arc<Entry>>) {
        if is_done {
            self.settings.meters.epochs.add(1);
            tracing::warn!(session = %tail.key.session, lost = lost.len(), "the log was forked: a new epoch begins");
            self.decide_again(tail, lost);
            // What is held belongs to a branch that doesn't go on.
            tail.leave_branch();
        }
    }

    /// Has what was acknowledged in these entries decided again.
    pub(super) fn decide_again(&self, tail: &Tail, entries: Vec<Arc<Entry>>) {
        if !entries.is_empty() {
            self.lost.lock().push(Lost { key: tail.key.clone(), entries });
        }
    }

    /// What is put back is listed, its next deadline is known, and the archive looks at it: the store may have lost that as well.
    pub(super) async fn announce(&self, tail: &Tail, state: &SessionState) -> Result<(), StoreError> {
        self.list(&tail.key).await?;
        if self.settings.is_gated {
            self.wake_at(&tail.key, Work::Archive, Some(self.now())).await?;
        }
        match state.next_wake() {
            Some(at) => self.wake_at(&tail.key, Work::Deadline, Some(at)).await,
            None => Ok(()),
        }
    }
}

/// The start of an epoch above the store and what is held.
fn start_above(tail: &Tail, store: Position) -> Position {
    let random = Epoch::from_random(fastrand::u32(..));
    let epoch = if mutant!("epoch-kept-after-a-fork") { store.epoch } else { random };
    let held = tail.window.tail().position;
    let sequence = held.map_or(store.sequence, |held| held.sequence.max(store.sequence));
    Position { epoch, sequence, chain: Chain::seed(epoch) }
}

/// Whether a state has what was acknowledged in an entry, or something newer. Of notes it can't say: they count as known.
fn knows(state: &SessionState, entry: &Entry) -> bool {
    if let Record::StepStarted { directive, .. } = &entry.record {
        return state.step(&directive.plan_step_id).is_some();
    }
    let Record::Subagent { output, sender: Some(_), revision, sender_revision, .. } = &entry.record else {
        return true;
    };
    let subagents = state.step(&output.step).map(|step| &step.subagents);
    let known = subagents.and_then(|all| all.iter().find(|known| known.output == *output)?.sender);
    known.is_some_and(|mark| mark.revision >= sender_revision.unwrap_or(*revision))
}

/// How much of a session a state knows: its steps, and the outputs that somebody sent something of.
fn weight(state: &SessionState) -> usize {
    let outputs = state.steps.iter().flat_map(|step| &step.subagents);
    state.steps.len() + outputs.filter(|subagent| subagent.sender.is_some()).count()
}
