//! From a URL to an archive whose tables are up to date.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use parking_lot::Mutex;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Executor, SqlSafeStr};

use super::database::Database;
use super::failure::failed;
use super::held_database::HeldDatabase;
use super::held_file::HeldFile;
use super::own_file::OwnFile;
use super::refusals::Refusals;
use super::{Call, SqlArchive, Tables};
use crate::engine::ports::archive::ArchiveError;

/// Version, what it does, and its text, for SQLite and for PostgreSQL. A text never changes once it was released.
const MIGRATIONS: &[(i64, &str, [&str; 2])] = &[
    (
        1,
        "archive",
        [
            include_str!("../../../migrations/sqlite/0001_archive.sql"),
            include_str!("../../../migrations/postgres/0001_archive.sql"),
        ],
    ),
    (
        2,
        "feedback",
        [
            include_str!("../../../migrations/sqlite/0002_feedback.sql"),
            include_str!("../../../migrations/postgres/0002_feedback.sql"),
        ],
    ),
    (
        3,
        "shadow",
        [
            include_str!("../../../migrations/sqlite/0003_shadow.sql"),
            include_str!("../../../migrations/postgres/0003_shadow.sql"),
        ],
    ),
    (
        4,
        "shadow_keys",
        [
            include_str!("../../../migrations/sqlite/0004_shadow_keys.sql"),
            include_str!("../../../migrations/postgres/0004_shadow_keys.sql"),
        ],
    ),
    (
        5,
        "deletions",
        [
            include_str!("../../../migrations/sqlite/0005_deletions.sql"),
            include_str!("../../../migrations/postgres/0005_deletions.sql"),
        ],
    ),
    (
        6,
        "one_index_of_entries",
        [
            include_str!("../../../migrations/sqlite/0006_one_index_of_entries.sql"),
            include_str!("../../../migrations/postgres/0006_one_index_of_entries.sql"),
        ],
    ),
];

/// Connections that read at the same time; the archiver has one more.
const READERS: u32 = 4;
/// What a pool of PostgreSQL's has at most.
pub(super) const CONNECTIONS: u32 = READERS + 1;

/// A call that takes longer is one to a database that is away. A batch takes tens of milliseconds.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);

/// How much of that a connection to PostgreSQL may take: then there is time to ask why there is none.
const CONNECTS: Duration = Duration::from_secs(4);

/// How long the emptying of SQLite's log waits for who reads or writes.
const WAL_TIMEOUT: Duration = Duration::from_millis(500);

/// In PostgreSQL: a replica that freezes or is cut off in a transaction doesn't keep the others from theirs, and who waits
/// for the lock is told before it takes the database for one that is away.
const OTHERS_FIRST: &str = "SET idle_in_transaction_session_timeout = '10s'; SET lock_timeout = '4s'; \
    SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3";

/// Where an archive is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchiveUrl {
    /// `sqlite://<path>`: a file, made where it is missing.
    Sqlite(PathBuf),
    /// `postgres://…`, as libpq writes it.
    Postgres(String),
}

/// A URL that leads to no archive. Doesn't show it: it may hold a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "an archive is `none`, `sqlite://<path>` without a `?`, a file and not `:memory:`, or like `postgres://127.0.0.1:5432/<database>`; a user \
     and a password stand before the host, a colon between them and an at sign behind"
)]
pub struct UnfitUrl;

impl FromStr for ArchiveUrl {
    type Err = UnfitUrl;

    fn from_str(url: &str) -> Result<Self, UnfitUrl> {
        match url.split_once("://") {
            // Each connection to `:memory:` would have a database of its own.
            Some(("sqlite", path)) if !path.is_empty() && path != ":memory:" && !path.contains('?') => {
                Ok(Self::Sqlite(path.into()))
            }
            Some(("postgres" | "postgresql", _)) => {
                url.parse::<PgConnectOptions>().map_err(|_| UnfitUrl)?;
                Ok(Self::Postgres(url.to_owned()))
            }
            Some(_) | None => Err(UnfitUrl),
        }
    }
}

impl SqlArchive {
    /// An archive that connects when it is first used: a database that is away when the service starts is waited for.
    ///
    /// # Errors
    /// Where the URL of a PostgreSQL can't be read.
    pub fn at(url: &ArchiveUrl) -> Result<Self, UnfitUrl> {
        Self::with(url, kept)
    }

    /// The same for who only looks: a file isn't made, and is read in the way in which it was written.
    ///
    /// # Errors
    /// As for [`SqlArchive::at`].
    pub fn found_at(url: &ArchiveUrl) -> Result<Self, UnfitUrl> {
        Self::with(url, |path| SqliteConnectOptions::new().filename(path).busy_timeout(TIMEOUT))
    }

