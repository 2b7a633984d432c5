//! A session that the store lost and the archive has is given back once, however many ask for it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::FutureExt;
use futures::future::{join_all, ready};
use tributary::domain::entry::Entry;
use tributary::domain::ids::SessionKey;
use tributary::domain::position::{Chain, Sequence};
use tributary::domain::time::Timestamp;
use tributary::edge::cache::{MemoryCache, MemorySettings};
use tributary::engine::archive::ArchivedCache;
use tributary::engine::ports::archive::{Archive, ArchiveBatch, ArchiveFuture, ArchivedSession, Deletion};
use tributary::engine::ports::result_cache::{Presence, ResultCache};
use tributary::engine::telemetry::Meters;

use crate::archiver::OneDue;
use crate::log::Log;
use crate::scene::look_after;

/// An archive that has these logs, and counts how often one is read. Whoever asks at once is served at once.
struct Held {
    logs: BTreeMap<SessionKey, Log>,
    reads: AtomicUsize,
}

impl Held {
    fn of(logs: impl IntoIterator<Item = Log>) -> Arc<Self> {
        let logs = logs.into_iter().map(|log| (log.key.clone(), log)).collect();
        Arc::new(Self { logs, reads: AtomicUsize::new(0) })
    }
}

fn session_of(log: &Log) -> ArchivedSession {
    ArchivedSession {
        key: log.key.clone(),
        position: log.position(),
        first: Sequence(1),
        has_open_step: true,
        is_ended: false,
        updated_at: log.now,
    }
}

impl Archive for Held {
    fn write<'a>(&'a self, _: &'a ArchiveBatch) -> ArchiveFuture<'a, ()> {
        ready(Ok(())).boxed()
    }

    fn session<'a>(&'a self, key: &'a SessionKey) -> ArchiveFuture<'a, Option<ArchivedSession>> {
        ready(Ok(self.logs.get(key).map(session_of))).boxed()
    }

    fn read<'a>(
        &'a self,
        key: &'a SessionKey,
        after: Sequence,
        limit: usize,
    ) -> ArchiveFuture<'a, Vec<Arc<Entry>>> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        async move {
            tokio::task::yield_now().await;
            let later = self.logs[key].entries.iter().filter(|entry| entry.sequence > after);
            Ok(later.take(limit).cloned().collect())
        }
        .boxed()
    }

    fn chain_at<'a>(&'a self, _: &'a SessionKey, _: Sequence) -> ArchiveFuture<'a, Option<Chain>> {
        ready(Ok(None)).boxed()
    }

    fn unfinished<'a>(
        &'a self,
        _: Timestamp,
        after: Option<&'a SessionKey>,
        limit: usize,
    ) -> ArchiveFuture<'a, Vec<ArchivedSession>> {
        let later = self.logs.values().filter(|log| after.is_none_or(|after| log.key > *after));
        ready(Ok(later.take(limit).map(session_of).collect())).boxed()
    }

    fn prune(&self, _: Timestamp, _: usize) -> ArchiveFuture<'_, usize> {
        ready(Ok(0)).boxed()
    }

    fn forget<'a>(&'a self, _: &'a SessionKey, _: Deletion) -> ArchiveFuture<'a, bool> {
        ready(Ok(false)).boxed()
    }

    fn backend(&self) -> &'static str {
        "held"
    }

    fn health(&self) -> Result<(), String> {
        Ok(())
    }
}

/// One of several replicas, over an archive and a store that has lost everything.
fn replica(archive: Arc<Held>) -> ArchivedCache {
    let settings = MemorySettings {
        ring_entries: 100_000,
        ring_bytes: 1 << 20,
        bytes_max: 1 << 30,
        sessions_max: 1_000,
        ttl_ms: 1_800_000,
        tombstone_ms: 86_400_000,
    };
    let memory = Arc::new(MemoryCache::new(settings).followed_by_archive(1 << 30));
    let index = Arc::new(OneDue::default());
    ArchivedCache::new(memory, archive, Some(index), look_after(), Meters::unread())
}

/// How often the archive is read where so many ask for a session that a store lost.
async fn reads_of(asking: usize) -> usize {
    let log = Log::running("s", 9);
    let archive = Held::of([log.clone()]);
    let cache = replica(archive.clone());
    let asked = join_all((0..asking).map(|_| cache.load(&log.key))).await;
    let mut epochs: Vec<_> = asked
        .into_iter()
        .map(|loaded| match loaded.unwrap().presence {
            Presence::Live(state) => state.position.epoch,
            other => panic!("it goes on: {other:?}"),
        })
        .collect();
    epochs.dedup();
    assert_eq!(epochs.len(), 1, "it goes on once");
    archive.reads.load(Ordering::Relaxed)
}

#[tokio::test(start_paused = true)]
async fn a_storm_of_readers_has_a_lost_session_given_back_once() {
    let alone = reads_of(1).await;
    assert!(alone > 0);
    assert_eq!(reads_of(200).await, alone);
}

/// More than are asked of the archive at once.
const RUNNING: usize = 300;

#[tokio::test(start_paused = true)]
async fn all_running_sessions_are_given_back_page_by_page() {
    let logs: Vec<Log> = (0..RUNNING).map(|number| Log::running(&format!("s-{number:03}"), 1)).collect();
    let cache = replica(Held::of(logs.clone()));
    assert_eq!(cache.look_after_running().await.unwrap(), RUNNING);
    for log in [&logs[0], &logs[RUNNING - 1]] {
        let loaded = cache.load(&log.key).await.unwrap();
        assert!(matches!(loaded.presence, Presence::Live(_)), "{:?}", loaded.presence);
    }
}
