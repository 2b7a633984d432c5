//! The archive in SQL: SQLite for one process, PostgreSQL for several.
//!
//! One implementation: both databases understand the statements, and [`database`] alone knows the difference.
//! `docs/archive.md` describes the tables for those who read them with other tools.

mod analytics;
mod connect;
mod database;
mod deletions;
mod failure;
mod feedback;
mod first_rows;
mod heads;
mod held_database;
mod held_file;
mod own_file;
mod probe;
mod read;
mod refusals;
mod row;
mod shadow;
mod statements;
mod turn_back;
mod write;

/// A transaction: what `$work` does with `$tx` is committed.
macro_rules! in_one {
    ($archive:expr, |$tx:ident| $work:expr) => {{
        let done = $archive.database.bounded(async move {
            let mut begun = $archive.database.begin().await?;
            let $tx = &mut begun;
            let done = $work.await?;
            begun.commit().await?;
            Ok(done)
        });
        $archive.noted(Call::Writes, done).boxed()
    }};
}

mod shadow_log;

use std::sync::Arc;

use futures::FutureExt;
use parking_lot::Mutex;

use crate::domain::entry::Entry;
use crate::domain::ids::{SessionKey, TenantId};
use crate::domain::position::{Chain, Sequence};
use crate::domain::session::IdempotencyKey;
use crate::domain::time::Timestamp;
use crate::engine::ports::analytics::{Analytics, SubagentFigures};
use crate::engine::ports::archive::{
    Archive, ArchiveBatch, ArchiveError, ArchiveFuture, ArchivedSession, Deletion,
};
use crate::engine::ports::feedback_log::{FeedbackFigures, FeedbackLog, FeedbackNoted, GivenFeedback};
pub use connect::{ArchiveUrl, UnfitUrl};
use database::Database;
pub use held_file::Company;
pub use probe::Tables;

/// The [`Archive`] over SQLite or PostgreSQL, the [`Analytics`] over what it holds, and the logs beside it.
#[derive(Debug)]
pub struct SqlArchive {
    database: Database,
    /// Why the last call failed of those that read, and of those that write: a full disk can still be read.
    trouble: Mutex<[Option<String>; 2]>,
}

/// What a call does.
#[derive(Debug, Clone, Copy)]
enum Call {
    Reads,
    Writes,
}

impl SqlArchive {
    /// Keeps it from processes that are no such company, until [`SqlArchive::close`] or the end of this one. Doesn't wait for them.
    /// Of a PostgreSQL it has to be asked for again and again, as that may be started anew; who shares a log keeps nobody from it.
    ///
    /// # Errors
    /// Where another process has it, and the text says so; or where a PostgreSQL doesn't answer.
    pub async fn hold(&self, company: Company) -> Result<(), ArchiveError> {
        let held = match (&self.database, company) {
            (Database::Sqlite { held, .. }, _) => return held.hold(company),
            (Database::Postgres { .. }, Company::Replicas) => return Ok(()),
            (Database::Postgres { held, .. }, Company::Nobody) => held,
        };
        if self.database.bounded(held.hold()).await? {
            // What another one that had it is just writing is there before anything is read.
            let others_end = self.database.bounded(async { self.database.begin().await.map(drop) }).await;
            if others_end.is_err() {
                held.let_go().await;
            }
            return others_end;
        }
        Ok(())
    }

    /// Which process has it just now, as far as that can be told. Leaves no trace.
    ///
    /// # Errors
    /// Where the database doesn't answer.
    pub async fn holder(&self) -> Result<Option<String>, ArchiveError> {
        match &self.database {
            Database::Sqlite { held, .. } => Ok(held.is_held().then(|| "a process".to_owned())),
            Database::Postgres { .. } => {
                let found = self.database.fetch(held_database::holder(), &[]).await?;
                let Some(row) = found.first() else { return Ok(None) };
                let (backend, place) = (row.int(0)?, row.text(2)?);
                Ok(Some(format!("a process (PostgreSQL's {backend}, connected from {place})")))
            }
        }
    }

    /// Lets the connections go, after what they do.
    pub async fn close(&self) {
        self.database.close().await;
    }

