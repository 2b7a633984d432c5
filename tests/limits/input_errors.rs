//! Whatever is wrong with an input, its problem says where: in a path, a query, a header, a body or one of its items.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value;

use crate::harness::{Client, Request, TestApp, open_plan};

/// Bodies that are wrong everywhere: broken, of another type, with a field that nothing has, or an array of such.
const BODIES: [&str; 9] = [
    "",
    "{",
    "[1]",
    "7",
    "\"a\"",
    "{\"colour\":1}",
    "{\"a\":1,\"a\":2}",
    "\u{a0}{}",
    "{\"status\":\"done\"}",
];
const POSTS: [&str; 17] = [
    "/planner/sessions/s/steps",
    "/planner/sessions/s/steps/p/progress",
    "/planner/sessions/s/steps/p/safety",
    "/planner/sessions/s/steps/p/cancel",
    "/planner/sessions/s/steps/p/result/feedback",
    "/planner/sessions/s/steps/p/legacy-response",
    "/planner/sessions/s/steps/p/subagents/a/events",
    "/planner/sessions/s/safety",
    "/planner/sessions/s/cancel",
    "/planner/sessions/s/close",
    "/aggregations",
    "/syntheses",
    "/answers",
    "/trees",
    "/tickets",
    "/planner/sessions/s/steps/p/subagents/a/events?raw=perhaps",
    "/aggregations?format=pdf",
];
const GETS: [&str; 26] = [
    "/planner/sessions?limit=0",
    "/planner/sessions?limit=many",
    "/planner/sessions?after=a%20b",
    "/planner/sessions/a%20b",
    "/planner/sessions/%FF",
    "/planner/sessions/s/steps/a%20b",
    "/planner/sessions/s/steps/%FF/events",
    "/planner/sessions/s/steps/p/result?wait_ms=soon",
    "/planner/sessions/s/steps/p/result?partial=perhaps",
    "/planner/sessions/s/steps/p/result?format=pdf",
    "/planner/sessions/s/steps/p/results/a%20b",
    "/planner/sessions/s/events?after=nowhere",
    "/planner/sessions/s/events?last_event_id=nowhere",
    "/planner/sessions/s/events?last=-1",
    "/planner/sessions/s/events?last=4294967296",
    "/planner/sessions/s/events?limit=5001",
    "/planner/sessions/s/events?batch=6",
    "/planner/sessions/s/events?type=other",
    "/planner/sessions/s/events?subagent=",
    "/planner/sessions/s/events?coalesce=perhaps",
    "/analytics/subagents?hours=0",
    "/analytics/subagents?hours=many",
    "/analytics/feedback?hours=many",
    "/shadow/discrepancies?colour=1",
    "/shadow/discrepancies?verdict=perhaps",
    "/shadow/discrepancies?session=a%20b",
];

fn posted(client: Client) -> impl Strategy<Value = Request> {
    let media = prop_oneof![3 => Just("application/json"), 1 => Just("application/x-ndjson"), 1 => Just("text/event-stream")];
    let body = prop_oneof![
        prop::sample::select(BODIES.to_vec()).prop_map(Vec::from),
        Just(b"{\"a\":\"\xff\"}".to_vec())
    ];
    (prop::sample::select(POSTS.to_vec()), media, body).prop_map(move |(path, media, body)| {
        let is_events = path.ends_with("/events");
        let (media, body) = match media {
            "text/event-stream" if is_events => (media, [b"data: ", &body[..], b"\n\n"].concat()),
            "application/x-ndjson" if is_events => (media, body),
            _ => ("application/json", body),
        };
        client.post(path).body(media, body)
    })
}

fn asked(client: Client) -> impl Strategy<Value = Request> {
    prop::sample::select(GETS.to_vec()).prop_map(move |path| client.get(path))
}

fn with_a_wrong_header(client: Client) -> impl Strategy<Value = Request> {
    let long = "k".repeat(256);
    let cancel = client.post("/planner/sessions/s/steps/p/cancel").body("application/json", "{}");
    let read = client.get("/planner/sessions/s/events");
    prop_oneof![
        Just(cancel.header("idempotency-key", long)),
        prop::sample::select(vec!["nowhere", "-1", "7f3a91_1"])
            .prop_map(move |place| read.clone().header("last-event-id", place)),
    ]
}

#[tokio::test]
async fn every_input_error_says_where() {
    const REQUESTS: usize = 300;
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let wrong = prop_oneof![
        6 => posted(app.client()).boxed(),
        4 => asked(app.client()).boxed(),
        1 => with_a_wrong_header(app.client()).boxed(),
    ];
    let mut runner = TestRunner::deterministic();
    let mut seen = 0;
    for _ in 0..REQUESTS {
        let request = wrong.new_tree(&mut runner).unwrap().current();
        let shown = format!("{request:?}");
        let answer = request.send().await;
        // A few of these bodies are right for who takes any JSON, or nothing.
        if answer.status < 300 {
            continue;
        }
        let problem = answer.json();
        assert!(matches!(answer.status, 400 | 413 | 422), "{shown}: {problem}");
        let errors = problem["errors"].as_array().filter(|errors| !errors.is_empty());
        for error in errors.unwrap_or_else(|| panic!("{shown} isn't told where: {problem}")) {
            let pointer = error["pointer"].as_str().unwrap_or_else(|| panic!("{shown}: {problem}"));
            assert!(pointer.is_empty() || pointer.starts_with('/'), "{shown}: {problem}");
            assert!(error["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{shown}: {problem}");
            assert!(error.get("index").is_none_or(Value::is_u64), "{shown}: {problem}");
        }
        seen += 1;
    }
    assert!(seen > REQUESTS / 2, "{seen}");
    drop(planner);
}
