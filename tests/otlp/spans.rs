//! What a collector gets of a span.

use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use tributary::domain::span::{SpanStatus, TraceId};

use crate::otlp_receiver::OtlpReceiver;
use crate::{SOON, span, telemetry};

fn value<'a>(all: &'a [KeyValue], name: &str) -> Option<&'a Any> {
    all.iter().find(|pair| pair.key == name)?.value.as_ref()?.value.as_ref()
}

pub fn text(all: &[KeyValue], name: &str) -> String {
    match value(all, name) {
        Some(Any::StringValue(text)) => text.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

#[tokio::test]
async fn a_span_arrives_as_it_was_made_over_both_protocols_plain_and_compressed() {
    for protocol in ["http/protobuf", "grpc"] {
        for compression in ["none", "gzip"] {
            let receiver = OtlpReceiver::start().await;
            let telemetry = telemetry(&[
                ("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint()),
                ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
                ("OTEL_EXPORTER_OTLP_COMPRESSION", compression),
                ("OTEL_EXPORTER_OTLP_HEADERS", "x-key=a%20%25secret"),
                ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test,service.version=9"),
            ]);
            telemetry.spans().unwrap().end(span("aggregation.emit", 0xa, 0xe));
            let received = receiver.until("span", |seen| !seen.spans.is_empty()).await;

            let seen = received.span("aggregation.emit").unwrap();
            assert_eq!((seen.trace_id[15], seen.span_id[7], seen.parent_span_id[7]), (0xa, 0xe, 0xb));
            assert_eq!((seen.trace_id.len(), seen.span_id.len()), (16, 8));
            assert_eq!(seen.start_time_unix_nano, 1_700_000_000_000_001_000);
            assert_eq!(seen.end_time_unix_nano, 1_700_000_000_250_002_000);
            assert_eq!(
                (seen.kind, seen.flags & 0x301),
                (3, 0x301),
                "a client, sampled, with a remote parent"
            );
            let status = seen.status.as_ref().unwrap();
            assert_eq!((status.code, status.message.as_str()), (2, "timed out"));
            let all = &seen.attributes;
            assert_eq!(
                ["text", "owned", "shared"].map(|name| text(all, name)),
                ["static", "owned", "shared"]
            );
            assert_eq!(value(all, "int"), Some(&Any::IntValue(-7)));
            assert_eq!(value(all, "float"), Some(&Any::DoubleValue(0.5)));
            assert_eq!(value(all, "bool"), Some(&Any::BoolValue(true)));
            assert_eq!(
                (seen.links.len(), seen.links[0].trace_id[15], seen.links[0].span_id[7]),
                (1, 0xc, 0xd)
            );

            let scope = received.spans[0].scope_spans[0].scope.as_ref().unwrap();
            assert_eq!(scope.name, "tributary");
            let of = &received.resource().unwrap().attributes;
            let names =
                ["service.name", "service.instance.id", "service.version", "deployment.environment.name"];
            assert_eq!(names.map(|name| text(of, name)), ["tributary", "replica-1", "9", "test"]);
            let headers = &received.requests[0];
            assert_eq!(headers["x-key"], "a %secret");
            let encoding = if protocol == "grpc" { "grpc-encoding" } else { "content-encoding" };
            assert_eq!(headers.get(encoding).is_some_and(|value| value == "gzip"), compression == "gzip");
        }
    }
}

#[tokio::test]
async fn a_signals_own_endpoint_is_used_as_it_is() {
    let receiver = OtlpReceiver::start().await;
    let endpoint = format!("{}/elsewhere", receiver.endpoint());
    let telemetry = telemetry(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &endpoint),
        ("OTEL_METRICS_EXPORTER", "none"),
        ("OTEL_SERVICE_NAME", "mine"),
    ]);
    telemetry.spans().unwrap().end(span("a", 1, 1));
    let received = receiver.until("span", |seen| !seen.spans.is_empty()).await;
    assert_eq!(text(&received.resource().unwrap().attributes, "service.name"), "mine");
}

#[tokio::test]
async fn hostile_times_and_sizes_arrive_or_are_clamped() {
    let receiver = OtlpReceiver::start().await;
    let telemetry = telemetry(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint())]);
    let sink = telemetry.spans().unwrap();
    let times = [(i64::MIN, i64::MAX), (i64::MAX, i64::MIN), (-1, 0), (5, 4)];
    for (index, (start_us, end_us)) in times.into_iter().enumerate() {
        let mut hostile = span("hostile", u128::MAX, u64::MAX - index as u64);
        (hostile.start_us, hostile.end_us) = (start_us, end_us);
        hostile.status = SpanStatus::Unset;
        hostile.attributes.push(("huge", "\u{1f4a5}".repeat(100_000).into()));
        sink.end(hostile);
    }
    let received = receiver.until("4 spans", |seen| seen.all_spans().len() == 4).await;
    let times =
        received.all_spans().into_iter().map(|span| (span.start_time_unix_nano, span.end_time_unix_nano));
    let last = u64::MAX / 1_000 * 1_000;
    assert_eq!(times.collect::<Vec<_>>(), [(0, last), (last, last), (0, 0), (5_000, 5_000)]);
}

