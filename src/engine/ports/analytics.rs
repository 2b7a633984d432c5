//! `Analytics`: figures over what subagents did, from the breadcrumbs that the archive keeps, and what users think of it.
//!
//! A breadcrumb is written with its entry, in the same transaction: the figures follow the live chain, and what is
//! forgotten there is gone here. Feedback isn't part of a log; it is forgotten and pruned with its session.

use crate::domain::ids::{SessionKey, StepId, SubagentKey, TenantId};
use crate::domain::requests::Feedback;
use crate::domain::session::IdempotencyKey;
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

/// Comments that are read back at most.
pub const COMMENTS_MAX: usize = 100;

/// What a user thinks of a step's result, and when that was said.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenFeedback {
    /// The session.
    pub key: SessionKey,
    /// Whose result it is about.
    pub step: StepId,
    /// What was said.
    pub feedback: Feedback,
    /// When it came.
    pub at: Timestamp,
}

/// What became of feedback.
#[derive(Debug, Clone, PartialEq)]
pub enum FeedbackNoted {
    /// This is stored: what was given, or what a request under the same key had given before.
    Is(GivenFeedback),
    /// The key was used for another request of the session; nothing was stored.
    Conflict,
}

/// Feedback of a time, together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeedbackFigures {
    /// How often any was given.
    pub count: u64,
    /// The mean of the scores, 0 to 1, where there are any.
    pub average: Option<f64>,
    /// Those with a comment, newest first; at most [`COMMENTS_MAX`].
    pub comments: Vec<GivenFeedback>,
}

/// Where figures come from, and where feedback goes.
pub trait Analytics: Send + Sync + 'static {
    /// The figures of a tenant's subagents since `since`, by key.
    fn subagents<'a>(
        &'a self,
        tenant: &'a TenantId,
        since: Timestamp,
    ) -> ArchiveFuture<'a, Vec<SubagentFigures>>;

    /// Stores feedback, durably. A repeat under the same key (of a tenant's session) stores nothing and gets what the
    /// first one stored, for as long as that is kept.
    fn note_feedback<'a>(
        &'a self,
        given: &'a GivenFeedback,
        once: Option<&'a IdempotencyKey>,
    ) -> ArchiveFuture<'a, FeedbackNoted>;

    /// A tenant's feedback since `since`.
    fn feedback<'a>(&'a self, tenant: &'a TenantId, since: Timestamp) -> ArchiveFuture<'a, FeedbackFigures>;
}
