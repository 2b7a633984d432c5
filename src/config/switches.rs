//! `[rollout]` and `[subagents]`: what is switched on.

use serde::Deserialize;

/// The rollout flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rollout {
    /// Whether planners may use the service.
    pub aggregator_streaming: bool,
}

/// The switch of one kind of subagent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubagentSwitch {
    /// Off: its terminal is `degraded`, reason `disabled`.
    #[serde(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}
