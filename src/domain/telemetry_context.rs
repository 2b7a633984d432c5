//! The place of a session, a step or a subagent in its caller's trace (W3C Trace Context, <https://www.w3.org/TR/trace-context/>).
//!
//! What is known is kept in the session's state, so it is stored in the same append as what it belongs to, and every
//! outgoing event carries it. An event's own telemetry goes before that of the directive, that before the request's.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::event::SenderTelemetry;
use super::span::SpanId;

/// A trace and a place in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TelemetryContext {
    /// 32 lowercase hex digits.
    pub trace_id: Arc<str>,
    /// 16 lowercase hex digits: the span of whoever this context belongs to.
    pub span_id: Arc<str>,
    /// The span above it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent_span_id: Option<Arc<str>>,
    /// Vendors' own part of the trace's context.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tracestate: Option<Arc<str>>,
    /// W3C baggage, passed on to whoever is called.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub baggage: Option<Arc<str>>,
    /// An id of the caller's own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub correlation_id: Option<Arc<str>>,
    /// Whether the trace is recorded, by whoever decided that first; absent where nobody has.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sampled: Option<bool>,
}

impl TelemetryContext {
    /// The context of a request: its `traceparent` where that is well formed, else the start of a new trace with
    /// the given ids. `span_id` becomes the step's own span, below the caller's.
    pub fn of_request(
        traceparent: Option<&str>,
        tracestate: Option<&str>,
        baggage: Option<&str>,
        fresh_trace_id: u128,
        span_id: u64,
    ) -> Self {
        let caller = traceparent.and_then(parse_traceparent);
        Self {
            trace_id: caller
                .map_or_else(|| hex_trace(fresh_trace_id).into(), |caller| caller.trace_id.into()),
            span_id: hex_span(span_id).into(),
            parent_span_id: caller.map(|caller| caller.span_id.into()),
            tracestate: caller.and(tracestate).filter(|state| state.len() <= 512).map(Into::into),
            baggage: baggage.filter(|text| text.len() <= 8_192).map(Into::into),
            correlation_id: None,
            sampled: caller.map(|caller| caller.sampled),
        }
    }

    /// The id of the span called `name` below this one: it follows from the trace, this span and the name, so every
    /// replica and every replay gives the same.
    pub fn span_below(&self, name: &str) -> SpanId {
        let derived = xxh3_64(format!("{}/{}/{name}", self.trace_id, self.span_id).as_bytes());
        SpanId(derived.max(1))
    }

    /// The `traceparent` that goes on to whoever is called below this span. Where nobody decided whether the trace is
    /// recorded, who is called is asked to: events carry the trace's id in any case.
    pub fn traceparent(&self) -> String {
        let flags = if self.sampled == Some(false) { "00" } else { "01" };
        format!("00-{}-{}-{flags}", self.trace_id, self.span_id)
    }

    /// The context of a subagent below this one, by [`TelemetryContext::span_below`] where it doesn't say another itself.
    pub fn child(&self, name: &str, own: Option<&SenderTelemetry>) -> Self {
        let mut child = Self {
            span_id: hex_span(self.span_below(name).0).into(),
            parent_span_id: Some(self.span_id.clone()),
            ..self.clone()
        };
        if let Some(own) = own {
            child.overlay(own);
        }
        child
    }

    /// This context as `own` says it, of the same subagent. A span of its own below what was known is its child.
    pub fn moved(&self, own: &SenderTelemetry) -> Self {
        let mut moved = self.clone();
        moved.overlay(own);
        moved
    }

    /// Replaces what `own` says itself. A span of another trace isn't the child of this one.
    fn overlay(&mut self, own: &SenderTelemetry) {
        if let Some(trace_id) = own.trace_id.as_ref().filter(|id| **id != self.trace_id) {
            self.trace_id = trace_id.clone();
            self.parent_span_id = None;
            self.tracestate = None;
        }
        if let Some(span_id) = &own.span_id {
            self.span_id = span_id.clone();
        }
        if own.parent_span_id.is_some() {
            self.parent_span_id = own.parent_span_id.clone();
        }
        if own.tracestate.is_some() {
            self.tracestate = own.tracestate.clone();
        }
        if own.correlation_id.is_some() {
            self.correlation_id = own.correlation_id.clone();
        }
    }
}

fn hex_trace(id: u128) -> String {
    format!("{:032x}", id.max(1))
}

fn hex_span(id: u64) -> String {
    format!("{:016x}", id.max(1))
}

/// Whether `text` is `digits` lowercase hex digits and not all zeros: a valid trace or span id.
pub fn is_hex_id(text: &str, digits: usize) -> bool {
    let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    text.len() == digits && text.bytes().all(hex) && text.bytes().any(|b| b != b'0')
}

/// What a `traceparent` header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traceparent<'a> {
    /// 32 hex digits.
    pub trace_id: &'a str,
    /// 16 hex digits.
    pub span_id: &'a str,
    /// Whether the caller records the trace.
    pub sampled: bool,
}

/// Reads a `traceparent` header; `None` where the specification says to ignore it.
pub fn parse_traceparent(header: &str) -> Option<Traceparent<'_>> {
    let mut parts = header.trim().split('-');
    let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let hex2 = |text: &str| {
        text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    };
    let no_rest = version != "00" || parts.next().is_none();
    let valid = hex2(version) && version != "ff" && hex2(flags) && no_rest;
    if !(valid && is_hex_id(trace, 32) && is_hex_id(span, 16)) {
        return None;
    }
    let sampled = u8::from_str_radix(flags, 16).ok()? & 1 == 1;
    Some(Traceparent { trace_id: trace, span_id: span, sampled })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_request_joins_its_callers_trace() {
        let context = TelemetryContext::of_request(Some(PARENT), Some("a=b"), None, 7, 9);
        assert_eq!(&*context.trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(context.parent_span_id.as_deref(), Some("00f067aa0ba902b7"));
        assert_eq!(&*context.span_id, "0000000000000009");
        assert_eq!(context.tracestate.as_deref(), Some("a=b"));
    }

    #[test]
    fn a_malformed_traceparent_starts_a_new_trace() {
        for bad in [
            "",
            "00-0-0-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-extra",
        ] {
            let context = TelemetryContext::of_request(Some(bad), Some("a=b"), None, 7, 9);
            assert_eq!(&*context.trace_id, "00000000000000000000000000000007", "{bad}");
            assert_eq!((context.parent_span_id, context.tracestate), (None, None));
        }
        let future = "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes";
        assert!(parse_traceparent(future).is_some(), "later versions may say more");
    }

    #[test]
    fn a_child_keeps_the_trace_unless_it_names_another() {
        let step = TelemetryContext::of_request(Some(PARENT), None, None, 7, 9);
        let child = step.child("doc", None);
        assert_eq!(child, step.child("doc", None));
        assert_eq!(child.trace_id, step.trace_id);
        assert_eq!(child.parent_span_id.as_ref(), Some(&step.span_id));
        let own = SenderTelemetry { trace_id: Some("f".repeat(32).into()), ..Default::default() };
        let elsewhere = step.child("doc", Some(&own));
        assert_eq!((&*elsewhere.trace_id, elsewhere.parent_span_id), ("f".repeat(32).as_str(), None));
    }
}
