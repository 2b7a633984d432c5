//! Where spans go when they are over.

use crate::domain::span::{Span, TraceId};

/// Takes spans. Never waits: what it has no room for is dropped and counted.
pub trait SpanSink: Send + Sync {
    /// Whether spans of that trace are wanted: decided once a trace, the same on every replica. `parent_sampled` is what
    /// the caller's `traceparent` said, where there was one.
    fn samples(&self, trace: TraceId, parent_sampled: Option<bool>) -> bool;

    /// Whether a span would be taken now. Where not, one is counted as dropped, and whoever was about to make it spares
    /// itself that.
    fn has_room(&self) -> bool;

    /// Takes a span of a trace that is wanted.
    fn end(&self, span: Span);
}