    fn with(url: &ArchiveUrl, options: impl FnOnce(&Path) -> SqliteConnectOptions) -> Result<Self, UnfitUrl> {
        let database = match url {
            ArchiveUrl::Sqlite(path) => sqlite(path, options(path)),
            ArchiveUrl::Postgres(url) => {
                let options = url.parse::<PgConnectOptions>().map_err(|_| UnfitUrl)?;
                let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(CONNECTS);
                let pool = pool.after_connect(|connection, _| {
                    Box::pin(async move { connection.execute(OTHERS_FIRST).await.map(drop) })
                });
                let refusals = Refusals::default();
                let known = refusals.clone();
                let pool = pool.before_acquire(move |_, idle| {
                    let may_write = known.is_after(idle.age);
                    Box::pin(async move { Ok(may_write) })
                });
                let held = Box::new(HeldDatabase::new(options.clone()));
                let pool = pool.connect_lazy_with(options);
                Database::Postgres { pool, refusals, held }
            }
        };
        Ok(Self { database, trouble: Mutex::default() })
    }

    /// A SQLite that can't grow beyond so many pages: a disk that is full, for tests.
    pub fn sqlite_of_pages(path: &Path, pages_max: u32) -> Self {
        let options = kept(path).pragma("max_page_count", pages_max.to_string());
        let database = sqlite(path, options);
        Self { database, trouble: Mutex::default() }
    }

    /// Brings the tables up to date; several processes may do so at once. Where they are, nothing is changed: a user who may
    /// make no tables can go on with those that another has made.
    ///
    /// # Errors
    /// Where the database isn't there, or belongs to a later version.
    pub async fn migrate(&self) -> Result<(), ArchiveError> {
        self.noted(Call::Writes, self.migrate_now()).await
    }

    async fn migrate_now(&self) -> Result<(), ArchiveError> {
        if !matches!(self.tables().await?, Tables::Current) {
            self.run_migrations().await?;
        }
        match &self.database {
            Database::Sqlite { file, .. } => file.check(),
            Database::Postgres { .. } => Ok(()),
        }
    }

    async fn run_migrations(&self) -> Result<(), ArchiveError> {
        let all = Migrator::with_migrations(self.database.migrations());
        let migrated = match &self.database {
            Database::Sqlite { writer, .. } => all.run(writer).await,
            Database::Postgres { pool, .. } => {
                let mut connection = self.database.told(pool.acquire().await).await?;
                let migrated = all.run_direct(None, &mut *connection, false).await;
                if migrated.is_err() {
                    // It holds the lock under which others wait to begin, and would for as long as it is kept.
                    let _ = connection.close().await;
                }
                migrated
            }
        };
        migrated.map_err(not_migrated)
    }
}

fn not_migrated(error: MigrateError) -> ArchiveError {
    if let MigrateError::Execute(error) = error {
        return failed(error);
    }
    ArchiveError::Unavailable(error.to_string())
}

impl Database {
    /// The migrations, in its own language.
    pub(super) fn migrations(&self) -> Vec<Migration> {
        let dialect = match self {
            Self::Sqlite { .. } => 0,
            Self::Postgres { .. } => 1,
        };
        let migration = |(version, name, texts): &(i64, &'static str, [&'static str; 2])| {
            let sql = texts[dialect].into_sql_str();
            Migration::new(*version, (*name).into(), MigrationType::Simple, sql, false)
        };
        MIGRATIONS.iter().map(migration).collect()
    }
}

/// `synchronous = FULL`: what the archive says it has is on the disk, so that the cache may let go of it. In WAL mode that
/// is one `fsync` a batch, which thousands of entries share.
fn kept(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(TIMEOUT)
        .pragma("journal_size_limit", "67108864")
        // What is deleted is overwritten: a session that was forgotten isn't read out of the file.
        .pragma("secure_delete", "ON")
        .pragma("temp_store", "memory")
}

fn sqlite(path: &Path, options: SqliteConnectOptions) -> Database {
    let pool = |connections| {
        let pool = SqlitePoolOptions::new().max_connections(connections).acquire_timeout(TIMEOUT);
        // A connection to a file costs nothing to keep, and its prepared statements much to make again.
        pool.idle_timeout(None).max_lifetime(None)
    };
    let writer: SqlitePool = pool(1).connect_lazy_with(options.clone());
    let readers = pool(READERS).connect_lazy_with(options.clone());
    let wal = pool(1).connect_lazy_with(options.busy_timeout(WAL_TIMEOUT));
    let (file, held) = (OwnFile::new(path), HeldFile::new(path));
    Database::Sqlite { writer, readers, wal, file, held }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_leads_to_a_file_or_a_server_and_never_shows_itself() {
        for (url, path) in [("sqlite://a.db", "a.db"), ("sqlite:///var/lib/a.db", "/var/lib/a.db")] {
            assert_eq!(url.parse(), Ok(ArchiveUrl::Sqlite(path.into())));
        }
        for url in ["postgres://u:p@db:5432/t", "postgresql:///t?host=%2Frun"] {
            assert_eq!(url.parse(), Ok(ArchiveUrl::Postgres(url.to_owned())));
        }
        for url in [
            "",
            "none",
            "a.db",
            "sqlite://",
            "sqlite://:memory:",
            "sqlite://a.db?mode=rwc",
            "mysql://u:p@db/t",
        ] {
            assert_eq!(url.parse::<ArchiveUrl>(), Err(UnfitUrl), "{url}");
        }
    }
}
