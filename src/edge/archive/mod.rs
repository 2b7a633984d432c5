//! The archive in SQL: SQLite for one process, PostgreSQL for several.
//!
//! One implementation: both databases understand the statements, and [`database`] alone knows the difference.
//! `docs/archive.md` describes the tables for those who read them with other tools.

mod analytics;
mod connect;
mod database;
mod heads;
mod read;
mod row;
mod statements;
mod write;

use std::sync::Arc;

use futures::FutureExt;
use parking_lot::Mutex;

use crate::domain::entry::Entry;
use crate::domain::ids::{SessionKey, TenantId};
use crate::domain::position::{Chain, Sequence};
use crate::domain::time::Timestamp;
use crate::engine::ports::analytics::{Analytics, SubagentFigures};
use crate::engine::ports::archive::{Archive, ArchiveBatch, ArchiveError, ArchiveFuture, ArchivedSession};
pub use connect::{ArchiveUrl, UnfitUrl};
use database::Database;

/// The [`Archive`] over SQLite or PostgreSQL, and the [`Analytics`] over what it holds.
#[derive(Debug)]
pub struct SqlArchive {
    database: Database,
    /// Why the last call failed; `None` where it didn't.
    trouble: Mutex<Option<String>>,
}

impl SqlArchive {
    /// Lets the connections go, after what they do.
    pub async fn close(&self) {
        self.database.close().await;
    }

    /// Whether it answers right now.
    ///
    /// # Errors
    /// Where it doesn't.
    pub async fn reach(&self) -> Result<(), ArchiveError> {
        self.noted(async { self.database.fetch("SELECT 1".to_owned(), &[]).await.map(drop) }).await
    }

    /// Takes note of how a call went.
    async fn noted<T>(&self, call: impl Future<Output = Result<T, ArchiveError>>) -> Result<T, ArchiveError> {
        let done = call.await;
        let trouble = match &done {
            Err(ArchiveError::Unavailable(why)) => Some(why.clone()),
            Ok(_) | Err(ArchiveError::Corrupt(_)) => None,
        };
        *self.trouble.lock() = trouble;
        done
    }
}

impl Archive for SqlArchive {
    fn write<'a>(&'a self, batch: &'a ArchiveBatch) -> ArchiveFuture<'a, ()> {
        let written = self.database.bounded(async {
            let mut tx = self.database.begin().await?;
            write::write(&mut tx, batch).await?;
            tx.commit().await
        });
        self.noted(written).boxed()
    }

    fn session<'a>(&'a self, key: &'a SessionKey) -> ArchiveFuture<'a, Option<ArchivedSession>> {
        self.noted(read::session(&self.database, key)).boxed()
    }

    fn read<'a>(
        &'a self,
        key: &'a SessionKey,
        after: Sequence,
        limit: usize,
    ) -> ArchiveFuture<'a, Vec<Arc<Entry>>> {
        self.noted(read::entries(&self.database, key, after, limit)).boxed()
    }

    fn chain_at<'a>(&'a self, key: &'a SessionKey, sequence: Sequence) -> ArchiveFuture<'a, Option<Chain>> {
        self.noted(read::chain_at(&self.database, key, sequence)).boxed()
    }

    fn unfinished<'a>(
        &'a self,
        since: Timestamp,
        after: Option<&'a SessionKey>,
        limit: usize,
    ) -> ArchiveFuture<'a, Vec<ArchivedSession>> {
        self.noted(read::unfinished(&self.database, since, after, limit)).boxed()
    }

    fn prune(&self, older_than: Timestamp, limit: usize) -> ArchiveFuture<'_, usize> {
        let pruned = self.database.bounded(async move {
            let mut tx = self.database.begin().await?;
            let rows = read::prune(&mut tx, older_than, limit).await?;
            tx.commit().await?;
            Ok(rows)
        });
        self.noted(pruned).boxed()
    }

    fn forget<'a>(&'a self, key: &'a SessionKey) -> ArchiveFuture<'a, bool> {
        let forgotten = self.database.bounded(async {
            let mut tx = self.database.begin().await?;
            let known = read::forget(&mut tx, key).await?;
            tx.commit().await?;
            Ok(known)
        });
        self.noted(forgotten).boxed()
    }

    fn backend(&self) -> &'static str {
        self.database.name()
    }

    fn health(&self) -> Result<(), String> {
        self.trouble.lock().clone().map_or(Ok(()), Err)
    }
}

impl Analytics for SqlArchive {
    fn subagents<'a>(
        &'a self,
        tenant: &'a TenantId,
        since: Timestamp,
    ) -> ArchiveFuture<'a, Vec<SubagentFigures>> {
        self.noted(analytics::subagents(&self.database, tenant, since)).boxed()
    }
}
