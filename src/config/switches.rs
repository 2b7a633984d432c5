//! `[rollout]`: what is switched on.

use serde::Deserialize;

/// The rollout flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rollout {
    /// Whether planners may use the service.
    pub aggregator_streaming: bool,
}
