//! What a database says of itself, for who runs it.

use sqlx::postgres::PgDatabaseError;

use crate::engine::ports::archive::ArchiveError;

/// PostgreSQL's `insufficient_privilege`.
const NO_RIGHT: &str = "42501";

/// The library says that a pool timed out, which says nothing to who runs the database.
const NO_CONNECTION: &str = "no connection to the database in time: it is away or can't be reached, or it is busy with what was asked before";

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

/// Without the line of PostgreSQL's own source in which it found out, which the library adds. Where a right is missing: that the
/// database was reached, and what would give the right.
fn told_by_postgres(message: &str, code: Option<&str>) -> String {
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
