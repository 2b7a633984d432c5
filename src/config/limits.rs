//! `[limits]`: what a caller may ask for.

use serde::Deserialize;

use crate::domain::limits::{SafetyRules, SessionLimits};

use super::check::Checks;
use super::layers::Origins;
use super::store::Cache;

/// Bounds on requests, directives, sessions and readers; each key is documented in `config/default.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Limits {
    pub body_bytes: usize,
    pub body_ms: u64,
    pub event_bytes: usize,
    pub events_per_request: usize,
    pub subagents_per_directive: usize,
    pub children_per_directive: usize,
    pub tree_depth: usize,
    pub steps_per_session: usize,
    pub events_per_session: u64,
    pub bytes_per_session: u64,
    pub sessions: usize,
    pub figures_sessions: usize,
    pub readers_per_session: usize,
    pub readers: usize,
    pub requests_per_second: u32,
    pub token_requests_per_second: u32,
    pub deadline_ms: u64,
}

impl Limits {
    /// Who sets how many readers there may be in all needn't set how many of one session.
    pub(super) fn fit(&mut self, origins: &Origins) {
        if !origins.is_set("limits.readers_per_session") {
            // At least one: that there may be none at all is told of the other key.
            self.readers_per_session = self.readers_per_session.min(self.readers.max(1));
        }
    }

    /// The part that decisions keep, with what follows from safety and from whether there is a language model.
    pub fn session(&self, safety: SafetyRules, writing_ms: Option<u64>) -> SessionLimits {
        SessionLimits {
            subagents_per_directive: self.subagents_per_directive,
            children_per_directive: self.children_per_directive,
            tree_depth: self.tree_depth,
            steps_per_session: self.steps_per_session,
            events_per_session: self.events_per_session,
            bytes_per_session: self.bytes_per_session,
            deadline_ms: self.deadline_ms,
            safety,
            writing_ms,
        }
    }

    pub(super) fn check(&self, cache: &Cache, checks: &mut Checks<'_>) {
        checks.range("limits.body_bytes", self.body_bytes as u64, 1_024..=1 << 30);
        checks.range("limits.body_ms", self.body_ms, 100..=3_600_000);
        checks.range("limits.event_bytes", self.event_bytes as u64, 1_024..);
        let event = self.event_bytes as u64;
        checks.at_most("limits.event_bytes", event, "limits.body_bytes", self.body_bytes as u64);
        checks.at_most("limits.event_bytes", event, "cache.ring_bytes", cache.ring_bytes as u64);
        checks.range("limits.events_per_request", self.events_per_request as u64, 1..=1_000_000);
        checks.range("limits.subagents_per_directive", self.subagents_per_directive as u64, 1..=10_000);
        checks.range("limits.children_per_directive", self.children_per_directive as u64, 1..=10_000);
        checks.range("limits.tree_depth", self.tree_depth as u64, 1..=1_000);
        checks.range("limits.steps_per_session", self.steps_per_session as u64, 1..=1_000_000);
        checks.range("limits.events_per_session", self.events_per_session, 1..);
        checks.range("limits.bytes_per_session", self.bytes_per_session, 1_024..);
        checks.range("limits.sessions", self.sessions as u64, 1..);
        checks.range("limits.figures_sessions", self.figures_sessions as u64, 1..=10_000_000);
        checks.range("limits.readers", self.readers as u64, 1..);
        checks.range("limits.readers_per_session", self.readers_per_session as u64, 1..);
        let (one, all) = (self.readers_per_session as u64, self.readers.max(1) as u64);
        checks.at_most("limits.readers_per_session", one, "limits.readers", all);
        checks.range("limits.requests_per_second", self.requests_per_second.into(), 0..=1_000_000);
        checks.range(
            "limits.token_requests_per_second",
            self.token_requests_per_second.into(),
            0..=1_000_000,
        );
        checks.range("limits.deadline_ms", self.deadline_ms, 1..=604_800_000);
    }
}
