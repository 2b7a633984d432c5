//! Figures over what subagents did, out of the sessions that the store still holds: for a service without an archive.

use std::collections::BTreeMap;

use crate::domain::ids::{SessionKey, SubagentKey, TenantId};
use crate::domain::record::SubagentStatus;
use crate::domain::session::{SessionState, SubagentState};
use crate::domain::time::Timestamp;
use crate::engine::ports::analytics::{Latency, OutcomeCounts, SubagentFigures};
use crate::engine::ports::result_cache::{Listed, ResultCache, StoreError};

/// Sessions that are asked for at once.
const PAGE: usize = 500;

/// What was seen of one kind of subagent.
#[derive(Default)]
struct Seen {
    counts: OutcomeCounts,
    retries: u64,
    late: u64,
    latencies: Vec<u64>,
}

/// What was read of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreFigures {
    /// By key.
    pub subagents: Vec<SubagentFigures>,
    /// Whether there are more sessions than were read: then all counts are lower bounds.
    pub is_truncated: bool,
    /// Sessions that were read and couldn't be: they aren't counted.
    pub unreadable: usize,
}

/// The figures of a tenant's subagents since `since`. Reads at most `sessions_max` sessions, the first by name: its cost is
/// linear in them, and whoever asks often mustn't cost the sessions anything.
///
/// # Errors
/// Where the store doesn't answer.
pub async fn of_store(
    cache: &dyn ResultCache,
    tenant: &TenantId,
    since: Timestamp,
    sessions_max: usize,
) -> Result<StoreFigures, StoreError> {
    let mut seen = BTreeMap::<SubagentKey, Seen>::new();
    let (mut after, mut left, mut unreadable) = (None, sessions_max, 0);
    loop {
        // One more than may be read tells whether there is one.
        let limit = PAGE.min(left.saturating_add(1));
        let found = cache.sessions(tenant, after.as_ref(), limit).await?;
        for listed in found.iter().take(left) {
            let key = SessionKey { tenant: tenant.clone(), session: listed.session.clone() };
            match note_session(cache, &key, listed, since, &mut seen).await {
                Err(StoreError::Newer(_) | StoreError::Corrupt(_)) => unreadable += 1,
                noted => noted?,
            }
        }
        let is_truncated = found.len() > left;
        left = left.saturating_sub(found.len());
        match found.last().filter(|_| found.len() == limit && !is_truncated) {
            Some(last) => after = Some(last.session.clone()),
            None => {
                let subagents = seen.into_iter().map(|(key, seen)| seen.figures(key)).collect();
                return Ok(StoreFigures { subagents, is_truncated, unreadable });
            }
        }
    }
}

async fn note_session(
    cache: &dyn ResultCache,
    key: &SessionKey,
    listed: &Listed,
    since: Timestamp,
    seen: &mut BTreeMap<SubagentKey, Seen>,
) -> Result<(), StoreError> {
    let state = listed.state.as_ref().map_err(StoreError::clone)?;
    let late = cache.load(key).await?.late;
    note(state, since, seen);
    for (output, late) in late {
        seen.entry(output.stage).or_default().late += late;
    }
    Ok(())
}

fn note(state: &SessionState, since: Timestamp, seen: &mut BTreeMap<SubagentKey, Seen>) {
    for step in &state.steps {
        for subagent in &step.subagents {
            let Some(latency_ms) = subagent.latency_ms.filter(|_| subagent.status.is_terminal()) else {
                continue;
            };
            if step.started_at.plus_ms(latency_ms) >= since {
                seen.entry(subagent.output.stage.clone()).or_default().note(subagent, latency_ms);
            }
        }
    }
}

impl Seen {
    fn note(&mut self, subagent: &SubagentState, latency_ms: u64) {
        let count = match subagent.status {
            SubagentStatus::Success => &mut self.counts.success,
            SubagentStatus::Error => &mut self.counts.error,
            SubagentStatus::Timeout => &mut self.counts.timeout,
            SubagentStatus::Degraded => &mut self.counts.degraded,
            SubagentStatus::Refused => &mut self.counts.refused,
            SubagentStatus::Cancelled => &mut self.counts.cancelled,
            SubagentStatus::Pending
            | SubagentStatus::InProgress
            | SubagentStatus::Partial
            | SubagentStatus::Retry => return,
        };
        *count += 1;
        self.retries += u64::from(subagent.attempt.saturating_sub(1));
        self.latencies.push(latency_ms);
    }

    fn figures(mut self, key: SubagentKey) -> SubagentFigures {
        self.latencies.sort_unstable();
        let nearest_rank = |percent: usize| {
            let rank = (self.latencies.len() * percent).div_ceil(100);
            self.latencies.get(rank.saturating_sub(1)).copied()
        };
        let latency = nearest_rank(50).zip(nearest_rank(95)).zip(nearest_rank(99));
        let latency = latency.map(|((p50_ms, p95_ms), p99_ms)| Latency { p50_ms, p95_ms, p99_ms });
        let Self { counts, retries, late, .. } = self;
        SubagentFigures { key, counts, retries, late, latency }
    }
}
