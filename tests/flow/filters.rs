//! Filters and batches: what is left out lies inside what a frame covers.

use serde_json::{Value, json};

use crate::harness::{Planner, TestApp, assert_problem, events_of, open_plan};

async fn plan(app: &TestApp) -> Planner {
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    for revision in 1..=6 {
        planner.subagent("p", "a").say("partial", revision, "a").await;
        planner.subagent("p", "b").say("partial", revision, "b").await;
    }
    planner.subagent("p", "a").succeed().await;
    planner.subagent("p", "b").succeed().await;
    planner
}

#[tokio::test]
async fn filtered_streams_show_only_what_was_asked_and_cover_all() {
    let app = TestApp::new().start().await;
    let planner = plan(&app).await;
    let all = planner.page("/events").await;
    let (all, tail) = (all["events"].as_array().unwrap().clone(), all["tail"].as_u64().unwrap());
    let is = |name: &'static str, value: &'static str| move |event: &&Value| event[name] == value;
    let of = |stage: &'static str| move |event: &&Value| event["content"]["stage"] == stage;
    let cases: [(&str, Vec<Value>); 6] = [
        ("subagent=a", all.iter().filter(of("a")).cloned().collect()),
        ("subagent=a,b", all.iter().filter(|e| of("a")(e) || of("b")(e)).cloned().collect()),
        (
            "subagent=a&subagent=b&type=planner_stream",
            all.iter().filter(is("type", "planner_stream")).cloned().collect(),
        ),
        ("type=step_started,plan_step_completed", vec![all[0].clone(), all.last().unwrap().clone()]),
        (
            "type=subagent_completed&subagent=b",
            all.iter().filter(|e| is("type", "subagent_completed")(e) && of("b")(e)).cloned().collect(),
        ),
        ("subagent=nobody", Vec::new()),
    ];
    for (query, expected) in cases {
        let page = planner.page(&format!("/steps/p/events?{query}")).await;
        assert_eq!(page["events"].as_array().unwrap(), &expected, "page of {query}");
        let mut reader = app.sse(format!("{}?{query}", planner.events("p"))).await;
        let (_, mut coverage) = reader.open().await;
        assert_eq!(reader.cover(&mut coverage, tail).await, expected, "stream of {query}");
        assert_eq!(coverage.to, tail);
        reader.expect("end").await;
    }
}

#[tokio::test]
async fn empty_frame_tells_the_place_when_only_filtered_events_passed() {
    let app = TestApp::new().env("STREAMING__HEARTBEAT_MS", 200).start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let mut reader = app.sse(format!("{}?subagent=b", planner.events("p"))).await;
    let (_, mut coverage) = reader.open().await;
    planner.subagent("p", "a").say("partial", 1, "a").await;
    let empty = loop {
        let event = reader.next().await.unwrap();
        if event.name == "planner_stream" {
            coverage.take(&event);
            assert_eq!(events_of(&event), Vec::<Value>::new());
            if coverage.to == 3 {
                break event;
            }
        }
    };
    // The place is a cursor like any other.
    let again = planner.get("/steps/p/events?subagent=b").header("last-event-id", empty.id.unwrap());
    let open = again.sse().await.expect("open").await.json();
    assert_eq!((open["reason"].as_str(), open["from"].as_u64()), (Some("ok"), Some(3)));
}

#[tokio::test]
async fn frames_have_as_many_events_as_was_asked() {
    let app = TestApp::new().start().await;
    let planner = plan(&app).await;
    for batch in 1..=5 {
        let mut reader = app.sse(format!("{}?batch={batch}", planner.events("p"))).await;
        let (_, mut coverage) = reader.open().await;
        let mut sizes = Vec::new();
        for frame in reader.until("end").await.iter().filter(|event| event.name != "end") {
            coverage.take(frame);
            sizes.push(events_of(frame).len());
        }
        let (last, full) = sizes.split_last().unwrap();
        assert!(full.iter().all(|size| *size == batch) && (1..=batch).contains(last), "{sizes:?}");
    }
    let smaller = TestApp::new().env("STREAMING__BATCH_EVENTS", 2).start().await;
    let planner = plan(&smaller).await;
    for query in ["", "?batch=5"] {
        let mut reader = smaller.sse(format!("{}{query}", planner.events("p"))).await;
        reader.open().await;
        let size = events_of(&reader.expect("planner_stream").await).len();
        assert_eq!(size, 2, "`{query}`: a reader may ask for fewer than is configured, not for more");
    }
}

#[tokio::test]
async fn filters_that_name_nothing_are_refused() {
    let app = TestApp::new().start().await;
    let planner = plan(&app).await;
    for (query, status, code) in [
        ("type=no_such_type", 422, "invalid_event"),
        ("subagent=a%20b", 422, "invalid_id"),
        ("subagent=", 422, "invalid_event"),
        ("type=", 422, "invalid_event"),
        ("coalesce=sometimes", 422, "invalid_event"),
        ("batch=0", 422, "limit_reached"),
        ("batch=6", 422, "limit_reached"),
        ("batch=x", 422, "invalid_event"),
        ("limit=0", 422, "limit_reached"),
        ("limit=-1", 422, "invalid_event"),
        ("last=x", 422, "invalid_event"),
    ] {
        assert_problem(&planner.get(&format!("/events?{query}")).send().await, status, code);
    }
    for name in ["type", "subagent"] {
        let detail = planner.get(&format!("/events?{name}=")).send().await.json()["detail"].to_string();
        assert!(detail.contains(&format!("`{name}` is empty")), "{detail}");
    }
    assert_eq!(planner.page("/events?cache_buster=1").await["tail"], planner.page("/events").await["tail"]);
}

#[tokio::test]
async fn what_concerns_the_whole_session_is_seen_in_every_step() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    planner.start("q", &["a"]).await;
    planner.tell("/safety", json!({"decision": "allow", "policy": "x", "reason": "y"})).await;
    for step in ["p", "q"] {
        let page = planner.page(&format!("/steps/{step}/events?type=policy_outcome")).await;
        assert_eq!(page["events"].as_array().unwrap().len(), 1, "{step}");
    }
}

#[tokio::test]
async fn decision_about_a_subagent_is_seen_with_that_subagent() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let decision = json!({"decision": "escalate", "policy": "x", "reason": "y", "subagent": "a"});
    planner.tell("/steps/p/safety", decision).await;
    for (subagent, count) in [("a", 1), ("b", 0), ("a,b", 1)] {
        let page = planner.page(&format!("/events?subagent={subagent}&type=policy_outcome")).await;
        assert_eq!(page["events"].as_array().unwrap().len(), count, "{subagent}");
    }
}

#[tokio::test]
async fn smaller_page_than_the_last_events_is_what_was_asked_for() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}]})).await.expect(201);
    for at in 1..5 {
        let event =
            json!({"status": "partial", "revision": at, "payload": {"content": format!("part {at}")}});
        planner.subagent("p", "a").post(&event).await.expect(200);
    }
    let page = planner.get("/events?last=4&limit=2").send().await.expect(200);
    let sequences: Vec<u64> =
        page["events"].as_array().unwrap().iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    let tail = page["tail"].as_u64().unwrap();
    assert_eq!(sequences, [tail - 3, tail - 2], "{page}");
}
