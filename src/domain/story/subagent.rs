//! The span of an output.

use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_128;

use super::said::{self, Said};
use super::{Told, micros, place_of_step, span_of_output};
use crate::domain::entry::Entry;
use crate::domain::event::Digest;
use crate::domain::record::SubagentStatus;
use crate::domain::session::{StepState, SubagentState};
use crate::domain::span::{Span, SpanId, SpanKind, SpanPlace, SpanStatus, TraceId, Value};
use crate::domain::telemetry_names::{attribute, span};

impl Told<'_> {
    /// An output that has come to its end with this entry.
    pub(super) fn subagent(&self, step: &StepState, entry: &Entry) -> Option<Span> {
        let output = entry.record.output()?;
        let subagent = step.output(&output.result_key)?;
        let id = span_of_output(step, output.result_key.as_str());
        let mut told = self.below(step, place_of_step(step)?.span, span::SUBAGENT, id)?;
        told.name = format!("{} {}", span::SUBAGENT, output.stage).into();
        let is_called = subagent.invocation().is_some();
        told.kind = if is_called { SpanKind::Client } else { SpanKind::Internal };
        (told.start_us, told.end_us) = (micros(step.started_at), micros(entry.at));
        let mode = if is_called { "invoke" } else { "push" };
        told.attributes.extend([
            (attribute::SPAN_KIND, "AGENT".into()),
            (attribute::LANGFUSE_TYPE, "agent".into()),
            (attribute::GEN_AI_OPERATION, "invoke_agent".into()),
            (attribute::GEN_AI_AGENT, output.stage.to_string().into()),
            (attribute::STAGE, output.stage.to_string().into()),
            (attribute::RESULT_KEY, output.result_key.to_string().into()),
            (attribute::STATUS, subagent.status.as_str().into()),
            (attribute::MODE, mode.into()),
            (attribute::ATTEMPT, subagent.attempt.into()),
            (attribute::ATTEMPTS_MAX, subagent.expected.max_attempts.into()),
            (attribute::REVISION, subagent.revision.into()),
        ]);
        if let Some(id) = &subagent.context.correlation_id {
            told.attributes.push((attribute::CORRELATION_ID, id.clone().into()));
        }
        let said = said::said(entry);
        self.add_content(&mut told, subagent, &said);
        add_failure(&mut told, subagent.status, &said);
        told.links.extend(own_place(subagent).filter(|own| own.span != told.place.span));
        Some(told)
    }

    fn add_content(&self, told: &mut Span, subagent: &SubagentState, said: &Said<'_>) {
        let mut both = |names: [&'static str; 2], text: &str| {
            told.attributes.extend(names.map(|name| (name, said::text(text))));
        };
        if self.content {
            if let Some(task) = &subagent.expected.task {
                both([attribute::INPUT_VALUE, attribute::LANGFUSE_INPUT], task);
            }
            if let Some(payload) = said.payload {
                both([attribute::OUTPUT_VALUE, attribute::LANGFUSE_OUTPUT], payload.get());
                told.attributes.push((attribute::OUTPUT_MIME_TYPE, "application/json".into()));
            }
        } else {
            // Nobody counts what a call says, so its digest isn't kept.
            let of_payload = |payload: &RawValue| Digest(xxh3_128(payload.get().as_bytes()));
            let sent = subagent.sender.map(|mark| mark.digest);
            let digest = sent.or_else(|| said.payload.map(of_payload)).map(said::digest);
            told.attributes.extend(digest.map(|digest| (attribute::OUTPUT_DIGEST, digest)));
        }
    }
}

/// Why it isn't a success. What a subagent said of its failure is its own text: told by its short name only, unless it
/// is Tributary's.
fn add_failure(told: &mut Span, status: SubagentStatus, said: &Said<'_>) {
    let level = match status {
        SubagentStatus::Error | SubagentStatus::Timeout => "ERROR",
        SubagentStatus::Degraded | SubagentStatus::Refused | SubagentStatus::Cancelled => "WARNING",
        SubagentStatus::Success
        | SubagentStatus::Pending
        | SubagentStatus::InProgress
        | SubagentStatus::Partial
        | SubagentStatus::Retry => return,
    };
    // Who refuses or cancels says why in words of his own.
    let in_words = matches!(status, SubagentStatus::Refused | SubagentStatus::Cancelled);
    let code = if in_words { None } else { said.failure() };
    let code = code.unwrap_or_else(|| status.as_str().to_owned());
    told.attributes.extend([
        (attribute::ERROR_TYPE, Value::from(code.clone())),
        (attribute::LANGFUSE_LEVEL, level.into()),
        (attribute::LANGFUSE_STATUS, code.clone().into()),
    ]);
    if level == "ERROR" {
        told.status = SpanStatus::Error(code);
    }
}

/// Where the subagent itself says that it stands.
fn own_place(subagent: &SubagentState) -> Option<SpanPlace> {
    let trace = TraceId::parse(&subagent.context.trace_id)?;
    Some(SpanPlace { trace, span: SpanId::parse(&subagent.context.span_id)? })
}
