//! What a record is about: which step, which outputs, which event.

use super::{EventType, Output, Record, SubagentStatus};
use crate::domain::ids::StepId;

impl Record {
    /// The step it is about; `None`: the whole session.
    pub fn step(&self) -> Option<&StepId> {
        match self {
            Self::StepStarted { directive, .. } => Some(&directive.plan_step_id),
            Self::SubagentStarted { output }
            | Self::Subagent { output, .. }
            | Self::CallTaken { output, .. }
            | Self::CallLeftOpen { output }
            | Self::SubagentCompleted { output } => Some(&output.step),
            Self::Progress { step }
            | Self::StepCompleted { step, .. }
            | Self::Aggregated { step, .. }
            | Self::WritingTaken { step, .. }
            | Self::SynthesisDelta { step, .. }
            | Self::Synthesised { step, .. }
            | Self::StepEnded { step } => Some(step),
            Self::Policy { step, .. } => step.as_ref(),
            Self::CallsRenewed { .. }
            | Self::CallsReleased { .. }
            | Self::NoticeTaken { .. }
            | Self::NoticeTried { .. }
            | Self::SessionClosed
            | Self::Answered { .. } => None,
        }
    }

    /// The output it is about.
    pub fn output(&self) -> Option<&Output> {
        match self {
            Self::SubagentStarted { output }
            | Self::Subagent { output, .. }
            | Self::CallTaken { output, .. }
            | Self::CallLeftOpen { output }
            | Self::SubagentCompleted { output } => Some(output),
            Self::StepStarted { .. }
            | Self::CallsRenewed { .. }
            | Self::CallsReleased { .. }
            | Self::Progress { .. }
            | Self::Policy { .. }
            | Self::StepCompleted { .. }
            | Self::Aggregated { .. }
            | Self::WritingTaken { .. }
            | Self::SynthesisDelta { .. }
            | Self::Synthesised { .. }
            | Self::StepEnded { .. }
            | Self::NoticeTaken { .. }
            | Self::NoticeTried { .. }
            | Self::SessionClosed
            | Self::Answered { .. } => None,
        }
    }

    /// The type of its event; `None`: readers see none.
    pub fn event_type(&self) -> Option<EventType> {
        match self {
            Self::StepStarted { .. } => Some(EventType::StepStarted),
            Self::SubagentStarted { .. } => Some(EventType::SubagentStarted),
            Self::Subagent { .. } => Some(EventType::PlannerStream),
            Self::SubagentCompleted { .. } => Some(EventType::SubagentCompleted),
            Self::Progress { .. } => Some(EventType::PlannerProgress),
            Self::Policy { .. } => Some(EventType::PolicyOutcome),
            Self::StepCompleted { .. } => Some(EventType::StepCompleted),
            Self::Aggregated { .. } => Some(EventType::Aggregation),
            Self::SynthesisDelta { .. } => Some(EventType::SynthesisDelta),
            Self::Synthesised { .. } => Some(EventType::Synthesis),
            Self::StepEnded { .. } => Some(EventType::PlanStepCompleted),
            Self::CallTaken { .. }
            | Self::CallsRenewed { .. }
            | Self::CallsReleased { .. }
            | Self::CallLeftOpen { .. }
            | Self::WritingTaken { .. }
            | Self::NoticeTaken { .. }
            | Self::NoticeTried { .. }
            | Self::SessionClosed
            | Self::Answered { .. } => None,
        }
    }

    /// The outputs whose state it changes.
    pub fn outputs(&self) -> &[Output] {
        match self {
            Self::CallsRenewed { outputs, .. } | Self::CallsReleased { outputs, .. } => outputs,
            Self::SubagentStarted { .. }
            | Self::Subagent { .. }
            | Self::CallTaken { .. }
            | Self::CallLeftOpen { .. }
            | Self::SubagentCompleted { .. }
            | Self::StepStarted { .. }
            | Self::Progress { .. }
            | Self::Policy { .. }
            | Self::StepCompleted { .. }
            | Self::Aggregated { .. }
            | Self::WritingTaken { .. }
            | Self::SynthesisDelta { .. }
            | Self::Synthesised { .. }
            | Self::StepEnded { .. }
            | Self::NoticeTaken { .. }
            | Self::NoticeTried { .. }
            | Self::SessionClosed
            | Self::Answered { .. } => self.output().map_or(&[], std::slice::from_ref),
        }
    }

    /// Whether it is a partial, which a later one of the same output replaces.
    pub fn is_partial(&self) -> bool {
        matches!(self, Self::Subagent { status: SubagentStatus::Partial, .. })
    }
}
