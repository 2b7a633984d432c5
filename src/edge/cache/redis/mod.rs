//! The shared store: sessions' logs in Redis, for several replicas.
//!
//! A session is a hash `meta` (place and state), a stream `log` and a hash `latest` (for snapshots). One script
//! compares, appends, keeps the state, trims and publishes (`append.lua`, `append_any.lua`). Every replica holds a window of the
//! sessions that it writes or reads, kept up to date by its own appends and by what is published; that is a hint, so
//! each message is checked against the chain, and what is missing is read from the log.

mod address;
mod append;
mod archived;
mod ask_replicas;
mod beginning;
mod codec;
mod completions;
mod connection;
mod deletions;
mod descent;
mod feedback_keys;
mod follow;
mod fork;
mod hand_over;
mod head;
mod joining;
mod keys;
mod line;
mod meta;
#[cfg(debug_assertions)]
mod model;
mod names;
mod newest;
mod place;
mod probe;
mod read;
mod repair;
mod reply;
mod script;
mod servers;
mod settings;
mod settle;
mod shared_questions;
mod snapshots;
mod sweep;
mod sync;
mod tail;
mod tickets;
mod together;
mod value;
mod wake;
mod weigh;
mod writing;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use futures::FutureExt;
use futures::future::{BoxFuture, Either};
use parking_lot::Mutex;
use tokio::sync::Notify;

pub use address::{ConnectError, RedisAddress, RedisServer};
#[cfg(debug_assertions)]
pub use model::{ModelLine, ModelServer, ModelSubscription};

use crate::domain::entry::Entry;
use crate::domain::ids::{SessionId, SessionKey, TenantId};
use crate::domain::position::{Position, Sequence};
use crate::domain::record::Output;
use crate::domain::time::Timestamp;
use crate::engine::clock::StoreClock;
use crate::engine::mux::{LogWindow, WindowBounds};
use crate::engine::ports::archive::Archive;
use crate::engine::ports::result_cache::{
    Append, Appended, Listed, Loaded, Lost, MaybeReady, Missed, Read, Restored, ResultCache, Snapshot,
    StoreError, StoreFuture,
};
use connection::Link;
use deletions::Deleted;
use follow::Subscriptions;
use hand_over::Rest;
use meta::Lifetime;
use names::Walk;
use script::Scripts;
pub use settings::{PIECE_BYTES, RedisSettings};
use settle::Settling;
use tail::Tail;
use together::Together;

/// The [`ResultCache`] that replicas share.
#[derive(Clone)]
pub struct RedisCache {
    shared: Arc<Shared>,
}

struct Shared {
    settings: RedisSettings,
    link: Link,
    scripts: Scripts,
    tails: DashMap<SessionKey, Arc<Tail>>,
    subscriptions: Subscriptions,
    together: Together,
    replica: String,
    clock: StoreClock,
    lost: Mutex<Vec<Lost>>,
    loses: Notify,
    /// Takes what a new epoch takes the place of.
    archive: OnceLock<Arc<dyn Archive>>,
    archive_rests: Rest,
    settling: Settling,
    deleted: Deleted,
    walk: Mutex<Walk>,
    /// The time to go by, in milliseconds; 0: the server's. Tests let time pass with it.
    set_now: AtomicI64,
}

impl RedisCache {
    /// Connects, and begins to listen.
    ///
    /// # Errors
    /// Where the address is wrong or nobody answers there.
    pub async fn connect(settings: RedisSettings) -> Result<Self, ConnectError> {
        let link = Link::open(settings.address.clone()).await?;
        Ok(Self::begin(settings, link))
    }

    fn begin(settings: RedisSettings, link: Link) -> Self {
        let (subscriptions, listener) = Subscriptions::new();
        let (together, queue) = Together::new(link.is_one_server());
        let shared = Arc::new(Shared {
            scripts: Scripts::new(&settings),
            settings,
            link,
            tails: DashMap::new(),
            subscriptions,
            together,
            clock: StoreClock::default(),
            lost: Mutex::default(),
            loses: Notify::new(),
            archive: OnceLock::new(),
            archive_rests: Rest::default(),
            settling: Settling::default(),
            deleted: Deleted::default(),
            walk: Mutex::default(),
            replica: format!("{:016x}", fastrand::u64(..)),
            set_now: AtomicI64::new(0),
        });
        // Nobody waits for these: they hold the cache weakly, and end when it is gone.
        tokio::spawn(listener.run(Arc::downgrade(&shared)));
        tokio::spawn(together::run(queue, Arc::downgrade(&shared)));
        Self { shared }
    }

