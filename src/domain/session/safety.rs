//! Safety decisions: of a planner's call, of a safety subagent, and of the rule for one that failed.

use std::sync::Arc;

use super::batch::Batch;
use super::state::{StepState, SubagentState};
use crate::domain::adapters::{Adapter, is_unreadable, policy_outcome};
use crate::domain::event::RawJson;
use crate::domain::ids::{StepId, SubagentKey};
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
        let steps = step.map_or_else(|| self.unfinished_steps(), |step| vec![step.clone()]);
        if !self.ends_something(&steps, outcome) {
            self.check_room()?;
        }
        let sequence = self.emit_policy(step, outcome, false);
        // A plan that is refused goes on with no other step: readers need not wait for one.
        if step.is_none() && outcome.terminates() && !self.state.closed {
            self.emit_hidden(Record::SessionClosed);
        }
        self.carry_out(&steps, outcome);
        Ok(Answer::Done(Some(sequence)))
    }

    /// Ends what a decision ends.
    fn carry_out(&mut self, steps: &[StepId], outcome: &PolicyOutcome) {
        if outcome.terminates() && !mutant!("refusal-only-speaks") {
            self.end_by_force(steps, StepStatus::Refused, SubagentStatus::Refused, &outcome.reason);
            return;
        }
        for step in steps {
            let refused = self.refused_subagents(step, outcome);
            for subagent in &refused {
                self.force(subagent, SubagentStatus::Refused, &outcome.reason);
            }
            // Where nothing ended, who was heard last says how the step ends.
            if !refused.is_empty() {
                self.finish_if_done(step);
            }
            if let Some(key) = self.refused_while_written(step, outcome) {
                self.hurry(step, &format!("the subagent `{key}` was refused: {}", outcome.reason));
            }
        }
    }

    /// A decision about a subagent that the step doesn't expect, or about the safety subagent itself, is about the step: a
    /// refusal that refuses nobody would let everything through.
    fn aim(&self, outcome: &mut PolicyOutcome, safety: &SubagentState) {
        let step = self.state.step(&safety.output.step);
        let is_other = |key: &SubagentKey| {
            *key != safety.output.stage && step.is_some_and(|step| step.outputs_of(key).next().is_some())
        };
        if outcome.subagent.as_ref().is_some_and(|key| !is_other(key)) {
            outcome.subagent = None;
            outcome.terminate = outcome.terminate.filter(|_| outcome.decision != PolicyDecision::Refuse);
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
        let running = self.state.step(&subagent.output.step).is_some_and(|step| step.is_running());
        if subagent.adapter != Adapter::Safety || !running {
            return;
        }
        let rule = self.limits.safety.on_failure;
        let missing = || Some(unavailable(subagent, status, rule));
        // What nobody could read is for a person, who may come too late: closed, nothing goes on until then.
        let is_told = |outcome: &PolicyOutcome| rule == SafetyFailure::FailOpen || !is_unreadable(outcome);
        let outcome = match status {
            SubagentStatus::Success => payload.and_then(policy_outcome).filter(is_told).or_else(missing),
            SubagentStatus::Error | SubagentStatus::Timeout | SubagentStatus::Degraded => missing(),
            SubagentStatus::Refused
            | SubagentStatus::Cancelled
            | SubagentStatus::Pending
            | SubagentStatus::InProgress
            | SubagentStatus::Partial
            | SubagentStatus::Retry => None,
        };
        let (Some(mut outcome), step) = (outcome, &subagent.output.step) else { return };
        self.aim(&mut outcome, subagent);
        self.emit_policy(Some(step), &outcome, true);
        self.carry_out(std::slice::from_ref(step), &outcome);
    }

    /// What is open of the one subagent that a decision refuses.
    fn refused_subagents(&self, step: &StepId, outcome: &PolicyOutcome) -> Vec<Arc<SubagentState>> {
        let refuses = outcome.decision == PolicyDecision::Refuse;
        let of_it = |s: &Arc<SubagentState>| refuses && outcome.subagent.as_ref() == Some(&s.output.stage);
        self.open_subagents(step).into_iter().filter(of_it).collect()
    }

    /// Whom a decision refuses of a step whose answer a language model writes of what that one said, too.
    fn refused_while_written<'o>(&self, id: &StepId, outcome: &'o PolicyOutcome) -> Option<&'o SubagentKey> {
        let step = self.state.step(id).filter(|step| step.writing().is_some())?;
        let key = outcome.subagent.as_ref().filter(|_| outcome.decision == PolicyDecision::Refuse)?;
        step.outputs_of(key).next().is_some().then_some(key)
    }

    fn ends_something(&self, steps: &[StepId], outcome: &PolicyOutcome) -> bool {
        if outcome.terminates() {
            return !steps.is_empty();
        }
        steps.iter().any(|step| {
            !self.refused_subagents(step, outcome).is_empty()
                || self.refused_while_written(step, outcome).is_some()
        })
    }

    fn check_safety(&self, step: Option<&StepId>, outcome: &PolicyOutcome) -> Result<(), Refusal> {
        let expects = |step: &StepState, key: &SubagentKey| step.outputs_of(key).next().is_some();
        let (whose, is_expected): (_, &dyn Fn(&SubagentKey) -> bool) = match step {
            Some(step) => {
                let about = match self.known_step(step)? {
                    step if step.writing().is_some() => step,
                    _ => self.running_step(step)?,
                };
                ("the step doesn't expect", &move |key| expects(about, key))
            }
            None => {
                self.check_session_known()?;
                ("no step of the session expects", &|key| {
                    self.state.steps.iter().any(|step| expects(step, key))
                })
            }
        };
        match outcome.subagent.as_ref().filter(|key| !is_expected(key)) {
            // A refusal of somebody who isn't there would let through who is.
            Some(key) => {
                let text = format!("{whose} the subagent `{key}`");
                Err(Refusal::at(Code::UnknownSubagent, "/subagent", text))
            }
            None => Ok(()),
        }
    }

    /// `followed`: from what a subagent said or failed to say, not from a call of the planner.
    fn emit_policy(&mut self, step: Option<&StepId>, outcome: &PolicyOutcome, followed: bool) -> Sequence {
        let of_step = step.and_then(|id| self.state.step(id));
        let context = of_step.or(self.state.steps.last().map(|s| &**s)).map(|step| step.context.clone());
        let content = Content::Policy {
            decision: outcome.decision,
            policy: &outcome.policy,
            reason: &outcome.reason,
            severity: outcome.severity(),
            stage: outcome.subagent.as_ref(),
            terminate: outcome.terminates(),
        };
        let telemetry =
            context.as_deref().map(|context| WireTelemetry::new(context, None)).unwrap_or_default();
        let shown = !of_step.is_some_and(|step| step.directive.shadow);
        let wanted = self.limits.safety.notifies && outcome.decision != PolicyDecision::Allow;
        let notify = wanted && shown && self.state.notices.has_room();
        self.emit(Record::Policy { step: step.cloned(), notify, followed }, content, telemetry)
    }
}

/// What is decided where a safety subagent gave no decision.
fn unavailable(subagent: &SubagentState, status: SubagentStatus, rule: SafetyFailure) -> PolicyOutcome {
    let what = match status {
        SubagentStatus::Timeout => "timed out",
        SubagentStatus::Degraded => "is degraded",
        SubagentStatus::Success => "gave no decision that could be read",
        SubagentStatus::Error
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
