//! How outputs and steps are completed: terminals, summaries, and the way up the tree.

use std::sync::Arc;

use super::batch::Batch;
use super::event::kept;
use super::state::{StepState, SubagentState};
use crate::domain::event::EventError;
use crate::domain::ids::StepId;
use crate::domain::position::Sequence;
use crate::domain::record::{Output, Record, StepStatus, SubagentStatus};
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::time::Timestamp;
use crate::domain::wire::{ChildCounts, Content, Counts, WireTelemetry};

/// Why something was cancelled where the planner doesn't say.
pub(super) const CANCELLED: &str = "cancelled by the planner";

/// An event that Tributary makes for an output.
pub(super) struct Made<'a> {
    pub(super) status: SubagentStatus,
    /// The attempt that comes next, or that this belongs to.
    pub(super) attempt: u32,
    pub(super) error: Option<&'a EventError>,
    pub(super) reason: Option<&'a str>,
    /// Since when there is that reason.
    pub(super) since: Option<Timestamp>,
    /// Of a retry: when the next attempt begins.
    pub(super) retry_at: Option<Timestamp>,
}

impl Made<'_> {
    /// Nothing but a status, in the attempt that runs.
    pub(super) fn of(subagent: &SubagentState, status: SubagentStatus) -> Self {
        let attempt = subagent.attempt;
        Self { status, attempt, error: None, reason: None, since: None, retry_at: None }
    }
}

