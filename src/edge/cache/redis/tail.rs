//! What this process holds of one session: its window, kept up to date by own appends and by what is published,
//! whichever comes first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use parking_lot::Mutex;
use tokio::time::Instant;

use super::keys::Keys;
use super::shared_questions::SharedQuestions;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Epoch, Position, Sequence};
use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;
use crate::engine::mux::{Latest, LogWindow, WindowBounds};
use crate::engine::ports::result_cache::{Append, Lack};

/// What became of entries that were offered to a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offer {
    /// They continue it, or it had them.
    Taken,
    /// Something is missing before them, or they are of another branch.
    Hole,
}

/// One session here.
#[derive(Debug)]
pub(super) struct Tail {
    pub(super) key: SessionKey,
    pub(super) keys: Keys,
    pub(super) window: Arc<LogWindow>,
    /// One catches up at a time.
    pub(super) syncing: tokio::sync::Mutex<()>,
    /// Whether somebody is about to catch up.
    pub(super) sync_queued: AtomicBool,
    /// Whether it wasn't compared since the line broke: the store may have lost what is held here and nowhere else.
    pub(super) uncompared: AtomicBool,
    /// What is asked of the store for all who wait here.
    pub(super) asked: SharedQuestions,
    inner: Mutex<Inner>,
    /// Whether the listener holds it, also for one who asked and didn't wait for the answer.
    pub(super) joined: AtomicBool,
    conflicts: AtomicU32,
    hand_overs: AtomicU32,
    bounds: WindowBounds,
}

#[derive(Debug)]
struct Inner {
    /// At the window's place; `None` where that isn't known.
    state: Option<Arc<SessionState>>,
    /// An epoch, and those before it, as the store last said.
    past: Option<(Epoch, String)>,
    /// The oldest entry of the store, as last seen.
    oldest: Sequence,
    /// The subscription that it is followed in; 0: none.
    followed_in: u64,
    /// The last sequence that was heard of since the store was looked at.
    heard: Sequence,
    touched: Instant,
    contended_at: Option<Instant>,
    /// The loss for whose remedy somebody was waited for here.
    awaited: Timestamp,
    /// What the log lacked of its beginning when the store was looked at last.
    lacks: Option<Lack>,
    /// What the window left of a log that lacks its beginning (`aside`).
    aside: Vec<Arc<Entry>>,
    /// The subscription in which it was waited for the archive; 0: while none was up.
    waited_in: u64,
    /// The last of everything that was in the window: an entry stays when the window has let it go, or took another epoch.
    latest: Latest,
    /// When the other replicas were asked for it last, and when its wake-up was last found overdue.
    asked_at: Option<Instant>,
    overdue_at: Option<Instant>,
    /// When it was last looked for what `latest` lacks, and not all was found.
    sought_at: Option<Instant>,
    /// Where the window stood when what of it doesn't go on was handed over to be decided again.
    left_at: Option<Position>,
}

impl Tail {
    pub(super) fn new(key: &SessionKey, bounds: WindowBounds) -> Self {
        let inner = Inner {
            state: None,
            past: None,
            oldest: Sequence(1),
            followed_in: 0,
            heard: Sequence(0),
            touched: Instant::now(),
            contended_at: None,
            awaited: Timestamp::default(),
            lacks: None,
            aside: Vec::new(),
            waited_in: u64::MAX,
            latest: Latest::default(),
            asked_at: None,
            overdue_at: None,
            sought_at: None,
            left_at: None,
        };
        Self {
            keys: Keys::of(key),
            key: key.clone(),
            window: Arc::default(),
            syncing: tokio::sync::Mutex::default(),
            sync_queued: AtomicBool::new(false),
            uncompared: AtomicBool::new(false),
            asked: SharedQuestions::default(),
            joined: AtomicBool::new(false),
            inner: Mutex::new(inner),
            conflicts: AtomicU32::new(0),
            hand_overs: AtomicU32::new(0),
            bounds,
        }
    }

    pub(super) fn touch(&self) {
        self.inner.lock().touched = Instant::now();
    }

    pub(super) fn touched(&self) -> Instant {
        self.inner.lock().touched
    }

    pub(super) fn followed_in(&self) -> u64 {
        self.inner.lock().followed_in
    }

    pub(super) fn set_followed_in(&self, subscription: u64) {
        self.inner.lock().followed_in = subscription;
    }

    /// Whether others have been in the way of an append here, or it had more to do than most, a moment ago.
    pub(super) fn is_contended(&self) -> bool {
        self.inner.lock().contended_at.is_some_and(|at| at.elapsed() < super::together::CONTENDED)
    }

