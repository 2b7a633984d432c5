//! Safety decisions: of a planner's call, of a safety subagent, and of the rule for one that failed.

use std::sync::Arc;

use super::batch::Batch;
use super::state::SubagentState;
use crate::domain::adapters::{Adapter, policy_outcome};
use crate::domain::event::RawJson;
use crate::domain::ids::StepId;
use crate::domain::limits::SafetyFailure;
use crate::domain::policy::{PolicyDecision, PolicyOutcome};
use crate::domain::position::Sequence;
use crate::domain::record::{Answer, Record, StepStatus, SubagentStatus};
use crate::domain::verdict::{Code, Refusal};
use crate::domain::wire::{Content, WireTelemetry};

/// The policy of a decision that a safety subagent should have given.
const UNAVAILABLE: &str = "safety_unavailable";

impl Batch<'_> {
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
        self.carry_out(&steps, outcome);
        Ok(Answer::Done(Some(sequence)))
    }

    /// Ends what a decision ends.
    fn carry_out(&mut self, steps: &[StepId], outcome: &PolicyOutcome) {
        if outcome.terminates() {
            self.end_by_force(steps, StepStatus::Refused, SubagentStatus::Refused, &outcome.reason);
            return;
        }
        for step in steps {
            for subagent in self.refused_subagents(step, outcome) {
                self.force(&subagent, SubagentStatus::Refused, &outcome.reason);
            }
            self.finish_if_done(step);
        }
    }

    /// What follows from the end of an output that a safety subagent gave, or should have given.
    ///
    /// Its success is a decision about the step. That it failed is one too, by the rule that was configured when the step
    /// began: the step goes on without it, or is refused. What was switched off on purpose, cancelled or refused says nothing.
    pub(super) fn heed_safety(
        &mut self,
        subagent: &SubagentState,
        status: SubagentStatus,
        payload: Option<&RawJson>,
    ) {
        if subagent.adapter != Adapter::Safety {
            return;
        }
        let outcome = match status {
            SubagentStatus::Success => payload.and_then(|payload| policy_outcome(payload)),
            SubagentStatus::Error | SubagentStatus::Timeout | SubagentStatus::Degraded => {
                Some(unavailable(subagent, status, self.limits.safety.on_failure))
            }
            SubagentStatus::Refused
            | SubagentStatus::Cancelled
            | SubagentStatus::Pending
            | SubagentStatus::InProgress
            | SubagentStatus::Partial
            | SubagentStatus::Retry => None,
        };
        let Some(outcome) = outcome else { return };
        let step = &subagent.output.step;
        self.emit_policy(Some(step), &outcome);
        self.carry_out(std::slice::from_ref(step), &outcome);
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
        let notify = self.limits.safety.notifies && outcome.decision != PolicyDecision::Allow;
        self.emit(Record::Policy { step: step.cloned(), notify }, content, telemetry)
    }
}

/// What is decided where a safety subagent gave no decision.
fn unavailable(subagent: &SubagentState, status: SubagentStatus, rule: SafetyFailure) -> PolicyOutcome {
    let what = match status {
        SubagentStatus::Timeout => "timed out",
        SubagentStatus::Degraded => "is degraded",
        SubagentStatus::Error
        | SubagentStatus::Success
        | SubagentStatus::Refused
        | SubagentStatus::Cancelled
        | SubagentStatus::Pending
        | SubagentStatus::InProgress
        | SubagentStatus::Partial
        | SubagentStatus::Retry => "failed",
    };
    let (decision, follows) = match rule {
        SafetyFailure::FailClosed => (PolicyDecision::Refuse, "the step is refused"),
        SafetyFailure::FailOpen => (PolicyDecision::Allow, "the step goes on without its decision"),
    };
    PolicyOutcome {
        decision,
        policy: UNAVAILABLE.to_owned(),
        reason: format!("the safety subagent `{}` {what}: {follows}", subagent.output.result_key),
        severity: None,
        subagent: None,
        terminate: Some(decision == PolicyDecision::Refuse),
    }
}
