//! What an append tells of a session, as spans of what is over with it.
//!
//! ```text
//! the planner's request
//! └─ plan_step                              from its directive to its last event
//!    ├─ invoke_agent <key>                  one for each output, from its step's start to its terminal
//!    │  ├─ aggregation.retry                each attempt that failed and was followed by another
//!    │  └─ aggregation.call                 each request, where it is called
//!    ├─ aggregation.wait, aggregation.emit  one for each append, linked to the outputs that it tells of
//!    ├─ stream                              each reader's connection
//!    ├─ subagent.aggregation                the outputs become one result
//!    └─ synthesize-results                  and that an answer
//! ```
//!
//! The ids follow from the step's own place in its trace, which the log keeps, and the times are the log's: whoever stores
//! the end of a piece of work tells its span, once, even where another replica began it. What is measured while it is
//! done (a request, a combining) is told by whoever did it.

mod aggregation;
mod grouping;
mod retry;
mod said;
mod step;
mod subagent;

use std::sync::Arc;

use crate::domain::entry::Entry;
use crate::domain::ids::{SessionKey, StepId};
use crate::domain::record::{Record, SubagentStatus};
use crate::domain::session::{SessionState, StepState};
use crate::domain::span::{Span, SpanId, SpanPlace, TraceId, Value};
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::telemetry_names::{attribute, span};
use crate::domain::time::Timestamp;

pub use aggregation::{Made, WRITING};
pub use grouping::Grouping;
pub use said::told;

/// Entries that were stored in one append, and the state around them.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// Whose they are.
    pub key: &'a SessionKey,
    /// The state before them.
    pub before: &'a SessionState,
    /// The entries.
    pub entries: &'a [Arc<Entry>],
    /// The state after them.
    pub after: &'a SessionState,
    /// How the results of steps that ended with them were made.
    pub made: &'a [Made],
    /// Whether spans carry what was asked and answered.
    pub content: bool,
}

impl Told<'_> {
    /// The spans that are over, of the traces that are wanted.
    pub fn spans(&self, is_wanted: impl Fn(&TelemetryContext) -> bool) -> Vec<Span> {
        let mut spans = Vec::new();
        for entry in self.entries {
            let step = entry.record.step().and_then(|id| self.after.step(id));
            let Some(step) = step.filter(|step| is_wanted(&step.context)) else { continue };
            let told = match &entry.record {
                Record::Subagent { status: SubagentStatus::Retry, .. } => self.retry(step, entry),
                Record::Subagent { status, .. } if status.is_terminal() => self.subagent(step, entry),
                Record::Aggregated { .. } => self.aggregation(step, entry),
                Record::Synthesised { .. } => self.synthesis(step, entry),
                Record::StepEnded { .. } => self.step(step),
                Record::StepStarted { .. }
                | Record::SubagentStarted { .. }
                | Record::Subagent { .. }
                | Record::CallTaken { .. }
                | Record::CallsRenewed { .. }
                | Record::CallsReleased { .. }
                | Record::CallLeftOpen { .. }
                | Record::SubagentCompleted { .. }
                | Record::Progress { .. }
                | Record::Policy { .. }
                | Record::NoticeTaken { .. }
                | Record::NoticeTried { .. }
                | Record::StepCompleted { .. }
                | Record::WritingTaken { .. }
                | Record::SynthesisDelta { .. }
                | Record::SessionClosed
                | Record::Answered { .. } => None,
            };
            spans.extend(told);
        }
        spans
    }

    fn made(&self, step: &StepId) -> Option<&Made> {
        self.made.iter().find(|made| made.step == *step)
    }

    /// A span of a step below the one that `parent` names; without its times and whatever is special.
    fn below(&self, step: &StepState, parent: SpanId, name: &'static str, id: SpanId) -> Option<Span> {
        below(self.key, step, parent, name, id)
    }
}

/// The span of the `part`th piece of work called `name` that a step came with, below the step's; without its times.
pub fn span_of_step_part(key: &SessionKey, step: &StepState, name: &'static str, part: u64) -> Option<Span> {
    let id = step.context.span_below(&format!("{name}/{part}"));
    below(key, step, place_of_step(step)?.span, name, id)
}

/// What all stages of a step's answer have in common: they stand below that. Name and id are each one's own.
pub fn stage_of_synthesis(key: &SessionKey, step: &StepState) -> Option<Span> {
    let answer = span_of_synthesis(step);
    below(key, step, answer, span::DRAFT, answer)
}

/// The span of a step's answer. No name of an output ends so: its span is another.
fn span_of_synthesis(step: &StepState) -> SpanId {
    step.context.span_below(&format!("{}/", span::SYNTHESIS))
}

/// The same of an output's, below that.
pub fn span_of_output_part(
    key: &SessionKey,
    step: &StepState,
    result_key: &str,
    name: &'static str,
    part: &str,
) -> Option<Span> {
    let id = step.context.span_below(&format!("{name}/{result_key}/{part}"));
    below(key, step, span_of_output(step, result_key), name, id)
}

fn below(key: &SessionKey, step: &StepState, parent: SpanId, name: &'static str, id: SpanId) -> Option<Span> {
    let trace = TraceId::parse(&step.context.trace_id)?;
    let mut span = Span::new(name, SpanPlace { trace, span: id }, Some(parent));
    span.tracestate.clone_from(&step.context.tracestate);
    session_attributes(&mut span.attributes, key, step);
    Some(span)
}

/// Whose a span is: on every span, as viewers group by it.
pub fn session_attributes(into: &mut Vec<(&'static str, Value)>, key: &SessionKey, step: &StepState) {
    let ids = step.grouping.of(&step.directive);
    let session = ids.conversation_id.clone().unwrap_or_else(|| key.session.as_str().into());
    into.push((attribute::SESSION_ID, session.clone().into()));
    into.push((attribute::LANGFUSE_SESSION, session.clone().into()));
    into.push((attribute::GEN_AI_CONVERSATION, session.into()));
    if let Some(user) = ids.user_id.clone() {
        into.push((attribute::USER_ID, user.clone().into()));
        into.push((attribute::LANGFUSE_USER, user.into()));
    }
    into.push((attribute::TENANT, key.tenant.to_string().into()));
    into.push((attribute::SESSION, key.session.to_string().into()));
    into.push((attribute::STEP, step.id().to_string().into()));
    if step.directive.shadow {
        into.push((attribute::SHADOW, true.into()));
    }
}

/// A step's own span; `None` where its ids are none.
pub fn place_of_step(step: &StepState) -> Option<SpanPlace> {
    let trace = TraceId::parse(&step.context.trace_id)?;
    Some(SpanPlace { trace, span: SpanId::parse(&step.context.span_id)? })
}

/// The span of one output, below its step's.
pub fn span_of_output(step: &StepState, result_key: &str) -> SpanId {
    step.context.span_below(result_key)
}

fn micros(at: Timestamp) -> i64 {
    at.0.saturating_mul(1_000)
}

#[cfg(test)]
mod tests;
