//! `[streaming]` and `[coordinator]`: how readers are served, and how inputs are decided.

use serde::Deserialize;

use super::check::Checks;

/// Readers' streams and pages; each key is documented in `config/default.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Streaming {
    pub batch_events: usize,
    pub heartbeat_ms: u64,
    pub connection_age_ms: u64,
    pub retry_ms: u64,
    pub unknown_patience_ms: u64,
    pub coalesce_backlog: usize,
    pub chunk_bytes: usize,
    pub page_limit: usize,
    pub page_limit_max: usize,
}

impl Streaming {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        checks.range("streaming.batch_events", self.batch_events as u64, 1..=5);
        checks.range("streaming.heartbeat_ms", self.heartbeat_ms, 100..=300_000);
        checks.range("streaming.connection_age_ms", self.connection_age_ms, 1_000..=86_400_000);
        checks.range("streaming.retry_ms", self.retry_ms, 1..=60_000);
        checks.range("streaming.unknown_patience_ms", self.unknown_patience_ms, 0..=600_000);
        checks.range("streaming.coalesce_backlog", self.coalesce_backlog as u64, 1..=1_000_000);
        checks.range("streaming.chunk_bytes", self.chunk_bytes as u64, 1_024..=1_048_576);
        checks.range("streaming.page_limit", self.page_limit as u64, 1..);
        checks.range("streaming.page_limit_max", self.page_limit_max as u64, 1..=100_000);
        let (usual, most) = (self.page_limit as u64, self.page_limit_max as u64);
        checks.at_most("streaming.page_limit", usual, "streaming.page_limit_max", most);
    }
}

/// The session tasks; each key is documented in `config/default.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Coordinator {
    pub inbox: usize,
    pub batch_entries: usize,
    pub batch_bytes: usize,
    pub idle_ms: u64,
}

impl Coordinator {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        checks.range("coordinator.inbox", self.inbox as u64, 1..=1_000_000);
        checks.range("coordinator.batch_entries", self.batch_entries as u64, 1..=10_000);
        checks.range("coordinator.batch_bytes", self.batch_bytes as u64, 1_024..=16_777_216);
        checks.range("coordinator.idle_ms", self.idle_ms, 100..=86_400_000);
    }
}
