//! Directives: a new step, the same again, or another under the same id.

use std::sync::Arc;

use super::batch::Batch;
use super::command::NewStep;
use super::state::SubagentState;
use crate::domain::directive::OnDegraded;
use crate::domain::ids::{StepId, SubagentKey};
use crate::domain::record::{Answer, Record, SubagentStatus};
use crate::domain::verdict::{Code, Refusal};
use crate::domain::wire::{Content, Expected, WireTelemetry};

/// Why a subagent isn't asked that configuration switched off.
pub(super) const DISABLED: &str = "disabled";

impl Batch<'_> {
    pub(super) fn start_step(&mut self, new: &NewStep) -> Result<Answer, Refusal> {
        let id = new.directive.plan_step_id.clone();
        if let Some(known) = self.state.step(&id) {
            if known.digest == new.digest {
                return Ok(Answer::Step { created: false });
            }
            let text = format!("the step `{id}` was posted with another directive");
            return Err(Refusal::new(Code::DirectiveConflict, text));
        }
        self.check_room()?;
        let steps = self.limits.steps_per_session;
        if self.state.steps.len() >= steps {
            return Err(Refusal::new(Code::LimitReached, format!("the session has its {steps} steps")));
        }
        self.check_depth(&new.directive)?;
        self.check_shadow(&new.directive)?;
        self.emit_step_started(new);
        self.degrade_disabled(&id, &new.disabled);
        self.finish_if_done(&id);
        Ok(Answer::Step { created: true })
    }

    fn emit_step_started(&mut self, new: &NewStep) {
        let directive = &new.directive;
        let deadline = self.now.plus_ms(directive.deadline_ms);
        let expected = directive.expected_subagents.iter().map(|subagent| Expected {
            stage: &subagent.key,
            result_key: subagent.result_key(),
            task: subagent.task.as_deref(),
            deadline: subagent.deadline_ms.map_or(deadline, |ms| self.now.plus_ms(ms)).min(deadline),
        });
        let content = Content::StepStarted {
            expected: expected.collect(),
            query: directive.query.as_deref(),
            goal: directive.goal.as_deref(),
            task_type: directive.task_type,
            parent_step_id: directive.parent_step_id.as_ref(),
            expected_children: &directive.expected_children,
            deadline,
            planner_context: directive.planner_context.as_ref(),
        };
        let record = Record::StepStarted {
            directive: directive.clone(),
            digest: new.digest,
            context: new.context.clone(),
        };
        self.emit(record, content, WireTelemetry::new(&new.context, None));
    }

    /// Ends the outputs of subagents that are switched off because they won't be asked, and where the directive wants that of
    /// one, its step.
    fn degrade_disabled(&mut self, step: &StepId, disabled: &[SubagentKey]) {
        let mut unasked = self.open_subagents(step);
        unasked.retain(|subagent| disabled.contains(&subagent.output.stage));
        for subagent in &unasked {
            self.force(subagent, SubagentStatus::Degraded, DISABLED);
        }
        let fails = |subagent: &&Arc<SubagentState>| subagent.expected.on_degraded == OnDegraded::Fail;
        if let Some(subagent) = unasked.iter().find(fails) {
            self.fail_degraded(subagent, DISABLED);
        }
    }
}
