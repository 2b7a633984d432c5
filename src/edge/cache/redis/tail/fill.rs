//! Taking what was read from the log.

use std::sync::Arc;

use super::Tail;
use crate::domain::entry::Entry;
use crate::domain::position::{Position, Sequence};
use crate::domain::session::SessionState;

impl Tail {
    /// Takes entries that were read from the log, and the state that the store told before them. What came meanwhile by
    /// another way stays. `false` where they don't follow that state, or one another: the log was trimmed beyond in between, or the store
    /// went back.
    #[must_use]
    pub(in super::super) fn fill(
        &self,
        entries: &[Arc<Entry>],
        state: &Arc<SessionState>,
        oldest: Sequence,
    ) -> bool {
        if entries.windows(2).any(|two| two[1].previous_chain != two[0].chain) {
            return false;
        }
        let mut inner = self.inner.lock();
        let mut state = state.clone();
        let later = entries.partition_point(|entry| entry.sequence <= state.position.sequence);
        // The store may go back between the two.
        if later > 0 && entries[later - 1].position(state.position.epoch) != state.position {
            return false;
        }
        if later < entries.len() {
            if entries[later].previous_chain != state.position.chain {
                return false;
            }
            let folding = Arc::make_mut(&mut state);
            entries[later..].iter().for_each(|entry| folding.apply(entry));
        }
        inner.oldest = oldest;
        let (tail, to) = (self.window.tail(), state.position);
        let held = tail.position.filter(|held| held.epoch == to.epoch && !tail.expired);
        let is_there = |held: Position| {
            held.sequence >= to.sequence && self.window.chain_at(to.sequence) == Some(to.chain)
        };
        if let Some(held) = held.filter(|held| is_there(*held)) {
            if held == to {
                inner.state = Some(state);
            }
            return true;
        }
        let known = held.map_or(Sequence(0), |held| held.sequence);
        let begins_anew = state.steps.first().is_some_and(|step| step.started.sequence > known);
        if held.is_some() && begins_anew {
            // What was before has expired, whether or not that was noticed here.
            self.window.expire();
        }
        inner.note(entries, held.is_some() && begins_anew);
        let new = &entries[entries.partition_point(|entry| entry.sequence <= known)..];
        let continues =
            new.first().is_some_and(|first| held.is_some_and(|held| first.previous_chain == held.chain));
        self.window.push(if continues { new } else { entries }, to, state.is_ended(), self.bounds);
        inner.state = Some(state);
        true
    }
}
