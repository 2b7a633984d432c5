//! Where a reader may start, and which of several starts counts.

use serde_json::{Value, json};

use crate::harness::{Planner, Request, TestApp, assert_problem, open_plan};

async fn plan(app: &TestApp) -> Planner {
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let events: Vec<Value> = (1..=8).map(|n| json!({"status": "partial", "revision": n})).collect();
    planner.subagent("p", "a").post(&json!(events)).await.expect(200);
    planner
}

/// The cursor after so many entries.
async fn cursor_at(planner: &Planner, sequence: u64) -> String {
    let page = planner.page(&format!("/events?limit={sequence}")).await;
    assert_eq!(page["to"].as_u64(), Some(sequence));
    page["next"].as_str().unwrap().to_owned()
}

/// What `open` says of the start, and the first sequence that is shown.
async fn begins(request: Request) -> (Value, u64, bool) {
    let mut reader = request.sse().await;
    let open = reader.expect("open").await.json();
    (open["reason"].clone(), open["from"].as_u64().unwrap(), open["recovered"].as_bool().unwrap())
}

#[tokio::test]
async fn every_start_begins_where_it_says() {
    let app = TestApp::new().start().await;
    let planner = plan(&app).await;
    let cursor = cursor_at(&planner, 4).await;
    for (query, reason, from) in [
        ("", "new", 0),
        ("?after=start", "new", 0),
        ("?after=tail", "new", 10),
        ("?after=0", "ok", 0),
        ("?after=7", "ok", 7),
        (&format!("?after={cursor}"), "ok", 4),
        (&format!("?last_event_id={cursor}"), "ok", 4),
        ("?last=3", "new", 7),
        ("?last=0", "new", 10),
        ("?last=1000", "new", 0),
        ("?last=2&type=step_started", "new", 0),
    ] {
        let seen = begins(planner.get(&format!("/events{query}"))).await;
        assert_eq!(seen, (json!(reason), from, true), "{query}");
    }
}

#[tokio::test]
async fn header_goes_before_last_event_id_and_that_before_after() {
    let app = TestApp::new().start().await;
    let planner = plan(&app).await;
    let (four, six) = (cursor_at(&planner, 4).await, cursor_at(&planner, 6).await);
    let queries = [
        format!("after=2&last_event_id={four}"),
        format!("last_event_id={four}&after=start"),
        format!("last=1&after={four}"),
    ];
    for query in &queries {
        let path = format!("/events?{query}");
        assert_eq!(begins(planner.get(&path)).await.1, 4, "{query}");
        assert_eq!(begins(planner.get(&path).header("last-event-id", &six)).await.1, 6, "{query}");
        let page = planner.get(&path).header("last-event-id", &six).send().await.expect(200);
        assert_eq!(page["from"].as_u64(), Some(7), "{query}");
    }
    let empty = planner.get("/events?last_event_id=&after=3").header("last-event-id", "");
    assert_eq!(begins(empty).await.1, 3, "an empty one is none");
    let empty = planner.get("/events?last_event_id=&after=").header("last-event-id", "");
    assert_eq!(begins(empty).await, (json!("new"), 0, true), "whichever it is");
    // What stands behind the first of them says nothing.
    for query in ["after=zzz", "last_event_id=zzz&after=zzz"] {
        let request = planner.get(&format!("/events?{query}")).header("last-event-id", &six);
        assert_eq!(begins(request).await.1, 6, "{query}");
    }
    assert_eq!(begins(planner.get(&format!("/events?last_event_id={four}&after=zzz"))).await.1, 4);
}

#[tokio::test]
async fn snapshot_is_the_last_of_everything_and_then_live() {
    let app = TestApp::new().start().await;
    let planner = plan(&app).await;
    planner.tell("/steps/p/progress", json!({"message": "one"})).await;
    planner.tell("/steps/p/progress", json!({"message": "two"})).await;
    let allow = json!({"decision": "allow", "policy": "x", "reason": "y"});
    planner.tell("/steps/p/safety", allow.clone()).await;
    planner.tell("/steps/p/safety", allow).await;
    let mut reader = app.sse(format!("{}?after=snapshot&batch=2", planner.events("p"))).await;
    let opened = reader.expect("open").await;
    let (open, mut coverage) = (opened.json(), crate::harness::Coverage::after(&opened.json()));
    assert_eq!((opened.id, &open["reason"], &open["recovered"]), (None, &json!("new"), &json!(true)));
    let (mut shown, mut complete) = (Vec::new(), false);
    while !complete {
        let frame = reader.expect("snapshot").await;
        coverage.take(&frame);
        complete = frame.json()["complete"].as_bool().unwrap();
        assert_eq!(frame.id.is_some(), complete, "only the last one has an id");
        shown.extend(crate::harness::events_of(&frame));
    }
    let sequences: Vec<_> = shown.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    assert_eq!(sequences, [1, 10, 12, 13, 14], "started, last partial, last progress, both policies");
    assert_eq!(coverage.to, 14);
    planner.subagent("p", "a").say("success", 9, "live").await;
    let live = reader.expect("planner_stream").await;
    coverage.take(&live);
    assert!(live.data.contains("\"live\""));
}

