//! Spans and metrics, from this process to a collector.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

#[path = "../harness/otlp_receiver.rs"]
mod otlp_receiver;

#[path = "../harness/certificates.rs"]
mod certificates;

mod metrics;
mod outages;
mod spans;
mod tls;

use std::borrow::Cow;
use std::time::Duration;

use tributary::domain::span::{Span, SpanId, SpanKind, SpanPlace, SpanStatus, TraceId, Value};
use tributary::edge::telemetry::otlp::Telemetry;

/// Long enough for a machine that is busy.
const SOON: Duration = Duration::from_secs(30);

/// Telemetry with those variables, that sends almost at once.
fn telemetry(given: &[(&str, &str)]) -> Telemetry {
    let hasty = [("OTEL_BSP_SCHEDULE_DELAY", "20"), ("OTEL_METRIC_EXPORT_INTERVAL", "50")];
    let all: Vec<_> =
        hasty.iter().chain(given).map(|(name, text)| (name.to_string(), text.to_string())).collect();
    let read = move |name: &str| all.iter().rev().find(|(set, _)| set == name).map(|(_, text)| text.clone());
    Telemetry::start(read, "replica-1").unwrap()
}

/// A span with one of everything.
fn span(name: &'static str, trace: u128, id: u64) -> Span {
    let place = SpanPlace { trace: TraceId(trace), span: SpanId(id) };
    Span {
        name: Cow::Borrowed(name),
        kind: SpanKind::Client,
        place,
        parent: Some(SpanId(0xb)),
        parent_is_remote: true,
        tracestate: None,
        start_us: 1_700_000_000_000_001,
        end_us: 1_700_000_000_250_002,
        attributes: vec![
            ("text", "static".into()),
            ("owned", String::from("owned").into()),
            ("shared", Value::Shared("shared".into())),
            ("int", Value::Int(-7)),
            ("float", 0.5.into()),
            ("bool", true.into()),
        ],
        links: vec![SpanPlace { trace: TraceId(0xc), span: SpanId(0xd) }],
        status: SpanStatus::Error("timed out".into()),
    }
}
