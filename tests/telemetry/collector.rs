//! A collector that hangs, refuses or answers errors costs spans, and nothing else.

use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::figures::Figures;
use crate::harness::{Client, Setup, TestApp, within};
use crate::otlp_receiver::{Answer, OtlpReceiver};
use crate::scene::{Scene, TRACE, directive, ended, post_traced};
use crate::tree::Tree;

const HTTP: &str = "http/protobuf";
const DRAIN: Duration = Duration::from_secs(2);

/// A service with room for a few spans only.
async fn cramped(protocol: &str) -> Scene {
    Scene::with(|setup: Setup| {
        let setup = setup.variable("OTEL_EXPORTER_OTLP_PROTOCOL", protocol);
        let setup =
            setup.variable("OTEL_BSP_MAX_QUEUE_SIZE", 16).variable("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 8);
        setup.env("SERVER__DRAIN_WINDOW_MS", DRAIN.as_millis())
    })
    .await
}

/// Ten steps, to each of which a hundred events are posted one by one, and its end.
async fn a_thousand_events(app: &TestApp) {
    let work = async |session: String| {
        let planner = app.planner(&session);
        post_traced(app.client(), &planner, &directive(&[json!({ "key": "crm" })]), "01").await;
        for revision in 1..100 {
            planner.subagent("p", "crm").say("partial", revision, "x").await;
        }
        planner.subagent("p", "crm").say("success", 100, "x").await;
        let events = ended(&planner, "p").await;
        assert_eq!(events.last().unwrap()["content"]["status"], "completed");
    };
    join_all((0..10).map(|number| work(format!("s{number}")))).await;
}

/// Whatever the collector does, a thousand events are taken in time, spans that are lost are counted, and the end comes in
/// time.
async fn nobody_waits_for_the_collector(collector: Collector, protocol: &str) {
    let Scene { collector: receiver, agents, mut app } = cramped(protocol).await;
    let receiver = match collector {
        Collector::Answers(answer) => {
            receiver.answer(answer);
            Some(receiver)
        }
        Collector::IsAway => {
            drop(receiver);
            None
        }
    };
    let begun = Instant::now();
    a_thousand_events(&app).await;
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(10), "a thousand events took {took:?}");
    let lost = |figures: &Figures| {
        figures.count("tributary_spans_dropped_total") + figures.count("tributary_spans_failed_total")
    };
    let figures = Figures::until(&app, "lost spans to be counted", |figures| lost(figures) > 0.0).await;
    assert_eq!(figures.count("tributary_spans_exported_total"), 0.0);
    let begun = Instant::now();
    app.signal("TERM");
    assert!(app.exited().await.success());
    let took = begun.elapsed();
    assert!(took < DRAIN + Duration::from_secs(5), "it ended after {took:?}");
    let failures = app.log_lines().into_iter().filter(|line| line.contains("does not take")).count();
    assert!(failures <= 4, "{failures} lines about one collector");
    drop((receiver, agents));
}

enum Collector {
    Answers(Answer),
    IsAway,
}

#[tokio::test]
async fn a_collector_that_hangs_is_not_waited_for() {
    nobody_waits_for_the_collector(Collector::Answers(Answer::Hang), HTTP).await;
}

#[tokio::test]
async fn a_collector_that_hangs_is_not_waited_for_by_grpc_either() {
    nobody_waits_for_the_collector(Collector::Answers(Answer::Hang), "grpc").await;
}

#[tokio::test]
async fn a_collector_that_answers_errors_is_not_waited_for() {
    nobody_waits_for_the_collector(Collector::Answers(Answer::Refuse(500)), HTTP).await;
}

#[tokio::test]
async fn a_collector_that_answers_nonsense_is_not_waited_for() {
    let scene = cramped(HTTP).await;
    scene.collector.answer(Answer::Garbage);
    a_thousand_events(&scene.app).await;
}

#[tokio::test]
async fn a_collector_that_is_away_is_not_waited_for() {
    nobody_waits_for_the_collector(Collector::IsAway, HTTP).await;
}