/// Variables; attributes that are kept, and left out; links alike; the first text.
type Case<'a> = (&'a [(&'a str, &'a str)], usize, u32, usize, u32, &'a str);

#[tokio::test]
async fn what_is_beyond_a_limit_is_left_out_and_counted() {
    let of_spans = [
        ("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "3"),
        ("OTEL_ATTRIBUTE_COUNT_LIMIT", "1"),
        ("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "4"),
        ("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "1"),
        ("OTEL_SPAN_LINK_COUNT_LIMIT", "2"),
    ];
    let of_all = [("OTEL_ATTRIBUTE_COUNT_LIMIT", "3"), ("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "4")];
    let cases: [Case<'_>; 3] = [
        (&[], 128, 12, 128, 22, "tränenreich"),
        (&of_spans, 3, 137, 2, 148, "trän"),
        (&of_all, 3, 137, 128, 22, "trän"),
    ];
    for (given, attributes, without, links, without_links, first) in cases {
        let receiver = OtlpReceiver::start().await;
        let endpoint = receiver.endpoint();
        let telemetry = telemetry(&[&[("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str())], given].concat());
        let mut large = span("large", 1, 1);
        large.attributes = vec![("text", "tränenreich".into()); 140];
        large.links = vec![large.links[0]; 150];
        telemetry.spans().unwrap().end(large);
        let received = receiver.until("span", |seen| !seen.spans.is_empty()).await;
        let seen = received.span("large").unwrap();
        assert_eq!(
            (seen.attributes.len(), seen.dropped_attributes_count),
            (attributes, without),
            "{given:?}"
        );
        assert_eq!((seen.links.len(), seen.dropped_links_count), (links, without_links), "{given:?}");
        assert_eq!(text(&seen.attributes, "text"), first, "{given:?}");
    }
}

#[tokio::test]
async fn a_shutdown_sends_what_waits() {
    for protocol in ["http/protobuf", "grpc"] {
        let receiver = OtlpReceiver::start().await;
        let telemetry = telemetry(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint()),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
            ("OTEL_BSP_SCHEDULE_DELAY", "3600000"),
            ("OTEL_METRIC_EXPORT_INTERVAL", "3600000"),
        ]);
        let counter = telemetry.meter().u64_counter("tributary.test").build();
        counter.add(3, &[]);
        let sink = telemetry.spans().unwrap();
        for id in 1..=1_000 {
            sink.end(span("a", 1, id));
        }
        telemetry.shutdown(SOON).await;
        let received = receiver.received();
        assert_eq!(received.all_spans().len(), 1_000, "{protocol}");
        assert!(received.metric("tributary.test").is_some());
        sink.end(span("late", 1, 1));
        assert_eq!(telemetry.dropped_spans(), 1);
    }
}

#[tokio::test]
async fn the_sampler_decides_by_trace_and_caller() {
    let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
    let off = telemetry(&[endpoint, ("OTEL_TRACES_SAMPLER", "parentbased_always_off")]).spans().unwrap();
    assert!(off.samples(TraceId(1), Some(true)) && !off.samples(TraceId(1), None));
    let on = telemetry(&[endpoint]).spans().unwrap();
    assert!(on.samples(TraceId(1), None) && !on.samples(TraceId(1), Some(false)));
}

#[tokio::test]
async fn without_an_endpoint_there_is_nowhere_to_send_spans() {
    let telemetry = telemetry(&[]);
    assert!(telemetry.spans().is_none());
    assert_eq!(telemetry.dropped_spans(), 0);
    telemetry.shutdown(SOON).await;
}
