//! Whose traces are told: what the caller decided, and what the sampler says.

use serde_json::json;

use crate::harness::Setup;
use crate::scene::{CALLER, Scene, TRACE, directive, ended, post_traced, traceparent};

/// A step with one output that is called; the `traceparent` that the subagent got.
async fn traceparent_of_call(scene: &Scene, session: &str, caller: Option<&str>) -> String {
    let planner = scene.app.planner(session);
    let mut request = scene.app.post(planner.path("/steps"));
    if let Some(caller) = caller {
        request = request.header("traceparent", caller);
    }
    request.json(&directive(&[scene.called("docs", "/documentation/json")])).send().await.expect(201);
    ended(&planner, "p").await;
    let calls = scene.agents.calls().calls;
    let of_session =
        |call: &&tributary::simulate::Call| call.asked.headers["tributary-session-id"] == session;
    calls.iter().find(of_session).unwrap().asked.headers["traceparent"].clone()
}

async fn sampled_by(sampler: &'static str, argument: &'static str) -> Scene {
    let with = move |setup: Setup| {
        setup.variable("OTEL_TRACES_SAMPLER", sampler).variable("OTEL_TRACES_SAMPLER_ARG", argument)
    };
    Scene::with(with).await
}

#[tokio::test]
async fn a_trace_that_its_caller_does_not_record_is_not_told_and_goes_on_unrecorded() {
    let scene = Scene::new().await;
    let passed_on = traceparent_of_call(&scene, "s", Some(&traceparent("00"))).await;
    assert!(passed_on.starts_with(&format!("00-{TRACE}-")) && passed_on.ends_with("-00"), "{passed_on}");
    let mut reader = scene.app.sse(scene.app.planner("s").events("p")).await;
    reader.until("end").await;
    drop(reader);
    let tree = scene.stopped().await;
    assert!(tree.0.is_empty(), "{tree:#?}");
}

#[tokio::test]
async fn a_ratio_of_zero_tells_nothing_whatever_the_caller_records() {
    let scene = sampled_by("traceidratio", "0").await;
    for (session, caller) in [("recorded", Some(traceparent("01"))), ("alone", None)] {
        let passed_on = traceparent_of_call(&scene, session, caller.as_deref()).await;
        assert!(
            passed_on.ends_with("-00"),
            "{session}: a span that nobody will see is announced: {passed_on}"
        );
    }
    let tree = scene.stopped().await;
    assert!(tree.0.is_empty(), "{tree:#?}");
}

#[tokio::test]
async fn a_ratio_of_one_tells_everything_whatever_the_caller_records() {
    let scene = sampled_by("traceidratio", "1").await;
    let passed_on = traceparent_of_call(&scene, "s", Some(&traceparent("00"))).await;
    assert!(passed_on.ends_with("-01"), "{passed_on}");
    let tree = scene.told("p", |_| true).await;
    tree.assert_whole(TRACE, CALLER);
}

#[tokio::test]
async fn a_sampler_that_follows_the_caller_tells_what_that_records_and_nothing_else() {
    let scene = sampled_by("parentbased_always_off", "").await;
    let alone = traceparent_of_call(&scene, "alone", None).await;
    assert!(alone.ends_with("-00"), "a span that nobody will see is announced: {alone}");
    let recorded = traceparent_of_call(&scene, "recorded", Some(&traceparent("01"))).await;
    assert!(recorded.ends_with("-01"), "{recorded}");
    let tree = scene.stopped().await;
    tree.assert_whole(TRACE, CALLER);
    assert_eq!(tree.named("plan_step").len(), 1);
}

#[tokio::test]
async fn a_planner_without_a_trace_begins_one_here() {
    let scene = Scene::new().await;
    let passed_on = traceparent_of_call(&scene, "s", None).await;
    let tree = scene.told("p", |tree| !tree.named("POST").is_empty()).await;
    let request = tree.one("POST");
    assert_eq!(request.parent, "");
    tree.assert_whole(&request.trace, "");
    assert_eq!(tree.one("plan_step").parent, request.id);
    assert_eq!(passed_on, format!("00-{}-{}-01", request.trace, tree.one("invoke_agent docs").id));
}

#[tokio::test]
async fn baggage_and_tracestate_reach_who_is_called() {
    let scene = Scene::new().await;
    let planner = scene.app.planner("s");
    let request = scene.app.post(planner.path("/steps")).header("traceparent", traceparent("01"));
    let request =
        request.header("tracestate", "vendor=1,other=a%20b").header("baggage", "tenant=acme,tier=2");
    request.json(&directive(&[scene.called("docs", "/documentation/json")])).send().await.expect(201);
    ended(&planner, "p").await;
    let headers = &scene.agents.calls().calls[0].asked.headers;
    assert_eq!(headers["tracestate"], "vendor=1,other=a%20b");
    assert_eq!(headers["baggage"], "tenant=acme,tier=2");
}

#[tokio::test]
async fn only_the_headers_of_the_asked_propagators_are_read_and_handed_on() {
    for (asked, trace, baggage) in
        [("baggage", false, true), ("tracecontext, b3", true, false), ("none", false, false)]
    {
        let scene = Scene::with(move |setup| setup.variable("OTEL_PROPAGATORS", asked)).await;
        let planner = scene.app.planner("s");
        let request = scene.app.post(planner.path("/steps")).header("traceparent", traceparent("01"));
        let request = request.header("tracestate", "vendor=1").header("baggage", "tenant=acme");
        request.json(&directive(&[scene.called("docs", "/documentation/json")])).send().await.expect(201);
        ended(&planner, "p").await;
        let headers = scene.agents.calls().calls[0].asked.headers.clone();
        assert_eq!(headers.contains_key("traceparent"), trace, "{asked}: {headers:?}");
        assert_eq!(headers.contains_key("tracestate"), trace, "{asked}: {headers:?}");
        assert_eq!(headers.contains_key("baggage"), baggage, "{asked}: {headers:?}");
        let tree = scene.told("p", |tree| !tree.named("POST").is_empty()).await;
        assert_eq!(tree.one("POST").trace == TRACE, trace, "{asked}: {tree:#?}");
    }
}

#[tokio::test]
async fn a_subagent_whose_trace_the_directive_names_is_called_in_that_trace() {
    const ELSEWHERE: &str = "0af7651916cd43dd8448eb211c80319c";
    let scene = Scene::new().await;
    let planner = scene.app.planner("s");
    let mut output = scene.called("docs", "/documentation/json");
    output["telemetry"] =
        json!({ "trace_id": ELSEWHERE, "span_id": "b7ad6b7169203331", "tracestate": "own=1" });
    post_traced(scene.app.client(), &planner, &directive(&[output]), "01").await;
    ended(&planner, "p").await;
    let headers = scene.agents.calls().calls[0].asked.headers.clone();
    assert_eq!(headers["traceparent"], format!("00-{ELSEWHERE}-b7ad6b7169203331-01"));
    assert_eq!(headers["tracestate"], "own=1");
    let tree = scene.told("p", |tree| !tree.named("invoke_agent").is_empty()).await;
    tree.assert_whole(TRACE, CALLER);
    assert_eq!(tree.one("invoke_agent docs").links, [(ELSEWHERE.to_owned(), "b7ad6b7169203331".to_owned())]);
}
