//! The few things that the archive asks of a database, in one shape for SQLite and PostgreSQL.
//!
//! Both take `$1` as a placeholder, both know `ON CONFLICT` and partial indexes: the statements are shared, only this
//! file knows whom they go to. A time-out ends every call, so that a database that hangs is one that is away.

use futures::stream::TryStreamExt;
use sqlx::postgres::{PgArguments, PgPool, PgRow};
use sqlx::sqlite::{SqliteArguments, SqlitePool, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Postgres, Row as _, Sqlite, Transaction};

use super::connect::TIMEOUT;
use super::failure::failed;
use super::first_rows::first_rows;
use super::held_database::HeldDatabase;
use super::held_file::HeldFile;
use super::own_file::OwnFile;
use super::refusals::Refusals;
use super::statements::Placeholders;
use crate::engine::ports::archive::ArchiveError;

/// All that write take this lock in PostgreSQL, one after the other: replicas may write the same session. In SQLite
/// `BEGIN IMMEDIATE` does that.
const WRITERS_LOCK: &str = "SELECT pg_advisory_xact_lock(7512093)";

/// Whoever begins to write waits for others at once, and not in the middle.
const BEGIN_SQLITE: &str = "BEGIN IMMEDIATE";

#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'a> {
    Int(i64),
    MaybeInt(Option<i64>),
    Float(f64),
    Text(&'a str),
    MaybeText(Option<&'a str>),
}

/// Where statements go.
#[derive(Debug)]
pub(super) enum Database {
    /// One connection writes, others read at the same time (WAL); one empties the log.
    Sqlite {
        writer: SqlitePool,
        readers: SqlitePool,
        wal: SqlitePool,
        file: OwnFile,
        held: HeldFile,
    },
    Postgres {
        pool: PgPool,
        refusals: Refusals,
        held: Box<HeldDatabase>,
    },
}

/// A transaction; without [`Tx::commit`] nothing of it happens.
pub(super) enum Tx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>, Refusals),
}

/// A row of an answer.
pub(super) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

macro_rules! arguments {
    ($kind:ty, $values:expr) => {{
        let mut arguments = <$kind>::default();
        arguments.reserve($values.len(), 0);
        for value in $values {
            let added = match *value {
                Value::Int(number) => arguments.add(number),
                Value::MaybeInt(number) => arguments.add(number),
                Value::Float(number) => arguments.add(number),
                Value::Text(text) => arguments.add(text),
                Value::MaybeText(text) => arguments.add(text),
            };
            added.map_err(sqlx::Error::Encode)?;
        }
        arguments
    }};
}

impl Database {
    /// `sqlite` or `postgres`.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => "sqlite",
            Self::Postgres { .. } => "postgres",
        }
    }

    /// Ends `work` when it takes too long.
    pub(super) async fn bounded<T>(
        &self,
        work: impl Future<Output = Result<T, ArchiveError>>,
    ) -> Result<T, ArchiveError> {
        let hung = |_| ArchiveError::Unavailable(format!("no answer in {TIMEOUT:?}"));
        tokio::time::timeout(TIMEOUT, work).await.map_err(hung)?
    }

    /// The rows of a question.
    pub(super) async fn fetch(&self, sql: String, values: &[Value<'_>]) -> Result<Vec<Row>, ArchiveError> {
        self.fetch_until(sql, values, |_| false).await
    }

    /// The rows of a question, up to the first that is enough. What follows it is never in memory.
    pub(super) async fn fetch_until(
        &self,
        sql: String,
        values: &[Value<'_>],
        is_enough: impl FnMut(&Row) -> bool,
    ) -> Result<Vec<Row>, ArchiveError> {
        let rows = async {
            let sql = AssertSqlSafe(sql);
            match self {
                Self::Sqlite { readers, .. } => {
                    let query = sqlx::query_with::<Sqlite, _>(sql, arguments!(SqliteArguments, values));
                    first_rows(query.fetch(readers).map_ok(Row::Sqlite), is_enough).await
                }
                Self::Postgres { pool, .. } => {
                    let query = sqlx::query_with::<Postgres, _>(sql, arguments!(PgArguments, values));
                    first_rows(query.fetch(pool).map_ok(Row::Postgres), is_enough).await
                }
            }
        };
        self.bounded(async { self.told(rows.await).await }).await
    }

    /// Begins to write. Nobody else writes until it ends.
    pub(super) async fn begin(&self) -> Result<Tx, ArchiveError> {
        let begun = async {
            Ok(match self {
                Self::Sqlite { writer, .. } => Tx::Sqlite(begin_sqlite(writer).await?),
                Self::Postgres { pool, refusals, .. } => {
                    let mut tx = pool.begin().await?;
                    sqlx::query(WRITERS_LOCK).execute(&mut *tx).await?;
                    Tx::Postgres(tx, refusals.clone())
                }
            })
        };
        let mut begun = self.told(begun.await).await?;
        match (self, &mut begun) {
            (Self::Sqlite { file, .. }, _) => file.check()?,
            (Self::Postgres { held, .. }, Tx::Postgres(tx, _)) => held.check(tx).await?,
            (Self::Postgres { .. }, Tx::Sqlite(_)) => {}
        }
        Ok(begun)
    }

    /// Takes what was deleted out of SQLite's log as well, as far as nobody reads it just now: later writes go over the rest,
    /// and the end of the process takes the log away.
    pub(super) async fn empty_wal(&self) {
        let Self::Sqlite { wal, .. } = self else { return };
        if let Err(error) = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(wal).await {
            tracing::debug!(%error, "the log of the archive's file wasn't emptied");
        }
    }

    /// Lets the connections go, after what they do.
    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite { writer, readers, wal, held, .. } => {
                wal.close().await;
                readers.close().await;
                writer.close().await;
                held.let_go();
            }
            Self::Postgres { pool, held, .. } => {
                pool.close().await;
                held.let_go().await;
            }
        }
    }
}

