//! The embedded store: a ring per session in this process' memory, under one budget for all of them.
//!
//! It keeps the port's whole contract but one thing: it is gone with the process.

mod archived;
mod expiry;
mod session;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dashmap::DashMap;
use foldhash::quality::RandomState;
use futures::FutureExt;
use futures::future::Either;
use tokio::time::Instant;

use crate::domain::ids::{SessionId, SessionKey, TenantId};
use crate::domain::position::{Position, Sequence};
use crate::domain::record::Output;
use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;
use crate::engine::clock::{millis, wall_clock};
use crate::engine::mux::{LogWindow, WindowBounds};
use crate::engine::ports::result_cache::{
    Append, Appended, Listed, Loaded, MaybeReady, Missed, Read, Restored, ResultCache, Snapshot, StoreError,
    StoreFuture, reserve_of,
};
use session::Session;

/// Bounds and times of the embedded store. Every field is a key of the configuration.
#[derive(Debug, Clone, Copy)]
pub struct MemorySettings {
    /// Entries of a session's ring.
    pub ring_entries: usize,
    /// Bytes of a session's ring.
    pub ring_bytes: usize,
    /// Bytes of all sessions.
    pub bytes_max: usize,
    /// Sessions with data, and as many tombstones.
    pub sessions_max: usize,
    /// How long data outlives its last append, in milliseconds.
    pub ttl_ms: u64,
    /// How long position and epoch outlive the data, in milliseconds.
    pub tombstone_ms: u64,
}

/// The embedded [`ResultCache`].
#[derive(Debug)]
pub struct MemoryCache {
    settings: MemorySettings,
    /// Bytes of a session that may wait for the archive; `None`: there is none.
    backlog_bytes_max: Option<usize>,
    sessions: DashMap<SessionKey, Arc<Session>, RandomState>,
    bytes: AtomicUsize,
    with_data: AtomicUsize,
    started: (Timestamp, Instant),
}

impl MemoryCache {
    /// An empty store.
    pub fn new(settings: MemorySettings) -> Self {
        Self {
            settings,
            backlog_bytes_max: None,
            sessions: DashMap::default(),
            bytes: AtomicUsize::new(0),
            with_data: AtomicUsize::new(0),
            started: (wall_clock(), Instant::now()),
        }
    }

    /// The same store followed by an archive: what that hasn't got stays, up to so many bytes a session.
    pub fn followed_by_archive(mut self, backlog_bytes_max: usize) -> Self {
        self.backlog_bytes_max = Some(backlog_bytes_max);
        self
    }

    /// Bytes of all sessions.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    fn now(&self) -> Timestamp {
        let (wall, instant) = self.started;
        wall.plus_ms(millis(instant.elapsed()))
    }

    fn bounds(&self) -> WindowBounds {
        WindowBounds { entries: self.settings.ring_entries, bytes: self.settings.ring_bytes }
    }

    fn find(&self, key: &SessionKey) -> Option<Arc<Session>> {
        self.sessions.get(key).map(|session| session.clone())
    }

    fn find_or_make(&self, key: &SessionKey) -> Arc<Session> {
        if let Some(found) = self.find(key) {
            return found;
        }
        let fresh = || {
            let session = Session::default();
            if self.backlog_bytes_max.is_some() {
                session.window.hold_after(Sequence(0), self.bounds());
            }
            Arc::new(session)
        };
        self.sessions.entry(key.clone()).or_insert_with(fresh).clone()
    }

    fn grow(&self, by: isize) {
        if by >= 0 {
            self.bytes.fetch_add(by.unsigned_abs(), Ordering::Relaxed);
        } else {
            self.bytes.fetch_sub(by.unsigned_abs(), Ordering::Relaxed);
        }
    }

    fn append_now(&self, append: &Append) -> Result<Appended, StoreError> {
        let session = self.find_or_make(&append.key);
        self.check_room(append, &session)?;
        let now = self.now();
        let mut inner = session.lock();
        let tail = session.window.tail();
        let fresh = tail.position.is_none() && append.expected.sequence == Sequence(0);
        if !fresh && tail.position != Some(append.expected) && !mutant!("append-not-compared") {
            return Ok(Appended::Conflict(session.missed(&inner, &append.key.session, append.expected, now)));
        }
        if inner.state.is_none() {
            self.with_data.fetch_add(1, Ordering::Relaxed);
        }
        let latest_grew = inner.note(append, now, self.settings.ttl_ms);
        let (position, ended) = (append.state.position, append.state.is_ended());
        let ring_grew =
            session.window.push_from(&append.origin, &append.entries, position, ended, self.bounds());
        // Under the session's lock, as all accounts: whoever lets go of these bytes finds them counted.
        self.grow(latest_grew + ring_grew);
        Ok(Appended::Stored { now })
    }

    fn check_room(&self, append: &Append, session: &Session) -> Result<(), StoreError> {
        let most = self.settings.sessions_max;
        if session.lock().state.is_none() && self.with_data.load(Ordering::Relaxed) >= most {
            return Err(StoreError::Full(format!("there are {most} sessions already")));
        }
        let incoming: usize = append.entries.iter().map(|entry| entry.weight()).sum();
        self.check_backlog(session, incoming, append.only_ends)?;
        let bound = self.settings.bytes_max;
        // What has just ended is wanted by who waited for it: another end needn't make it give way.
        let most = if append.only_ends { bound + reserve_of(bound) } else { bound };
        let has_room = || self.bytes() + incoming <= most;
        if has_room() || self.make_room(incoming) || has_room() { Ok(()) } else { Err(self.no_room()) }
    }

    fn load_now(&self, key: &SessionKey) -> Loaded {
        let now = self.now();
        match self.find(key) {
            Some(session) => session.loaded(now),
            None => Loaded::unknown(now),
        }
    }

    fn confirm_now(&self, key: &SessionKey, position: Position) -> Option<Missed> {
        let session = self.find_or_make(key);
        let inner = session.lock();
        let tail = session.window.tail().position;
        let stands = tail == Some(position) || (tail.is_none() && position.sequence == Sequence(0));
        (!stands).then(|| session.missed(&inner, &key.session, position, self.now()))
    }

    fn read_now(&self, key: &SessionKey, after: Sequence, limit: usize) -> Read {
        let Some(session) = self.find(key) else { return Read::Entries(Vec::new()) };
        match session.window.after(after, limit) {
            Some(entries) => Read::Entries(entries),
            None => Read::Trimmed { oldest: session.window.tail().oldest },
        }
    }
}

