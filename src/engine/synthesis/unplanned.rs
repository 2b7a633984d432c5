//! What is told of results that are made without a plan: the same spans as of a step's, below those of their requests.

use std::sync::Arc;

use tokio::sync::mpsc::UnboundedSender;

use super::outcome::Outcome;
use super::told::{GIVEN_UP, Traced};
use super::write::{Synthesiser, Write};
use crate::domain::aggregate::result::{AggregatedResult, Method};
use crate::domain::directive::SynthesisMode;
use crate::domain::ids::TenantId;
use crate::domain::span::{Span, SpanId, SpanPlace, TraceId};
use crate::domain::story;
use crate::domain::synthesis::answer::Answer;
use crate::domain::synthesis::draft::Delta;
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::telemetry_names::{attribute, span};
use crate::engine::ports::span_sink::SpanSink;
use crate::engine::telemetry::{Stopwatch, Telemetry};

/// The place of a request without a plan in its caller's trace.
#[derive(Clone, Default)]
pub struct Unplanned {
    trace_id: Option<String>,
    told: Option<Arc<Told>>,
}

/// Where its spans go, and what all of them say.
struct Told {
    sink: Arc<dyn SpanSink>,
    telemetry: Telemetry,
    /// The request's own.
    context: TelemetryContext,
    tenant: TenantId,
}

/// An answer that is being made. Dropped without its end it was given up.
pub struct AnswerSpan(Option<Open>);

struct Open {
    told: Arc<Told>,
    context: TelemetryContext,
    span: Span,
    watch: Stopwatch,
}

impl Unplanned {
    /// Of a request whose place `context` is, of this tenant.
    pub fn of(telemetry: &Telemetry, context: TelemetryContext, tenant: &TenantId) -> Self {
        // A trace that would begin here and isn't told is nobody's.
        let is_told = telemetry.samples(&context);
        let is_known = is_told || context.parent_span_id.is_some();
        let trace_id = is_known.then(|| context.trace_id.to_string());
        let sink = telemetry.spans().filter(|_| is_told).cloned();
        let (telemetry, tenant) = (telemetry.clone(), tenant.clone());
        let told = sink.map(|sink| Arc::new(Told { sink, telemetry, context, tenant }));
        Self { trace_id, told }
    }

    /// Its trace, where anybody knows that.
    pub fn trace_id(&self) -> Option<String> {
        self.trace_id.clone()
    }

    /// Tells that its results were made into this one, since the watch began.
    pub fn aggregated(&self, watch: &Stopwatch, result: &AggregatedResult) {
        let Some(told) = &self.told else { return };
        let Some((_, mut span)) = told.begin(span::AGGREGATION) else { return };
        (span.start_us, span.end_us) = (watch.begun_us(), watch.now_us());
        let metadata = &result.metadata;
        let tokens: usize = result.results.iter().map(|result| result.tokens).sum();
        span.attributes.extend([
            (attribute::INPUTS, metadata.total_input_results.into()),
            (attribute::SUCCESSES, metadata.successful_subagents.into()),
            (attribute::FAILURES, metadata.failed_subagents.into()),
            (attribute::TRUNCATED, metadata.truncated_results.into()),
            (attribute::SOURCES, metadata.total_sources.into()),
            (attribute::TOKENS, tokens.into()),
            (attribute::SYNTHESIS_LENGTH, result.synthesis.chars().count().into()),
        ]);
        told.add_output(&mut span, &result.summary);
        told.sink.end(span);
    }

    /// An answer is begun.
    pub fn begin(&self) -> AnswerSpan {
        let begun = self.told.as_ref().and_then(|told| Some((told.clone(), told.begin(span::SYNTHESIS)?)));
        let open = |(told, (context, span))| Open { told, context, span, watch: Stopwatch::start() };
        AnswerSpan(begun.map(open))
    }
}

impl Synthesiser {
    /// Writes ([`Synthesiser::write`]) what is asked for without a plan.
    pub async fn write_alone(
        &self,
        trace: &Unplanned,
        mut write: Write,
        drafts: UnboundedSender<Vec<Delta>>,
    ) -> Outcome {
        let (answer, by_model) = (trace.begin(), write.options.mode == SynthesisMode::Llm);
        write.traced = answer.stages();
        let outcome = self.write(write, drafts).await;
        answer.end(&outcome.result, by_model);
        outcome
    }
}

