//! The [`ShadowLog`](crate::engine::ports::shadow_log::ShadowLog) in SQL: a row for each answer, and one for each
//! discrepancy.

use super::database::{Database, Row, Tx, Value};
use super::read::number;
use super::row::signed;
use super::statements::in_groups;
use crate::domain::ids::{SessionKey, TenantId};
use crate::domain::session::IdempotencyKey;
use crate::domain::shadow::{Comparison, Discrepancy, Kind, Verdict};
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::ArchiveError;
use crate::engine::ports::shadow_log::{
    KEYS_MAX, LoggedDiscrepancy, Noted, NotedResponse, Summary, Waiting, Wanted,
};

/// Tables whose rows belong to a session, and when a row was written.
pub(super) const TABLES: [(&str, &str); 2] =
    [("shadow_discrepancies", "at"), ("shadow_comparisons", "noted_at")];

const WAITING: &str = "id, tenant, session, plan_step_id, response, noted_at";
const DISCREPANCY: &str = "tenant, session, plan_step_id, kind, ours, legacy, detail, at";
/// `$2` and `$3` are empty where nothing is asked for: no name is.
const NARROWED: &str = "tenant = $1 AND ($2 = '' OR session = $2) AND ($3 = '' OR verdict = $3)";

/// Writes an answer in the place of an earlier one, or finds what its key wrote before: nobody else writes meanwhile.
pub(super) async fn note(
    tx: &mut Tx,
    response: &NotedResponse,
    once: Option<&IdempotencyKey>,
) -> Result<Noted, ArchiveError> {
    let NotedResponse { key, step, body, at } = response;
    let (tenant, session) = (Value::Text(key.tenant.as_str()), Value::Text(key.session.as_str()));
    let fingerprint = once.map(|once| format!("{:032x}", once.fingerprint.0));
    if let Some(once) = once {
        let sql = format!(
            "SELECT {WAITING}, fingerprint, comparison FROM shadow_comparisons \
             WHERE tenant = $1 AND session = $2 AND idempotency_key = $3"
        );
        if let Some(row) = tx.fetch(sql, &[tenant, session, Value::Text(&once.key)]).await?.first() {
            let is_same = row.maybe_text(6)? == fingerprint.as_deref();
            return if is_same { standing_of(row) } else { Ok(Noted::Conflict) };
        }
    }
    let place = [tenant, session, Value::Text(step.as_str())];
    replace(tx, &place).await?;
    let sql = "INSERT INTO shadow_comparisons \
               (tenant, session, plan_step_id, response, noted_at, idempotency_key, fingerprint) \
               VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id";
    let [tenant, session, step] = place;
    let once = Value::MaybeText(once.map(|once| &*once.key));
    let fingerprint = Value::MaybeText(fingerprint.as_deref());
    let values = [tenant, session, step, Value::Text(body), Value::Int(at.0), once, fingerprint];
    let rows = tx.fetch(sql.to_owned(), &values).await?;
    let row = rows.first().ok_or_else(|| ArchiveError::Corrupt("a new row has no number".to_owned()))?;
    Ok(Noted::Waiting(Waiting { id: number(row, 0)?, response: response.clone() }))
}