    /// Which connections are up, by their use; of a cluster commands have one a node.
    pub fn connections(&self) -> [(&'static str, bool); 2] {
        let Shared { link, subscriptions, .. } = &*self.shared;
        [("commands", link.failure().is_none()), ("subscription", subscriptions.current() != 0)]
    }

    /// The number of the line to the store; 0 while it is down. Where it is another one, the store may have lost something.
    pub fn line(&self) -> u64 {
        match self.shared.subscriptions.current() {
            0 => 0,
            line => line + self.shared.settling.losses(),
        }
    }

    /// Bytes of all windows of this process.
    pub fn bytes(&self) -> usize {
        self.shared.tails.iter().map(|tail| tail.bytes()).sum()
    }

    /// From now on goes by this time instead of the server's: for tests, which let hours pass.
    pub fn set_now(&self, now: Timestamp) {
        self.shared.set_now.store(now.0, Ordering::Relaxed);
    }

    /// Does what is due: looks whether windows still stand where the store does, and lets go of those that nobody uses.
    pub async fn sweep(&self, check_places: bool) {
        self.shared.sweep(check_places).await;
    }
}

impl Shared {
    fn set_now(&self) -> i64 {
        self.set_now.load(Ordering::Relaxed)
    }

    fn bounds(&self) -> WindowBounds {
        WindowBounds { entries: self.settings.ring_entries, bytes: self.settings.ring_bytes }
    }

    fn lifetime(&self) -> Lifetime {
        Lifetime { tombstone_ms: self.settings.tombstone_ms, is_gated: self.settings.is_gated }
    }
}

impl ResultCache for RedisCache {
    fn append<'a>(&'a self, append: &'a Append) -> MaybeReady<'a, Result<Appended, StoreError>> {
        Either::Right(self.shared.append(append).boxed())
    }

    fn load<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Loaded> {
        self.shared.load_together(key).boxed()
    }

    fn known(&self, key: &SessionKey) -> Option<Loaded> {
        self.shared.known(key)
    }

    fn confirm<'a>(&'a self, key: &'a SessionKey, position: Position) -> StoreFuture<'a, Option<Missed>> {
        self.shared.confirm(key, position).boxed()
    }

    fn follow<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Arc<LogWindow>> {
        self.shared.follow(key).boxed()
    }

    fn refresh<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Arc<LogWindow>> {
        self.shared.refresh_together(key).boxed()
    }

    fn read<'a>(&'a self, key: &'a SessionKey, after: Sequence, limit: usize) -> StoreFuture<'a, Read> {
        self.shared.read(key, after, limit).boxed()
    }

    fn snapshot<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Option<Snapshot>> {
        self.shared.snapshot_together(key).boxed()
    }

    fn note_late<'a>(&'a self, key: &'a SessionKey, output: Output) -> StoreFuture<'a, ()> {
        async move { self.shared.note_late(key, &output).await }.boxed()
    }

    fn sessions<'a>(
        &'a self,
        tenant: &'a TenantId,
        after: Option<&'a SessionId>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<Listed>> {
        self.shared.sessions(tenant, after, limit).boxed()
    }

    fn lost(&self) -> Vec<Lost> {
        std::mem::take(&mut *self.shared.lost.lock())
    }

    fn loses(&self) -> BoxFuture<'_, ()> {
        self.shared.loses.notified().boxed()
    }

    fn settled(&self) -> MaybeReady<'_, bool> {
        if self.shared.is_calm() {
            return Either::Left(std::future::ready(false));
        }
        Either::Right(self.shared.settled().boxed())
    }

    fn may_lack(&self) -> bool {
        self.shared.settling.may_lack()
    }

    fn followed_by(&self, archive: &Arc<dyn Archive>) {
        // It is told once, when both are put together.
        let _ = self.shared.archive.set(archive.clone());
    }

    fn backend(&self) -> &'static str {
        "redis"
    }

    fn health(&self) -> Result<(), String> {
        let link = &self.shared.link;
        let why = link.failure().or_else(|| link.refusal()).or_else(|| self.shared.subscriptions.trouble());
        why.map_or(Ok(()), Err)
    }

    fn forget<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, bool> {
        self.shared.forget(key).boxed()
    }

    fn archived<'a>(&'a self, key: &'a SessionKey, position: Position) -> StoreFuture<'a, ()> {
        self.shared.archived(key, position).boxed()
    }

    fn remember<'a>(&'a self, key: &'a SessionKey, position: Position, ended: bool) -> StoreFuture<'a, bool> {
        self.shared.remember(key, position, ended).boxed()
    }

    fn restore<'a>(&'a self, key: &'a SessionKey, restored: &'a Restored) -> StoreFuture<'a, bool> {
        self.shared.restore(key, restored).boxed()
    }

    fn put_in_front<'a>(&'a self, key: &'a SessionKey, entries: &'a [Arc<Entry>]) -> StoreFuture<'a, bool> {
        self.shared.put_archived_in_front(key, entries).boxed()
    }
}
