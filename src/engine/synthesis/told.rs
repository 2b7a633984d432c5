//! What is told of an answer while a language model writes it: a span for each stage, and what it cost.
//!
//! Stages are told together, once the work has come to its end or is dropped: one that was under way then was given up, and
//! has cost what it had by then.

use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

use super::fallen::DEADLINE;
use super::outcome::{Stage, StageCall};
use crate::domain::ids::SessionKey;
use crate::domain::session::StepState;
use crate::domain::span::{Span, SpanId, SpanKind, SpanStatus, Value};
use crate::domain::story;
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::telemetry_names::{attribute, span};
use crate::engine::coordinator::AggregationCoordinator;
use crate::engine::ports::span_sink::SpanSink;
use crate::engine::telemetry::{Stopwatch, Telemetry};

/// A call that was never heard to its end.
pub(super) const GIVEN_UP: &str = "given_up";

/// Where the spans of an answer's stages stand, and what all of them say.
#[derive(Clone)]
pub struct Traced {
    sink: Arc<dyn SpanSink>,
    /// What their ids follow from.
    context: TelemetryContext,
    /// What tells their ids from those of others that follow from the same.
    part: String,
    /// What they have in common.
    stage: Span,
    watch: Stopwatch,
    /// Whether they carry what was asked and answered.
    content: bool,
    /// Whether models' servers are told of them.
    is_handed_on: bool,
}

impl fmt::Debug for Traced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Traced").field("place", &self.stage.place).finish_non_exhaustive()
    }
}

impl Traced {
    /// Those of the answer of a step that is written under the fence `number`; `None` where nobody wants them.
    pub(super) fn of_step(
        telemetry: &Telemetry,
        key: &SessionKey,
        (step, number): (&StepState, u64),
        coordinator: &AggregationCoordinator,
    ) -> Option<Self> {
        let sink = telemetry.spans().filter(|_| telemetry.samples(&step.context))?.clone();
        let now = tokio::time::Instant::now();
        Some(Self {
            sink,
            context: TelemetryContext::clone(&step.context),
            // Whoever takes a writing over does other work: its spans are others.
            part: format!("{number}/"),
            stage: story::stage_of_synthesis(key, step)?,
            watch: Stopwatch::started(now, coordinator.micros_at(now)),
            content: telemetry.content,
            is_handed_on: telemetry.propagators.trace_context,
        })
    }

    /// Those below a span `stage` of an answer without a plan, whose place `context` is.
    pub(super) fn below(
        (sink, telemetry): (Arc<dyn SpanSink>, &Telemetry),
        context: TelemetryContext,
        stage: Span,
        watch: Stopwatch,
    ) -> Self {
        let (content, is_handed_on) = (telemetry.content, telemetry.propagators.trace_context);
        Self { sink, context, part: String::new(), stage, watch, content, is_handed_on }
    }

    fn id(&self, name: &str, place: usize) -> SpanId {
        self.context.span_below(&format!("{name}/{}{place}", self.part))
    }

    fn tell(&self, place: usize, stage: &Stage) {
        let mut told = self.stage.clone();
        told.name = stage.name.into();
        told.place.span = self.id(stage.name, place);
        (told.start_us, told.end_us) = (self.watch.us_at(stage.begun), self.watch.us_at(stage.ended));
        attributes(&mut told, stage, self.content);
        self.sink.end(told);
    }
}

/// What is done for an answer, in order.
#[derive(Default)]
pub(super) struct Stages {
    done: Mutex<Vec<Stage>>,
    traced: Option<Traced>,
}

impl Stages {
    pub(super) fn told_to(traced: Option<Traced>) -> Self {
        Self { done: Mutex::default(), traced }
    }

    pub(super) fn add(&self, stage: Stage) {
        self.done.lock().push(stage);
    }

    /// A text as spans have it; nothing where nobody wants any.
    pub(super) fn said(&self, text: impl FnOnce() -> String) -> Option<Value> {
        self.traced.as_ref().map(|traced| story::told(&text(), traced.content))
    }

