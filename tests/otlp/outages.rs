//! A collector that is away, slow or wrong costs spans, and nothing else.

use std::time::{Duration, Instant};

use tributary::edge::telemetry::otlp::Telemetry;

use crate::otlp_receiver::{Answer, OtlpReceiver};
use crate::{SOON, span, telemetry};

/// Waits until a counter of spans has at least that value in a scrape.
pub async fn counted(telemetry: &Telemetry, name: &str, at_least: u64) {
    let deadline = Instant::now() + SOON;
    loop {
        let text = telemetry.prometheus_text().unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("tributary_spans_{name}_total ")));
        if line.is_some_and(|count| count.parse::<u64>().unwrap() >= at_least) {
            return;
        }
        assert!(Instant::now() < deadline, "{name} is {line:?} in\n{text}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_collector_that_hangs_fills_the_queue_and_never_holds_up_a_span_or_the_end() {
    for protocol in ["http/protobuf", "grpc"] {
        let receiver = OtlpReceiver::start().await;
        receiver.answer(Answer::Hang);
        let telemetry = telemetry(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint()),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
            ("OTEL_BSP_MAX_QUEUE_SIZE", "64"),
            ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "16"),
        ]);
        let sink = telemetry.spans().unwrap();
        sink.end(span("first", 1, 1));
        receiver.until("request", |seen| !seen.requests.is_empty()).await;
        for id in 1..=10_000 {
            sink.end(span("a", 1, id));
        }
        // The queue's, a batch that was already taken, and the first.
        assert!((10_000 - 64 - 16..=10_000 - 64).contains(&telemetry.dropped_spans()));
        let begun = Instant::now();
        telemetry.shutdown(Duration::from_millis(200)).await;
        assert!(begun.elapsed() < Duration::from_secs(6), "{protocol} took {:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn spans_with_much_text_fill_the_queue_by_their_bytes() {
    let receiver = OtlpReceiver::start().await;
    receiver.answer(Answer::Hang);
    let telemetry = telemetry(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint())]);
    let sink = telemetry.spans().unwrap();
    sink.end(span("first", 1, 1));
    receiver.until("request", |seen| !seen.requests.is_empty()).await;
    for id in 1..=40 {
        let mut large = span("large", 1, id);
        large.attributes.push(("gen_ai.prompt", "x".repeat(1 << 20).into()));
        sink.end(large);
    }
    assert_eq!(telemetry.dropped_spans(), 40 - 16);
    telemetry.shutdown(Duration::from_millis(50)).await;
}

#[tokio::test]
async fn what_fails_is_counted_and_the_next_spans_arrive_when_it_works_again() {
    let refusals = [Answer::Refuse(500), Answer::Refuse(400), Answer::Refuse(429), Answer::Refuse(503)];
    for protocol in ["http/protobuf", "grpc"] {
        for refusal in refusals {
            let receiver = OtlpReceiver::start().await;
            receiver.answer(refusal);
            let telemetry = telemetry(&[
                ("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint()),
                ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
                ("OTEL_EXPORTER_OTLP_TIMEOUT", "3000"),
            ]);
            let sink = telemetry.spans().unwrap();
            sink.end(span("lost", 1, 1));
            counted(&telemetry, "failed", 1).await;
            receiver.answer(Answer::Take);
            sink.end(span("kept", 1, 2));
            let received = receiver.until("span", |seen| seen.span("kept").is_some()).await;
            assert!(received.span("lost").is_none(), "{protocol} {refusal:?}");
            counted(&telemetry, "exported", 1).await;
        }
    }
}

#[tokio::test]
async fn a_collector_that_is_away_gets_the_spans_that_end_when_it_is_back() {
    for protocol in ["http/protobuf", "grpc"] {
        let receiver = OtlpReceiver::start().await;
        let (address, endpoint) = (receiver.address(), receiver.endpoint());
        drop(receiver);
        let telemetry = telemetry(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "3000"),
        ]);
        let sink = telemetry.spans().unwrap();
        sink.end(span("lost", 1, 1));
        counted(&telemetry, "failed", 1).await;
        let receiver = OtlpReceiver::start_at(address).await;
        sink.end(span("kept", 1, 2));
        receiver.until("span", |seen| seen.span("kept").is_some()).await;
    }
}

#[tokio::test]
async fn an_answer_that_is_no_protobuf_is_taken_for_a_yes() {
    let receiver = OtlpReceiver::start().await;
    receiver.answer(Answer::Garbage);
    let telemetry = telemetry(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint())]);
    telemetry.spans().unwrap().end(span("a", 1, 1));
    counted(&telemetry, "exported", 1).await;
}
