//! Where events stand in their caller's trace: the header, then the directive, then the event's own.

use serde_json::json;

use crate::harness::TestApp;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const OTHER: &str = "0af7651916cd43dd8448eb211c80319c";

#[tokio::test]
async fn every_event_carries_the_nearest_context() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let own = json!({"trace_id": OTHER, "span_id": "b7ad6b7169203331", "correlation_id": "c-1"});
    let expected = json!([{"key": "a"}, {"key": "b", "telemetry": own}]);
    let directive = json!({"plan_step_id": "p", "expected_subagents": expected});
    let header = format!("00-{TRACE}-00f067aa0ba902b7-01");
    let request = app.post(planner.path("/steps")).json(&directive);
    request.header("traceparent", header).header("tracestate", "vendor=1").send().await.expect(201);
    planner.subagent("p", "a").say("partial", 1, "x").await;
    planner.subagent("p", "b").say("partial", 1, "x").await;
    let telemetry =
        json!({"span_id": "00000000000000aa", "latency_ms": 930, "metrics": {"retrieval_count": 4}});
    let event = json!({"status": "success", "revision": 2, "telemetry": telemetry});
    planner.subagent("p", "a").post(&event).await.expect(200);

    let page = planner.page("/events").await;
    let events = page["events"].as_array().unwrap();
    let started = &events[0]["telemetry"];
    assert_eq!(
        (&started["trace_id"], &started["parent_span_id"]),
        (&json!(TRACE), &json!("00f067aa0ba902b7"))
    );
    assert_eq!(started["tracestate"], "vendor=1");
    let of = |stage: &'static str| {
        events.iter().filter(move |event| event["content"]["stage"] == stage).map(|event| &event["telemetry"])
    };
    let spans: Vec<_> = of("a").map(|t| (t["trace_id"].clone(), t["span_id"].clone())).collect();
    assert!(spans.iter().all(|(trace, _)| trace == TRACE));
    assert_eq!(spans[0].1, spans[1].1, "one span an output");
    assert_ne!(&spans[0].1, &started["span_id"]);
    let last = of("a").nth(2).unwrap();
    assert_eq!((&last["span_id"], &last["latency_ms"]), (&telemetry["span_id"], &telemetry["latency_ms"]));
    assert_eq!(last["metrics"], telemetry["metrics"]);
    for b in of("b") {
        assert_eq!(
            (&b["trace_id"], &b["span_id"], &b["correlation_id"]),
            (&own["trace_id"], &own["span_id"], &own["correlation_id"])
        );
    }
    let completed = events.iter().find(|event| event["type"] == "subagent_completed").unwrap();
    assert_eq!(completed["content"]["latency_ms"], 930);
}

#[tokio::test]
async fn what_an_event_says_of_its_place_is_that_events_alone() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let asked = json!({"trace_id": OTHER, "tracestate": "x=y", "correlation_id": "c-1"});
    let expected = json!([{"key": "a", "telemetry": asked}]);
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    let own = json!({"trace_id": TRACE, "span_id": "00000000000000aa"});
    let a = planner.subagent("p", "a");
    a.post(&json!({"status": "partial", "telemetry": own})).await.expect(200);
    a.post(&json!({"status": "partial", "telemetry": {"latency_ms": 7}})).await.expect(200);
    a.post(&json!({"status": "success"})).await.expect(200);
    let page = planner.page("/events?subagent=a").await;
    let told = |event: &serde_json::Value| {
        let telemetry = &event["telemetry"];
        json!([telemetry["trace_id"], telemetry["tracestate"], telemetry["correlation_id"]])
    };
    let told: Vec<_> = page["events"].as_array().unwrap().iter().map(told).collect();
    let (directives, its) = (json!([OTHER, "x=y", "c-1"]), json!([TRACE, null, "c-1"]));
    // Started, two partials, the success and its summary.
    assert_eq!(told, [&directives, &its, &directives, &directives, &directives].map(Clone::clone));
    // The summary of a terminal that says its own stands there as well.
    planner.post(&json!({"plan_step_id": "q", "expected_subagents": expected})).await.expect(201);
    planner.subagent("q", "a").post(&json!({"status": "success", "telemetry": own})).await.expect(200);
    let page = planner.page("/steps/q/events?subagent=a").await;
    let traces: Vec<_> =
        page["events"].as_array().unwrap().iter().map(|event| &event["telemetry"]["trace_id"]).collect();
    assert_eq!(traces, [OTHER, TRACE, TRACE]);
}