/// Everything is answered at once: the futures are ready when they are made.
impl ResultCache for MemoryCache {
    fn append<'a>(&'a self, append: &'a Append) -> MaybeReady<'a, Result<Appended, StoreError>> {
        Either::Left(std::future::ready(self.append_now(append)))
    }

    fn load<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Loaded> {
        std::future::ready(Ok(self.load_now(key))).boxed()
    }

    fn known(&self, key: &SessionKey) -> Option<Loaded> {
        Some(self.load_now(key))
    }

    fn confirm<'a>(&'a self, key: &'a SessionKey, position: Position) -> StoreFuture<'a, Option<Missed>> {
        std::future::ready(Ok(self.confirm_now(key, position))).boxed()
    }

    fn follow<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Arc<LogWindow>> {
        std::future::ready(Ok(self.find_or_make(key).window.clone())).boxed()
    }

    fn read<'a>(&'a self, key: &'a SessionKey, after: Sequence, limit: usize) -> StoreFuture<'a, Read> {
        std::future::ready(Ok(self.read_now(key, after, limit))).boxed()
    }

    fn snapshot<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Option<Snapshot>> {
        let snapshot = self.find(key).and_then(|session| session.snapshot());
        std::future::ready(Ok(snapshot)).boxed()
    }

    fn note_late<'a>(&'a self, key: &'a SessionKey, output: Output) -> StoreFuture<'a, ()> {
        if let Some(session) = self.find(key) {
            session.note_late(output);
        }
        std::future::ready(Ok(())).boxed()
    }

    fn sessions<'a>(
        &'a self,
        tenant: &'a TenantId,
        after: Option<&'a SessionId>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<Listed>> {
        let wanted =
            |key: &SessionKey| key.tenant == *tenant && after.is_none_or(|after| key.session > *after);
        let found = self.sessions.iter().filter(|item| wanted(item.key()));
        let mut states: Vec<Arc<SessionState>> = found.filter_map(|item| item.value().state()).collect();
        states.sort_by(|a, b| a.session.cmp(&b.session));
        states.truncate(limit);
        std::future::ready(Ok(states.into_iter().map(Listed::from).collect())).boxed()
    }

    fn backend(&self) -> &'static str {
        "memory"
    }

    fn health(&self) -> Result<(), String> {
        Ok(())
    }

    fn forget<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, bool> {
        std::future::ready(Ok(self.forget_now(key))).boxed()
    }

    fn archived<'a>(&'a self, key: &'a SessionKey, position: Position) -> StoreFuture<'a, ()> {
        self.archived_now(key, position);
        std::future::ready(Ok(())).boxed()
    }

    fn remember<'a>(&'a self, key: &'a SessionKey, position: Position, ended: bool) -> StoreFuture<'a, bool> {
        std::future::ready(Ok(self.remember_now(key, position, ended))).boxed()
    }

    fn restore<'a>(&'a self, key: &'a SessionKey, restored: &'a Restored) -> StoreFuture<'a, bool> {
        std::future::ready(self.restore_now(key, restored)).boxed()
    }
}
