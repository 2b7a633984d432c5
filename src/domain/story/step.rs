//! The span of a step.

use super::{Told, micros, place_of_step, said, session_attributes};
use crate::domain::record::StepStatus;
use crate::domain::session::StepState;
use crate::domain::span::{Span, SpanId, SpanStatus};
use crate::domain::telemetry_names::{attribute, span};

impl Told<'_> {
    /// A step that has ended.
    pub(super) fn step(&self, step: &StepState) -> Option<Span> {
        let end = step.ended?;
        let directive = &*step.directive;
        let parent = step.context.parent_span_id.as_ref().and_then(|id| SpanId::parse(id));
        let mut told = Span::new(span::STEP, place_of_step(step)?, parent);
        told.tracestate.clone_from(&step.context.tracestate);
        told.start_us = micros(step.started_at);
        // The end was decided before the result was made, and is stored with it.
        told.end_us = micros(end.at).max(self.made(step.id()).map_or(0, |made| made.ended_us));
        let attributes = &mut told.attributes;
        session_attributes(attributes, self.key, step);
        attributes.extend([
            (attribute::SPAN_KIND, "CHAIN".into()),
            (attribute::LANGFUSE_TYPE, "chain".into()),
            (attribute::STEP_STATUS, step.status.as_str().into()),
            (attribute::EXPECTED, step.subagents.len().into()),
            (attribute::DEADLINE, step.deadline.to_string().into()),
        ]);
        if self.content
            && let Some(query) = &directive.query
        {
            attributes.push((attribute::INPUT_VALUE, said::text(query)));
            attributes.push((attribute::LANGFUSE_INPUT, said::text(query)));
        } else {
            attributes.push((attribute::INPUT_DIGEST, said::digest(step.digest)));
        }
        match step.status {
            StepStatus::Failed => {
                attributes.push((attribute::LANGFUSE_LEVEL, "ERROR".into()));
                attributes.push((attribute::ERROR_TYPE, step.status.as_str().into()));
                told.status = SpanStatus::Error("no subagent succeeded".to_owned());
            }
            StepStatus::PartialFailure | StepStatus::Refused | StepStatus::Cancelled => {
                attributes.push((attribute::LANGFUSE_LEVEL, "WARNING".into()));
            }
            StepStatus::Completed | StepStatus::InProgress => {}
        }
        Some(told)
    }
}
