//! Telemetry that nobody asked for, and telemetry that was asked for in a way that can't work.

use std::process::{Command, Output};

use serde_json::json;

use crate::figures::Figures;
use crate::harness::Setup;
use crate::otlp_receiver::OtlpReceiver;
use crate::scene::{Scene, calling, directive, ended, post_traced, simulator, telling, traceparent};

/// A service that is told to be silent works as any other, its metrics as well; its collector never hears of it.
async fn nothing_is_sent(change: impl FnOnce(Setup, &OtlpReceiver) -> Setup) {
    let (collector, agents) = (OtlpReceiver::start().await, simulator().await);
    let app = change(calling(&agents), &collector).start().await;
    let scene = Scene { collector, agents, app };
    let planner = scene.app.planner("s");
    let outputs = [scene.called("docs", "/documentation/json"), json!({ "key": "crm" })];
    post_traced(scene.app.client(), &planner, &directive(&outputs), "01").await;
    planner.subagent("p", "crm").succeed().await;
    let events = ended(&planner, "p").await;
    // The trace goes through all the same.
    assert_eq!(events[0]["telemetry"]["trace_id"], crate::scene::TRACE);
    let passed_on = scene.agents.calls().calls[0].asked.headers["traceparent"].clone();
    assert!(passed_on.starts_with(&traceparent("")[..35]) && passed_on.ends_with("-01"), "{passed_on}");
    let figures = Figures::of(&scene.app).await;
    assert_eq!(figures.get("tributary_subagent_outcomes_total{status=\"success\"}"), 2.0);
    let Scene { mut app, collector, .. } = scene;
    app.signal("TERM");
    assert!(app.exited().await.success());
    assert!(collector.received().requests.is_empty());
}

#[tokio::test]
async fn without_an_endpoint_there_are_metrics_and_no_spans() {
    nothing_is_sent(|setup, _| setup).await;
}

#[tokio::test]
async fn a_disabled_sdk_sends_nothing() {
    nothing_is_sent(|setup, collector| {
        let setup = setup.variable("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint());
        setup.variable("OTEL_BSP_SCHEDULE_DELAY", 50).variable("OTEL_SDK_DISABLED", "true")
    })
    .await;
}

#[tokio::test]
async fn exporters_that_are_none_send_nothing() {
    nothing_is_sent(|setup, collector| {
        let setup = setup.variable("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint());
        setup.variable("OTEL_TRACES_EXPORTER", "none").variable("OTEL_METRICS_EXPORTER", "none")
    })
    .await;
}

#[tokio::test]
async fn traces_alone_are_sent_where_only_they_have_an_endpoint() {
    let (collector, agents) = (OtlpReceiver::start().await, simulator().await);
    let setup =
        calling(&agents).variable("OTEL_BSP_SCHEDULE_DELAY", 50).variable("OTEL_METRIC_EXPORT_INTERVAL", 100);
    let own = format!("{}/v1/traces", collector.endpoint());
    let app = setup.variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", own).start().await;
    let scene = Scene { collector, agents, app };
    let planner = scene.app.planner("s");
    post_traced(scene.app.client(), &planner, &directive(&[json!({ "key": "crm" })]), "01").await;
    planner.subagent("p", "crm").succeed().await;
    scene.told("p", |_| true).await;
    let Scene { mut app, collector, .. } = scene;
    app.signal("TERM");
    assert!(app.exited().await.success());
    assert!(collector.received().metrics.is_empty());
}

#[tokio::test]
async fn a_service_of_another_name_says_so() {
    let (collector, agents) = (OtlpReceiver::start().await, simulator().await);
    let setup = telling(&agents, &collector).variable("OTEL_SERVICE_NAME", "aggregator");
    let app = setup
        .variable("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test,service.name=no")
        .start()
        .await;
    let scene = Scene { collector, agents, app };
    let planner = scene.app.planner("s");
    post_traced(scene.app.client(), &planner, &directive(&[json!({ "key": "crm" })]), "01").await;
    planner.subagent("p", "crm").succeed().await;
    scene.told("p", |_| true).await;
    let text = format!("{:?}", scene.collector.received().resource().unwrap());
    assert!(text.contains("\"aggregator\"") && text.contains("deployment.environment.name"), "{text}");
}

/// Variables that can't work, and a word of what is said about them.
const WRONG: [(&str, &str, &str); 9] = [
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317", "http"),
    ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "ftp://127.0.0.1", "http"),
    ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json", "http/protobuf"),
    ("OTEL_EXPORTER_OTLP_HEADERS", "canarycollector", "name=value"),
    ("OTEL_TRACES_SAMPLER", "jaeger_remote", "always_on"),
    ("OTEL_BSP_SCHEDULE_DELAY", "soon", "whole number"),
    ("OTEL_METRIC_EXPORT_INTERVAL", "0", "whole number"),
    ("OTEL_EXPORTER_OTLP_COMPRESSION", "brotli", "gzip"),
    ("OTEL_EXPORTER_OTLP_CERTIFICATE", "/nonexistent/ca.pem", "can't be read"),
];

fn run(command: &str, name: &str, value: &str) -> (Option<i32>, String) {
    let mut run = Command::new(env!("CARGO_BIN_EXE_tributary"));
    let foreign =
        |name: &str| ["TRIBUTARY_", "OTEL_", "AI_", "RUST_LOG"].iter().any(|begin| name.starts_with(begin));
    for (name, _) in std::env::vars_os().filter(|(name, _)| foreign(&name.to_string_lossy())) {
        run.env_remove(name);
    }
    // So that the rest of the variables counts; nobody listens there.
    run.env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9").env(name, value);
    let Output { status, stdout, stderr } = run.args([command, "--listen", "127.0.0.1:0"]).output().unwrap();
    (status.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

#[test]
fn a_wrong_variable_keeps_the_service_from_starting_and_is_named() {
    for (name, value, why) in WRONG {
        let (code, said) = run("serve", name, value);
        assert!(matches!(code, Some(1 | 2)), "{name}: {code:?} {said}");
        assert!(said.contains(name) && said.contains(why), "{name}: {said}");
        assert!(!said.contains("canarycollector"), "{name}: {said}");
    }
}

#[test]
fn a_check_finds_a_wrong_variable() {
    for (name, value, why) in WRONG {
        let (code, said) = run("check", name, value);
        assert!(matches!(code, Some(1 | 2)), "{name}: {code:?} {said}");
        assert!(said.contains(name) && said.contains(why), "{name}: {said}");
    }
    let right = run("check", "OTEL_TRACES_SAMPLER", "always_off");
    assert_eq!(right.0, Some(1), "nobody listens there: {}", right.1);
    let told = ["the configuration is valid", "traces: ", "metrics: ", "can't be used: traces, metrics"];
    assert!(told.iter().all(|told| right.1.contains(told)), "{}", right.1);
}
