//! What a record is about: which step, which outputs, which event.

use super::{EventType, Output, Record, SubagentStatus};
use crate::domain::ids::StepId;

/// What a record tells of.
enum About<'r> {
    /// The whole session.
    Session,
    Step(&'r StepId),
    /// One output, and with it the output's step.
    Output(&'r Output),
    /// Several, of any steps.
    Outputs(&'r [Output]),
}

impl Record {
    /// The step it is about; `None`: the whole session.
    pub fn step(&self) -> Option<&StepId> {
        match self.about().0 {
            About::Step(step) => Some(step),
            About::Output(output) => Some(&output.step),
            About::Session | About::Outputs(_) => None,
        }
    }

    /// The output it is about.
    pub fn output(&self) -> Option<&Output> {
        match self.about().0 {
            About::Output(output) => Some(output),
            About::Session | About::Step(_) | About::Outputs(_) => None,
        }
    }

    /// The outputs whose state it changes.
    pub fn outputs(&self) -> &[Output] {
        match self.about().0 {
            About::Output(output) => std::slice::from_ref(output),
            About::Outputs(outputs) => outputs,
            About::Session | About::Step(_) => &[],
        }
    }

    /// The type of its event; `None`: readers see none.
    pub fn event_type(&self) -> Option<EventType> {
        self.about().1
    }

    /// Whether it is a partial, which a later one of the same output replaces.
    pub fn is_partial(&self) -> bool {
        matches!(self, Self::Subagent { status: SubagentStatus::Partial, .. })
    }

    fn about(&self) -> (About<'_>, Option<EventType>) {
        match self {
            Self::StepStarted { directive, .. } => {
                (About::Step(&directive.plan_step_id), Some(EventType::StepStarted))
            }
            Self::SubagentStarted { output } => (About::Output(output), Some(EventType::SubagentStarted)),
            Self::Subagent { output, .. } => (About::Output(output), Some(EventType::PlannerStream)),
            Self::SubagentCompleted { output } => (About::Output(output), Some(EventType::SubagentCompleted)),
            Self::CallTaken { output, .. } | Self::CallLeftOpen { output } => (About::Output(output), None),
            Self::CallsRenewed { outputs, .. } | Self::CallsReleased { outputs, .. } => {
                (About::Outputs(outputs), None)
            }
            Self::Progress { step } => (About::Step(step), Some(EventType::PlannerProgress)),
            Self::Policy { step, .. } => {
                (step.as_ref().map_or(About::Session, About::Step), Some(EventType::PolicyOutcome))
            }
            Self::StepCompleted { step, .. } => (About::Step(step), Some(EventType::StepCompleted)),
            Self::Aggregated { step, .. } => (About::Step(step), Some(EventType::Aggregation)),
            Self::SynthesisDelta { step, .. } => (About::Step(step), Some(EventType::SynthesisDelta)),
            Self::Synthesised { step, .. } => (About::Step(step), Some(EventType::Synthesis)),
            Self::StepEnded { step } => (About::Step(step), Some(EventType::PlanStepCompleted)),
            Self::WritingTaken { step, .. } => (About::Step(step), None),
            Self::NoticeTaken { .. }
            | Self::NoticeTried { .. }
            | Self::SessionClosed
            | Self::Answered { .. } => (About::Session, None),
        }
    }
}