    pub(super) fn note_contention(&self) {
        self.inner.lock().contended_at = Some(Instant::now());
    }

    /// One more conflict in a row; how many there were before.
    pub(super) fn count_conflict(&self) -> u32 {
        self.conflicts.fetch_add(1, Ordering::Relaxed)
    }

    /// One more hand-over of this fork to the archive; how many there were before.
    pub(super) fn count_hand_over(&self) -> u32 {
        self.hand_overs.fetch_add(1, Ordering::Relaxed)
    }

    /// The fork is resolved.
    pub(super) fn forget_hand_overs(&self) {
        self.hand_overs.store(0, Ordering::Relaxed);
    }

    /// Takes what was published. A session that begins, or goes on, is followed without asking the store. `fresh`: what was
    /// before these entries has expired, whether or not that was noticed here.
    pub(super) fn offer(&self, epoch: Epoch, entries: &[Arc<Entry>], ended: bool, fresh: bool) -> Offer {
        let mut inner = self.inner.lock();
        let Some(last) = entries.last() else { return Offer::Hole };
        inner.heard = inner.heard.max(last.sequence);
        let tail = self.window.tail();
        let place = tail.position.unwrap_or(Position::start(epoch));
        if place.epoch != epoch {
            return Offer::Hole;
        }
        if last.sequence <= place.sequence {
            let known = self.window.chain_at(last.sequence).is_none_or(|chain| chain == last.chain);
            return if known { Offer::Taken } else { Offer::Hole };
        }
        let from = entries.partition_point(|entry| entry.sequence <= place.sequence);
        let new = &entries[from..];
        let continues = new[0].sequence == place.sequence.next() && new[0].previous_chain == place.chain;
        if !continues && !mutant!("hole-not-noticed") {
            return Offer::Hole;
        }
        let begins_anew = fresh && from == 0;
        if tail.expired && !begins_anew {
            // What had expired here goes on: who holds it has put it back.
            return Offer::Hole;
        }
        if begins_anew && tail.position.is_some() && !tail.expired {
            self.window.expire();
        }
        let began = tail.position.is_none() || begins_anew;
        inner.note(new, began);
        let state = inner.state.take().filter(|state| state.position == place);
        let fresh = began.then(|| Arc::new(SessionState::new(self.key.session.clone(), place)));
        inner.state = fresh.or(state).map(|mut state| {
            let folding = Arc::make_mut(&mut state);
            new.iter().for_each(|entry| folding.apply(entry));
            state
        });
        self.window.push(new, last.position(epoch), ended, self.bounds);
        Offer::Taken
    }

    /// Takes an append of this process. Where the window isn't followed it may start anew with it.
    pub(super) fn appended(&self, append: &Append, is_fresh: bool) -> Offer {
        self.conflicts.store(0, Ordering::Relaxed);
        let mut inner = self.inner.lock();
        inner.touched = Instant::now();
        let (tail, after) = (self.window.tail().position, append.state.position);
        let at_its_place = tail.is_none_or(|tail| tail == append.expected);
        if !at_its_place {
            let is_known = tail.is_some_and(|tail| {
                tail.epoch == after.epoch
                    && tail.sequence >= after.sequence
                    && self.window.chain_at(after.sequence) == Some(after.chain)
            });
            if is_known {
                self.window.adopt(after.sequence, &append.origin);
                return Offer::Taken;
            }
            // An archive's older entries may be put back through this very process: they don't take the place of what is held.
            let is_before =
                tail.is_some_and(|tail| tail.epoch == after.epoch && tail.sequence >= after.sequence);
            if inner.followed_in != 0 || is_before && !mutant!("put-back-over-what-is-held") {
                inner.heard = inner.heard.max(after.sequence);
                return Offer::Hole;
            }
        }
        if is_fresh && tail.is_some() {
            // What was before has expired, whether or not that was noticed here.
            self.window.expire();
        }
        let (entries, ended) = (&append.entries, append.state.is_ended());
        inner.note(entries, is_fresh);
        self.window.push_from(&append.origin, entries, after, ended, self.bounds);
        inner.state = Some(append.state.clone());
        Offer::Taken
    }
}

impl Inner {
    fn note(&mut self, entries: &[Arc<Entry>], begins_anew: bool) {
        if begins_anew {
            self.latest = Latest::default();
        }
        for entry in entries {
            self.latest.note(entry);
        }
    }
}

mod aside;
mod fill;
mod known;
mod leave;
#[cfg(test)]
mod tests;