impl Told {
    /// A span below the request's, and its place.
    fn begin(&self, name: &'static str) -> Option<(TelemetryContext, Span)> {
        let context = self.context.child(&fastrand::u64(..).to_string(), None);
        let parent = SpanId::parse(&self.context.span_id)?;
        let place =
            SpanPlace { trace: TraceId::parse(&context.trace_id)?, span: SpanId::parse(&context.span_id)? };
        let mut span = Span::new(name, place, Some(parent));
        span.tracestate.clone_from(&context.tracestate);
        span.attributes.extend([
            (attribute::TENANT, self.tenant.to_string().into()),
            (attribute::SPAN_KIND, "CHAIN".into()),
            (attribute::LANGFUSE_TYPE, "chain".into()),
        ]);
        Some((context, span))
    }

    fn add_output(&self, span: &mut Span, output: &str) {
        if self.telemetry.content {
            let told = || story::told(output, true);
            span.attributes.push((attribute::OUTPUT_VALUE, told()));
            span.attributes.push((attribute::LANGFUSE_OUTPUT, told()));
        }
    }
}

impl AnswerSpan {
    /// Where its stages are told.
    pub fn stages(&self) -> Option<Traced> {
        let Open { told, context, span, watch } = self.0.as_ref()?;
        let mut stage = Span::new(span::DRAFT, span.place, Some(span.place.span));
        stage.tracestate.clone_from(&span.tracestate);
        stage.attributes.push((attribute::TENANT, told.tenant.to_string().into()));
        Some(Traced::below((told.sink.clone(), &told.telemetry), context.clone(), stage, *watch))
    }

    /// It is made: this result. `by_model`: a language model was to write it.
    pub fn end(self, result: &AggregatedResult, by_model: bool) {
        let is_fallen = by_model && result.metadata.method == Method::Extractive;
        self.finish(is_fallen, |span| {
            span.attributes.extend([
                (attribute::METHOD, name_of(result.metadata.method).into()),
                (attribute::ISSUES, result.quality.issues.len().into()),
                (attribute::QUALITY, result.quality.overall.into()),
                (attribute::SYNTHESIS_LENGTH, result.synthesis.chars().count().into()),
            ]);
            &result.summary
        });
    }

    /// The same of an answer out of a sheet.
    pub fn answered(self, answer: &Answer, by_model: bool) {
        let method = answer.method.unwrap_or(Method::Extractive);
        self.finish(by_model && method == Method::Extractive, |span| {
            span.attributes.extend([
                (attribute::METHOD, name_of(method).into()),
                (attribute::ISSUES, answer.issues.len().into()),
                (attribute::SYNTHESIS_LENGTH, answer.answer.chars().count().into()),
            ]);
            &answer.answer
        });
    }

    /// `is_fallen`: it isn't the one that was wanted.
    fn finish<'a>(mut self, is_fallen: bool, say: impl FnOnce(&mut Span) -> &'a str) {
        let Some(Open { told, mut span, watch, .. }) = self.0.take() else { return };
        (span.start_us, span.end_us) = (watch.begun_us(), watch.now_us());
        let output = say(&mut span);
        told.add_output(&mut span, output);
        if is_fallen {
            span.attributes.push((attribute::LANGFUSE_LEVEL, "WARNING".into()));
        }
        told.sink.end(span);
    }
}

impl Drop for AnswerSpan {
    fn drop(&mut self) {
        let Some(Open { told, mut span, watch, .. }) = self.0.take() else { return };
        (span.start_us, span.end_us) = (watch.begun_us(), watch.now_us());
        span.attributes.push((attribute::ERROR_TYPE, GIVEN_UP.into()));
        span.attributes.push((attribute::LANGFUSE_LEVEL, "WARNING".into()));
        told.sink.end(span);
    }
}

fn name_of(method: Method) -> &'static str {
    match method {
        Method::Extractive => "extractive",
        Method::Llm => "llm",
    }
}
