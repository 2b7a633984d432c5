//! A log that another replica archives, and the cache trims, while this one reads it for the archive.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;
use tributary::domain::entry::Entry;
use tributary::domain::ids::SessionKey;
use tributary::domain::position::{Chain, Sequence};
use tributary::domain::time::Timestamp;
use tributary::edge::archive::SqlArchive;
use tributary::edge::cache::{MemoryCache, MemorySettings};
use tributary::engine::archive::{ArchivedCache, Archiver, ArchiverSettings};
use tributary::engine::ports::archive::{
    Archive, ArchiveBatch, ArchiveFuture, ArchivedSession, Deletion, Segment,
};
use tributary::engine::ports::result_cache::ResultCache;
use tributary::engine::telemetry::Meters;

use crate::harness::eventually;
use crate::log::batch;
use crate::scene::look_after;
use crate::sqlite::Folder;
use crate::writer::{Writer, partial};

/// An archive to which the other replica has just written when this one asks how far it is.
struct Shared {
    sql: Arc<SqlArchive>,
    memory: Arc<MemoryCache>,
    log: Mutex<Writer>,
    /// How far it gets each time.
    goes_on: Mutex<VecDeque<usize>>,
}

impl Shared {
    /// The other replica archives so many entries, and the cache lets go of them.
    async fn archives(&self, entries: usize) {
        let Writer { key, log, state } = self.log.lock().clone();
        let (epoch, end) = (state.position.epoch, log[entries - 1].position(state.position.epoch));
        let segment = Segment { key: key.clone(), epoch, entries: log[..entries].to_vec() };
        self.sql.write(&batch([segment])).await.unwrap();
        self.memory.archived(&key, end).await.unwrap();
    }
}

impl Archive for Shared {
    fn write<'a>(&'a self, batch: &'a ArchiveBatch) -> ArchiveFuture<'a, ()> {
        self.sql.write(batch)
    }

    fn session<'a>(&'a self, key: &'a SessionKey) -> ArchiveFuture<'a, Option<ArchivedSession>> {
        async move {
            let next = self.goes_on.lock().pop_front();
            if let Some(entries) = next {
                self.archives(entries).await;
            }
            self.sql.session(key).await
        }
        .boxed()
    }

    fn read<'a>(
        &'a self,
        key: &'a SessionKey,
        after: Sequence,
        limit: usize,
    ) -> ArchiveFuture<'a, Vec<Arc<Entry>>> {
        self.sql.read(key, after, limit)
    }

    fn chain_at<'a>(&'a self, key: &'a SessionKey, sequence: Sequence) -> ArchiveFuture<'a, Option<Chain>> {
        self.sql.chain_at(key, sequence)
    }

    fn unfinished<'a>(
        &'a self,
        since: Timestamp,
        after: Option<&'a SessionKey>,
        limit: usize,
    ) -> ArchiveFuture<'a, Vec<ArchivedSession>> {
        self.sql.unfinished(since, after, limit)
    }

    fn prune(&self, older_than: Timestamp, limit: usize) -> ArchiveFuture<'_, usize> {
        self.sql.prune(older_than, limit)
    }

    fn forget<'a>(&'a self, key: &'a SessionKey, deletion: Deletion) -> ArchiveFuture<'a, bool> {
        self.sql.forget(key, deletion)
    }

    fn backend(&self) -> &'static str {
        self.sql.backend()
    }

    fn health(&self) -> Result<(), String> {
        self.sql.health()
    }
}

#[tokio::test]
async fn what_is_trimmed_while_it_is_read_is_not_told_to_be_archived() {
    let folder = Folder::new();
    // A ring of one byte: what is archived is let go at once.
    let settings = MemorySettings {
        ring_entries: 100_000,
        ring_bytes: 1,
        bytes_max: 1 << 30,
        sessions_max: 1_000,
        ttl_ms: 1_800_000,
        tombstone_ms: 86_400_000,
    };
    let memory = Arc::new(MemoryCache::new(settings).followed_by_archive(1 << 30));
    let mut writer = Writer::new("s");
    writer.begins(&*memory).await.writes(&*memory, &[partial()]).await;
    let (sql, log) = (folder.archive().await, Mutex::new(writer.clone()));
    let shared = Arc::new(Shared { sql, memory: memory.clone(), log, goes_on: Mutex::default() });
    let of_memory: Arc<dyn ResultCache> = memory.clone();
    let cache = ArchivedCache::new(of_memory, shared.clone(), None, look_after(), Meters::unread());
    let settings =
        ArchiverSettings { batch_entries: 512, batch_bytes: 1 << 20, linger: Duration::from_millis(1) };
    let stop = CancellationToken::new();
    let archiving = tokio::spawn(Archiver::new(&cache, settings, Meters::unread()).run(stop.clone()));
    let is_level = async |writer: &Writer| {
        eventually("everything to be archived", || async {
            let session = shared.sql.session(&writer.key).await.ok().flatten();
            session.filter(|session| session.position == writer.position())
        })
        .await
    };
    // This replica's cursor is where the log ends now.
    cache.backlog().note(&writer.key, writer.position());
    is_level(&writer).await;
    for _ in 0..60 {
        writer.writes(&*memory, &[partial()]).await;
    }
    *shared.log.lock() = writer.clone();
    // The other one goes on meanwhile: what this one reads is trimmed, and once more while it looks again, and again.
    shared.archives(20).await;
    shared.goes_on.lock().extend([40, 50]);
    cache.backlog().note(&writer.key, writer.position());
    let session = is_level(&writer).await;
    assert_eq!(session.first, Sequence(1), "without a hole");
    assert_eq!(shared.sql.read(&writer.key, Sequence(0), 1_000).await.unwrap(), writer.log);
    assert!(shared.goes_on.lock().is_empty(), "the other one was as fast as that");
    stop.cancel();
    archiving.await.unwrap();
}
