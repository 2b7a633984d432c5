//! A plan of five subagents and its answer: one trace, and what stands in it.

use serde_json::{Value, json};

use crate::harness::SseClient;
use crate::scene::{
    CALLER, OWN_SPAN, OWN_TRACE, Scene, TRACE, directive, ended, five_of, post_traced, push_both,
};
use crate::tree::{Told, Tree};

/// What times may differ by: the log's are milliseconds, and what isn't the log's is told by whoever ran it.
const MILLISECOND_US: i64 = 1_000;
/// What a busy machine may add, or one that stands still.
const LATE_US: i64 = 10_000_000;

/// The five outputs of a scene.
pub fn five(scene: &Scene) -> Vec<Value> {
    five_of(&scene.agents)
}

/// The story, watched by a reader from its beginning to its end: the step's events, and what was told.
async fn told(scene: &Scene) -> (Vec<Value>, Tree) {
    let planner = scene.app.planner("s");
    let mut directive = directive(&five(scene));
    directive["planner_context"] =
        json!({ "conversation_id": "conv-22", "user_id": "user-42", "request_id": "r-1" });
    post_traced(scene.app.client(), &planner, &directive, "01").await;
    let mut reader: SseClient = scene.app.sse(planner.events("p")).await;
    reader.open().await;
    push_both(&planner, "a customer since 2019", "no more today").await;
    reader.until("end").await;
    drop(reader);
    let events = ended(&planner, "p").await;
    let is_whole =
        |tree: &Tree| !tree.named("stream").is_empty() && tree.named("aggregation.call").len() == 4;
    (events, scene.told("p", is_whole).await)
}

/// The ids that an output's events have, each once.
fn ids_in_events(events: &[Value], result_key: &str, status: &str) -> (String, String) {
    let of_it =
        |event: &&Value| event["content"]["result_key"] == result_key && event["content"]["status"] == status;
    let telemetry = &events.iter().find(of_it).unwrap()["telemetry"];
    let text = |name: &str| telemetry[name].as_str().unwrap().to_owned();
    (text("trace_id"), text("span_id"))
}

/// A span lies inside of the one above it.
#[track_caller]
fn assert_inside(inner: &Told, outer: &Told, late_us: i64) {
    let inside = inner.start_us >= outer.start_us - MILLISECOND_US && inner.end_us <= outer.end_us + late_us;
    assert!(inside, "{inner:#?} is not inside of {outer:#?}");
}

#[tokio::test]
async fn five_subagents_and_their_answer_are_one_trace_below_their_planner() {
    let scene = Scene::new().await;
    let (events, tree) = told(&scene).await;
    tree.assert_whole(TRACE, CALLER);
    let request = tree.one("POST /planner/sessions/{session_id}/steps");
    assert_eq!((&*request.parent, request.kind), (CALLER, 2));
    request.has(json!({ "http.request.method": "POST", "http.response.status_code": 201,
        "http.route": "/planner/sessions/{session_id}/steps", "url.path": "/planner/sessions/s/steps" }));
    let step = tree.one("plan_step");
    assert_eq!((&step.parent, step.kind), (&request.id, 1));
    let started = &events[0]["telemetry"];
    assert_eq!((&started["trace_id"], &started["span_id"]), (&json!(TRACE), &json!(step.id)));

    let mut below = tree.names_below(step);
    below.retain(|name| !matches!(*name, "aggregation.wait" | "aggregation.emit"));
    let outputs = ["crm", "docs", "notes", "rows", "slow"].map(|key| format!("invoke_agent {key}"));
    let mut wanted: Vec<_> = outputs.iter().map(|name| &**name).collect();
    wanted.extend(["stream", "subagent.aggregation", "synthesize-results"]);
    assert_eq!(below, wanted);
    for (key, wanted) in [
        ("docs", &["aggregation.call", "aggregation.call", "aggregation.retry"][..]),
        ("rows", &["aggregation.call"]),
        ("slow", &["aggregation.call"]),
        ("crm", &[]),
        ("notes", &[]),
    ] {
        assert_eq!(tree.names_below(tree.one(&format!("invoke_agent {key}"))), wanted, "{key}");
    }
}

