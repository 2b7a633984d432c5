//! What users think of results: a row for each time that one said so.

use super::database::{Database, Row, Tx, Value};
use super::read::number;
use crate::domain::ids::{SessionKey, TenantId};
use crate::domain::requests::Feedback;
use crate::domain::session::IdempotencyKey;
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::ArchiveError;
use crate::engine::ports::feedback_log::{COMMENTS_MAX, FeedbackFigures, FeedbackNoted, GivenFeedback};

const COLUMNS: &str = "tenant, session, plan_step_id, score, comment, at";

/// Writes feedback, or finds what its key wrote before: nobody else writes meanwhile.
pub(super) async fn note(
    tx: &mut Tx,
    given: &GivenFeedback,
    once: Option<&IdempotencyKey>,
) -> Result<FeedbackNoted, ArchiveError> {
    let fingerprint = once.map(|once| format!("{:032x}", once.fingerprint.0));
    if let Some(once) = once {
        let sql = format!(
            "SELECT {COLUMNS}, fingerprint FROM feedback \
             WHERE tenant = $1 AND session = $2 AND idempotency_key = $3"
        );
        let (tenant, session) = (given.key.tenant.as_str(), given.key.session.as_str());
        let values = [tenant, session, &once.key].map(Value::Text);
        if let Some(row) = tx.fetch(sql, &values).await?.first() {
            let is_same = row.maybe_text(6)? == fingerprint.as_deref();
            return Ok(if is_same { FeedbackNoted::Is(given_of(row)?) } else { FeedbackNoted::Conflict });
        }
    }
    let sql = format!(
        "INSERT INTO feedback ({COLUMNS}, idempotency_key, fingerprint) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    );
    let GivenFeedback { key, step, feedback, at } = given;
    let values = [
        Value::Text(key.tenant.as_str()),
        Value::Text(key.session.as_str()),
        Value::Text(step.as_str()),
        Value::Float(feedback.score),
        Value::MaybeText(feedback.comment.as_deref()),
        Value::Int(at.0),
        Value::MaybeText(once.map(|once| &*once.key)),
        Value::MaybeText(fingerprint.as_deref()),
    ];
    tx.execute(sql, &values).await?;
    Ok(FeedbackNoted::Is(given.clone()))
}

pub(super) async fn figures(
    database: &Database,
    tenant: &TenantId,
    since: Timestamp,
) -> Result<FeedbackFigures, ArchiveError> {
    let values = [Value::Text(tenant.as_str()), Value::Int(since.0)];
    let sql = "SELECT COUNT(*), COALESCE(AVG(score), 0.0) FROM feedback WHERE tenant = $1 AND at >= $2";
    let rows = database.fetch(sql.to_owned(), &values).await?;
    let mut figures = FeedbackFigures::default();
    if let Some(row) = rows.first() {
        figures.count = number(row, 0)?;
        figures.average = if figures.count > 0 { Some(row.float(1)?) } else { None };
    }
    let sql = format!(
        "SELECT {COLUMNS} FROM feedback WHERE tenant = $1 AND at >= $2 AND comment IS NOT NULL \
         ORDER BY at DESC, id DESC LIMIT {COMMENTS_MAX}"
    );
    let rows = database.fetch(sql, &values).await?;
    figures.comments = rows.iter().map(given_of).collect::<Result<_, _>>()?;
    Ok(figures)
}

/// Deletes at most `limit` rows that are older and whose session is gone: feedback that came while its session was
/// being forgotten.
pub(super) async fn prune_left(tx: &mut Tx, older_than: Timestamp, limit: i64) -> Result<u64, ArchiveError> {
    let sql = "DELETE FROM feedback WHERE id IN (SELECT id FROM feedback WHERE at < $1 AND NOT EXISTS \
               (SELECT 1 FROM sessions WHERE sessions.tenant = feedback.tenant \
               AND sessions.session = feedback.session) LIMIT $2)";
    tx.execute(sql.to_owned(), &[Value::Int(older_than.0), Value::Int(limit)]).await
}

/// Feedback out of a row that begins with [`COLUMNS`].
fn given_of(row: &Row) -> Result<GivenFeedback, ArchiveError> {
    Ok(GivenFeedback {
        key: SessionKey { tenant: row.parsed(0)?, session: row.parsed(1)? },
        step: row.parsed(2)?,
        feedback: Feedback { score: row.float(3)?, comment: row.maybe_text(4)?.map(str::to_owned) },
        at: Timestamp(row.int(5)?),
    })
}