    /// Takes note of how a call went. One that has written shows that it can be read, too.
    async fn noted<T>(
        &self,
        does: Call,
        call: impl Future<Output = Result<T, ArchiveError>>,
    ) -> Result<T, ArchiveError> {
        let done = call.await.map_err(|error| match &self.database {
            Database::Sqlite { file, .. } => file.named(error),
            Database::Postgres { .. } => error,
        });
        let mut trouble = self.trouble.lock();
        match (&done, does) {
            (Err(ArchiveError::Unavailable(why)), _) => trouble[does as usize] = Some(why.clone()),
            (Ok(_), Call::Writes) => *trouble = Default::default(),
            (Ok(_), Call::Reads) | (Err(ArchiveError::Corrupt(_) | ArchiveError::Behind(_)), _) => {
                trouble[does as usize] = None
            }
        }
        drop(trouble);
        done
    }
}

impl Archive for SqlArchive {
    fn write<'a>(&'a self, batch: &'a ArchiveBatch) -> ArchiveFuture<'a, ()> {
        in_one!(self, |tx| write::write(tx, batch))
    }

    fn session<'a>(&'a self, key: &'a SessionKey) -> ArchiveFuture<'a, Option<ArchivedSession>> {
        self.noted(Call::Reads, read::session(&self.database, key)).boxed()
    }

    fn read<'a>(
        &'a self,
        key: &'a SessionKey,
        after: Sequence,
        limit: usize,
    ) -> ArchiveFuture<'a, Vec<Arc<Entry>>> {
        self.noted(Call::Reads, read::entries(&self.database, key, after, limit)).boxed()
    }

    fn chain_at<'a>(&'a self, key: &'a SessionKey, sequence: Sequence) -> ArchiveFuture<'a, Option<Chain>> {
        self.noted(Call::Reads, read::chain_at(&self.database, key, sequence)).boxed()
    }

    fn unfinished<'a>(
        &'a self,
        since: Timestamp,
        after: Option<&'a SessionKey>,
        limit: usize,
    ) -> ArchiveFuture<'a, Vec<ArchivedSession>> {
        self.noted(Call::Reads, read::unfinished(&self.database, since, after, limit)).boxed()
    }

    fn prune(&self, older_than: Timestamp, limit: usize) -> ArchiveFuture<'_, usize> {
        in_one!(self, |tx| read::prune(tx, older_than, limit))
    }

    fn forget<'a>(&'a self, key: &'a SessionKey, deletion: Deletion) -> ArchiveFuture<'a, bool> {
        let forgotten = in_one!(self, |tx| read::forget(tx, key, deletion));
        async move {
            let known = forgotten.await?;
            self.database.empty_wal().await;
            Ok(known)
        }
        .boxed()
    }

    fn backend(&self) -> &'static str {
        self.database.name()
    }

    fn health(&self) -> Result<(), String> {
        if let Database::Postgres { held, .. } = &self.database
            && let Some(why) = held.trouble()
        {
            return Err(why);
        }
        let [reads, writes] = &*self.trouble.lock();
        writes.as_ref().or(reads.as_ref()).map_or(Ok(()), |why| Err(why.clone()))
    }

    fn taken(&self) -> Option<String> {
        match &self.database {
            Database::Sqlite { .. } => None,
            Database::Postgres { held, .. } => held.taken(),
        }
    }
}

impl Analytics for SqlArchive {
    fn subagents<'a>(
        &'a self,
        tenant: &'a TenantId,
        since: Timestamp,
    ) -> ArchiveFuture<'a, Vec<SubagentFigures>> {
        self.noted(Call::Reads, analytics::subagents(&self.database, tenant, since)).boxed()
    }
}

impl FeedbackLog for SqlArchive {
    fn note_feedback<'a>(
        &'a self,
        given: &'a GivenFeedback,
        once: Option<&'a IdempotencyKey>,
    ) -> ArchiveFuture<'a, FeedbackNoted> {
        in_one!(self, |tx| feedback::note(tx, given, once))
    }

    fn feedback<'a>(&'a self, tenant: &'a TenantId, since: Timestamp) -> ArchiveFuture<'a, FeedbackFigures> {
        self.noted(Call::Reads, feedback::figures(&self.database, tenant, since)).boxed()
    }

    /// A session's feedback goes with its entries.
    fn forget_feedback<'a>(&'a self, _key: &'a SessionKey) -> ArchiveFuture<'a, ()> {
        std::future::ready(Ok(())).boxed()
    }
}
