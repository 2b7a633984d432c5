//! The end of a step or a closed session: an `EventSource` that asks again is told to stop.

use serde_json::json;

use crate::harness::{Planner, TestApp, essential, events_of, open_plan};

async fn ended(app: &TestApp) -> Planner {
    let planner = open_plan(app.client(), "s", &["a"]).await;
    planner.subagent("p", "a").succeed().await;
    planner
}

#[tokio::test]
async fn end_has_the_readers_place_and_coming_back_with_it_is_204() {
    let app = TestApp::new().start().await;
    let planner = ended(&app).await;
    for path in [planner.events("p"), planner.path("/events")] {
        let mut reader = app.sse(&path).await;
        let end = reader.until("end").await.pop().unwrap();
        assert_eq!((end.id.is_some(), reader.next().await), (true, None));
        let again =
            app.get(&path).header("accept", "text/event-stream").header("last-event-id", end.id.unwrap());
        let answer = again.send().await;
        assert_eq!((answer.status, answer.body.len()), (204, 0), "{path}");
        // A later directive opens the stream again.
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(answer.header("content-length"), None, "{path}");
        let head = app.request("HEAD", format!("{path}?after=tail")).header("accept", "text/event-stream");
        let answer = head.send().await;
        assert_eq!((answer.status, answer.header("content-length")), (204, None), "{path}");
    }
}

#[tokio::test]
async fn what_nobody_sees_after_the_end_of_a_session_keeps_no_reader() {
    let app = TestApp::new().start().await;
    let planner = ended(&app).await;
    let at_end = planner.page("/events").await["next"].as_str().unwrap().to_owned();
    planner.tell("/close", json!({})).await;
    let cancel = app.post(planner.path("/cancel")).header("idempotency-key", "once");
    cancel.json(&json!({})).send().await.expect(200);
    let page = planner.page(&format!("/events?after={at_end}")).await;
    assert_eq!((&page["closed"], &page["events"]), (&json!(true), &json!([])), "{page}");
    assert!(page["tail"].as_u64().unwrap() > page["to"].as_u64().unwrap(), "the log went on: {page}");
    let again = || {
        let stream = app.get(planner.path("/events")).header("accept", "text/event-stream");
        stream.header("last-event-id", &at_end)
    };
    assert_eq!(again().send().await.status, 204);
    // What somebody may see is shown before the end.
    let decision = json!({"decision": "allow", "policy": "p", "reason": "r"});
    planner.tell("/safety", decision).await;
    let mut reader = again().sse().await;
    let seen = reader.until("end").await;
    let events: Vec<_> =
        seen.iter().filter(|event| event.name == "planner_stream").flat_map(events_of).collect();
    assert_eq!(essential(&events), ["policy_outcome"]);
}

#[tokio::test]
async fn reader_of_the_past_still_gets_it_after_the_end() {
    let app = TestApp::new().start().await;
    let planner = ended(&app).await;
    let tail = planner.page("/events").await["tail"].as_u64().unwrap();
    for from in 0..tail {
        let mut reader = app.sse(format!("{}?after={from}", planner.events("p"))).await;
        let (open, mut coverage) = reader.open().await;
        assert_eq!((open["from"].as_u64(), open["reason"].as_str()), (Some(from), Some("ok")));
        reader.cover(&mut coverage, tail).await;
        coverage.assert_whole(tail);
        reader.expect("end").await;
    }
}

#[tokio::test]
async fn page_and_lines_at_the_end_say_that_it_is_closed() {
    let app = TestApp::new().start().await;
    let planner = ended(&app).await;
    let first = planner.page("/steps/p/events").await;
    assert_eq!(first["closed"], true);
    let cursor = first["next"].as_str().unwrap();
    let page = planner.page(&format!("/steps/p/events?after={cursor}")).await;
    assert_eq!(
        (&page["closed"], &page["events"], &page["verdict"]["reason"]),
        (&json!(true), &json!([]), &json!("closed"))
    );
    let lines = planner
        .get(&format!("/steps/p/events?after={cursor}"))
        .header("accept", "application/x-ndjson")
        .send()
        .await;
    let names: Vec<_> = lines.text().lines().map(|line| line.split('"').nth(3).unwrap().to_owned()).collect();
    assert_eq!((lines.status, names), (200, vec!["open".into(), "end".into()]));
}

#[tokio::test]
async fn step_is_over_though_its_session_goes_on() {
    let app = TestApp::new().start().await;
    let planner = ended(&app).await;
    let at_end = planner.page("/steps/p/events").await["next"].as_str().unwrap().to_owned();
    planner.start("q", &["a"]).await;
    let again =
        |path: String| app.get(path).header("accept", "text/event-stream").header("last-event-id", &at_end);
    assert_eq!(again(planner.events("p")).send().await.status, 204);
    let mut session = again(planner.path("/events")).sse().await;
    let (open, mut coverage) = session.open().await;
    assert_eq!(open["reason"], "ok");
    session.cover(&mut coverage, open["tail"].as_u64().unwrap()).await;
}

#[tokio::test]
async fn reader_at_the_tail_of_a_running_step_waits_for_its_end() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(format!("{}?after=tail", planner.events("p"))).await;
    reader.open().await;
    planner.subagent("p", "a").succeed().await;
    let names: Vec<_> = reader.rest().await.into_iter().map(|event| event.name).collect();
    assert_eq!(names.last().unwrap(), "end");
    assert!(names[..names.len() - 1].iter().all(|name| name == "planner_stream"));
}
