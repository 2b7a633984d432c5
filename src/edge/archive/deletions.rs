//! Sessions that were deleted, by the lives of their logs. A replica that read entries before a deletion, and writes them
//! after it, finds its session here.

use std::collections::{HashMap, HashSet};

use super::database::{Tx, Value};
use super::statements::in_groups;
use crate::domain::ids::SessionKey;
use crate::domain::position::Epoch;
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::{ArchiveError, Deletion};

const NOTE_END: &str = "ON CONFLICT (tenant, session, epoch) DO UPDATE SET at = excluded.at";

/// What was deleted of some sessions.
#[derive(Debug, Default)]
pub(super) struct Deleted {
    epochs: HashSet<(SessionKey, Epoch)>,
    last: HashMap<SessionKey, Timestamp>,
}

impl Deleted {
    /// Whether this life of the session was deleted.
    pub(super) fn has(&self, key: &SessionKey, epoch: Epoch) -> bool {
        self.epochs.contains(&(key.clone(), epoch))
    }

    /// Whether the session was deleted at that time or later.
    pub(super) fn since(&self, key: &SessionKey, at: Timestamp) -> bool {
        self.last.get(key).is_some_and(|deleted| *deleted >= at)
    }
}

/// Notes the deletion of a session, before its rows go: every life that has rows, and the one that the store had.
pub(super) async fn note(tx: &mut Tx, key: &SessionKey, deletion: Deletion) -> Result<(), ArchiveError> {
    let (tenant, session) = (Value::Text(key.tenant.as_str()), Value::Text(key.session.as_str()));
    let at = Value::Int(deletion.at.0);
    let sql = format!(
        "INSERT INTO deletions (tenant, session, epoch, at) \
         SELECT DISTINCT tenant, session, epoch, $3 FROM entries WHERE tenant = $1 AND session = $2 {NOTE_END}"
    );
    tx.execute(sql, &[tenant, session, at]).await?;
    let Some(epoch) = deletion.epoch else { return Ok(()) };
    let sql =
        format!("INSERT INTO deletions (tenant, session, epoch, at) VALUES ($1, $2, $3, $4) {NOTE_END}");
    tx.execute(sql, &[tenant, session, Value::Text(epoch.as_str()), at]).await.map(drop)
}

/// What was deleted of these sessions.
pub(super) async fn among(
    tx: &mut Tx,
    keys: impl Iterator<Item = &SessionKey>,
) -> Result<Deleted, ArchiveError> {
    let keys: Vec<&SessionKey> = keys.collect();
    let mut deleted = Deleted::default();
    for group in in_groups(&keys) {
        let mut sql =
            "SELECT tenant, session, epoch, at FROM deletions WHERE (tenant, session) IN (VALUES ".to_owned();
        group.tuples(&mut sql, (2, tx.placeholders()), "");
        sql.push(')');
        let names = group.rows.iter().flat_map(|key| [key.tenant.as_str(), key.session.as_str()]);
        for row in tx.fetch(sql, &names.map(Value::Text).collect::<Vec<_>>()).await? {
            let key = SessionKey { tenant: row.parsed(0)?, session: row.parsed(1)? };
            let last = deleted.last.entry(key.clone()).or_default();
            *last = Timestamp(row.int(3)?).max(*last);
            deleted.epochs.insert((key, row.parsed(2)?));
        }
    }
    Ok(deleted)
}

/// Deletes at most `limit` notes that are older.
pub(super) async fn prune(tx: &mut Tx, older_than: Timestamp, limit: i64) -> Result<u64, ArchiveError> {
    let sql = "DELETE FROM deletions WHERE (tenant, session, epoch) IN \
               (SELECT tenant, session, epoch FROM deletions WHERE at < $1 LIMIT $2)";
    tx.execute(sql.to_owned(), &[Value::Int(older_than.0), Value::Int(limit)]).await
}
