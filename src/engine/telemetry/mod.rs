//! What the service tells about itself while it works: spans of what is over, counts and times.
//!
//! Spans are values that are made from the log ([`crate::domain::story`]): at the end of a step, by whoever stored that
//! end. So they survive what the log survives. Nothing here waits, and nothing is done for spans while nobody wants them.

mod counts;
mod decided;
mod meters;
mod origin;
mod propagators;
mod stopwatch;
mod stream_span;
mod told;

use std::fmt;
use std::sync::Arc;

pub use counts::{Count, Counts};
pub(in crate::engine) use decided::Decided;
pub use meters::Meters;
pub use origin::{Emit, Origin};
pub use propagators::Propagators;
pub use stopwatch::Stopwatch;
pub use stream_span::{LetIn, StreamSpan};

use crate::domain::span::TraceId;
use crate::domain::telemetry_context::TelemetryContext;
use crate::engine::ports::span_sink::SpanSink;

/// Where spans and counts go. Cheap to clone.
#[derive(Clone)]
pub struct Telemetry {
    /// Counts and times.
    pub meters: Arc<Meters>,
    spans: Option<Arc<dyn SpanSink>>,
    /// Whether spans carry what was asked and answered, not only digests of it.
    pub content: bool,
    /// What carries traces in and out.
    pub propagators: Propagators,
}

impl Telemetry {
    /// Told to `meters`, and to `spans` where somebody wants them.
    pub fn new(meters: Arc<Meters>, spans: Option<Arc<dyn SpanSink>>) -> Self {
        Self { meters, spans, content: false, propagators: Propagators::default() }
    }

    /// Told to nobody.
    pub fn off() -> Self {
        Self::new(Meters::unread(), None)
    }

    /// Where spans go; `None`: nobody wants any. In a build without spans that is known when it is compiled.
    pub fn spans(&self) -> Option<&Arc<dyn SpanSink>> {
        if cfg!(feature = "without-spans") { None } else { self.spans.as_ref() }
    }

    /// Whether spans of a context's trace are wanted: as was decided when it began, by whichever replica.
    pub fn samples(&self, context: &TelemetryContext) -> bool {
        self.spans().is_some() && context.sampled.unwrap_or_else(|| self.decides(context))
    }

    /// Decides whether spans of a trace are wanted that begins here, or comes from a caller.
    pub fn decides(&self, context: &TelemetryContext) -> bool {
        let Some(spans) = self.spans() else { return false };
        TraceId::parse(&context.trace_id).is_some_and(|trace| spans.samples(trace, context.sampled))
    }
}

impl fmt::Debug for Telemetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Telemetry").field("spans", &self.spans().is_some()).finish_non_exhaustive()
    }
}
