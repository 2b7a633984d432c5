//! `[telemetry]`: what traces may hold. Where they go is said by the standard `OTEL_*` variables.

use serde::Deserialize;

/// Telemetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Telemetry {
    /// Whether spans carry what was asked and answered.
    pub capture_content: bool,
}