#[tokio::test]
async fn page_of_a_snapshot_goes_on_where_it_stands() {
    let app = TestApp::new().start().await;
    let planner = plan(&app).await;
    let page = planner.page("/events?after=snapshot").await;
    assert_eq!((page["events"].as_array().unwrap().len(), page["to"].as_u64()), (2, Some(10)));
    planner.subagent("p", "a").say("partial", 9, "next").await;
    let next = planner.page(&format!("/events?after={}", page["next"].as_str().unwrap())).await;
    assert_eq!(
        (next["events"][0]["sequence"].as_u64(), &next["verdict"]["reason"]),
        (Some(11), &json!("ok"))
    );
}

#[tokio::test]
async fn stream_of_a_step_starts_before_its_first_event() {
    let app = TestApp::new().start().await;
    let planner = plan(&app).await;
    planner.start("q", &["b"]).await;
    let mut reader = app.sse(planner.events("q")).await;
    let (open, mut coverage) = reader.open().await;
    assert_eq!(
        (open["from"].as_u64(), open["tail"].as_u64(), open["oldest"].as_u64()),
        (Some(10), Some(11), Some(1))
    );
    let events = reader.cover(&mut coverage, 11).await;
    assert_eq!((events.len(), &events[0]["type"]), (1, &json!("step_started")));
    let page = planner.page("/steps/q/events").await;
    assert_eq!(
        (page["from"].as_u64(), page["to"].as_u64(), page["plan_step_id"].as_str()),
        (Some(11), Some(11), Some("q"))
    );
}

#[tokio::test]
async fn what_is_no_start_is_refused() {
    let app = TestApp::new().start().await;
    let planner = plan(&app).await;
    for wrong in ["nowhere", "-1", "01", "7f3a91", "7f3a91_1_9C1B2D3E00A1B2C3", "7f3a91_1_9c1b2d3e00a1b2c3_"]
    {
        for accept in ["application/json", "text/event-stream", "application/x-ndjson"] {
            let request = planner.get(&format!("/events?after={wrong}")).header("accept", accept);
            assert_problem(&request.send().await, 400, "invalid_cursor");
        }
        let header = planner.get("/events").header("last-event-id", wrong);
        assert_problem(&header.send().await, 400, "invalid_cursor");
    }
}

/// What concerns the whole session is part of a step's view where it came while the step ran, however that is read.
#[tokio::test]
async fn outcomes_of_the_session_are_seen_in_the_steps_that_ran_then() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let step =
        |id: &str| json!({"plan_step_id": id, "more_steps": true, "expected_subagents": [{"key": "a"}]});
    let outcome = json!({"decision": "allow", "policy": "x", "reason": "y"});
    planner.post(&step("p1")).await.expect(201);
    planner.tell("/safety", outcome.clone()).await;
    planner.subagent("p1", "a").succeed().await;
    let ended = planner.page("/steps/p1/events").await["to"].as_u64().unwrap();
    planner.tell("/safety", outcome).await;
    planner.post(&step("p2")).await.expect(201);
    let sequences = async |query: &str| -> Vec<u64> {
        let page = planner.page(query).await;
        page["events"].as_array().unwrap().iter().map(|event| event["sequence"].as_u64().unwrap()).collect()
    };
    for start in ["", "?after=start", "?after=0", "?after=snapshot"] {
        assert_eq!(sequences(&format!("/steps/p2/events{start}")).await, [ended + 2], "{start}");
    }
    let mut reader = app.sse(format!("{}?after=0", planner.events("p2"))).await;
    let (open, _) = reader.open().await;
    assert_eq!((open["from"].as_u64(), &open["reason"]), (Some(ended + 1), &json!("ok")));
    assert_eq!(sequences("/events?after=0").await[0], 1, "of a session it is all");
    let snapshot = sequences("/steps/p1/events?after=snapshot").await;
    assert_eq!((snapshot[1], snapshot.last()), (2, Some(&ended)), "{snapshot:?}");
    // A snapshot doesn't stand for what it leaves out.
    let page = planner.page("/steps/p1/events?after=snapshot").await;
    assert_eq!((page["to"].as_u64(), &page["closed"]), (Some(ended), &json!(true)));
    let mut reader = app.sse(format!("{}?after=snapshot", planner.events("p1"))).await;
    reader.expect("open").await;
    let whole = reader.until("end").await;
    let last = whole.iter().rfind(|event| event.name == "snapshot").unwrap();
    assert_eq!((last.json()["to"].as_u64(), last.json()["complete"].as_bool()), (Some(ended), Some(true)));
    let at_end = planner.get("/steps/p1/events").header("last-event-id", last.id.as_ref().unwrap());
    assert_eq!(at_end.header("accept", "text/event-stream").send().await.status, 204);
    assert_eq!(sequences("/steps/p1/events?last=1").await, [ended]);
    assert_eq!(sequences("/steps/p1/events?last=2").await, [ended - 1, ended]);
    assert_eq!(sequences("/steps/p2/events?last=5").await, [ended + 2]);
    let whole = sequences("/steps/p1/events").await;
    assert_eq!(sequences("/steps/p1/events?last=100").await, whole);
    let mut reader = app.sse(format!("{}?last=1", planner.events("p1"))).await;
    assert_eq!(reader.until("end").await.last().unwrap().json()["sequence"].as_u64(), Some(ended));
}
