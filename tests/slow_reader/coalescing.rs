//! Who lags is given the coalesced view: partials that a later one replaced are left out by name, nothing else is.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::harness::{Coverage, Planner, SseClient, TestApp, events_of, open_plan};

const PARTIALS: u64 = 3_000;

/// Publishes a step to its end, with something that isn't a partial now and then. Returns the last sequence.
async fn play(planner: &Planner) -> u64 {
    let content = "x".repeat(1_024);
    for first in (1..=PARTIALS).step_by(250) {
        let event = |revision| json!({"status": "partial", "revision": revision, "payload": {"content": content, "sources": []}});
        let events: Vec<Value> = (first..first + 250).map(event).collect();
        for key in ["a", "b"] {
            planner.subagent("p", key).post(&json!(events)).await.expect(200);
        }
        planner.tell("/steps/p/progress", json!({"message": format!("{first}")})).await;
        planner.subagent("p", "c").say("in_progress", first, "still at it").await;
    }
    for key in ["a", "b", "c"] {
        planner.subagent("p", key).succeed().await;
    }
    planner.step("p").await["sequence"]["tail"].as_u64().unwrap()
}

/// Reads what waited, to the end.
async fn catch_up(mut reader: SseClient, mut coverage: Coverage) -> (Coverage, Vec<Value>) {
    let mut shown = Vec::new();
    while let Some(event) = reader.next().await {
        if event.name == "planner_stream" {
            coverage.take(&event);
            shown.extend(events_of(&event));
        }
    }
    (coverage, shown)
}

async fn lagging(app: &TestApp, planner: &Planner, query: &str) -> (SseClient, Coverage) {
    let request = app.get(format!("{}{query}", planner.events("p"))).receive_buffer(2_048);
    let mut reader = request.sse().await;
    let (_, coverage) = reader.open().await;
    (reader, coverage)
}

fn is_partial(event: &Value) -> bool {
    event["content"]["status"] == "partial"
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lagging_reader_is_spared_replaced_partials_and_nothing_else() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b", "c"]).await;
    let (spared, whole) =
        tokio::join!(lagging(&app, &planner, ""), lagging(&app, &planner, "?coalesce=never"));
    let mut prompt = app.sse(planner.events("p")).await;
    let (_, mut promptly) = prompt.open().await;
    let reading = tokio::spawn(async move {
        while let Some(event) = prompt.next().await {
            if event.name == "planner_stream" {
                promptly.take(&event);
            }
        }
        promptly
    });
    let end = play(&planner).await;
    reading.await.unwrap().assert_whole(end);
    let (coverage, all) = catch_up(whole.0, whole.1).await;
    coverage.assert_whole(end);
    assert!(coverage.coalesced.is_empty() && all.len() as u64 == end, "coalesce=never gets all");

    let (coverage, shown) = catch_up(spared.0, spared.1).await;
    coverage.assert_whole(end);
    assert!(
        coverage.coalesced.len() as u64 > PARTIALS,
        "only {} of {end} were left out",
        coverage.coalesced.len()
    );
    let left_out: BTreeSet<u64> = coverage.coalesced.iter().copied().collect();
    let mut last = BTreeMap::new();
    for event in all.iter().filter(|event| event["type"] == "planner_stream") {
        last.insert(event["content"]["stage"].to_string(), event["sequence"].as_u64().unwrap());
    }
    for event in &all {
        let sequence = event["sequence"].as_u64().unwrap();
        if left_out.contains(&sequence) {
            assert!(is_partial(event), "{sequence} is no partial: {event}");
            assert!(last[&event["content"]["stage"].to_string()] > sequence, "nothing replaces {sequence}");
        }
    }
    let kept =
        |events: &[Value]| events.iter().filter(|event| !is_partial(event)).cloned().collect::<Vec<_>>();
    assert_eq!(kept(&shown), kept(&all));
}

#[tokio::test]
async fn backlog_within_the_bound_is_given_whole() {
    let app = TestApp::new().env("STREAMING__COALESCE_BACKLOG", 50).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let events = |revisions: std::ops::Range<u64>| {
        json!(
            revisions.map(|revision| json!({"status": "partial", "revision": revision})).collect::<Vec<_>>()
        )
    };
    planner.subagent("p", "a").post(&events(1..49)).await.expect(200);
    let mut reader = app.sse(planner.events("p")).await;
    let (_, mut coverage) = reader.open().await;
    reader.cover(&mut coverage, 50).await;
    assert_eq!(coverage.coalesced.len(), 0, "a backlog of 50 entries");
    planner.subagent("p", "a").post(&events(49..60)).await.expect(200);
    let mut late = app.sse(planner.events("p")).await;
    let (_, mut coverage) = late.open().await;
    let shown = late.cover(&mut coverage, 61).await;
    coverage.assert_whole(61);
    assert_eq!((coverage.coalesced.len(), shown.len()), (58, 3), "a backlog of 61 entries");
    assert_eq!(shown[2]["content"]["revision"], 59);
}

#[tokio::test]
async fn pages_and_filtered_pages_never_coalesce() {
    let app = TestApp::new().env("STREAMING__COALESCE_BACKLOG", 10).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let events: Vec<Value> =
        (1..=100).map(|revision| json!({"status": "partial", "revision": revision})).collect();
    planner.subagent("p", "a").post(&json!(events)).await.expect(200);
    for query in ["", "&coalesce=auto", "&subagent=a&type=planner_stream"] {
        let page = planner.page(&format!("/events?limit=5000{query}")).await;
        let partials = page["events"].as_array().unwrap().iter().filter(|event| is_partial(event)).count();
        assert_eq!(partials, 100, "{query}");
    }
}

/// Posts partials of one subagent, all at once.
async fn says_much(planner: &Planner, (step, key): (&str, &str), partials: u64) {
    let event = |n| json!({"status": "partial", "payload": {"content": format!("part {n}"), "sources": []}});
    let events: Vec<Value> = (1..=partials).map(event).collect();
    planner.subagent(step, key).post(&json!(events)).await.expect(200);
}

#[tokio::test]
async fn who_asks_for_the_last_so_many_events_gets_them_whatever_lies_between() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    says_much(&planner, ("p", "a"), 400).await;
    planner.start("q", &["a"]).await;
    says_much(&planner, ("q", "a"), 400).await;
    for last in [20, 300] {
        let mut reader = app.sse(format!("{}?last={last}", planner.events("p"))).await;
        let (open, mut coverage) = reader.open().await;
        let (mut shown, tail) = (0, open["tail"].as_u64().unwrap());
        while coverage.to < tail {
            let frame = reader.expect("planner_stream").await;
            coverage.take(&frame);
            shown += events_of(&frame).len();
        }
        assert!(shown == last && coverage.coalesced.is_empty(), "{shown} of {last}");
    }
}
