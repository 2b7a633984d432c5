//! `Analytics`: figures over what subagents did, from the breadcrumbs that the archive keeps.
//!
//! A breadcrumb is written with its entry, in the same transaction: the figures follow the live chain, and what is
//! forgotten there is gone here.

use crate::domain::ids::{SubagentKey, TenantId};
use crate::domain::time::Timestamp;

use super::archive::ArchiveFuture;

/// How often something was seen of one kind of subagent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubagentFigures {
    /// The kind.
    pub key: SubagentKey,
    /// How its outputs ended.
    pub counts: OutcomeCounts,
    /// Further attempts.
    pub retries: u64,
    /// Results that came when their output was over.
    pub late: u64,
    /// Latency of outputs that ended, where any has one.
    pub latency: Option<Latency>,
}

impl SubagentFigures {
    /// Nothing was seen of it.
    pub fn none(key: SubagentKey) -> Self {
        Self { key, counts: OutcomeCounts::default(), retries: 0, late: 0, latency: None }
    }
}

/// Ends of outputs, by status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the status of its name")]
pub struct OutcomeCounts {
    pub success: u64,
    pub error: u64,
    pub timeout: u64,
    pub degraded: u64,
    pub refused: u64,
    pub cancelled: u64,
}

impl OutcomeCounts {
    /// All of them.
    pub fn total(&self) -> u64 {
        let Self { success, error, timeout, degraded, refused, cancelled } = *self;
        success + error + timeout + degraded + refused + cancelled
    }
}

/// Percentiles in milliseconds, by nearest rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the percentile of its name")]
pub struct Latency {
    pub p50_ms: u64,
    pub p95_ms: u64,
    pub p99_ms: u64,
}

/// Where figures come from.
pub trait Analytics: Send + Sync + 'static {
    /// The figures of a tenant's subagents since `since`, by key.
    fn subagents<'a>(
        &'a self,
        tenant: &'a TenantId,
        since: Timestamp,
    ) -> ArchiveFuture<'a, Vec<SubagentFigures>>;
}