/// SQLite ends a transaction by itself where its disk is full, of which the library isn't told: it holds the connection for
/// one inside of a transaction, and can't begin another one. A new connection can.
async fn begin_sqlite(writer: &SqlitePool) -> Result<Transaction<'static, Sqlite>, sqlx::Error> {
    match writer.begin_with(BEGIN_SQLITE).await {
        Err(sqlx::Error::InvalidSavePointStatement | sqlx::Error::BeginFailed) => {}
        begun => return begun,
    }
    writer.acquire().await?.close().await?;
    writer.begin_with(BEGIN_SQLITE).await
}

impl Tx {
    /// How rows of placeholders are written.
    pub(super) fn placeholders(&self) -> Placeholders {
        match self {
            Self::Sqlite(_) => Placeholders::Bare,
            Self::Postgres(..) => Placeholders::Numbered,
        }
    }

    /// The rows of a question.
    pub(super) async fn fetch(
        &mut self,
        sql: String,
        values: &[Value<'_>],
    ) -> Result<Vec<Row>, ArchiveError> {
        let rows = async {
            let sql = AssertSqlSafe(sql);
            Ok(match self {
                Self::Sqlite(tx) => {
                    let query = sqlx::query_with::<Sqlite, _>(sql, arguments!(SqliteArguments, values));
                    query.fetch_all(&mut **tx).await?.into_iter().map(Row::Sqlite).collect()
                }
                Self::Postgres(tx, _) => {
                    let query = sqlx::query_with::<Postgres, _>(sql, arguments!(PgArguments, values));
                    query.fetch_all(&mut **tx).await?.into_iter().map(Row::Postgres).collect()
                }
            })
        };
        rows.await.map_err(failed)
    }

    /// How many rows a statement changed.
    pub(super) async fn execute(&mut self, sql: String, values: &[Value<'_>]) -> Result<u64, ArchiveError> {
        let changed = async {
            let sql = AssertSqlSafe(sql);
            Ok(match self {
                Self::Sqlite(tx) => {
                    let query = sqlx::query_with::<Sqlite, _>(sql, arguments!(SqliteArguments, values));
                    query.execute(&mut **tx).await?.rows_affected()
                }
                Self::Postgres(tx, _) => {
                    let query = sqlx::query_with::<Postgres, _>(sql, arguments!(PgArguments, values));
                    query.execute(&mut **tx).await?.rows_affected()
                }
            })
        };
        let changed = changed.await;
        if let (Self::Postgres(_, refusals), Err(error)) = (self, &changed) {
            refusals.note(error);
        }
        changed.map_err(failed)
    }

    /// Makes it durable.
    pub(super) async fn commit(self) -> Result<(), ArchiveError> {
        let committed = match self {
            Self::Sqlite(tx) => tx.commit().await,
            Self::Postgres(tx, refusals) => tx.commit().await.inspect_err(|error| refusals.note(error)),
        };
        committed.map_err(failed)
    }
}

impl Row {
    pub(super) fn int(&self, column: usize) -> Result<i64, ArchiveError> {
        let value = match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        };
        value.map_err(failed)
    }

    /// Bytes of a text; 0 where there is none.
    pub(super) fn length(&self, column: usize) -> usize {
        self.maybe_text(column).ok().flatten().map_or(0, str::len)
    }

    pub(super) fn float(&self, column: usize) -> Result<f64, ArchiveError> {
        let value = match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        };
        value.map_err(failed)
    }

    pub(super) fn text(&self, column: usize) -> Result<&str, ArchiveError> {
        let value = match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        };
        value.map_err(failed)
    }

    pub(super) fn maybe_text(&self, column: usize) -> Result<Option<&str>, ArchiveError> {
        let value = match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        };
        value.map_err(failed)
    }

    /// An id or the like, in the type that it was written from.
    pub(super) fn parsed<T: std::str::FromStr>(&self, column: usize) -> Result<T, ArchiveError> {
        let text = self.text(column)?;
        text.parse().map_err(|_| ArchiveError::Corrupt(format!("`{text}` in column {column}")))
    }
}

#[cfg(test)]
mod tests {
    use crate::edge::archive::{ArchiveUrl, SqlArchive};

    #[tokio::test]
    async fn a_transaction_that_the_database_ended_by_itself_keeps_nobody_from_the_next() {
        let path = std::env::temp_dir().join(format!("tributary-{:016x}.db", fastrand::u64(..)));
        let archive = SqlArchive::at(&ArchiveUrl::Sqlite(path.clone())).unwrap();
        archive.migrate().await.unwrap();
        for _ in 0..2 {
            let mut tx = archive.database.begin().await.unwrap();
            // As SQLite does where its disk is full.
            tx.execute("ROLLBACK".to_owned(), &[]).await.unwrap();
            drop(tx);
        }
        archive.database.begin().await.unwrap().commit().await.unwrap();
        archive.close().await;
        std::fs::remove_file(path).unwrap();
    }
}
