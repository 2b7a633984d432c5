//! Our spans as the SDK's, which its processors and exporters take.

use std::borrow::Cow;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use opentelemetry::trace::{Link, SpanContext, SpanKind as SdkKind, Status, TraceFlags, TraceState};
use opentelemetry::{InstrumentationScope, KeyValue, Value as SdkValue};
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanLinks};

use crate::domain::span::{Span, SpanKind, SpanPlace, SpanStatus, Value};

/// A span as the SDK holds it. Ids and times stay as they are, times as far as OTLP's unsigned nanoseconds go.
pub(super) fn span_data(span: Span, scope: &InstrumentationScope) -> SpanData {
    let mut links = SpanLinks::default();
    links.links = span
        .links
        .into_iter()
        .map(|place| Link::new(context(place, TraceState::NONE), Vec::new(), 0))
        .collect();
    SpanData {
        span_context: context(span.place, state(span.tracestate.as_deref())),
        parent_span_id: span.parent.map_or(opentelemetry::SpanId::INVALID, |id| id.0.into()),
        parent_span_is_remote: span.parent.is_some() && span.parent_is_remote,
        span_kind: match span.kind {
            SpanKind::Internal => SdkKind::Internal,
            SpanKind::Server => SdkKind::Server,
            SpanKind::Client => SdkKind::Client,
        },
        name: span.name,
        start_time: time(span.start_us),
        end_time: time(span.end_us.max(span.start_us)),
        attributes: attributes(span.attributes),
        dropped_attributes_count: 0,
        events: SpanEvents::default(),
        links,
        status: match span.status {
            SpanStatus::Unset => Status::Unset,
            SpanStatus::Error(description) => Status::Error { description: description.into() },
        },
        instrumentation_scope: scope.clone(),
    }
}

/// About how many bytes a span holds beside itself: its texts, and its lists.
pub(super) fn bytes(span: &SpanData) -> usize {
    let status = match &span.status {
        Status::Error { description } => description.len(),
        Status::Unset | Status::Ok => 0,
    };
    let links = size_of_val::<[Link]>(&span.links);
    let state = span.span_context.trace_state().header().len();
    span.name.len() + attribute_bytes(&span.attributes) + links + status + state
}

fn attribute_bytes(all: &[KeyValue]) -> usize {
    size_of_val(all) + all.iter().map(|pair| value_bytes(&pair.value)).sum::<usize>()
}

fn value_bytes(value: &SdkValue) -> usize {
    if let SdkValue::String(text) = value { text.as_str().len() } else { 0 }
}

fn context(place: SpanPlace, state: TraceState) -> SpanContext {
    let (trace, span) = (place.trace.0.into(), place.span.0.into());
    SpanContext::new(trace, span, TraceFlags::SAMPLED, false, state)
}

/// A `tracestate`; one that isn't well formed is none (W3C Trace Context, 3.3.1).
fn state(header: Option<&str>) -> TraceState {
    header.and_then(|header| header.parse().ok()).unwrap_or(TraceState::NONE)
}

fn attributes(all: Vec<(&'static str, Value)>) -> Vec<KeyValue> {
    all.into_iter().map(|(name, value)| KeyValue::new(name, sdk_value(value))).collect()
}

fn sdk_value(value: Value) -> SdkValue {
    match value {
        Value::Text(Cow::Borrowed(text)) => text.into(),
        Value::Text(Cow::Owned(text)) => text.into(),
        Value::Shared(text) => text.into(),
        Value::Int(number) => number.into(),
        Value::Float(number) => number.into(),
        Value::Bool(is) => is.into(),
    }
}

/// A time that OTLP can say: 1970 to 2554.
fn time(micros: i64) -> SystemTime {
    let micros = u64::try_from(micros).unwrap_or(0).min(u64::MAX / 1_000);
    UNIX_EPOCH + Duration::from_micros(micros)
}
