//! One session in the embedded store.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use crate::domain::entry::Entry;
use crate::domain::ids::SessionId;
use crate::domain::position::{Epoch, Position};
use crate::domain::record::Output;
use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;
use crate::edge::cache::keep_until;
use crate::engine::mux::{Latest, LogWindow};
use crate::engine::ports::result_cache::{Append, Loaded, Missed, Presence, Restored, Snapshot};

/// A session's log and what belongs to it. The lock is held across compare and append, so an append is atomic.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub(super) window: Arc<LogWindow>,
    inner: Mutex<Inner>,
}

/// What isn't in the window.
#[derive(Debug, Default)]
pub(super) struct Inner {
    /// `None` where there is no data: never, or no longer.
    pub(super) state: Option<Arc<SessionState>>,
    latest: Latest,
    pub(super) latest_bytes: usize,
    late: HashMap<Output, u64>,
    pub(super) appended_at: Timestamp,
    /// When the data, or after it the tombstone, goes.
    pub(super) expires_at: Timestamp,
}

impl Inner {
    /// Takes note of an append. Returns by how many bytes what a snapshot needs grew.
    pub(super) fn note(&mut self, append: &Append, now: Timestamp, ttl_ms: u64) -> isize {
        self.take(&append.entries, &append.state, now, ttl_ms)
    }

    /// Takes back what an archive had. Returns by how many bytes what a snapshot needs grew.
    pub(super) fn restore(&mut self, restored: &Restored, now: Timestamp, ttl_ms: u64) -> isize {
        self.take(&restored.latest, &restored.state, now, ttl_ms)
    }

    fn take(
        &mut self,
        entries: &[Arc<Entry>],
        state: &Arc<SessionState>,
        now: Timestamp,
        ttl_ms: u64,
    ) -> isize {
        let grew: isize = entries.iter().map(|entry| self.latest.note(entry)).sum();
        self.latest_bytes = self.latest_bytes.saturating_add_signed(grew);
        self.appended_at = now;
        self.expires_at = now.plus_ms(ttl_ms).max(keep_until(state));
        self.state = Some(state.clone());
        grew
    }

    /// Lets the data go. Returns the bytes freed.
    pub(super) fn clear(&mut self) -> usize {
        self.state = None;
        self.latest = Latest::default();
        self.late = HashMap::new();
        std::mem::take(&mut self.latest_bytes)
    }
}

impl Session {
    pub(super) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock()
    }

    pub(super) fn state(&self) -> Option<Arc<SessionState>> {
        self.lock().state.clone()
    }

    /// What a writer that expected `position` doesn't know.
    pub(super) fn missed(
        &self,
        inner: &Inner,
        session: &SessionId,
        position: Position,
        now: Timestamp,
    ) -> Missed {
        let tail = self.window.tail();
        let same_log = tail.position.is_some_and(|tail| tail.epoch == position.epoch)
            && self.window.chain_at(position.sequence) == Some(position.chain);
        if let (true, Some(entries)) = (same_log, self.window.after(position.sequence, usize::MAX)) {
            return Missed { entries, state: None, now };
        }
        let state = inner.state.clone().unwrap_or_else(|| {
            let epoch = || Position::start(Epoch::from_random(fastrand::u32(..)));
            Arc::new(SessionState::new(session.clone(), tail.position.unwrap_or_else(epoch)))
        });
        Missed { entries: Vec::new(), state: Some(state), now }
    }

    pub(super) fn loaded(&self, now: Timestamp) -> Loaded {
        let inner = self.lock();
        let tail = self.window.tail();
        let presence = match (&inner.state, tail.position) {
            (Some(state), _) => Presence::Live(state.clone()),
            (None, Some(_)) if mutant!("expired-told-as-unknown") => Presence::Unknown,
            (None, Some(position)) => Presence::Expired(position),
            (None, None) => Presence::Unknown,
        };
        Loaded { presence, oldest: tail.oldest, late: inner.late.clone(), lacks: None, now }
    }

    pub(super) fn snapshot(&self) -> Option<Snapshot> {
        let inner = self.lock();
        let position = inner.state.as_ref()?.position;
        Some(Snapshot::whole(position, inner.latest.entries()))
    }

    pub(super) fn note_late(&self, output: Output) {
        *self.lock().late.entry(output).or_default() += 1;
    }
}
