//! A cache, an archive and the archiver between them, in this process.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tributary::domain::ids::SessionKey;
use tributary::domain::position::Sequence;
use tributary::edge::archive::SqlArchive;
use tributary::edge::cache::{MemoryCache, MemorySettings};
use tributary::engine::archive::{ArchivedCache, Archiver, ArchiverSettings, LookAfter};
use tributary::engine::ports::archive::Archive;
use tributary::engine::ports::wake_index::WakeIndex;
use tributary::engine::telemetry::Meters;

use crate::harness::eventually;
use crate::writer::{Writer, sequences};

/// When sessions are looked at: long after these tests, but for those that set another time.
pub fn look_after() -> LookAfter {
    LookAfter { appended: Duration::from_secs(60), kept: KEPT }
}

/// How long the cache keeps what is quiet.
pub const KEPT: Duration = Duration::from_secs(1_800);

/// A cache, the archive behind it, and the archiver between them.
pub struct Scene {
    pub sql: Arc<SqlArchive>,
    pub memory: Arc<MemoryCache>,
    pub cache: Arc<ArchivedCache>,
    pub stop: CancellationToken,
    pub archiving: tokio::task::JoinHandle<()>,
}

impl Scene {
    pub fn new(sql: Arc<SqlArchive>, ring_bytes: usize, backlog_bytes: usize) -> Self {
        Self::with_index(sql, ring_bytes, backlog_bytes, None)
    }

    /// One of several replicas, which find in the index what others left.
    pub fn with_index(
        sql: Arc<SqlArchive>,
        ring_bytes: usize,
        backlog_bytes: usize,
        index: Option<Arc<dyn WakeIndex>>,
    ) -> Self {
        let settings = MemorySettings {
            ring_entries: 100_000,
            ring_bytes,
            bytes_max: 1 << 30,
            sessions_max: 1_000,
            ttl_ms: KEPT.as_millis() as u64,
            tombstone_ms: 86_400_000,
        };
        let memory = Arc::new(MemoryCache::new(settings).followed_by_archive(backlog_bytes));
        let cache =
            Arc::new(ArchivedCache::new(memory.clone(), sql.clone(), index, look_after(), Meters::unread()));
        let linger = Duration::from_millis(1);
        let settings = ArchiverSettings { batch_entries: 64, batch_bytes: 1 << 20, linger };
        let stop = CancellationToken::new();
        let archiving = tokio::spawn(Archiver::new(&cache, settings, Meters::unread()).run(stop.clone()));
        Self { sql, memory, cache, stop, archiving }
    }

    pub async fn archived(&self, key: &SessionKey) -> Vec<u64> {
        sequences(&self.sql.read(key, Sequence(0), 100_000).await.unwrap())
    }

    /// Waits until the archive has everything that a writer wrote, and compares.
    pub async fn has_everything_of(&self, writer: &Writer) {
        eventually("everything to be archived", || async {
            let session = self.sql.session(&writer.key).await.ok().flatten();
            session.is_some_and(|session| session.position == writer.position()).then_some(())
        })
        .await;
        assert_eq!(self.archived(&writer.key).await, sequences(&writer.log));
    }
}
