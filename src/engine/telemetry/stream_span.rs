//! The span of a reader's connection: which place it came with, what it was given, and how far it got.

use std::time::{SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

use super::Telemetry;
use crate::domain::ids::SessionKey;
use crate::domain::position::Sequence;
use crate::domain::span::{Span, SpanId, SpanKind, SpanPlace, SpanStatus};
use crate::domain::story;
use crate::domain::telemetry_names::{attribute, span};
use crate::engine::ports::span_sink::SpanSink;
use std::sync::Arc;

use crate::domain::session::StepState;

/// A connection that is open. Dropped, it has ended.
pub struct StreamSpan {
    sink: Arc<dyn SpanSink>,
    span: Span,
    begun: Instant,
    frames: u64,
    covered: Sequence,
}

/// What is known of a reader when it is let in.
#[derive(Debug, Clone, Copy)]
pub struct LetIn<'a> {
    /// Which session.
    pub key: &'a SessionKey,
    /// The step that it reads; of a session, the last one.
    pub step: &'a StepState,
    /// Its caller's place in a trace.
    pub caller: Option<SpanPlace>,
    /// In which form it reads.
    pub framing: &'static str,
    /// The verdict on its place.
    pub verdict: &'static str,
    /// Whether it goes on where it was.
    pub recovered: bool,
    /// What it has already.
    pub from: Sequence,
}

impl StreamSpan {
    /// The span of a reader that is let in; `None` where nobody wants it. It belongs to its caller's span, else to the
    /// step's, and is linked to that.
    pub fn begin(telemetry: &Telemetry, reader: LetIn<'_>) -> Option<Box<Self>> {
        let sink = telemetry.spans.as_ref().filter(|_| telemetry.samples(&reader.step.context))?.clone();
        let step = story::place_of_step(reader.step)?;
        let parent = reader.caller.unwrap_or(step);
        let mut attributes = Vec::with_capacity(20);
        story::session_attributes(&mut attributes, reader.key, reader.step);
        attributes.extend([
            (attribute::FRAMING, reader.framing.into()),
            (attribute::VERDICT, reader.verdict.into()),
            (attribute::RECOVERED, reader.recovered.into()),
            (attribute::SEQUENCE_FROM, reader.from.0.into()),
        ]);
        let start = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let span = Span {
            name: span::STREAM.into(),
            kind: SpanKind::Server,
            place: SpanPlace { trace: parent.trace, span: SpanId(fastrand::u64(1..)) },
            parent: Some(parent.span),
            parent_is_remote: reader.caller.is_some(),
            start_us: start.as_micros() as i64,
            end_us: 0,
            attributes,
            events: Vec::new(),
            links: (parent.trace != step.trace).then_some(step).into_iter().collect(),
            status: SpanStatus::Unset,
        };
        Some(Box::new(Self { sink, span, begun: Instant::now(), frames: 0, covered: reader.from }))
    }

    /// It was given frames that lead to `covered`.
    pub fn gave(&mut self, frames: u32, covered: Sequence) {
        self.frames += u64::from(frames);
        self.covered = covered;
    }
}

impl Drop for StreamSpan {
    fn drop(&mut self) {
        let mut span = self.span.clone();
        span.end_us = span.start_us + self.begun.elapsed().as_micros() as i64;
        span.attributes.push((attribute::SEQUENCE_TO, self.covered.0.into()));
        span.attributes.push((attribute::FRAMES, self.frames.into()));
        self.sink.end(span);
    }
}
