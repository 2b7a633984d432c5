//! Both protocols of OTLP, and metrics by them.

use std::collections::BTreeSet;

use serde_json::json;

use crate::figures::Figures;
use crate::harness::Setup;
use crate::names;
use crate::otlp_receiver::Received;
use crate::scene::{CALLER, Scene, TRACE, directive, ended, post_traced};
use crate::tree::Tree;

/// What is counted only once it has happened: a failure, a conflict, a safety decision, a change of a breaker.
const RARE: &[&str] = &[
    "tributary.append.failures",
    "tributary.append.conflicts",
    "tributary.breaker.transitions",
    "tributary.notices",
];
/// Gauges of what isn't there: these services have neither Redis nor an archive, nor a model to ask.
const ELSEWHERE: &[&str] = &[
    "tributary.archive.up",
    "tributary.archive.waiting_sessions",
    "tributary.archive.lag",
    "tributary.redis.connections",
    "tributary.model.calls",
    "tributary.model.first_token.duration",
    "tributary.model.duration",
];

async fn spans_and_metrics_arrive(change: impl FnOnce(Setup) -> Setup, media_type: &str) {
    let scene = Scene::with(|setup| change(setup.variable("OTEL_METRIC_EXPORT_INTERVAL", 100))).await;
    let planner = scene.app.planner("s");
    let outputs = [scene.called("docs", "/documentation/json"), json!({ "key": "crm" })];
    post_traced(scene.app.client(), &planner, &directive(&outputs), "01").await;
    let mut reader = scene.app.sse(planner.events("p")).await;
    reader.open().await;
    planner.subagent("p", "crm").succeed().await;
    reader.until("end").await;
    drop(reader);
    ended(&planner, "p").await;
    let tree = scene.told("p", |tree| !tree.named("stream").is_empty()).await;
    tree.assert_whole(TRACE, CALLER);
    // What is told after the step's end, each by a task of its own: once all of it is pushed, the rest is.
    let late = ["step", "call", "publish", "delivery"].map(|what| format!("tributary.{what}.duration"));
    let whole = |received: &Received| late.iter().all(|name| received.metric(name).is_some());
    let received = scene.collector.until("metrics", whole).await;
    let resource = received.resource().unwrap();
    let is = |key: &str, text: &str| {
        resource.attributes.iter().any(|pair| {
        let value = pair.value.clone().and_then(|value| value.value);
        pair.key == key && matches!(value, Some(opentelemetry_proto::tonic::common::v1::any_value::Value::StringValue(is)) if is == text)
    })
    };
    assert!(is("service.name", "tributary"), "{resource:?}");
    assert!(received.requests.iter().all(|headers| headers["content-type"] == media_type));
    the_same_metrics_are_pushed_and_scraped(&scene, &received).await;
    assert!(
        scene.app.log_lines().iter().all(|line| !line.contains("collector")),
        "{:?}",
        scene.app.log_lines()
    );
}

/// What is pushed has the names of the list, and a scrape has the same.
async fn the_same_metrics_are_pushed_and_scraped(scene: &Scene, received: &Received) {
    let scopes = received.metrics.iter().flat_map(|of| &of.scope_metrics);
    let pushed: BTreeSet<_> = scopes.flat_map(|of| &of.metrics).map(|metric| &*metric.name).collect();
    let listed = names::all("metric");
    let unlisted: Vec<_> = pushed.iter().filter(|name| !listed.contains(*name)).collect();
    assert!(unlisted.is_empty(), "not in the list: {unlisted:?}");
    let expected = listed.iter().filter(|name| !RARE.contains(name) && !ELSEWHERE.contains(name));
    let missing: Vec<_> = expected.filter(|name| !pushed.contains(*name)).collect();
    assert!(missing.is_empty(), "never pushed: {missing:?}");
    let scraped = Figures::of(&scene.app).await;
    for name in &pushed {
        let begins = names::in_prometheus(name);
        assert!(scraped.0.keys().any(|series| series.starts_with(&begins)), "{name} isn't scraped");
    }
}

#[tokio::test]
async fn spans_and_metrics_go_out_as_protobuf_over_http() {
    spans_and_metrics_arrive(|setup| setup, "application/x-protobuf").await;
}

#[tokio::test]
async fn spans_and_metrics_go_out_by_grpc() {
    spans_and_metrics_arrive(
        |setup| setup.variable("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        "application/grpc",
    )
    .await;
}

#[tokio::test]
async fn what_waits_when_the_service_stops_is_sent_before_it_ends() {
    let late = |setup: Setup| setup.variable("OTEL_BSP_SCHEDULE_DELAY", 60_000);
    let scene = Scene::with(late).await;
    let planner = scene.app.planner("s");
    post_traced(scene.app.client(), &planner, &directive(&[json!({ "key": "crm" })]), "01").await;
    planner.subagent("p", "crm").succeed().await;
    ended(&planner, "p").await;
    assert!(Tree::of(&scene.collector.received()).0.is_empty());
    let tree = scene.stopped().await;
    tree.assert_whole(TRACE, CALLER);
    assert!(tree.step("p").is_some());
}
