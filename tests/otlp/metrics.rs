//! Metrics, pushed and scraped.

use opentelemetry::KeyValue;
use opentelemetry::metrics::Meter;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use tributary::edge::telemetry::otlp::PROMETHEUS_CONTENT_TYPE;

use crate::otlp_receiver::OtlpReceiver;
use crate::outages::counted;
use crate::{SOON, span, telemetry};

/// One instrument of each kind.
fn measure(meter: &Meter) {
    let append = meter
        .f64_histogram("tributary.append.duration")
        .with_unit("s")
        .with_description("From a publish to its place in the log.")
        .with_boundaries(vec![0.001, 0.01, 0.1])
        .build();
    append.record(0.005, &[KeyValue::new("store", "redis")]);
    append.record(5.0, &[KeyValue::new("store", "redis")]);
    append.record(0.0, &[KeyValue::new("store", "memory \"quoted\"\n")]);
    meter
        .u64_counter("tributary.publishes")
        .with_unit("{publish}")
        .with_description("Publishes by verdict.")
        .build()
        .add(2, &[KeyValue::new("verdict", "accepted")]);
    meter
        .i64_observable_gauge("tributary.readers")
        .with_unit("{reader}")
        .with_description("Open streams.")
        .with_callback(|seen| seen.observe(7, &[]))
        .build();
}

#[tokio::test]
async fn a_scrape_has_names_units_and_buckets_as_prometheus_wants_them() {
    let telemetry = telemetry(&[("OTEL_SERVICE_NAME", "mine")]);
    measure(&telemetry.meter());
    let text = telemetry.prometheus_text().unwrap();
    let expected = [
        "# HELP tributary_append_duration_seconds From a publish to its place in the log.",
        "# TYPE tributary_append_duration_seconds histogram",
        "tributary_append_duration_seconds_bucket{store=\"redis\",le=\"0.001\"} 0",
        "tributary_append_duration_seconds_bucket{store=\"redis\",le=\"0.01\"} 1",
        "tributary_append_duration_seconds_bucket{store=\"redis\",le=\"0.1\"} 1",
        "tributary_append_duration_seconds_bucket{store=\"redis\",le=\"+Inf\"} 2",
        "tributary_append_duration_seconds_sum{store=\"redis\"} 5.005",
        "tributary_append_duration_seconds_count{store=\"redis\"} 2",
        "tributary_append_duration_seconds_count{store=\"memory \\\"quoted\\\"\\n\"} 1",
        "# TYPE tributary_publishes_total counter",
        "tributary_publishes_total{verdict=\"accepted\"} 2",
        "# TYPE tributary_readers gauge",
        "tributary_readers 7",
        "# TYPE target_info gauge",
    ];
    for line in expected {
        assert!(text.lines().any(|found| found == line), "no {line} in\n{text}");
    }
    let info = text.lines().find(|line| line.starts_with("target_info{")).unwrap();
    assert!(
        info.contains("service_name=\"mine\"") && info.contains("service_instance_id=\"replica-1\""),
        "{info}"
    );
    assert!(!text.contains("otel_scope"), "{text}");
    assert_eq!(text.matches("# TYPE tributary_append_duration_seconds ").count(), 1, "{text}");
    assert_eq!(PROMETHEUS_CONTENT_TYPE.split(';').nth(1), Some(" version=0.0.4"));
}

#[tokio::test]
async fn a_push_and_a_scrape_read_the_same_instruments() {
    for protocol in ["http/protobuf", "grpc"] {
        let receiver = OtlpReceiver::start().await;
        let telemetry = telemetry(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint()),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
        ]);
        measure(&telemetry.meter());
        let received = receiver
            .until("metrics", |seen| {
                seen.metric("tributary.readers").is_some()
                    && seen.metric("tributary.append.duration").is_some()
            })
            .await;
        let append = received.metric("tributary.append.duration").unwrap();
        assert_eq!(append.unit, "s");
        let Some(Data::Histogram(histogram)) = &append.data else { panic!("{append:?}") };
        assert_eq!(histogram.aggregation_temporality, 2, "cumulative");
        assert_eq!(histogram.data_points[0].explicit_bounds, [0.001, 0.01, 0.1]);
        assert!(telemetry.prometheus_text().unwrap().contains("tributary_readers 7"));
        telemetry.shutdown(SOON).await;
    }
}

#[tokio::test]
async fn what_becomes_of_spans_is_a_metric() {
    let receiver = OtlpReceiver::start().await;
    let telemetry = telemetry(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint()),
        ("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "delta"),
    ]);
    telemetry.spans().unwrap().end(span("a", 1, 1));
    counted(&telemetry, "exported", 1).await;
    receiver
        .until("push", |seen| {
            let data = seen.metric("tributary.spans.dropped").and_then(|metric| metric.data.clone());
            matches!(data, Some(Data::Sum(sum)) if sum.aggregation_temporality == 1 && sum.is_monotonic)
        })
        .await;
    let text = telemetry.prometheus_text().unwrap();
    for line in [
        "tributary_spans_exported_total 1",
        "tributary_spans_failed_total 0",
        "tributary_spans_dropped_total 0",
    ] {
        assert!(text.lines().any(|found| found == line), "no {line} in\n{text}");
    }
}