    /// The `traceparent` of the stage that is under way.
    pub(super) fn traceparent(&self, name: &str) -> Option<String> {
        let traced = self.traced.as_ref().filter(|traced| traced.is_handed_on)?;
        let id = traced.id(name, self.done.lock().len());
        Some(format!("00-{:032x}-{:016x}-01", traced.stage.place.trace.0, id.0))
    }

    /// The work has come to its end: whatever of it was given up had no more time.
    pub(super) fn finish(mut self) -> Vec<Stage> {
        let mut done = std::mem::take(self.done.get_mut());
        for stage in done.iter_mut().filter(|stage| stage.failed == Some(GIVEN_UP)) {
            stage.failed = Some(DEADLINE);
        }
        self.tell(&done);
        done
    }

    fn tell(&self, done: &[Stage]) {
        let Some(traced) = &self.traced else { return };
        for (place, stage) in done.iter().enumerate() {
            traced.tell(place, stage);
        }
    }
}

impl Drop for Stages {
    fn drop(&mut self) {
        let done = std::mem::take(self.done.get_mut());
        self.tell(&done);
    }
}

fn attributes(told: &mut Span, stage: &Stage, content: bool) {
    let is_model = stage.name != span::VERIFY;
    let (kind, observation) = if is_model { ("LLM", "generation") } else { ("EVALUATOR", "evaluator") };
    told.attributes.push((attribute::SPAN_KIND, kind.into()));
    told.attributes.push((attribute::LANGFUSE_TYPE, observation.into()));
    match stage.failed {
        // Nobody wanted it any more.
        Some(GIVEN_UP) => {
            told.attributes.push((attribute::ERROR_TYPE, GIVEN_UP.into()));
            told.attributes.push((attribute::LANGFUSE_LEVEL, "WARNING".into()));
        }
        Some(failed) => {
            told.attributes.push((attribute::ERROR_TYPE, failed.into()));
            told.attributes.push((attribute::LANGFUSE_LEVEL, "ERROR".into()));
            told.status = SpanStatus::Error(failed.to_owned());
        }
        None => {}
    }
    if is_model {
        told.kind = SpanKind::Client;
        told.attributes.push((attribute::GEN_AI_OPERATION, "chat".into()));
    }
    if let Some(call) = &stage.call {
        of_call(told, call, stage.failed.is_none());
        add_said(told, call, content);
    }
}

fn of_call(told: &mut Span, call: &StageCall, is_answered: bool) {
    let StageCall { tokens, model, .. } = call;
    told.attributes.extend([
        (attribute::GEN_AI_PROVIDER, call.provider.into()),
        (attribute::GEN_AI_REQUEST_MODEL, model.clone().into()),
        (attribute::LLM_MODEL, model.clone().into()),
        (attribute::GEN_AI_INPUT_TOKENS, tokens.input.into()),
        (attribute::GEN_AI_OUTPUT_TOKENS, tokens.output.into()),
        (attribute::LLM_PROMPT_TOKENS, tokens.input.into()),
        (attribute::LLM_COMPLETION_TOKENS, tokens.output.into()),
        (attribute::LLM_TOTAL_TOKENS, tokens.sum().into()),
        (attribute::COST_MICROS, call.cost_micros.into()),
    ]);
    if is_answered {
        let answered_by = call.answered_by.clone().unwrap_or_else(|| model.clone());
        told.attributes.push((attribute::GEN_AI_MODEL, answered_by.into()));
        told.attributes.push((attribute::CACHED, call.is_cached.into()));
    }
}

/// What was asked and answered: the texts by opt-in, digests otherwise.
fn add_said(told: &mut Span, call: &StageCall, content: bool) {
    let inputs: &[_] = match content {
        true => &[attribute::INPUT_VALUE, attribute::LANGFUSE_INPUT],
        false => &[attribute::INPUT_DIGEST],
    };
    let outputs: &[_] = match content {
        true => &[attribute::OUTPUT_VALUE, attribute::LANGFUSE_OUTPUT],
        false => &[attribute::OUTPUT_DIGEST],
    };
    for (names, said) in [(inputs, &call.input), (outputs, &call.output)] {
        let said = said.iter().flat_map(|said| names.iter().map(|name| (*name, said.clone())));
        told.attributes.extend(said);
    }
}
