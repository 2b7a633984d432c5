//! What a database says of itself, for who runs it.

use std::time::Duration;

use sqlx::postgres::{PgDatabaseError, PgPool};
use sqlx::{Connection, PgConnection};

use super::connect::CONNECTIONS;
use super::database::Database;
use crate::engine::ports::archive::ArchiveError;

/// PostgreSQL's `insufficient_privilege`.
const NO_RIGHT: &str = "42501";
/// PostgreSQL's `too_many_connections`.
const NO_ROOM: &str = "53300";

/// The library says that a pool timed out, which says nothing to who runs the database.
const NO_CONNECTION: &str = "no connection to the database in time: it is away or can't be reached, or it is busy with what was asked before";

/// How long one connection is tried for, to hear why there was none. PostgreSQL refuses at once.
const ASKS: Duration = Duration::from_millis(900);

impl Database {
    /// What became of work that begins with a connection of its own, and why there was none where PostgreSQL says it.
    pub(super) async fn told<T>(&self, done: Result<T, sqlx::Error>) -> Result<T, ArchiveError> {
        match (done, self) {
            (Err(sqlx::Error::PoolTimedOut), Self::Postgres { pool, .. }) => {
                // Boxed: to connect takes much room, which each question would have in it.
                Err(Box::pin(no_connection(pool)).await)
            }
            (done, _) => done.map_err(failed),
        }
    }
}

/// Why the pool had no connection to give in time. It tries on and on where PostgreSQL takes no more of them, or is just starting, and
/// doesn't tell: another try does.
async fn no_connection(pool: &PgPool) -> ArchiveError {
    let tried = tokio::time::timeout(ASKS, PgConnection::connect_with(&pool.connect_options())).await;
    match tried {
        Ok(Err(error @ sqlx::Error::Database(_))) => failed(error),
        Ok(Ok(connection)) => {
            // It ends anyhow.
            let _ = tokio::time::timeout(ASKS, connection.close()).await;
            failed(sqlx::Error::PoolTimedOut)
        }
        Ok(Err(_)) | Err(_) => failed(sqlx::Error::PoolTimedOut),
    }
}

/// What can't be decoded is damage; everything else may pass.
pub(super) fn failed(error: sqlx::Error) -> ArchiveError {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the library's errors, not ours")]
    match error {
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) | sqlx::Error::ColumnNotFound(_) => {
            ArchiveError::Corrupt(error.to_string())
        }
        sqlx::Error::Database(error) if error.try_downcast_ref::<PgDatabaseError>().is_some() => {
            ArchiveError::Unavailable(told_by_postgres(error.message(), error.code().as_deref()))
        }
        sqlx::Error::PoolTimedOut => ArchiveError::Unavailable(NO_CONNECTION.to_owned()),
        other => ArchiveError::Unavailable(other.to_string()),
    }
}

/// Without the line of PostgreSQL's own source in which it found out, which the library adds. Where a right or a connection is missing: that
/// the database was reached, and what would give it.
fn told_by_postgres(message: &str, code: Option<&str>) -> String {
    if code == Some(NO_ROOM) {
        return format!(
            "{message}. The database is reached, but takes no more connections: raise its max_connections, or run fewer replicas (each \
             takes {CONNECTIONS}, and one more with sessions in memory)"
        );
    }
    let remedy = match code == Some(NO_RIGHT) {
        true if message.contains("for schema") => {
            "may make no tables: run `tributary migrate` as a user who may, or let it: `GRANT USAGE, CREATE ON SCHEMA public TO …`"
        }
        true => {
            "lacks a right: `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO …`, again after each migration"
        }
        false => return message.to_owned(),
    };
    format!("{message}. The database is reached, but the user of archive.url {remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_that_is_away_is_told_as_that() {
        let ArchiveError::Unavailable(why) = failed(sqlx::Error::PoolTimedOut) else { panic!() };
        assert!(why.contains("no connection to the database") && !why.contains("pool"), "{why}");
        let ArchiveError::Unavailable(why) = failed(sqlx::Error::WorkerCrashed) else { panic!() };
        assert_eq!(why, sqlx::Error::WorkerCrashed.to_string(), "others say it themselves");
    }
}
