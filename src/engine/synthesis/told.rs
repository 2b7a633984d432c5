//! What is told of an answer that a language model wrote: a span for each stage, and what it cost.

use super::outcome::{Outcome, Stage};
use super::write::Synthesiser;
use crate::domain::ids::SessionKey;
use crate::domain::session::StepState;
use crate::domain::span::{SpanKind, SpanStatus};
use crate::domain::story;
use crate::domain::telemetry_names::{attribute, span};
use crate::engine::coordinator::AggregationCoordinator;

/// Tells of the answer of a step that was written under the fence `number`: a span for each stage, below the answer's.
pub(super) fn tell(
    synthesiser: &Synthesiser,
    key: &SessionKey,
    (step, number): (Option<&StepState>, u64),
    outcome: &Outcome,
    coordinator: &AggregationCoordinator,
) {
    let telemetry = synthesiser.telemetry();
    let Some(spans) = telemetry.spans() else { return };
    let Some(step) = step.filter(|step| telemetry.samples(&step.context)) else { return };
    for (place, stage) in outcome.stages.iter().enumerate() {
        // Whoever takes a writing over does other work: its spans are others.
        let part = format!("{number}/{place}");
        let Some(mut told) = story::span_of_synthesis_part(key, step, stage.name, &part) else { continue };
        told.start_us = coordinator.micros_at(stage.begun);
        told.end_us = coordinator.micros_at(stage.ended);
        attributes(&mut told, stage);
        spans.end(told);
    }
}

fn attributes(told: &mut crate::domain::span::Span, stage: &Stage) {
    let is_model = stage.name != span::VERIFY;
    let kind = if is_model { "LLM" } else { "EVALUATOR" };
    told.attributes.push((attribute::SPAN_KIND, kind.into()));
    told.attributes
        .push((attribute::LANGFUSE_TYPE, if is_model { "generation" } else { "evaluator" }.into()));
    if let Some(failed) = &stage.failed {
        told.attributes.push((attribute::ERROR_TYPE, failed.clone().into()));
        told.status = SpanStatus::Error(failed.clone());
    }
    if !is_model {
        return;
    }
    told.kind = SpanKind::Client;
    told.attributes.push((attribute::GEN_AI_OPERATION, "chat".into()));
    if let Some(answered) = &stage.answered {
        let total = answered.input_tokens + answered.output_tokens;
        told.attributes.extend([
            (attribute::GEN_AI_PROVIDER, answered.provider.into()),
            (attribute::GEN_AI_MODEL, answered.model.clone().into()),
            (attribute::LLM_MODEL, answered.model.clone().into()),
            (attribute::GEN_AI_INPUT_TOKENS, answered.input_tokens.into()),
            (attribute::GEN_AI_OUTPUT_TOKENS, answered.output_tokens.into()),
            (attribute::LLM_PROMPT_TOKENS, answered.input_tokens.into()),
            (attribute::LLM_COMPLETION_TOKENS, answered.output_tokens.into()),
            (attribute::LLM_TOTAL_TOKENS, total.into()),
            (attribute::COST_MICROS, answered.cost_micros.into()),
            (attribute::CACHED, answered.is_cached.into()),
        ]);
    }
}
