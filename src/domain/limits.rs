//! Bounds and rules that decisions keep. Defaults stand in `config/default.toml`.

use serde::Deserialize;

/// Bounds on what one session may hold and one directive may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLimits {
    /// Subagents of one directive.
    pub subagents_per_directive: usize,
    /// Children of one directive.
    pub children_per_directive: usize,
    /// Levels of a tree of steps, the root counted.
    pub tree_depth: usize,
    /// Steps of a session.
    pub steps_per_session: usize,
    /// Entries of a session's log, over its whole life; what ends something comes on top.
    pub events_per_session: u64,
    /// Bytes of a session's log, over its whole life; what ends something comes on top.
    pub bytes_per_session: u64,
    /// Longest deadline a directive may set, in milliseconds.
    pub deadline_ms: u64,
    /// What follows from safety decisions, and from their absence.
    pub safety: SafetyRules,
    /// How long a language model may take for the answer of a step, in milliseconds; absent where there is none.
    pub writing_ms: Option<u64>,
}

/// What follows from safety decisions, and from their absence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SafetyRules {
    /// What happens where a safety subagent gives no decision.
    pub on_failure: SafetyFailure,
    /// Whether refusals and escalations are posted to a webhook.
    pub notifies: bool,
}

/// What happens where a safety subagent times out, fails or is degraded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SafetyFailure {
    /// The step goes on without its decision.
    FailOpen,
    /// The step is refused: what nobody checked isn't delivered as if somebody had.
    FailClosed,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            subagents_per_directive: 256,
            children_per_directive: 256,
            tree_depth: 16,
            steps_per_session: 1_000,
            events_per_session: 1_000_000,
            bytes_per_session: 1 << 30,
            deadline_ms: 86_400_000,
            safety: SafetyRules { on_failure: SafetyFailure::FailClosed, notifies: false },
            writing_ms: None,
        }
    }
}
