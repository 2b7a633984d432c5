//! What an append is told as: counts, lines of the log, and spans.
//!
//! Lines of the log are breadcrumbs: what a step came to at `info`, what went wrong with a subagent at `warn`, each of its
//! events at `debug`. They name places, never what was said there.

use std::time::Duration;

use super::Telemetry;
use super::decided::Decided;
use crate::domain::entry::Entry;
use crate::domain::record::{Output, Record, SubagentStatus};
use crate::domain::session::StepState;
use crate::domain::story::Told;
use crate::domain::verdict::Verdict;

impl Telemetry {
    /// Tells of entries that were stored.
    pub fn tell(&self, told: &Told<'_>) {
        for entry in told.entries {
            self.count(told, entry);
        }
        for made in told.made {
            let took = Duration::from_micros(made.ended_us.abs_diff(made.begun_us));
            self.meters.combined(made.method, made.outcome, took);
        }
        let Some(spans) = self.spans() else { return };
        for span in told.spans(|context| self.samples(context)) {
            spans.end(span);
        }
    }

    fn count(&self, told: &Told<'_>, entry: &Entry) {
        let step = |id| told.after.step(id);
        match &entry.record {
            Record::StepStarted { directive, .. } => {
                if let Some(step) = step(&directive.plan_step_id) {
                    line(told, step, entry).started();
                }
            }
            Record::Subagent { output, status, attempt, latency_ms, sender, .. } => {
                if sender.is_some() {
                    self.meters.publishes.add(Verdict::Accepted.as_str(), 1);
                }
                if let Some(step) = step(&output.step) {
                    let took = || step.output(&output.result_key).and_then(|output| output.latency_ms);
                    let latency_ms = latency_ms.or_else(|| status.is_terminal().then(took).flatten());
                    line(told, step, entry).output(output, *status, *attempt, latency_ms);
                }
                if *status == SubagentStatus::Retry {
                    self.meters.retries.add(1);
                } else if status.is_terminal() {
                    self.meters.outcomes.add(status.as_str(), 1);
                }
            }
            Record::StepEnded { step: id } => {
                if let Some(step) = step(id) {
                    let took = Duration::from_millis(entry.at.since_ms(step.started_at));
                    self.meters.step_ended(step.status.as_str(), took);
                    line(told, step, entry).ended(took);
                }
            }
            Record::Policy { step: id, .. } => {
                let (session, sequence) = (&told.key.session, entry.sequence.0);
                let step = id.as_ref().map(|id| id.as_str());
                let last = told.after.steps.last().map(|step| &**step);
                let of = id.as_ref().and_then(|id| told.after.step(id)).or(last);
                let trace_id = of.map(|step| &*step.context.trace_id);
                let decided = entry.wire().map(Decided::read).unwrap_or_default();
                let (decision, policy) = (decided.decision(), decided.policy());
                tracing::info!(trace_id, %session, step, sequence, decision, policy, "safety decided");
            }
            Record::SubagentStarted { .. }
            | Record::CallTaken { .. }
            | Record::CallsRenewed { .. }
            | Record::CallsReleased { .. }
            | Record::CallLeftOpen { .. }
            | Record::SubagentCompleted { .. }
            | Record::Progress { .. }
            | Record::NoticeTaken { .. }
            | Record::NoticeTried { .. }
            | Record::StepCompleted { .. }
            | Record::Aggregated { .. }
            | Record::WritingTaken { .. }
            | Record::SynthesisDelta { .. }
            | Record::Synthesised { .. }
            | Record::SessionClosed
            | Record::Answered { .. } => {}
        }
    }
}

/// What every line of the log says of its place.
struct Line<'a> {
    told: &'a Told<'a>,
    step: &'a StepState,
    entry: &'a Entry,
}

fn line<'a>(told: &'a Told<'a>, step: &'a StepState, entry: &'a Entry) -> Line<'a> {
    Line { told, step, entry }
}

/// A line with its place: `trace_id`, `session`, `step` and `sequence` stand on all of them.
macro_rules! say {
    ($level:ident, $line:expr, $($rest:tt)*) => {
        tracing::$level!(
            trace_id = &*$line.step.context.trace_id,
            session = %$line.told.key.session,
            step = %$line.step.id(),
            sequence = $line.entry.sequence.0,
            $($rest)*
        )
    };
}

impl Line<'_> {
    fn started(&self) {
        let (expected, deadline_ms) = (self.step.subagents.len(), self.step.directive.deadline_ms);
        say!(info, self, expected, deadline_ms, "a step began");
    }

    fn output(&self, output: &Output, status: SubagentStatus, attempt: u32, latency_ms: Option<u64>) {
        let (subagent, result_key, status_name) = (&output.stage, &output.result_key, status.as_str());
        let retry_count = attempt.saturating_sub(1);
        match status {
            SubagentStatus::Error
            | SubagentStatus::Timeout
            | SubagentStatus::Degraded
            | SubagentStatus::Refused
            | SubagentStatus::Cancelled => {
                say!(warn, self, %subagent, %result_key, status = status_name, attempt, retry_count, latency_ms, "a subagent brought no result");
            }
            SubagentStatus::Retry => {
                say!(info, self, %subagent, %result_key, status = status_name, attempt, retry_count, latency_ms, "a subagent is tried again");
            }
            SubagentStatus::Success
            | SubagentStatus::Pending
            | SubagentStatus::InProgress
            | SubagentStatus::Partial => {
                say!(debug, self, %subagent, %result_key, status = status_name, attempt, retry_count, latency_ms, "a subagent spoke");
            }
        }
    }

    fn ended(&self, took: Duration) {
        let outputs = &self.step.subagents;
        let successes = outputs.iter().filter(|output| output.status == SubagentStatus::Success).count();
        let (status, took_ms) = (self.step.status.as_str(), took.as_millis() as u64);
        say!(info, self, status, took_ms, expected = outputs.len(), successes, "a step ended");
    }
}