impl Batch<'_> {
    /// The outputs of a step that aren't terminal, as they stand now.
    pub(super) fn open_subagents(&self, step: &StepId) -> Vec<Arc<SubagentState>> {
        let step = self.state.step(step).into_iter().flat_map(|step| step.subagents.iter());
        step.filter(|subagent| !subagent.status.is_terminal() || mutant!("ended-again")).cloned().collect()
    }

    /// Ends an output without its sender.
    pub(super) fn force(&mut self, subagent: &SubagentState, status: SubagentStatus, reason: &str) {
        // Whoever waited in vain for another attempt wants to know why the last one failed.
        let error = subagent.failed.as_deref().filter(|_| status == SubagentStatus::Timeout);
        self.make(subagent, Made { reason: Some(reason), error, ..Made::of(subagent, status) });
    }

    /// An event that Tributary makes itself: the next revision, which doesn't count as the sender's. A terminal is
    /// followed by its summary.
    pub(super) fn make(&mut self, subagent: &SubagentState, made: Made<'_>) -> Sequence {
        let Made { status, attempt, error, reason, since, retry_at } = made;
        let (output, revision) = (&subagent.output, subagent.revision + 1);
        let content = Content::PlannerStream {
            stage: &output.stage,
            status,
            result_key: &output.result_key,
            revision,
            attempt,
            payload: None,
            error,
            reason,
            since,
        };
        let record = Record::Subagent {
            output: output.clone(),
            status,
            revision,
            attempt,
            sender: None,
            context: None,
            latency_ms: None,
            card: None,
            sender_revision: None,
            retry_at,
            failed: kept(status, error),
            original: None,
        };
        let sequence = self.emit(record, content, WireTelemetry::new(&subagent.asked_context, None));
        if status.is_terminal() {
            self.emit_completed(output, &subagent.asked_context);
        }
        sequence
    }

    /// `subagent_completed`, right after the terminal, at that one's place in a trace.
    pub(super) fn emit_completed(&mut self, output: &Output, context: &TelemetryContext) {
        let step = self.state.step(&output.step).expect("an output that ends belongs to a step");
        let subagent = step.output(&output.result_key).expect("an output that ends is expected");
        let (status, revision, attempts) = (subagent.status, subagent.revision, subagent.attempt);
        let latency_ms = subagent.latency_ms.unwrap_or(0);
        let content = Content::SubagentCompleted {
            stage: &output.stage,
            result_key: &output.result_key,
            status,
            revision,
            attempts,
            latency_ms,
        };
        let record = Record::SubagentCompleted { output: output.clone() };
        self.emit(record, content, WireTelemetry::new(context, None));
    }

    /// Ends steps and the open ones below them: what is still open gets `terminal`, the steps `status`.
    ///
    /// Steps above look whether they are done only later, when these have their results: one of those that end here
    /// would otherwise end by count as soon as the last one below it has.
    pub(super) fn end_by_force(
        &mut self,
        steps: &[StepId],
        status: StepStatus,
        terminal: SubagentStatus,
        reason: &str,
    ) {
        // The words of whoever ends it say nothing by themselves: `enough` of what?
        let why = match status {
            StepStatus::Cancelled if reason == CANCELLED => format!("the step was {CANCELLED}"),
            StepStatus::Cancelled => format!("the step was cancelled: {reason}"),
            StepStatus::Refused => format!("the step was refused: {reason}"),
            StepStatus::InProgress
            | StepStatus::Completed
            | StepStatus::PartialFailure
            | StepStatus::Failed => reason.to_owned(),
        };
        for step in self.below(steps) {
            self.end_writing(&step, status);
            self.hurry(&step, &why);
        }
        let mut ending = self.open_below(steps);
        ending.retain(|step| !mutant!("cancel-spares-children") || steps.contains(step));
        for step in &ending {
            for subagent in self.open_subagents(step) {
                self.force(&subagent, terminal, reason);
            }
            self.conclude(step, Some(status));
        }
    }

    /// Ends a step if nothing of it is open, and the steps below it have their results.
    pub(super) fn finish_if_done(&mut self, id: &StepId) {
        self.finish_if(id, |_, child| child.ended.is_some());
    }

    /// Ends a step if nothing of it is open, and `child_done` holds for all the steps below it.
    pub(super) fn finish_if(&mut self, id: &StepId, child_done: fn(&Self, &StepState) -> bool) {
        let Some(step) = self.state.step(id) else { return };
        let done = |child: Result<&StepState, &StepId>| child.is_ok_and(|child| child_done(self, child));
        let children_done = self.state.children(step).all(done) || mutant!("parent-does-not-wait");
        if step.is_running() && step.open_subagents().next().is_none() && children_done {
            self.conclude(id, None);
        }
    }

    /// Ends the steps above one that has just ended, if they waited only for it.
    pub(super) fn finish_above(&mut self, id: &StepId) {
        for parent in self.parents(id) {
            self.finish_if_done(&parent);
        }
    }

    /// `step_completed`. `forced` goes before the counted status. What follows waits for the step's result.
    pub(super) fn conclude(&mut self, id: &StepId, forced: Option<StepStatus>) {
        let Some(step) = self.state.step(id).filter(|step| step.is_running()) else { return };
        let counts = self.count(step);
        let status = forced.unwrap_or_else(|| counted_status(&counts));
        let context = step.context.clone();
        let completed = Record::StepCompleted { step: id.clone(), status };
        let telemetry = WireTelemetry::new(&context, None);
        self.emit(completed, Content::StepCompleted { status, counts }, telemetry);
        self.completed.push(id.clone());
    }

    fn count(&self, step: &StepState) -> Counts {
        let mut counts = Counts { expected: step.subagents.len(), ..Counts::default() };
        for subagent in &step.subagents {
            match subagent.status {
                SubagentStatus::Success => counts.success += 1,
                SubagentStatus::Error => counts.error += 1,
                SubagentStatus::Timeout => counts.timeout += 1,
                SubagentStatus::Degraded => counts.degraded += 1,
                SubagentStatus::Refused => counts.refused += 1,
                SubagentStatus::Cancelled => counts.cancelled += 1,
                SubagentStatus::Pending
                | SubagentStatus::InProgress
                | SubagentStatus::Partial
                | SubagentStatus::Retry => {}
            }
        }
        let mut children = ChildCounts::default();
        for child in self.state.children(step) {
            children.expected += 1;
            match child.map(|child| child.status) {
                Ok(StepStatus::Completed) => children.completed += 1,
                Ok(StepStatus::PartialFailure) => children.partial_failure += 1,
                Ok(
                    StepStatus::InProgress | StepStatus::Failed | StepStatus::Cancelled | StepStatus::Refused,
                )
                | Err(_) => children.failed += 1,
            }
        }
        counts.children = (children.expected > 0).then_some(children);
        counts
    }
}

fn counted_status(counts: &Counts) -> StepStatus {
    let children = counts.children.unwrap_or_default();
    let expected = counts.expected + children.expected;
    let whole = counts.success + children.completed;
    match (whole, children.partial_failure) {
        (whole, _) if whole == expected => StepStatus::Completed,
        (0, 0) => StepStatus::Failed,
        _ => StepStatus::PartialFailure,
    }
}
