//! Questions to the archive, and what it deletes.

use std::sync::Arc;

use super::database::{Database, Row, Tx, Value};
use super::heads::{self, session_of};
use super::row::{READ_COLUMNS, TEXTS, entries_of, signed};
use super::shadow;
use super::{deletions, feedback};
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Chain, Epoch, Sequence};
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::{ArchiveError, ArchivedSession, Deletion};

/// Tables whose rows belong to a session; the session's own row goes last, so that a pruning that was cut off goes on.
const TABLES: [&str; 6] =
    ["late_results", "feedback", "shadow_discrepancies", "shadow_comparisons", "entries", "sessions"];

/// About the bytes of entries that are read at once: they are of up to a MiB each, and who reads a log asks for a thousand.
const READ_BYTES: usize = 4 << 20;

pub(super) async fn session(
    database: &Database,
    key: &SessionKey,
) -> Result<Option<ArchivedSession>, ArchiveError> {
    let sql = format!("SELECT {} FROM sessions WHERE tenant = $1 AND session = $2", heads::COLUMNS);
    let rows = database.fetch(sql, &names(key)).await?;
    rows.first().map(session_of).transpose()
}

pub(super) async fn entries(
    database: &Database,
    key: &SessionKey,
    after: Sequence,
    limit: usize,
) -> Result<Vec<Arc<Entry>>, ArchiveError> {
    let sql = format!(
        "SELECT {READ_COLUMNS} FROM entries WHERE tenant = $1 AND session = $2 AND live AND sequence > $3 \
         ORDER BY sequence LIMIT $4"
    );
    let [tenant, session] = names(key);
    let values = [tenant, session, Value::Int(signed(after.0)), count(limit)];
    let mut bytes = 0;
    let is_enough = |row: &Row| {
        bytes += TEXTS.iter().map(|column| row.length(*column)).sum::<usize>();
        bytes >= READ_BYTES && !mutant!("archive-read-without-bound")
    };
    // An entry doesn't hold its epoch, and restoring one doesn't look at it.
    entries_of(&database.fetch_until(sql, &values, is_enough).await?, Epoch::from_random(0))
}

pub(super) async fn chain_at(
    database: &Database,
    key: &SessionKey,
    sequence: Sequence,
) -> Result<Option<Chain>, ArchiveError> {
    let sql = "SELECT chain FROM entries WHERE tenant = $1 AND session = $2 AND live AND sequence = $3";
    let [tenant, session] = names(key);
    let rows = database.fetch(sql.to_owned(), &[tenant, session, Value::Int(signed(sequence.0))]).await?;
    rows.first().map(|row| Ok(Chain(row.int(0)?.cast_unsigned()))).transpose()
}

pub(super) async fn unfinished(
    database: &Database,
    since: Timestamp,
    after: Option<&SessionKey>,
    limit: usize,
) -> Result<Vec<ArchivedSession>, ArchiveError> {
    // No name is empty: before all of them.
    let (tenant, session) = after.map_or(("", ""), |key| (key.tenant.as_str(), key.session.as_str()));
    let sql = format!(
        "SELECT {} FROM sessions WHERE (open_steps > 0 OR more_steps > 0) AND (open_steps > 0 OR updated_at >= $1) \
         AND (tenant, session) > ($2, $3) ORDER BY tenant, session LIMIT $4",
        heads::COLUMNS
    );
    let values = [Value::Int(since.0), Value::Text(tenant), Value::Text(session), count(limit)];
    database.fetch(sql, &values).await?.iter().map(session_of).collect()
}

pub(super) async fn prune(tx: &mut Tx, older_than: Timestamp, limit: usize) -> Result<usize, ArchiveError> {
    let sql = "SELECT tenant, session FROM sessions WHERE updated_at < $1 ORDER BY updated_at LIMIT $2";
    let old = tx.fetch(sql.to_owned(), &[Value::Int(older_than.0), count(limit)]).await?;
    let mut left = limit;
    for row in &old {
        let key = [Value::Text(row.text(0)?), Value::Text(row.text(1)?)];
        for table in TABLES {
            if left == 0 {
                return Ok(limit);
            }
            let deleted = delete(tx, table, key, left).await?;
            if table == "entries" {
                let sql = "UPDATE sessions SET first_sequence = COALESCE((SELECT min(sequence) FROM entries \
                           WHERE tenant = $1 AND session = $2 AND live), sequence + 1) \
                           WHERE tenant = $1 AND session = $2";
                tx.execute(sql.to_owned(), &key).await?;
            }
            left = left.saturating_sub(usize::try_from(deleted).unwrap_or(usize::MAX));
        }
    }
    let room = i64::try_from(left).unwrap_or(i64::MAX);
    let deleted = feedback::prune_left(tx, older_than, room).await?;
    let room = room.saturating_sub_unsigned(deleted);
    let of_shadow = shadow::prune_left(tx, older_than, room).await?;
    let room = room.saturating_sub_unsigned(of_shadow);
    let deleted = deleted + of_shadow + deletions::prune(tx, older_than, room).await?;
    Ok(limit - left + usize::try_from(deleted).unwrap_or(usize::MAX))
}

/// Deletes at most `limit` rows of a session; of its entries the first ones, so that what is left is without a hole.
async fn delete(
    tx: &mut Tx,
    table: &str,
    [tenant, session]: [Value<'_>; 2],
    limit: usize,
) -> Result<u64, ArchiveError> {
    if table == "sessions" {
        let sql = "DELETE FROM sessions WHERE tenant = $1 AND session = $2";
        return tx.execute(sql.to_owned(), &[tenant, session]).await;
    }
    let row = match tx {
        Tx::Sqlite(_) => "rowid",
        Tx::Postgres(..) => "ctid",
    };
    let order = if table == "entries" { "ORDER BY sequence" } else { "" };
    let sql = format!(
        "DELETE FROM {table} WHERE {row} IN \
         (SELECT {row} FROM {table} WHERE tenant = $1 AND session = $2 {order} LIMIT $3)"
    );
    tx.execute(sql, &[tenant, session, count(limit)]).await
}

pub(super) async fn forget(tx: &mut Tx, key: &SessionKey, deletion: Deletion) -> Result<bool, ArchiveError> {
    deletions::note(tx, key, deletion).await?;
    let mut deleted = 0;
    for table in TABLES {
        deleted += delete(tx, table, names(key), usize::MAX).await?;
    }
    Ok(deleted > 0)
}

fn names(key: &SessionKey) -> [Value<'_>; 2] {
    [Value::Text(key.tenant.as_str()), Value::Text(key.session.as_str())]
}

fn count(limit: usize) -> Value<'static> {
    Value::Int(i64::try_from(limit).unwrap_or(i64::MAX))
}

/// A number of a column; 0 for a negative one.
pub(super) fn number(row: &Row, column: usize) -> Result<u64, ArchiveError> {
    Ok(u64::try_from(row.int(column)?).unwrap_or(0))
}
