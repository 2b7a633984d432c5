//! Figures over breadcrumbs.

use std::collections::BTreeMap;

use super::database::{Database, Value};
use super::read::number;
use crate::domain::ids::{SubagentKey, TenantId};
use crate::domain::time::Timestamp;
use crate::engine::ports::analytics::{Latency, OutcomeCounts, SubagentFigures};
use crate::engine::ports::archive::ArchiveError;

/// The words of the index `entries_outcomes`: a database uses it only where they stand as there.
const ENDED: &str =
    "live AND status IN ('success', 'error', 'timeout', 'degraded', 'refused', 'cancelled', 'retry')";

/// Percentiles by nearest rank: the smallest latency that so many percent don't exceed.
const PERCENTILES: [i64; 3] = [50, 95, 99];

pub(super) async fn subagents(
    database: &Database,
    tenant: &TenantId,
    since: Timestamp,
) -> Result<Vec<SubagentFigures>, ArchiveError> {
    let mut figures = BTreeMap::new();
    outcomes(database, tenant, since, &mut figures).await?;
    late(database, tenant, since, &mut figures).await?;
    latencies(database, tenant, since, &mut figures).await?;
    Ok(figures.into_values().collect())
}

type Figures = BTreeMap<SubagentKey, SubagentFigures>;

fn of(figures: &mut Figures, key: SubagentKey) -> &mut SubagentFigures {
    figures.entry(key.clone()).or_insert_with(|| SubagentFigures {
        key,
        counts: OutcomeCounts::default(),
        retries: 0,
        late: 0,
        latency: None,
    })
}

async fn outcomes(
    database: &Database,
    tenant: &TenantId,
    since: Timestamp,
    figures: &mut Figures,
) -> Result<(), ArchiveError> {
    let sql = format!(
        "SELECT subagent, status, COUNT(*) FROM entries WHERE tenant = $1 AND at >= $2 AND {ENDED} \
         GROUP BY subagent, status"
    );
    for row in database.fetch(sql, &[Value::Text(tenant.as_str()), Value::Int(since.0)]).await? {
        let figures = of(figures, row.parsed(0)?);
        let count = number(&row, 2)?;
        let counts = &mut figures.counts;
        match row.text(1)? {
            "success" => counts.success = count,
            "error" => counts.error = count,
            "timeout" => counts.timeout = count,
            "degraded" => counts.degraded = count,
            "refused" => counts.refused = count,
            "cancelled" => counts.cancelled = count,
            _ => figures.retries = count,
        }
    }
    Ok(())
}

async fn late(
    database: &Database,
    tenant: &TenantId,
    since: Timestamp,
    figures: &mut Figures,
) -> Result<(), ArchiveError> {
    let sql = "SELECT subagent, COUNT(*) FROM late_results WHERE tenant = $1 AND at >= $2 GROUP BY subagent";
    let values = [Value::Text(tenant.as_str()), Value::Int(since.0)];
    for row in database.fetch(sql.to_owned(), &values).await? {
        of(figures, row.parsed(0)?).late = number(&row, 1)?;
    }
    Ok(())
}

async fn latencies(
    database: &Database,
    tenant: &TenantId,
    since: Timestamp,
    figures: &mut Figures,
) -> Result<(), ArchiveError> {
    let ranked = format!(
        "SELECT subagent, latency_ms, ROW_NUMBER() OVER (PARTITION BY subagent ORDER BY latency_ms) AS place, \
         COUNT(*) OVER (PARTITION BY subagent) AS of_all \
         FROM entries WHERE tenant = $1 AND at >= $2 AND {ENDED} AND latency_ms IS NOT NULL AND status <> 'retry'"
    );
    let rank = |percent: i64| format!("MIN(CASE WHEN place * 100 >= of_all * {percent} THEN latency_ms END)");
    let [p50, p95, p99] = PERCENTILES.map(rank);
    let sql = format!("SELECT subagent, {p50}, {p95}, {p99} FROM ({ranked}) AS ranked GROUP BY subagent");
    for row in database.fetch(sql, &[Value::Text(tenant.as_str()), Value::Int(since.0)]).await? {
        let (p50_ms, p95_ms, p99_ms) = (number(&row, 1)?, number(&row, 2)?, number(&row, 3)?);
        of(figures, row.parsed(0)?).latency = Some(Latency { p50_ms, p95_ms, p99_ms });
    }
    Ok(())
}
