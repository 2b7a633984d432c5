//! What the variables ask for, and which of them are refused.

use std::time::Duration;

use opentelemetry_sdk::metrics::Temporality;

use super::destination::{Destination, Protocol};
use super::environment::Settings;
use super::sampler::{Root, Sampler};
use super::variables::Variables;
use super::{Telemetry, TelemetryError};

const ENDPOINT: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");

fn environment<'a>(given: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'a {
    |name| given.iter().rev().find(|(given, _)| *given == name).map(|(_, text)| (*text).to_owned())
}

fn settings(given: &[(&str, &str)]) -> Settings {
    Settings::read(&Variables::new(&environment(given))).unwrap()
}

fn spans_go_to(given: &[(&str, &str)]) -> Destination {
    settings(given).spans.unwrap().destination
}

#[test]
fn nothing_is_exported_unless_an_endpoint_says_where_to() {
    let traces = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:1/v1/traces");
    let metrics = ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://127.0.0.1:1/v1/metrics");
    let cases: [(&[_], bool, bool); 12] = [
        (&[], false, false),
        (&[("OTEL_EXPORTER_OTLP_ENDPOINT", "")], false, false),
        (&[ENDPOINT], true, true),
        (&[traces], true, false),
        (&[metrics], false, true),
        (&[ENDPOINT, ("OTEL_SDK_DISABLED", "true")], false, false),
        (&[ENDPOINT, ("OTEL_SDK_DISABLED", "yes")], true, true),
        (&[ENDPOINT, ("OTEL_TRACES_EXPORTER", "none")], false, true),
        (&[ENDPOINT, ("OTEL_METRICS_EXPORTER", "none")], true, false),
        (&[ENDPOINT, ("OTEL_METRICS_EXPORTER", "prometheus")], true, false),
        (&[ENDPOINT, ("OTEL_TRACES_EXPORTER", "zipkin")], true, true),
        (&[ENDPOINT, ("OTEL_TRACES_EXPORTER", "otlp"), ("OTEL_METRICS_EXPORTER", "")], true, true),
    ];
    for (given, spans, metrics) in cases {
        let settings = settings(given);
        assert_eq!((settings.spans.is_some(), settings.metrics.is_some()), (spans, metrics), "{given:?}");
    }
}

#[test]
fn a_switch_that_is_neither_on_nor_off_is_warned_of() {
    for (name, value, is_told) in [
        ("OTEL_SDK_DISABLED", "1", true),
        ("OTEL_SDK_DISABLED", "False", false),
        ("OTEL_SDK_DISABLED", "", false),
        ("OTEL_EXPORTER_OTLP_INSECURE", "maybe", true),
        ("OTEL_EXPORTER_OTLP_METRICS_INSECURE", "yes", true),
        ("OTEL_EXPORTER_OTLP_INSECURE", "TRUE", false),
    ] {
        let warnings = settings(&[ENDPOINT, (name, value)]).warnings;
        let told = warnings.iter().filter(|warning| warning.starts_with(&format!("{name} is taken for")));
        assert_eq!(
            (told.count(), warnings.len()),
            (usize::from(is_told), usize::from(is_told)),
            "{name}={value}"
        );
    }
}

#[test]
fn an_endpoint_for_all_signals_gets_each_ones_path_over_http() {
    let own = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
    let grpc = ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
    let insecure = ("OTEL_EXPORTER_OTLP_INSECURE", "true");
    let all = "OTEL_EXPORTER_OTLP_ENDPOINT";
    let cases: [(&[_], &str); 9] = [
        (&[ENDPOINT], "http://127.0.0.1:4318/v1/traces"),
        (&[(all, "http://c:1/")], "http://c:1/v1/traces"),
        (&[(all, "https://c/api/public/otel")], "https://c/api/public/otel/v1/traces"),
        (&[(all, "https://c/otel?k=v")], "https://c/otel/v1/traces?k=v"),
        (&[ENDPOINT, (own, "http://c:1")], "http://c:1/"),
        (&[ENDPOINT, (own, "http://c:1/elsewhere")], "http://c:1/elsewhere"),
        (&[ENDPOINT, grpc], "http://127.0.0.1:4318/"),
        (&[(all, "c:4317"), grpc], "https://c:4317/"),
        (&[(all, "c:4317"), grpc, insecure], "http://c:4317/"),
    ];
    for (given, expected) in cases {
        assert_eq!(spans_go_to(given).endpoint.as_str(), expected, "{given:?}");
    }
}

#[test]
fn a_signals_own_variable_goes_before_the_one_for_all() {
    let given = spans_go_to(&[
        ENDPOINT,
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
        ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "1000"),
        ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "2000"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"),
        ("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "none"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "a=1"),
        ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "Authorization=Basic%20cGs6c2s=, x-v = 4%25 ,"),
    ]);
    assert_eq!((given.protocol, given.timeout, given.gzip), (Protocol::Grpc, Duration::from_secs(2), false));
    assert_eq!(given.headers.len(), 2);
    assert_eq!(given.headers["authorization"], "Basic cGs6c2s=");
    assert_eq!(given.headers["x-v"], "4%");
    assert!(!format!("{given:?}").contains("cGs6"));
}

