//! What a tail says of its session.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::super::descent::{Descent, descent};
use super::Tail;
use crate::domain::entry::Entry;
use crate::domain::position::{Epoch, Position, Sequence};
use crate::domain::session::SessionState;
use crate::engine::mux::Latest;
use crate::engine::ports::result_cache::{Lack, Presence};

/// How often the other replicas are asked for one session, and how often is looked for its wake-up, at most.
const ASKS_EVERY: Duration = Duration::from_secs(10);
const LOOKS_EVERY: Duration = Duration::from_secs(1);

impl Tail {
    /// All entries that are held.
    pub(in super::super) fn entries(&self) -> Vec<Arc<Entry>> {
        self.window.after(self.window.tail().oldest.previous(), usize::MAX).unwrap_or_default()
    }

    /// The last of everything that was held of the log which leads to this state, also what the window has let go.
    pub(in super::super) fn newest(&self, state: &SessionState) -> Vec<Arc<Entry>> {
        let mut newest = Latest::default();
        if !mutant!("newest-let-go-with-the-window") {
            self.inner.lock().latest.entries().iter().for_each(|entry| newest.note_if_of(state, entry));
        }
        // What the window holds is of this log in any case.
        for entry in self.entries() {
            newest.note(&entry);
        }
        newest.entries()
    }

    /// Whether a place is one of the log that is held.
    pub(in super::super) fn reaches(&self, place: Position) -> bool {
        self.window.chain_at(place.sequence) == Some(place.chain)
    }

    /// Whether nobody waited in this subscription yet for what the archive puts back.
    pub(in super::super) fn waits_in(&self, subscription: u64) -> bool {
        std::mem::replace(&mut self.inner.lock().waited_in, subscription) != subscription
    }

    /// Bytes of the window, and of what is held besides.
    pub(in super::super) fn bytes(&self) -> usize {
        let (window, mut inner) = (self.window.bytes(), self.inner.lock());
        let aside: usize = inner.aside.iter().map(|entry| entry.weight()).sum();
        window + aside + inner.latest.bytes_before(self.window.tail().oldest)
    }

    /// Takes note of the epochs that the log went through before this one.
    pub(in super::super) fn came_from(&self, epoch: Epoch, past: Option<&str>) {
        let mut inner = self.inner.lock();
        if inner.past.as_ref().map(|(epoch, past)| (*epoch, &**past)) != past.map(|past| (epoch, past)) {
            inner.past = past.map(|past| (epoch, past.to_owned()));
        }
    }

    /// The same, of an epoch that may not be held: what is known of one that is stays.
    pub(in super::super) fn may_come_from(&self, epoch: Epoch, past: Option<&str>) {
        if self.window.tail().position.is_none_or(|held| held.epoch == epoch) {
            self.came_from(epoch, past);
        }
    }

    /// The epochs that the log went through before the one that is held, where the store said so.
    pub(in super::super) fn past(&self) -> Option<String> {
        let held = self.window.tail().position?.epoch;
        self.inner.lock().past.as_ref().filter(|(epoch, _)| *epoch == held).map(|(_, past)| past.clone())
    }

    /// Whether this is a place in the log that is held from before its epoch began: a store that stands there went back.
    pub(in super::super) fn is_of_before(&self, store: Position) -> bool {
        match descent(self.past().as_deref(), store.epoch) {
            Descent::From(left) => store.sequence <= left,
            Descent::Foreign | Descent::Unsure => false,
        }
    }

    /// The state at the window's place, where it is known.
    pub(in super::super) fn state(&self) -> Option<Arc<SessionState>> {
        let inner = self.inner.lock();
        let place = self.window.tail().position?;
        inner.state.clone().filter(|state| state.position == place)
    }

    /// The store's log begins earlier now than was `seen`.
    pub(in super::super) fn begins_at(&self, seen: Sequence, oldest: Sequence) {
        let mut inner = self.inner.lock();
        if inner.oldest == seen {
            inner.oldest = oldest;
        }
    }

    /// What the store's log lacked of its beginning, as it was seen last.
    pub(in super::super) fn note_lack(&self, lack: Option<Lack>) {
        self.inner.lock().lacks = lack;
    }

    /// Whether this is the first to wait for what was lost then: one wait is enough for all who ask here.
    pub(in super::super) fn awaits(&self, lack: Lack) -> bool {
        std::mem::replace(&mut self.inner.lock().awaited, lack.since) != lack.since
    }

    /// The oldest entry of the store that there is room for, where the window doesn't have it.
    pub(in super::super) fn lacks_from(&self) -> Option<Sequence> {
        let tail = self.window.tail();
        let newest = tail.position?.sequence.0;
        let room = newest.saturating_sub(self.bounds.entries as u64) + 1;
        let inner = self.inner.lock();
        // What was lacking when it was put back last may still be: nobody needs to have had the time.
        let lacking = inner.lacks.filter(|_| !mutant!("lack-forgotten-with-the-next-loss"));
        let oldest = lacking.map_or(inner.oldest, |lack| lack.from.min(inner.oldest));
        let from = oldest.max(Sequence(room));
        (from < tail.oldest).then_some(from)
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

    /// Whether the other replicas are to be asked for what the store lost of it: who asks has all others here wait.
    pub(in super::super) fn asks_for_lost(&self) -> bool {
        is_time(&mut self.inner.lock().asked_at, ASKS_EVERY)
    }

    /// Whether to look where its wake-up is, which is overdue: once a second is enough for all who read it here.
    pub(in super::super) fn looks_for_wake(&self) -> bool {
        is_time(&mut self.inner.lock().overdue_at, LOOKS_EVERY)
    }

    /// Whether to look for what `latest` lacks: what nobody has isn't looked for with each snapshot.
    pub(in super::super) fn looks_for_newest(&self) -> bool {
        self.inner.lock().sought_at.is_none_or(|sought| sought.elapsed() >= ASKS_EVERY)
    }

    /// Not all of it was found.
    pub(in super::super) fn newest_is_gone(&self) {
        self.inner.lock().sought_at = Some(Instant::now());
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

/// Whether so long has passed since the last time, which this is from now on.
fn is_time(last: &mut Option<Instant>, every: Duration) -> bool {
    let is_time = last.is_none_or(|last| last.elapsed() >= every);
    if is_time {
        *last = Some(Instant::now());
    }
    is_time
}
