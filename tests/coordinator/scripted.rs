//! A store with a script: the embedded one, and what goes wrong with its next appends.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use futures::FutureExt;
use futures::future::Either;
use parking_lot::Mutex;
use tokio::sync::{Semaphore, watch};
use tributary::domain::entry::Entry;
use tributary::domain::ids::{SessionId, SessionKey, TenantId};
use tributary::domain::limits::SessionLimits;
use tributary::domain::position::{AppendId, Position, Sequence};
use tributary::domain::record::Output;
use tributary::domain::session::{Batch, Command};
use tributary::edge::cache::MemoryCache;
use tributary::engine::mux::LogWindow;
use tributary::engine::ports::result_cache::{
    Append, Appended, Listed, Loaded, MaybeReady, Missed, Presence, Read, ResultCache, Snapshot, StoreError,
    StoreFuture,
};
use tributary::engine::telemetry::Origin;

use crate::fixtures::combine;

/// What happens to one append.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The store can't be reached.
    Unavailable,
    /// No answer, and nothing was stored.
    TimedOutBefore,
    /// No answer, but it was stored, and then another writer stored this.
    TimedOutAfter(Vec<Command>),
    /// Another writer is first.
    Rival(Vec<Command>),
    /// There is no room.
    Full,
    /// It takes until the gate opens.
    Hang(Gate),
    /// The store says that it stands elsewhere, whatever it is asked.
    Contradiction,
}

/// Holds an append or a read back, and says when it is there.
#[derive(Debug, Clone)]
pub struct Gate {
    open: Arc<Semaphore>,
    arrived: watch::Sender<bool>,
}

impl Gate {
    pub fn closed() -> Self {
        Self { open: Arc::new(Semaphore::new(0)), arrived: watch::Sender::new(false) }
    }

    /// Waits until one is held back.
    pub async fn holds_one(&self) {
        self.arrived.subscribe().wait_for(|arrived| *arrived).await.unwrap();
    }

    pub fn open(&self) {
        self.open.add_permits(1);
    }

    async fn pass(&self) {
        self.arrived.send_replace(true);
        self.open.acquire().await.unwrap().forget();
    }
}

/// The store.
pub struct ScriptedStore {
    pub inner: MemoryCache,
    faults: Mutex<VecDeque<Fault>>,
    /// What every append meets when the script is over.
    then: Mutex<Option<Fault>>,
    /// The appends of the coordinator that were stored.
    pub stored: Mutex<Vec<Vec<Arc<Entry>>>>,
    pub attempts: AtomicUsize,
    pub cannot_confirm: AtomicBool,
    /// Whether nothing can be read.
    pub cannot_read: AtomicBool,
    /// What was asked of it and of the index of wake-ups, in order.
    pub asked: Mutex<Vec<&'static str>>,
    /// Whether it loses everything after the next announcement.
    pub loses_announcement: AtomicBool,
    /// The window that is given out next, as if it had been asked for before the store had all that it has.
    pub stale: Mutex<Option<Arc<LogWindow>>>,
    /// What the next read waits for.
    pub read_gate: Mutex<Option<Gate>>,
}

impl ScriptedStore {
    pub fn over(inner: MemoryCache) -> Arc<Self> {
        let (faults, then, stored, attempts, cannot_confirm) = Default::default();
        let (asked, loses_announcement, stale, cannot_read, read_gate) = Default::default();
        Arc::new(Self {
            inner,
            faults,
            then,
            stored,
            attempts,
            cannot_confirm,
            cannot_read,
            asked,
            loses_announcement,
            stale,
            read_gate,
        })
    }

    /// The next appends meet these, one each.
    pub fn next(&self, faults: impl IntoIterator<Item = Fault>) {
        self.faults.lock().extend(faults);
    }

    /// All appends meet this after those, until told otherwise.
    pub fn always_from_now(&self, fault: Option<Fault>) {
        *self.then.lock() = fault;
    }

    /// The next append is held back.
    pub fn hold_next(&self) -> Gate {
        let gate = Gate::closed();
        self.next([Fault::Hang(gate.clone())]);
        gate
    }

    /// How many entries each stored append had.
    pub fn sizes(&self) -> Vec<usize> {
        self.stored.lock().iter().map(Vec::len).collect()
    }

    fn fault(&self) -> Option<Fault> {
        let next = self.faults.lock().pop_front();
        next.or_else(|| self.then.lock().clone())
    }

    async fn apply(&self, append: &Append) -> Result<Appended, StoreError> {
        let entries = append.entries.clone();
        let appended = self.inner.append(append).await;
        if matches!(appended, Ok(Appended::Stored { .. })) {
            self.stored.lock().push(entries);
        }
        appended
    }

