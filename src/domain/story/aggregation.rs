//! The spans of a step's result and of its answer.

use serde::Deserialize;

use super::{Told, micros, place_of_step, said};
use crate::domain::entry::Entry;
use crate::domain::ids::StepId;
use crate::domain::session::StepState;
use crate::domain::span::Span;
use crate::domain::telemetry_names::{attribute, span};

/// The method of an answer that a language model has written.
const LLM: &str = "llm";

/// What became of an answer that a language model begins to write.
pub const WRITING: &str = "writing";

/// How the result of a step was made, by whoever made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Of which step.
    pub step: StepId,
    /// When it was begun, in microseconds since 1970.
    pub begun_us: i64,
    /// When it was there.
    pub ended_us: i64,
    /// Who wrote the answer: `extractive`, `llm` or `none`.
    pub method: &'static str,
    /// What became of that: `delivered`, `blocked`, `not_asked` or [`WRITING`].
    pub outcome: &'static str,
    /// Tokens of the outputs that are part of it.
    pub tokens: usize,
    /// Characters of the answer.
    pub synthesis_length: usize,
}

/// What is told of a result's metadata.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    total_input_results: u64,
    successful_subagents: u64,
    failed_subagents: u64,
    total_sources: u64,
    truncated_results: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Quality {
    overall: Option<f64>,
    issues: Vec<serde::de::IgnoredAny>,
}

impl Told<'_> {
    pub(super) fn aggregation(&self, step: &StepState, entry: &Entry) -> Option<Span> {
        let mut told = self.of_result(step, entry, span::AGGREGATION)?;
        let said = said::said(entry);
        let metadata: Metadata =
            said.metadata.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        told.attributes.extend([
            (attribute::INPUTS, metadata.total_input_results.into()),
            (attribute::SUCCESSES, metadata.successful_subagents.into()),
            (attribute::FAILURES, metadata.failed_subagents.into()),
            (attribute::TRUNCATED, metadata.truncated_results.into()),
            (attribute::SOURCES, metadata.total_sources.into()),
        ]);
        if let Some(made) = self.made(step.id()) {
            told.attributes.push((attribute::TOKENS, made.tokens.into()));
            told.attributes.push((attribute::SYNTHESIS_LENGTH, made.synthesis_length.into()));
        }
        self.add_summary(&mut told, said.summary.as_deref());
        Some(told)
    }

    pub(super) fn synthesis(&self, step: &StepState, entry: &Entry) -> Option<Span> {
        let mut told = self.of_result(step, entry, span::SYNTHESIS)?;
        let said = said::said(entry);
        let quality: Quality =
            said.quality.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        told.attributes.push((attribute::METHOD, said.method.clone().unwrap_or_default().into()));
        told.attributes.push((attribute::ISSUES, quality.issues.len().into()));
        if let Some(overall) = quality.overall {
            told.attributes.push((attribute::QUALITY, overall.into()));
        }
        if let Some(made) = self.made(step.id()) {
            told.attributes.push((attribute::SYNTHESIS_LENGTH, made.synthesis_length.into()));
        }
        // Also where the writing is given up and another answer is made: it took all that time.
        if let Some(writing) = self.before.step(step.id()).and_then(StepState::writing) {
            told.start_us = micros(writing.since());
            if said.method.as_deref() != Some(LLM) {
                told.attributes.push((attribute::LANGFUSE_LEVEL, "WARNING".into()));
            }
        }
        self.add_summary(&mut told, said.summary.as_deref());
        Some(told)
    }

    fn of_result(&self, step: &StepState, entry: &Entry, name: &'static str) -> Option<Span> {
        // No name of an output ends so: its span is another.
        let id = step.context.span_below(&format!("{name}/"));
        let mut told = self.below(step, place_of_step(step)?.span, name, id)?;
        let at = micros(entry.at);
        (told.start_us, told.end_us) =
            self.made(step.id()).map_or((at, at), |made| (made.begun_us, made.ended_us));
        told.attributes.push((attribute::SPAN_KIND, "CHAIN".into()));
        told.attributes.push((attribute::LANGFUSE_TYPE, "chain".into()));
        Some(told)
    }

    fn add_summary(&self, told: &mut Span, summary: Option<&str>) {
        if let Some(summary) = summary.filter(|_| self.content) {
            told.attributes.push((attribute::OUTPUT_VALUE, said::text(summary)));
            told.attributes.push((attribute::LANGFUSE_OUTPUT, said::text(summary)));
        }
    }
}
