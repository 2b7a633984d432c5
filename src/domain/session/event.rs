//! A subagent's event: the five verdicts, and what an accepted one leads to.

use std::sync::Arc;

use super::batch::Batch;
use super::state::{StepState, SubagentState};
use crate::domain::event::{SenderStatus, SenderTelemetry, SubagentEvent};
use crate::domain::ids::{StepId, SubagentKey};
use crate::domain::record::{Answer, Record, SubagentStatus};
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::verdict::{Code, Decided, Refusal, Verdict};
use crate::domain::wire::{Content, WireTelemetry};

impl Batch<'_> {
    pub(super) fn subagent_event(
        &mut self,
        step: &StepId,
        key: &SubagentKey,
        event: &SubagentEvent,
    ) -> Result<Answer, Refusal> {
        let step_state = self.known_step(step)?;
        let subagent = find_output(step_state, key, event)?;
        let over = subagent.status.is_terminal() || !step_state.is_running();
        if let Some(decided) = judge(subagent, event, over) {
            return Ok(Answer::Event(decided));
        }
        let subagent = subagent.clone();
        self.check_room()?;
        let sequence = self.accept(&subagent, event);
        Ok(Answer::Event(Decided { verdict: Verdict::Accepted, sequence: Some(sequence) }))
    }

    fn accept(
        &mut self,
        subagent: &SubagentState,
        event: &SubagentEvent,
    ) -> crate::domain::position::Sequence {
        let status = next_status(subagent, event);
        let attempt = subagent.attempt + u32::from(status == SubagentStatus::Retry);
        let revision = event.revision.unwrap_or(subagent.revision + 1);
        self.emit_started(subagent);
        let changed = event.telemetry.as_deref().and_then(|own| moved_context(&subagent.context, own));
        let context = changed.as_ref().unwrap_or(&subagent.context).clone();
        let payload = event.payload.as_ref().map(|raw| subagent.adapter.normalise(raw));
        let record = Record::Subagent {
            output: subagent.output.clone(),
            status,
            revision,
            attempt,
            sender: Some(event.digest),
            context: changed,
            latency_ms: event.telemetry.as_deref().and_then(|own| own.latency_ms),
        };
        let content = Content::PlannerStream {
            stage: &subagent.output.stage,
            status,
            result_key: &subagent.output.result_key,
            revision,
            attempt,
            payload: payload.as_deref(),
            error: event.error.as_ref(),
            reason: None,
        };
        let sequence = self.emit(record, content, WireTelemetry::new(&context, event.telemetry.as_deref()));
        if status.is_terminal() {
            self.emit_completed(&subagent.output);
            self.finish_if_done(&subagent.output.step);
        }
        sequence
    }

    /// `subagent_started`, before the first event.
    fn emit_started(&mut self, subagent: &SubagentState) {
        if subagent.started_at.is_some() {
            return;
        }
        let content = Content::SubagentStarted {
            stage: &subagent.output.stage,
            result_key: &subagent.output.result_key,
            attempt: subagent.attempt,
            mode: "push",
        };
        let record = Record::SubagentStarted { output: subagent.output.clone() };
        self.emit(record, content, WireTelemetry::new(&subagent.context, None));
    }
}

/// The output that an event is about.
fn find_output<'s>(
    step: &'s Arc<StepState>,
    key: &SubagentKey,
    event: &SubagentEvent,
) -> Result<&'s Arc<SubagentState>, Refusal> {
    let of_key = |subagent: &&Arc<SubagentState>| subagent.output.stage == *key;
    if let Some(result_key) = &event.result_key {
        let found = step.subagents.iter().filter(of_key).find(|s| s.output.result_key == *result_key);
        return found.ok_or_else(|| {
            let text = format!("the step doesn't expect `{result_key}` of the subagent `{key}`");
            Refusal::at(Code::UnknownSubagent, "/result_key", text)
        });
    }
    let mut outputs = step.subagents.iter().filter(of_key);
    match (outputs.next(), outputs.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => {
            Err(Refusal::new(Code::UnknownSubagent, format!("the step doesn't expect the subagent `{key}`")))
        }
        (Some(_), Some(_)) => {
            let text = format!("the step expects several outputs of `{key}`: say which by `result_key`");
            Err(Refusal::at(Code::InvalidEvent, "/result_key", text))
        }
    }
}

/// The verdict, unless it is `accepted`. The sender's own revisions are compared, in the order of `DESIGN.md` §4.
fn judge(subagent: &SubagentState, event: &SubagentEvent, over: bool) -> Option<Decided> {
    if let (Some(known), Some(revision)) = (subagent.sender, event.revision) {
        let sequence = Some(known.sequence);
        if revision == known.revision && event.digest == known.digest {
            return Some(Decided { verdict: Verdict::Duplicate, sequence });
        }
        if revision == known.revision {
            return Some(Decided { verdict: Verdict::Conflict, sequence });
        }
        if revision < known.revision {
            return Some(Decided { verdict: Verdict::Stale, sequence: None });
        }
    }
    over.then_some(Decided { verdict: Verdict::Late, sequence: None })
}

/// A retryable error is a retry while attempts are left.
fn next_status(subagent: &SubagentState, event: &SubagentEvent) -> SubagentStatus {
    let retryable = event.error.as_ref().is_some_and(|error| error.retryable);
    let attempts_left = subagent.attempt < subagent.expected.max_attempts;
    if event.status == SenderStatus::Error && retryable && attempts_left {
        return SubagentStatus::Retry;
    }
    event.status.into()
}

/// The subagent's context where its sender names another than the known one.
fn moved_context(known: &Arc<TelemetryContext>, own: &SenderTelemetry) -> Option<Arc<TelemetryContext>> {
    let moved = known.moved(own);
    (moved != **known).then(|| Arc::new(moved))
}