/// Makes room for the answer to a step. Of an earlier one stays what its `Idempotency-Key` is answered with.
async fn replace(tx: &mut Tx, place: &[Value<'_>; 3]) -> Result<(), ArchiveError> {
    let of_step = "WHERE tenant = $1 AND session = $2 AND plan_step_id = $3";
    tx.execute(format!("DELETE FROM shadow_discrepancies {of_step}"), place).await?;
    let sql = format!("DELETE FROM shadow_comparisons {of_step} AND idempotency_key IS NULL");
    tx.execute(sql, place).await?;
    let stands = "(response IS NOT NULL OR verdict IS NOT NULL)";
    let sql = format!("UPDATE shadow_comparisons SET response = NULL, verdict = NULL {of_step} AND {stands}");
    if tx.execute(sql, place).await? == 0 {
        return Ok(());
    }
    let newest = format!(
        "SELECT id FROM shadow_comparisons WHERE tenant = $1 AND session = $2 AND idempotency_key IS NOT NULL \
         ORDER BY id DESC LIMIT {KEYS_MAX}"
    );
    let sql = format!(
        "DELETE FROM shadow_comparisons WHERE tenant = $1 AND session = $2 \
         AND response IS NULL AND verdict IS NULL AND id NOT IN ({newest})"
    );
    tx.execute(sql, &place[..2]).await.map(drop)
}

/// Out of a row of [`WAITING`], a fingerprint and a comparison.
fn standing_of(row: &Row) -> Result<Noted, ArchiveError> {
    match row.maybe_text(7)? {
        None if row.maybe_text(4)?.is_none() => Ok(Noted::Replaced),
        None => Ok(Noted::Waiting(waiting_of(row)?)),
        Some(json) => {
            let damaged = |error| ArchiveError::Corrupt(format!("a comparison: {error}"));
            Ok(Noted::Compared(Box::new(serde_json::from_str(json).map_err(damaged)?)))
        }
    }
}

fn waiting_of(row: &Row) -> Result<Waiting, ArchiveError> {
    let response = NotedResponse {
        key: SessionKey { tenant: row.parsed(1)?, session: row.parsed(2)? },
        step: row.parsed(3)?,
        body: row.text(4)?.into(),
        at: Timestamp(row.int(5)?),
    };
    Ok(Waiting { id: number(row, 0)?, response })
}

/// Writes what came of an answer, where that still waits.
pub(super) async fn settle(
    tx: &mut Tx,
    waiting: &Waiting,
    comparison: &Comparison,
    at: Timestamp,
) -> Result<bool, ArchiveError> {
    let unwritable = |error| ArchiveError::Corrupt(format!("a comparison: {error}"));
    let json = serde_json::to_string(comparison).map_err(unwritable)?;
    let sql = "UPDATE shadow_comparisons SET response = NULL, comparison = $1, compared_at = $2, verdict = $3, \
               agreement = $4, ours_ms = $5, legacy_ms = $6 WHERE id = $7 AND response IS NOT NULL";
    let values = [
        Value::Text(&json),
        Value::Int(at.0),
        Value::Text(comparison.verdict.as_str()),
        Value::Float(comparison.agreement),
        Value::MaybeInt(comparison.latency.ours_ms.map(signed)),
        Value::MaybeInt(comparison.latency.legacy_ms.map(signed)),
        Value::Int(signed(waiting.id)),
    ];
    if tx.execute(sql.to_owned(), &values).await? == 0 {
        return Ok(false);
    }
    insert_discrepancies(tx, waiting, comparison, at).await?;
    Ok(true)
}

async fn insert_discrepancies(
    tx: &mut Tx,
    waiting: &Waiting,
    comparison: &Comparison,
    at: Timestamp,
) -> Result<(), ArchiveError> {
    let NotedResponse { key, step, .. } = &waiting.response;
    let mut found: Vec<&Discrepancy> = comparison.discrepancies().collect();
    // They are read from the highest number down.
    found.reverse();
    let begin = format!("INSERT INTO shadow_discrepancies ({DISCREPANCY}, verdict)");
    for group in in_groups(&found) {
        let sql = group.insert(&begin, (9, tx.placeholders()), "", "");
        let mut values = Vec::with_capacity(group.rows.len() * 9);
        for Discrepancy { kind, ours, legacy, detail } in group.rows {
            values.extend([
                Value::Text(key.tenant.as_str()),
                Value::Text(key.session.as_str()),
                Value::Text(step.as_str()),
                Value::Text(kind.as_str()),
                Value::MaybeText(ours.as_deref()),
                Value::MaybeText(legacy.as_deref()),
                Value::Text(detail),
                Value::Int(at.0),
                Value::Text(comparison.verdict.as_str()),
            ]);
        }
        tx.execute(sql, &values).await?;
    }
    Ok(())
}

pub(super) async fn give_up(tx: &mut Tx, waiting: &Waiting) -> Result<(), ArchiveError> {
    let sql = "DELETE FROM shadow_comparisons WHERE id = $1 AND response IS NOT NULL";
    tx.execute(sql.to_owned(), &[Value::Int(signed(waiting.id))]).await.map(drop)
}

pub(super) async fn waiting(
    database: &Database,
    after: u64,
    limit: usize,
) -> Result<Vec<Waiting>, ArchiveError> {
    let sql = format!(
        "SELECT {WAITING} FROM shadow_comparisons WHERE response IS NOT NULL AND id > $1 ORDER BY id LIMIT $2"
    );
    let values = [Value::Int(signed(after)), Value::Int(signed(limit as u64))];
    database.fetch(sql, &values).await?.iter().map(waiting_of).collect()
}

/// The values of [`NARROWED`].
fn narrowed<'a>(tenant: &'a TenantId, wanted: &'a Wanted) -> [Value<'a>; 3] {
    let session = wanted.session.as_ref().map_or("", |session| session.as_str());
    let verdict = wanted.verdict.map_or("", Verdict::as_str);
    [Value::Text(tenant.as_str()), Value::Text(session), Value::Text(verdict)]
}

