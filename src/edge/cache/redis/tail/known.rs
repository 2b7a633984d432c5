//! What a tail says of its session.

use std::sync::Arc;

use super::Tail;
use crate::domain::entry::Entry;
use crate::domain::position::Sequence;
use crate::domain::session::SessionState;
use crate::engine::ports::result_cache::Presence;

impl Tail {
    /// All entries that are held.
    pub(in super::super) fn entries(&self) -> Vec<Arc<Entry>> {
        self.window.after(self.window.tail().oldest.previous(), usize::MAX).unwrap_or_default()
    }

    /// Takes note of the epochs that the log went through.
    pub(in super::super) fn came_from(&self, past: Option<&str>) {
        self.inner.lock().past = past.map(str::to_owned);
    }

    /// The epochs that the log went through, where the store said so.
    pub(in super::super) fn past(&self) -> Option<String> {
        self.inner.lock().past.clone()
    }

    /// The state at the window's place, where it is known.
    pub(in super::super) fn state(&self) -> Option<Arc<SessionState>> {
        let inner = self.inner.lock();
        let place = self.window.tail().position?;
        inner.state.clone().filter(|state| state.position == place)
    }

    /// Whether the store had older entries than the window has.
    pub(in super::super) fn holds_a_part(&self) -> bool {
        let oldest = self.inner.lock().oldest;
        self.window.tail().oldest > oldest
    }

    /// Whether what is known here began after `sequence`: what was before has expired.
    pub(in super::super) fn began_after(&self, sequence: Sequence) -> bool {
        let inner = self.inner.lock();
        let first = inner.state.as_ref().and_then(|state| state.steps.first());
        first.is_some_and(|step| step.started.sequence > sequence)
    }

    /// The store is about to be looked at: what was heard of before is in it, or was lost by it.
    pub(in super::super) fn look(&self) {
        self.inner.lock().heard = Sequence(0);
    }

    /// Whether something was heard of, since the store was looked at, that the window doesn't have.
    pub(in super::super) fn is_behind(&self) -> bool {
        let heard = self.inner.lock().heard;
        self.window.tail().position.is_some_and(|position| position.sequence < heard)
    }

    /// What of the session is known here, and the store's oldest entry.
    pub(in super::super) fn presence(&self) -> (Presence, Sequence) {
        let inner = self.inner.lock();
        let tail = self.window.tail();
        let presence = match (tail.position, &inner.state) {
            (None, _) => Presence::Unknown,
            (Some(position), _) if tail.expired => Presence::Expired(position),
            (Some(position), Some(state)) if state.position == position => Presence::Live(state.clone()),
            (Some(_), _) => Presence::Unknown,
        };
        (presence, inner.oldest)
    }
}