#[test]
fn what_is_not_set_is_as_the_specification_says() {
    let settings = settings(&[ENDPOINT]);
    let (spans, metrics) = (settings.spans.unwrap(), settings.metrics.unwrap());
    assert_eq!((spans.queue.get(), spans.batch, spans.delay), (2_048, 512, Duration::from_secs(5)));
    assert_eq!(spans.sampler, Sampler { root: Root::AlwaysOn, parent_based: true });
    assert_eq!(spans.destination.protocol, Protocol::HttpProtobuf);
    assert_eq!((spans.destination.timeout, spans.destination.gzip), (Duration::from_secs(10), false));
    assert_eq!((metrics.interval, metrics.temporality), (Duration::from_secs(60), Temporality::Cumulative));
}

#[test]
fn what_is_set_counts() {
    let settings = settings(&[
        ENDPOINT,
        ("OTEL_BSP_MAX_QUEUE_SIZE", "100"),
        ("OTEL_BSP_SCHEDULE_DELAY", "20"),
        ("OTEL_BSP_EXPORT_TIMEOUT", "300"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "50"),
        ("OTEL_METRIC_EXPORT_TIMEOUT", "400"),
        ("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "delta"),
        ("OTEL_TRACES_SAMPLER", "traceidratio"),
        ("OTEL_TRACES_SAMPLER_ARG", "0.5"),
        ("OTEL_RESOURCE_ATTRIBUTES", "a=1,service.name=x,b=%C3%BC"),
        ("OTEL_SERVICE_NAME", "y"),
    ]);
    let (spans, metrics) = (settings.spans.unwrap(), settings.metrics.unwrap());
    assert_eq!((spans.queue.get(), spans.batch, spans.delay.as_millis()), (100, 100, 20));
    assert_eq!(spans.sampler, Sampler { root: Root::TraceIdRatio(0.5), parent_based: false });
    assert_eq!(spans.destination.timeout.as_millis(), 300);
    assert_eq!((metrics.interval.as_millis(), metrics.temporality), (50, Temporality::Delta));
    assert_eq!(metrics.destination.timeout.as_millis(), 400);
    let pairs = [("a", "1"), ("service.name", "x"), ("b", "ü"), ("service.name", "y")];
    assert_eq!(settings.resource, pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn a_mistake_names_its_variable_and_not_its_value() {
    let missing = "/there/is/no/such/file";
    let mistakes = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://secret@127.0.0.1"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://secret:70000"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "secret"),
        ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"),
        ("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "secret"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "10s"),
        ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "0"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "secret"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "a b=secret"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "a=secret%0d%0a"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "a=secret%ff"),
        ("OTEL_EXPORTER_OTLP_CERTIFICATE", missing),
        ("OTEL_EXPORTER_OTLP_CERTIFICATE", "Cargo.toml"),
        ("OTEL_EXPORTER_OTLP_CLIENT_KEY", missing),
        ("OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE", missing),
        ("OTEL_TRACES_SAMPLER", "secret"),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "18446744073709551615"),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "0"),
        ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "-1"),
        ("OTEL_BSP_SCHEDULE_DELAY", "secret"),
        ("OTEL_BSP_EXPORT_TIMEOUT", "secret"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "0"),
        ("OTEL_METRIC_EXPORT_TIMEOUT", "secret"),
        ("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "secret"),
        ("OTEL_RESOURCE_ATTRIBUTES", "secret"),
    ];
    for (name, value) in mistakes {
        let Err(error) = Telemetry::start(environment(&[ENDPOINT, (name, value)]), "1") else {
            panic!("{name}={value} was accepted");
        };
        let TelemetryError::Variable { variable, .. } = &error else { panic!("{name}={value}: {error}") };
        assert_eq!(variable, name);
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    let ratio = [ENDPOINT, ("OTEL_TRACES_SAMPLER", "traceidratio"), ("OTEL_TRACES_SAMPLER_ARG", "2")];
    let error = Telemetry::start(environment(&ratio), "1").unwrap_err().to_string();
    assert_eq!(error, "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1");
}

#[test]
fn grpc_outside_a_runtime_is_an_error() {
    let given = [ENDPOINT, ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")];
    let error = Telemetry::start(environment(&given), "1").unwrap_err();
    assert!(matches!(error, TelemetryError::NoRuntime), "{error}");
}

#[test]
fn mistakes_about_a_signal_that_is_off_are_passed_over() {
    let wrong = [("OTEL_EXPORTER_OTLP_PROTOCOL", "rubbish"), ("OTEL_BSP_MAX_QUEUE_SIZE", "rubbish")];
    assert!(Settings::read(&Variables::new(&environment(&wrong))).unwrap().spans.is_none());
}
