//! Where spans go when they are over.

use crate::domain::span::{Span, TraceId};

/// Takes spans. Never waits: what it has no room for is dropped and counted.
pub trait SpanSink: Send + Sync {
    /// Whether spans of that trace are wanted: decided once a trace, the same on every replica. `parent_sampled` is what
    /// the caller's `traceparent` said, where there was one.
    fn samples(&self, trace: TraceId, parent_sampled: Option<bool>) -> bool;

    /// Takes a span of a trace that is wanted.
    fn end(&self, span: Span);
}