#[tokio::test]
async fn a_collector_that_comes_back_is_told_again() {
    let Scene { collector, agents, app } = Scene::new().await;
    let address = collector.address();
    drop(collector);
    let planner = app.planner("s");
    post_traced(app.client(), &planner, &directive(&[json!({ "key": "crm" })]), "01").await;
    planner.subagent("p", "crm").succeed().await;
    app.logged("does not take").await;
    let scene = Scene { collector: OtlpReceiver::start_at(address).await, agents, app };
    let mut other = directive(&[json!({ "key": "crm" })]);
    other["plan_step_id"] = json!("q");
    post_traced(scene.app.client(), &planner, &other, "01").await;
    planner.subagent("q", "crm").succeed().await;
    let tree = scene.told("q", |_| true).await;
    assert!(tree.0.iter().all(|span| span.trace == TRACE));
}

/// So many spans, one for each request.
const MANY: usize = 50_000;

#[tokio::test]
async fn fifty_thousand_spans_that_nobody_takes_need_no_memory() {
    let scene = Scene::new().await;
    scene.collector.answer(Answer::Hang);
    // The queue fills, and whatever else is made once.
    requests(scene.app.client(), MANY / 10).await;
    let before = scene.app.rss_bytes();
    requests(scene.app.client(), MANY).await;
    let after = scene.app.rss_bytes();
    let more = after.saturating_sub(before) / 1_024 / 1_024;
    assert!(more < 64, "{before} bytes before, {after} after");
    let figures = Figures::of(&scene.app).await;
    let dropped = figures.get("tributary_spans_dropped_total");
    assert!(dropped > MANY as f64 - 5_000.0, "{dropped} of {MANY} were dropped");
    assert!(Tree::of(&scene.collector.received()).0.is_empty());
}

/// Requests that are a span each and nothing else, one after the other on a few connections.
async fn requests(client: Client, count: usize) {
    const CONNECTIONS: usize = 4;
    const AT_ONCE: usize = 50;
    let one = format!(
        "DELETE /planner/sessions/nobody HTTP/1.1\r\nhost: t\r\ntraceparent: {}\r\n\r\n",
        crate::scene::traceparent("01")
    );
    let connection = async || {
        let mut socket = client.connect().await;
        for _ in 0..count / CONNECTIONS / AT_ONCE {
            socket.write_all(one.repeat(AT_ONCE).as_bytes()).await.unwrap();
            let (mut answers, mut seen) = (Vec::new(), 0);
            while seen < AT_ONCE {
                let bytes = within("answers", socket.read_buf(&mut answers)).await.unwrap();
                assert!(bytes > 0, "the connection ended");
                let text = String::from_utf8_lossy(&answers);
                seen = text.matches("HTTP/1.1 ").count();
            }
            // The last one's body may still come: it ends with its JSON.
            while !answers.ends_with(b"}") && !answers.ends_with(b"\r\n\r\n") {
                within("a body", socket.read_buf(&mut answers)).await.unwrap();
            }
        }
    };
    join_all((0..CONNECTIONS).map(|_| connection())).await;
}

#[tokio::test]
async fn the_spans_of_large_texts_are_cut() {
    let scene = Scene::with(|setup| setup.env("TELEMETRY__CAPTURE_CONTENT", true)).await;
    let planner = scene.app.planner("s");
    post_traced(scene.app.client(), &planner, &directive(&[json!({ "key": "crm" })]), "01").await;
    let text = "ä".repeat(100_000);
    let event: Value = json!({ "status": "success", "payload": { "content": text, "sources": [] } });
    planner.subagent("p", "crm").post(&event).await.expect(200);
    let tree = scene.told("p", |tree| !tree.named("invoke_agent").is_empty()).await;
    let told = tree.one("invoke_agent crm").get("output.value").as_str().unwrap().len();
    assert!((32_000..=32_768).contains(&told), "{told} bytes");
}
