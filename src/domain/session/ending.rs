//! What ends things, or only speaks of them: progress, safety, cancel, close, deadlines.

use std::sync::Arc;

use super::batch::Batch;
use super::state::SubagentState;
use crate::domain::ids::StepId;
use crate::domain::policy::{PolicyDecision, PolicyOutcome};
use crate::domain::position::Sequence;
use crate::domain::record::{Answer, Record, StepStatus, SubagentStatus};
use crate::domain::requests::Progress;
use crate::domain::verdict::{Code, Refusal};
use crate::domain::wire::{Content, WireTelemetry};

impl Batch<'_> {
    pub(super) fn progress(&mut self, step: &StepId, progress: &Progress) -> Result<Answer, Refusal> {
        let context = self.running_step(step)?.context.clone();
        self.check_room()?;
        let record = Record::Progress { step: step.clone() };
        let sequence = self.emit(record, Content::Progress(progress), WireTelemetry::new(&context, None));
        Ok(Answer::Done(Some(sequence)))
    }

    /// A decision is always streamed; a refusal, or `terminate`, ends what is still open of what it is about.
    pub(super) fn safety(
        &mut self,
        step: Option<&StepId>,
        outcome: &PolicyOutcome,
    ) -> Result<Answer, Refusal> {
        self.check_safety(step, outcome)?;
        let steps = step.map_or_else(|| self.open_steps(), |step| vec![step.clone()]);
        if !self.ends_something(&steps, outcome) {
            self.check_room()?;
        }
        let sequence = self.emit_policy(step, outcome);
        if outcome.terminates() {
            self.end_by_force(&steps, StepStatus::Refused, SubagentStatus::Refused, &outcome.reason);
        } else {
            for step in &steps {
                for subagent in self.refused_subagents(step, outcome) {
                    self.force(&subagent, SubagentStatus::Refused, &outcome.reason);
                }
                self.finish_if_done(step);
            }
        }
        Ok(Answer::Done(Some(sequence)))
    }

    /// What is open of the one subagent that a decision refuses.
    fn refused_subagents(&self, step: &StepId, outcome: &PolicyOutcome) -> Vec<Arc<SubagentState>> {
        let refuses = outcome.decision == PolicyDecision::Refuse;
        let of_it = |s: &Arc<SubagentState>| refuses && outcome.subagent.as_ref() == Some(&s.output.stage);
        self.open_subagents(step).into_iter().filter(of_it).collect()
    }

    fn ends_something(&self, steps: &[StepId], outcome: &PolicyOutcome) -> bool {
        if outcome.terminates() {
            return !steps.is_empty();
        }
        steps.iter().any(|step| !self.refused_subagents(step, outcome).is_empty())
    }

    fn check_safety(&self, step: Option<&StepId>, outcome: &PolicyOutcome) -> Result<(), Refusal> {
        let Some(step) = step else {
            return self.check_session_known();
        };
        let running = self.running_step(step)?;
        match &outcome.subagent {
            Some(key) if running.outputs_of(key).next().is_none() => {
                let text = format!("the step doesn't expect the subagent `{key}`");
                Err(Refusal::at(Code::UnknownSubagent, "/subagent", text))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn emit_policy(&mut self, step: Option<&StepId>, outcome: &PolicyOutcome) -> Sequence {
        let of_step = step.and_then(|id| self.state.step(id));
        let context = of_step.or(self.state.steps.last().map(|s| &**s)).map(|step| step.context.clone());
        let content = Content::Policy {
            decision: outcome.decision,
            policy: &outcome.policy,
            reason: &outcome.reason,
            severity: outcome.severity.as_deref(),
            stage: outcome.subagent.as_ref(),
            terminate: outcome.terminates(),
        };
        let telemetry =
            context.as_deref().map(|context| WireTelemetry::new(context, None)).unwrap_or_default();
        self.emit(Record::Policy { step: step.cloned() }, content, telemetry)
    }

    /// Ends a step, or all that run. What has ended stays as it is; a step that was cancelled may be cancelled again.
    pub(super) fn cancel(&mut self, step: Option<&StepId>, reason: Option<&str>) -> Result<Answer, Refusal> {
        let reason = reason.unwrap_or("cancelled by the planner");
        let steps = match step {
            Some(id) if self.known_step(id)?.status == StepStatus::Cancelled => Vec::new(),
            Some(id) => {
                self.running_step(id)?;
                vec![id.clone()]
            }
            None => {
                self.check_session_known()?;
                self.open_steps()
            }
        };
        let before = self.state.position.sequence;
        self.end_by_force(&steps, StepStatus::Cancelled, SubagentStatus::Cancelled, reason);
        let after = self.state.position.sequence;
        Ok(Answer::Done((after > before).then_some(after)))
    }

    pub(super) fn close(&mut self) -> Result<Answer, Refusal> {
        self.check_session_known()?;
        if self.state.closed {
            return Ok(Answer::Done(None));
        }
        Ok(Answer::Done(Some(self.emit_hidden(Record::SessionClosed))))
    }

    fn check_session_known(&self) -> Result<(), Refusal> {
        if self.state.steps.is_empty() {
            let text = format!("no directive was posted for the session `{}`", self.state.session);
            return Err(Refusal::new(Code::UnknownSession, text));
        }
        Ok(())
    }

    /// Ends what is overdue by `now`. A step whose own time is over ends with all it has. Children come first: where
    /// both are overdue, the parent counts what its child came to.
    pub(super) fn deadlines(&mut self) -> Answer {
        for id in self.open_below(&self.open_steps()) {
            let Some(step) = self.state.step(&id).filter(|step| step.is_running()) else { continue };
            let step_overdue = step.deadline <= self.now;
            for subagent in self.open_subagents(&id) {
                if subagent.deadline <= self.now {
                    self.force(&subagent, SubagentStatus::Timeout, "deadline");
                } else if step_overdue {
                    self.force(&subagent, SubagentStatus::Timeout, "step_deadline");
                }
            }
            if step_overdue { self.conclude(&id, None) } else { self.finish_if_done(&id) }
        }
        Answer::Done(None)
    }

    fn open_steps(&self) -> Vec<StepId> {
        self.state.steps.iter().filter(|step| step.is_running()).map(|step| step.id().clone()).collect()
    }
}
