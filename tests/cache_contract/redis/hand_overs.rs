//! A fork that others write to while it is handed over to the archive: after some tries it is resolved without.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::FutureExt;
use futures::future::ready;
use tokio::sync::Mutex;
use tributary::domain::ids::SessionKey;
use tributary::domain::position::{Chain, Sequence};
use tributary::domain::time::Timestamp;
use tributary::edge::cache::RedisCache;
use tributary::engine::ports::archive::{Archive, ArchiveBatch, ArchiveFuture, ArchivedSession, Deletion};
use tributary::engine::ports::result_cache::ResultCache;

use super::forks::{go_back, held, keep, stored};
use crate::writer::{Writer, partial};

/// While it writes, somebody goes on with the branch that the store has.
struct Overtaken {
    replica: RedisCache,
    writer: Mutex<Writer>,
    writes: AtomicUsize,
}

impl Archive for Overtaken {
    fn write<'a>(&'a self, _: &'a ArchiveBatch) -> ArchiveFuture<'a, ()> {
        async {
            self.writes.fetch_add(1, Ordering::Relaxed);
            self.writer.lock().await.writes(&self.replica, &[partial()]).await;
            Ok(())
        }
        .boxed()
    }

    fn session<'a>(&'a self, _: &'a SessionKey) -> ArchiveFuture<'a, Option<ArchivedSession>> {
        ready(Ok(None)).boxed()
    }

    fn read<'a>(
        &'a self,
        _: &'a SessionKey,
        _: Sequence,
        _: usize,
    ) -> ArchiveFuture<'a, Vec<Arc<tributary::domain::entry::Entry>>> {
        ready(Ok(Vec::new())).boxed()
    }

    fn chain_at<'a>(&'a self, _: &'a SessionKey, _: Sequence) -> ArchiveFuture<'a, Option<Chain>> {
        ready(Ok(None)).boxed()
    }

    fn unfinished<'a>(
        &'a self,
        _: Timestamp,
        _: Option<&'a SessionKey>,
        _: usize,
    ) -> ArchiveFuture<'a, Vec<ArchivedSession>> {
        ready(Ok(Vec::new())).boxed()
    }

    fn prune(&self, _: Timestamp, _: usize) -> ArchiveFuture<'_, usize> {
        ready(Ok(0)).boxed()
    }

    fn forget<'a>(&'a self, _: &'a SessionKey, _: Deletion) -> ArchiveFuture<'a, bool> {
        ready(Ok(false)).boxed()
    }

    fn backend(&self) -> &'static str {
        "overtaken"
    }

    fn health(&self) -> Result<(), String> {
        Ok(())
    }
}

#[tokio::test]
async fn a_fork_that_others_write_to_each_time_is_resolved_without_the_archive() {
    let (server, here, replica, mut writer) = held().await;
    keep(&server);
    let mut other = stored(&server, &writer).await;
    writer.writes(&here, &[partial()]).await;
    go_back(&server);
    other.writes(&replica, &[partial(), partial()]).await;
    let epoch = other.position().epoch;
    let archive = Arc::new(Overtaken { replica, writer: Mutex::new(other), writes: AtomicUsize::new(0) });
    let followed: Arc<dyn Archive> = archive.clone();
    here.followed_by(&followed);
    here.refresh(&writer.key).await.unwrap();
    assert_eq!(archive.writes.load(Ordering::Relaxed), 3, "each time somebody was faster");
    let now = stored(&server, &writer).await;
    assert_ne!(now.position().epoch, epoch, "readers of both are told by verdict");
    let overtaking = archive.writer.lock().await.position();
    assert!(now.position().sequence >= overtaking.sequence, "with all that the others wrote");
    assert_eq!(here.lost().len(), 1, "what only this one had is decided again");
}
