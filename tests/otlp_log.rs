//! What an outage writes into the log: a process of its own, as exporters log on threads of their own.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

#[path = "harness/otlp_receiver.rs"]
mod otlp_receiver;

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use otlp_receiver::{Answer, OtlpReceiver};
use tracing_subscriber::EnvFilter;
use tributary::domain::span::{Span, SpanId, SpanKind, SpanPlace, SpanStatus, TraceId};
use tributary::edge::telemetry::otlp::Telemetry;

/// The log, as text.
#[derive(Debug, Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Lines {
    fn of(&self, part: &str) -> Vec<String> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        text.lines().filter(|line| line.contains(part)).map(str::to_owned).collect()
    }
}

/// A span without anything.
fn span(id: u64) -> Span {
    Span {
        name: "a".into(),
        kind: SpanKind::Internal,
        place: SpanPlace { trace: TraceId(1), span: SpanId(id) },
        parent: None,
        parent_is_remote: false,
        tracestate: None,
        start_us: 1,
        end_us: 2,
        attributes: Vec::new(),
        links: Vec::new(),
        status: SpanStatus::Unset,
    }
}

#[tokio::test]
async fn an_outage_is_one_line_and_not_one_for_each_batch() {
    let lines = Lines::default();
    let writer = lines.clone();
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new("info"))
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .init();
    let receiver = OtlpReceiver::start().await;
    receiver.answer(Answer::Refuse(500));
    let endpoint = receiver.endpoint();
    let environment = move |name: &str| match name {
        "OTEL_EXPORTER_OTLP_ENDPOINT" => Some(endpoint.clone()),
        "OTEL_EXPORTER_OTLP_HEADERS" => Some("authorization=secret".to_owned()),
        "OTEL_BSP_SCHEDULE_DELAY" | "OTEL_METRIC_EXPORT_INTERVAL" => Some("5".to_owned()),
        _ => None,
    };
    let telemetry = Telemetry::start(environment, "1").unwrap();
    let sink = telemetry.spans().unwrap();
    for request in 1..=50 {
        sink.end(span(request));
        receiver.until("requests", |seen| seen.requests.len() >= request as usize).await;
    }
    telemetry.shutdown(Duration::from_secs(10)).await;
    sink.end(span(99));
    let all = lines.of("");
    assert_eq!(lines.of("the collector does not take spans").len(), 1, "{all:#?}");
    assert_eq!(lines.of("the collector does not take metrics").len(), 1, "{all:#?}");
    assert_eq!(lines.of("not all spans reached the collector").len(), 1, "{all:#?}");
    assert_eq!((all.len(), lines.of("secret").len()), (3, 0), "{all:#?}");
}
