//! A breaker as analytics and metrics show it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::time::Timestamp;

/// What a breaker lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BreakerState {
    /// Every call.
    Closed,
    /// No call.
    Open,
    /// One call at a time, as a probe.
    HalfOpen,
}

impl BreakerState {
    /// As the wire has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
        }
    }
}

/// A breaker at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct BreakerView {
    /// What it lets through.
    pub state: BreakerState,
    /// When it opened (the first time, if probes have failed since); absent while it is closed.
    pub since: Option<Timestamp>,
    /// The part of the window's calls that failed, 0 to 1; 0 without calls.
    pub failure_rate: f64,
    /// How many calls of the window have an outcome.
    pub calls: u64,
    /// Why it opened, for people; absent while it is closed.
    pub reason: Option<String>,
}
