//! The types of events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The types of events that readers see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum EventType {
    StepStarted,
    SubagentStarted,
    PlannerStream,
    SubagentCompleted,
    PlannerProgress,
    PolicyOutcome,
    StepCompleted,
    Aggregation,
    SynthesisDelta,
    Synthesis,
    PlanStepCompleted,
}

impl EventType {
    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::StepStarted => "step_started",
            Self::SubagentStarted => "subagent_started",
            Self::PlannerStream => "planner_stream",
            Self::SubagentCompleted => "subagent_completed",
            Self::PlannerProgress => "planner_progress",
            Self::PolicyOutcome => "policy_outcome",
            Self::StepCompleted => "step_completed",
            Self::Aggregation => "aggregation",
            Self::SynthesisDelta => "synthesis_delta",
            Self::Synthesis => "synthesis",
            Self::PlanStepCompleted => "plan_step_completed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_serde_writes() {
        let all = r#"["step_started","subagent_started","planner_stream","subagent_completed","planner_progress","policy_outcome","step_completed","aggregation","synthesis_delta","synthesis","plan_step_completed"]"#;
        let types: Vec<EventType> = serde_json::from_str(all).unwrap();
        let names: Vec<&str> = types.into_iter().map(EventType::as_str).collect();
        assert_eq!(serde_json::to_string(&names).unwrap(), all);
    }
}