#[tokio::test]
async fn the_spans_of_outputs_are_those_of_their_events() {
    let scene = Scene::new().await;
    let (events, tree) = told(&scene).await;
    for (result_key, status) in [
        ("docs", "success"),
        ("rows", "error"),
        ("slow", "timeout"),
        ("meeting_notes", "error"),
        ("crm", "in_progress"),
    ] {
        let span = tree.about("invoke_agent", result_key)[0];
        assert_eq!(
            ids_in_events(&events, result_key, status),
            (TRACE.to_owned(), span.id.clone()),
            "{result_key}"
        );
    }
    // A subagent that traces itself stays where it is: its events say so, and the span is linked to it.
    let own = (OWN_TRACE.to_owned(), OWN_SPAN.to_owned());
    assert_eq!(ids_in_events(&events, "crm", "success"), own);
    assert_eq!(tree.one("invoke_agent crm").links, [own]);
    assert!(tree.one("invoke_agent docs").links.is_empty());
    let asked = |call: &tributary::simulate::Call| call.asked.headers["traceparent"].clone();
    let calls = scene.agents.calls().calls;
    let to_docs: Vec<_> =
        calls.iter().filter(|call| call.asked.headers["tributary-subagent"] == "docs").map(asked).collect();
    let expected = format!("00-{TRACE}-{}-01", tree.one("invoke_agent docs").id);
    assert_eq!(to_docs, [expected.clone(), expected]);
}

#[tokio::test]
async fn spans_say_how_outputs_and_calls_ended_and_lie_inside_of_one_another() {
    let scene = Scene::new().await;
    let (_, tree) = told(&scene).await;
    let step = tree.one("plan_step");
    for (key, status, mode, kind, error) in [
        ("docs", "success", "invoke", 3, None),
        ("rows", "error", "invoke", 3, Some("status_404")),
        ("slow", "timeout", "invoke", 3, Some("deadline")),
        ("crm", "success", "push", 1, None),
        ("notes", "error", "push", 1, Some("quota")),
    ] {
        let span = tree.one(&format!("invoke_agent {key}"));
        span.has(json!({ "tributary.status": status, "tributary.mode": mode, "tributary.stage": key,
            "openinference.span.kind": "AGENT", "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": key,
            "langfuse.observation.type": "agent", "error.type": error,
            "langfuse.observation.level": error.map(|_| "ERROR") }));
        assert_eq!((span.kind, span.error.as_deref()), (kind, error), "{key}");
        assert_inside(span, step, MILLISECOND_US);
        for below in tree.below(span) {
            assert_inside(below, span, LATE_US);
        }
    }
    tree.one("invoke_agent docs").has(json!({ "tributary.attempt": 2, "tributary.max_attempts": 3 }));
    tree.one("invoke_agent notes")
        .has(json!({ "tributary.result_key": "meeting_notes", "tributary.max_attempts": 2 }));
    let retry = tree.one("aggregation.retry");
    retry.has(json!({ "tributary.result_key": "docs", "tributary.attempt": 1, "error.type": "status_503" }));
    assert_eq!(retry.error.as_deref(), Some("status_503"));
    let mut calls: Vec<_> = tree
        .named("aggregation.call")
        .into_iter()
        .map(|call| {
            call.has(
                json!({ "http.request.method": "POST", "url.scheme": "http", "tributary.protocol": "json",
            "server.address": "127.0.0.1", "server.port": scene.agents.addr.port() }),
            );
            assert_eq!(call.kind, 3);
            let of = |name| call.get(name).as_str().unwrap_or_default().to_owned();
            (
                of("tributary.result_key"),
                of("tributary.status"),
                of("error.type"),
                call.get("http.response.status_code").as_i64(),
            )
        })
        .collect();
    calls.sort();
    let wanted = [
        ("docs", "failure", "status_503", Some(503)),
        ("docs", "success", "", Some(200)),
        ("rows", "failure", "status_404", Some(404)),
        ("slow", "timeout", "timeout", None),
    ];
    let wanted = wanted.map(|(a, b, c, d)| (a.to_owned(), b.to_owned(), c.to_owned(), d));
    assert_eq!(calls, wanted);
}