#[tokio::test]
async fn broken_header_starts_a_trace_of_its_own() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let directive = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}]});
    let request = app.post(planner.path("/steps")).json(&directive);
    request
        .header("traceparent", "00-00000000000000000000000000000000-00f067aa0ba902b7-01")
        .send()
        .await
        .expect(201);
    let telemetry = planner.page("/events").await["events"][0]["telemetry"].clone();
    let trace = telemetry["trace_id"].as_str().unwrap();
    assert!(trace.len() == 32 && trace.bytes().any(|digit| digit != b'0'));
    assert!(telemetry["parent_span_id"].is_null());
}

#[tokio::test]
async fn telemetry_that_is_none_is_refused_with_its_place() {
    let app = TestApp::new().start().await;
    let planner = crate::harness::open_plan(app.client(), "s", &["a"]).await;
    for (telemetry, pointer) in [
        (json!({"trace_id": "xyz"}), "/telemetry/trace_id"),
        (json!({"span_id": "0000000000000000"}), "/telemetry/span_id"),
        (json!({"metrics": [1]}), "/telemetry/metrics"),
        (json!({"latency_ms": -1}), "/telemetry/latency_ms"),
        (json!({"latency_ms": 1_u64 << 53}), "/telemetry/latency_ms"),
        (json!({"latency_ms": u64::MAX}), "/telemetry/latency_ms"),
    ] {
        let answer =
            planner.subagent("p", "a").post(&json!({"status": "partial", "telemetry": telemetry})).await;
        let problem = crate::harness::assert_problem(&answer, 422, "invalid_event");
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
}

/// Every whole number that is passed on is one that every JSON reader keeps exactly.
#[tokio::test]
async fn highest_whole_number_reaches_readers_and_a_higher_one_is_refused_with_its_place() {
    const HIGHEST: u64 = (1 << 53) - 1;
    let app = TestApp::new().start().await;
    let planner = crate::harness::open_plan(app.client(), "s", &["a"]).await;
    let event =
        json!({"status": "success", "revision": HIGHEST, "telemetry": {"latency_ms": HIGHEST}, "payload": 1});
    assert_eq!(planner.subagent("p", "a").post(&event).await.status, 200);
    let page = planner.page("/events?type=planner_stream").await;
    assert_eq!(page["events"][0]["telemetry"]["latency_ms"], HIGHEST, "{page}");
    assert_eq!(page["events"][0]["content"]["revision"], HIGHEST, "{page}");
    for (members, pointer) in [
        (json!({"synthesis": {"budget": {"tokens": HIGHEST + 1}}}), "/synthesis/budget/tokens"),
        (json!({"synthesis": {"budget": {"time_ms": HIGHEST + 1}}}), "/synthesis/budget/time_ms"),
        (json!({"synthesis": {"budget": {"calls": HIGHEST}}}), "/synthesis/budget/calls"),
        (json!({"length": HIGHEST}), "/length"),
        (
            json!({"expected_subagents": [{"key": "a", "telemetry": {"latency_ms": HIGHEST + 1}}]}),
            "/expected_subagents/0/telemetry/latency_ms",
        ),
    ] {
        let mut directive = json!({"plan_step_id": "q", "expected_subagents": [{"key": "a"}]});
        directive.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        let problem = crate::harness::assert_problem(&planner.post(&directive).await, 422, "invalid_event");
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
}
