//! `[bridges]`: how other protocols' clients read.

use serde::Deserialize;

use super::check::Checks;

/// A table for each bridge that has settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Bridges {
    pub durable_streams: DurableStreams,
}

/// Durable Streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct DurableStreams {
    pub long_poll_ms: u64,
    pub connection_ms: u64,
    pub items: usize,
}

impl Bridges {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        let DurableStreams { long_poll_ms, connection_ms, items } = self.durable_streams;
        checks.range("bridges.durable_streams.long_poll_ms", long_poll_ms, 100..=300_000);
        checks.range("bridges.durable_streams.connection_ms", connection_ms, 1_000..=86_400_000);
        checks.range("bridges.durable_streams.items", items as u64, 1..=5_000);
    }
}