#[tokio::test]
async fn every_span_is_of_its_session_and_user_and_the_result_says_what_it_is_made_of() {
    let scene = Scene::new().await;
    let (_, tree) = told(&scene).await;
    for span in tree.0.iter().filter(|span| !span.name.starts_with("POST")) {
        span.has(json!({ "session.id": "conv-22", "langfuse.session.id": "conv-22", "user.id": "user-42",
            "gen_ai.conversation.id": "conv-22", "langfuse.user.id": "user-42", "tributary.session_id": "s",
            "tributary.plan_step_id": "p" }));
    }
    let step = tree.one("plan_step");
    step.has(json!({ "tributary.step.status": "partial_failure", "tributary.expected": 5,
        "openinference.span.kind": "CHAIN", "langfuse.observation.type": "chain", "error.type": null }));
    assert!(step.error.is_none() && step.get("tributary.input.digest").as_str().unwrap().len() == 32);
    let result = tree.one("subagent.aggregation");
    result.has(json!({ "openinference.span.kind": "CHAIN", "tributary.inputs": 5, "tributary.successes": 2,
        "tributary.failures": 3, "tributary.truncated": 0 }));
    assert!(result.get("tributary.tokens").as_u64().unwrap() > 0);
    let answer = tree.one("synthesize-results");
    answer.has(json!({ "openinference.span.kind": "CHAIN", "tributary.method": "extractive" }));
    assert!(answer.get("tributary.synthesis.length").as_u64().unwrap() > 0);
    assert!((0.0..=1.0).contains(&answer.get("tributary.quality.overall").as_f64().unwrap()));
    for span in [result, answer] {
        assert_inside(span, step, LATE_US);
    }
}

#[tokio::test]
async fn appends_are_linked_to_the_outputs_that_they_tell_of() {
    let scene = Scene::new().await;
    let (events, tree) = told(&scene).await;
    let outputs: Vec<_> = tree.named("invoke_agent").into_iter().map(|span| span.id.clone()).collect();
    let last = events.last().unwrap()["sequence"].as_u64().unwrap();
    for name in ["aggregation.wait", "aggregation.emit"] {
        let spans = tree.named(name);
        for span in &spans {
            assert!(span.links.iter().all(|(trace, id)| trace == TRACE && outputs.contains(id)), "{span:#?}");
            let of = |name| span.get(name).as_u64().unwrap();
            let (from, to) = (of("tributary.sequence.from"), of("tributary.sequence.to"));
            assert_eq!(of("tributary.entries"), to + 1 - from);
            assert!((1..=last).contains(&from), "{span:#?}");
        }
        // Each of the two that pushed, and its end. A reader who lags is told no more than the latest of what it gets.
        let linked = ["crm", "notes"].map(|key| {
            let id = &tree.one(&format!("invoke_agent {key}")).id;
            spans.iter().any(|span| span.links.iter().any(|(_, link)| link == id))
        });
        let least = if name == "aggregation.wait" { 2 } else { 1 };
        assert!(linked.into_iter().filter(|linked| *linked).count() >= least, "{name}: {linked:?}");
    }
    let emitted = tree.named("aggregation.emit");
    for wait in tree.named("aggregation.wait") {
        let from = wait.get("tributary.sequence.from");
        let Some(emit) = emitted.iter().find(|emit| emit.get("tributary.sequence.from") == from) else {
            continue;
        };
        assert_eq!(emit.links, wait.links);
        // Both are told by a clock that follows the store's, to the millisecond.
        assert!(emit.end_us >= wait.start_us - 3 * MILLISECOND_US, "{emit:#?} {wait:#?}");
    }
}

#[tokio::test]
async fn a_reader_is_a_span_of_the_step_that_it_reads_or_of_its_own_caller() {
    let scene = Scene::new().await;
    let (events, tree) = told(&scene).await;
    let planner = scene.app.planner("s");
    let stream = tree.one("stream");
    assert_eq!(stream.kind, 2);
    stream.has(json!({ "tributary.framing": "sse", "tributary.verdict": "new", "tributary.recovered": true,
        "tributary.sequence.from": 0, "tributary.sequence.to": events.last().unwrap()["sequence"] }));
    assert!(stream.get("tributary.frames").as_u64().unwrap() > 0);
    // Its caller traces itself, elsewhere.
    let own = format!("00-{OWN_TRACE}-{OWN_SPAN}-01");
    let request = scene
        .app
        .get(planner.events("p"))
        .header("accept", "application/x-ndjson")
        .header("traceparent", own);
    assert_eq!(request.send().await.status, 200);
    let tree = scene.told("p", |tree| tree.named("stream").len() == 2).await;
    let second = tree.named("stream").into_iter().find(|span| span.trace == OWN_TRACE).unwrap();
    assert_eq!(second.parent, OWN_SPAN);
    assert_eq!(second.links, [(TRACE.to_owned(), tree.one("plan_step").id.clone())]);
    second.has(json!({ "tributary.framing": "ndjson" }));
}
