//! The span of a reader's connection: which place it came with, what it was given, and how far it got.

use std::sync::Arc;

use super::{Stopwatch, Telemetry};
use crate::domain::ids::SessionKey;
use crate::domain::position::Sequence;
use crate::domain::session::StepState;
use crate::domain::span::{Span, SpanId, SpanKind, SpanPlace};
use crate::domain::story;
use crate::domain::telemetry_names::{attribute, span};
use crate::engine::ports::span_sink::SpanSink;

/// A connection that is open. Dropped, it has ended.
pub struct StreamSpan {
    sink: Arc<dyn SpanSink>,
    /// Taken at the end.
    span: Option<Span>,
    watch: Stopwatch,
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
    /// Whether it reads all steps.
    pub is_of_session: bool,
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
        let sink = telemetry.spans().filter(|_| telemetry.samples(&reader.step.context))?.clone();
        let step = story::place_of_step(reader.step)?;
        let parent = reader.caller.unwrap_or(step);
        let watch = Stopwatch::start();
        let place = SpanPlace { trace: parent.trace, span: SpanId(fastrand::u64(1..)) };
        let mut told = Span::new(span::STREAM, place, Some(parent.span));
        told.kind = SpanKind::Server;
        told.parent_is_remote = reader.caller.is_some();
        told.start_us = watch.begun_us();
        told.links.extend((parent.trace != step.trace).then_some(step));
        story::session_attributes(&mut told.attributes, reader.key, reader.step);
        if reader.is_of_session {
            told.attributes.retain(|(name, _)| *name != attribute::STEP);
        }
        told.attributes.extend([
            (attribute::FRAMING, reader.framing.into()),
            (attribute::VERDICT, reader.verdict.into()),
            (attribute::RECOVERED, reader.recovered.into()),
            (attribute::SEQUENCE_FROM, reader.from.0.into()),
        ]);
        Some(Box::new(Self { sink, span: Some(told), watch, frames: 0, covered: reader.from }))
    }

    /// It was given frames that lead to `covered`.
    pub fn gave(&mut self, frames: u32, covered: Sequence) {
        self.frames += u64::from(frames);
        self.covered = covered;
    }
}

impl Drop for StreamSpan {
    fn drop(&mut self) {
        let Some(mut span) = self.span.take() else { return };
        span.end_us = self.watch.now_us();
        span.attributes.push((attribute::SEQUENCE_TO, self.covered.0.into()));
        span.attributes.push((attribute::FRAMES, self.frames.into()));
        self.sink.end(span);
    }
}
