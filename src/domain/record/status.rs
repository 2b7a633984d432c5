//! Where subagents' outputs and steps stand, in words that the wire and the log share.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::event::SenderStatus;

/// Where a subagent's output stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubagentStatus {
    /// Nothing heard yet, or accepted without having begun.
    Pending,
    /// At work.
    InProgress,
    /// A part of the result is there.
    Partial,
    /// An attempt failed, another follows.
    Retry,
    /// Terminal: the whole result is there.
    Success,
    /// Terminal: it failed.
    Error,
    /// Terminal: its time, or the step's, was over.
    Timeout,
    /// Terminal: it wasn't asked.
    Degraded,
    /// Terminal: safety ended it.
    Refused,
    /// Terminal: the planner ended it.
    Cancelled,
}

impl SubagentStatus {
    /// As the wire has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Partial => "partial",
            Self::Retry => "retry",
            Self::Success => "success",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Degraded => "degraded",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing can follow.
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Pending | Self::InProgress | Self::Partial | Self::Retry => false,
            Self::Success
            | Self::Error
            | Self::Timeout
            | Self::Degraded
            | Self::Refused
            | Self::Cancelled => true,
        }
    }
}

impl From<SenderStatus> for SubagentStatus {
    fn from(status: SenderStatus) -> Self {
        match status {
            SenderStatus::Pending => Self::Pending,
            SenderStatus::InProgress => Self::InProgress,
            SenderStatus::Partial => Self::Partial,
            SenderStatus::Success => Self::Success,
            SenderStatus::Error => Self::Error,
        }
    }
}

/// Where a step stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// Something is still expected.
    InProgress,
    /// Everything expected succeeded.
    Completed,
    /// Some of it succeeded.
    PartialFailure,
    /// None of it did.
    Failed,
    /// The planner ended it.
    Cancelled,
    /// Safety ended it.
    Refused,
}

impl StepStatus {
    /// As the wire has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::PartialFailure => "partial_failure",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Refused => "refused",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_serde_writes() {
        for status in [
            StepStatus::InProgress,
            StepStatus::Completed,
            StepStatus::PartialFailure,
            StepStatus::Failed,
            StepStatus::Cancelled,
            StepStatus::Refused,
        ] {
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        }
        for status in [
            SubagentStatus::Pending,
            SubagentStatus::InProgress,
            SubagentStatus::Partial,
            SubagentStatus::Retry,
            SubagentStatus::Success,
            SubagentStatus::Error,
            SubagentStatus::Timeout,
            SubagentStatus::Degraded,
            SubagentStatus::Refused,
            SubagentStatus::Cancelled,
        ] {
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        }
    }
}