    /// Another replica decides and stores; what it is refused it lets be.
    pub async fn rival(&self, key: &SessionKey, commands: &[Command]) {
        let loaded = self.inner.load(key).await.unwrap();
        let Presence::Live(state) = loaded.presence else { return };
        let (limits, append_id) = (SessionLimits::default(), AppendId(fastrand::u64(..)));
        let mut batch = Batch::new(&state, &limits, loaded.now, append_id);
        for command in commands {
            let _ = batch.decide(command);
            combine(&mut batch);
        }
        let (entries, after) = batch.into_parts();
        if !entries.is_empty() {
            let (key, expected, state) = (key.clone(), state.position, Arc::new(after));
            self.inner
                .append(&Append {
                    key,
                    expected,
                    append_id,
                    entries,
                    state,
                    only_ends: false,
                    origin: Origin::unknown(),
                })
                .await
                .unwrap();
        }
    }
}

impl ResultCache for ScriptedStore {
    fn append<'a>(&'a self, append: &'a Append) -> MaybeReady<'a, Result<Appended, StoreError>> {
        let appended = async move {
            self.attempts.fetch_add(1, Ordering::Relaxed);
            self.asked.lock().push("append");
            match self.fault() {
                None => self.apply(append).await,
                Some(Fault::Unavailable) => Err(StoreError::Unavailable("by the script".to_owned())),
                Some(Fault::Full) => Err(StoreError::Full("by the script".to_owned())),
                Some(Fault::TimedOutBefore) => Err(StoreError::TimedOut),
                Some(Fault::TimedOutAfter(commands)) => {
                    let key = append.key.clone();
                    self.apply(append).await?;
                    self.rival(&key, &commands).await;
                    Err(StoreError::TimedOut)
                }
                Some(Fault::Rival(commands)) => {
                    self.rival(&append.key, &commands).await;
                    self.apply(append).await
                }
                Some(Fault::Hang(gate)) => {
                    gate.pass().await;
                    self.apply(append).await
                }
                Some(Fault::Contradiction) => {
                    let Loaded { presence, now, .. } = self.inner.load(&append.key).await?;
                    let Presence::Live(state) = presence else { panic!("not live: {presence:?}") };
                    Ok(Appended::Conflict(Missed { entries: Vec::new(), state: Some(state), now }))
                }
            }
        };
        Either::Right(appended.boxed())
    }

    fn load<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Loaded> {
        if self.cannot_read.load(Ordering::Relaxed) {
            return std::future::ready(Err(StoreError::Unavailable("by the script".to_owned()))).boxed();
        }
        self.inner.load(key)
    }

    fn confirm<'a>(&'a self, key: &'a SessionKey, position: Position) -> StoreFuture<'a, Option<Missed>> {
        if self.cannot_confirm.load(Ordering::Relaxed) {
            return std::future::ready(Err(StoreError::Unavailable("by the script".to_owned()))).boxed();
        }
        self.inner.confirm(key, position)
    }

    fn known(&self, key: &SessionKey) -> Option<Loaded> {
        self.inner.known(key)
    }

    fn settled(&self) -> MaybeReady<'_, bool> {
        let mut asked = self.asked.lock();
        let has_lost =
            asked.last() == Some(&"announce") && self.loses_announcement.swap(false, Ordering::Relaxed);
        asked.push("settled");
        Either::Left(std::future::ready(has_lost))
    }

    fn backend(&self) -> &'static str {
        self.inner.backend()
    }

    fn follow<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Arc<LogWindow>> {
        self.inner.follow(key)
    }

    fn refresh<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Arc<LogWindow>> {
        match self.stale.lock().take() {
            Some(window) => std::future::ready(Ok(window)).boxed(),
            None => self.inner.refresh(key),
        }
    }

    fn read<'a>(&'a self, key: &'a SessionKey, after: Sequence, limit: usize) -> StoreFuture<'a, Read> {
        let Some(gate) = self.read_gate.lock().take() else { return self.inner.read(key, after, limit) };
        async move {
            gate.pass().await;
            self.inner.read(key, after, limit).await
        }
        .boxed()
    }

    fn snapshot<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, Option<Snapshot>> {
        if self.cannot_read.load(Ordering::Relaxed) {
            return std::future::ready(Err(StoreError::Unavailable("by the script".to_owned()))).boxed();
        }
        self.inner.snapshot(key)
    }

    fn note_late<'a>(&'a self, key: &'a SessionKey, output: Output) -> StoreFuture<'a, ()> {
        self.inner.note_late(key, output)
    }

    fn sessions<'a>(
        &'a self,
        tenant: &'a TenantId,
        after: Option<&'a SessionId>,
        limit: usize,
    ) -> StoreFuture<'a, Vec<Listed>> {
        self.inner.sessions(tenant, after, limit)
    }

    fn health(&self) -> Result<(), String> {
        self.inner.health()
    }

    fn forget<'a>(&'a self, key: &'a SessionKey) -> StoreFuture<'a, bool> {
        self.inner.forget(key)
    }
}