pub(super) async fn discrepancies(
    database: &Database,
    tenant: &TenantId,
    wanted: &Wanted,
) -> Result<Vec<LoggedDiscrepancy>, ArchiveError> {
    let sql = format!(
        "SELECT {DISCREPANCY}, id FROM shadow_discrepancies WHERE {NARROWED} AND ($4 = '' OR kind = $4) AND id < $5 \
         ORDER BY id DESC LIMIT $6"
    );
    let [tenant, session, verdict] = narrowed(tenant, wanted);
    let kind = Value::Text(wanted.kind.map_or("", Kind::as_str));
    let below = i64::try_from(wanted.after.unwrap_or(u64::MAX)).unwrap_or(i64::MAX);
    let limit = Value::Int(signed(wanted.limit as u64));
    let values = [tenant, session, verdict, kind, Value::Int(below), limit];
    database.fetch(sql, &values).await?.iter().map(discrepancy_of).collect()
}

fn discrepancy_of(row: &Row) -> Result<LoggedDiscrepancy, ArchiveError> {
    let text = |column| Ok::<_, ArchiveError>(row.maybe_text(column)?.map(str::to_owned));
    Ok(LoggedDiscrepancy {
        id: number(row, 8)?,
        key: SessionKey { tenant: row.parsed(0)?, session: row.parsed(1)? },
        step: row.parsed(2)?,
        discrepancy: Discrepancy {
            kind: named(row.text(3)?, Kind::named)?,
            ours: text(4)?,
            legacy: text(5)?,
            detail: row.text(6)?.to_owned(),
        },
        at: Timestamp(row.int(7)?),
    })
}

fn named<T>(text: &str, named: impl Fn(&str) -> Option<T>) -> Result<T, ArchiveError> {
    named(text).ok_or_else(|| ArchiveError::Corrupt(format!("`{text}` in a comparison")))
}

pub(super) async fn summary(
    database: &Database,
    tenant: &TenantId,
    wanted: &Wanted,
) -> Result<Summary, ArchiveError> {
    let values = narrowed(tenant, wanted);
    let mut summary = Summary::default();
    let sql = format!(
        "SELECT verdict, COUNT(*), SUM(agreement) FROM shadow_comparisons \
         WHERE {NARROWED} AND verdict IS NOT NULL GROUP BY verdict"
    );
    let mut agreements = 0.0;
    for row in database.fetch(sql, &values).await? {
        summary.verdicts.insert(named(row.text(0)?, Verdict::named)?, number(&row, 1)?);
        agreements += row.float(2)?;
    }
    let comparisons: u64 = summary.verdicts.values().sum();
    summary.agreement_average = (comparisons > 0).then(|| agreements / comparisons as f64);
    let sql = format!("SELECT kind, COUNT(*) FROM shadow_discrepancies WHERE {NARROWED} GROUP BY kind");
    for row in database.fetch(sql, &values).await? {
        summary.by_kind.insert(named(row.text(0)?, Kind::named)?, number(&row, 1)?);
    }
    summary.ours_p50_ms = median(database, "ours_ms", &values).await?;
    summary.legacy_p50_ms = median(database, "legacy_ms", &values).await?;
    Ok(summary)
}

/// By nearest rank: the smallest that half of all don't exceed.
async fn median(
    database: &Database,
    column: &str,
    values: &[Value<'_>],
) -> Result<Option<u64>, ArchiveError> {
    let ranked = format!(
        "SELECT {column} AS ms, ROW_NUMBER() OVER (ORDER BY {column}) AS place, COUNT(*) OVER () AS of_all \
         FROM shadow_comparisons WHERE {NARROWED} AND verdict IS NOT NULL AND {column} IS NOT NULL"
    );
    let sql = format!("SELECT ms FROM ({ranked}) AS ranked WHERE place * 2 >= of_all ORDER BY place LIMIT 1");
    database.fetch(sql, values).await?.first().map(|row| number(row, 0)).transpose()
}

/// Deletes at most `limit` rows that are older and whose session is gone, as of feedback.
pub(super) async fn prune_left(tx: &mut Tx, older_than: Timestamp, limit: i64) -> Result<u64, ArchiveError> {
    let mut deleted = 0;
    for (table, at) in TABLES {
        let sql = format!(
            "DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE {at} < $1 AND NOT EXISTS \
             (SELECT 1 FROM sessions WHERE sessions.tenant = {table}.tenant \
             AND sessions.session = {table}.session) LIMIT $2)"
        );
        let room = limit - i64::try_from(deleted).unwrap_or(limit);
        deleted += tx.execute(sql, &[Value::Int(older_than.0), Value::Int(room)]).await?;
    }
    Ok(deleted)
}

/// Forgets what there is of a session.
pub(super) async fn forget(tx: &mut Tx, key: &SessionKey) -> Result<(), ArchiveError> {
    let names = [Value::Text(key.tenant.as_str()), Value::Text(key.session.as_str())];
    for (table, _) in TABLES {
        let sql = format!("DELETE FROM {table} WHERE tenant = $1 AND session = $2");
        tx.execute(sql, &names).await?;
    }
    Ok(())
}
