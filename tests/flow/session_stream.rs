//! One connection for all steps of a session.

use serde_json::json;

use crate::harness::{TestApp, essential};

#[tokio::test]
async fn session_stream_spans_steps_until_the_planner_closes_it() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let step =
        |id: &str| json!({"plan_step_id": id, "more_steps": true, "expected_subagents": [{"key": "a"}]});
    planner.post(&step("one")).await.expect(201);
    let mut reader = app.sse(planner.path("/events")).await;
    let (_, mut coverage) = reader.open().await;
    let mut events = Vec::new();
    for id in ["one", "two", "three"] {
        if id != "one" {
            planner.post(&step(id)).await.expect(201);
        }
        planner.subagent(id, "a").succeed().await;
        let tail = planner.page("/events").await["tail"].as_u64().unwrap();
        events.extend(reader.cover(&mut coverage, tail).await);
    }
    let ended: Vec<_> = events.iter().filter(|event| event["type"] == "plan_step_completed").collect();
    let steps: Vec<_> = ended.iter().map(|event| event["plan_step_id"].as_str().unwrap()).collect();
    assert_eq!(steps, ["one", "two", "three"]);
    coverage.assert_whole(coverage.to);
    planner.tell("/close", json!({})).await;
    let last = reader.until("end").await;
    let end = last.last().unwrap();
    assert_eq!(end.json()["reason"], "session_closed");
    assert_eq!(end.json()["sequence"], planner.page("/events").await["tail"]);
    assert_eq!(reader.next().await, None);
}

#[tokio::test]
async fn closing_waits_for_the_steps_that_run() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let step = json!({"plan_step_id": "p", "more_steps": true, "expected_subagents": [{"key": "a"}]});
    planner.post(&step).await.expect(201);
    let mut reader = app.sse(planner.path("/events")).await;
    assert_eq!(planner.tell("/close", json!({})).await["status"], "open");
    planner.subagent("p", "a").succeed().await;
    let seen = reader.until("end").await;
    let events: Vec<_> =
        seen.iter().filter(|e| e.name == "planner_stream").flat_map(crate::harness::events_of).collect();
    assert_eq!(essential(&events).last().unwrap(), "plan_step_completed");
}

#[tokio::test]
async fn stream_ends_by_itself_after_the_last_step() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    for id in ["p", "q"] {
        planner.post(&json!({"plan_step_id": id, "expected_subagents": [{"key": "a"}]})).await.expect(201);
    }
    let mut reader = app.sse(planner.path("/events")).await;
    planner.subagent("p", "a").succeed().await;
    planner.subagent("q", "a").succeed().await;
    let seen = reader.until("end").await;
    assert_eq!(seen.iter().filter(|event| event.name == "end").count(), 1);
    assert_eq!(planner.state().await["status"], "closed");
}

#[tokio::test]
async fn sessions_do_not_see_each_other() {
    let app = TestApp::new().start().await;
    let (one, two) = (app.planner("one"), app.planner("two"));
    for planner in [&one, &two] {
        planner.start("p", &["a"]).await;
        planner.subagent("p", "a").say("partial", 1, &planner.session).await;
    }
    for planner in [&one, &two] {
        let page = planner.page("/events").await;
        let events = page["events"].as_array().unwrap();
        assert!(events.iter().all(|event| event["session_id"] == planner.session), "{page}");
        assert_eq!(page["tail"], 3);
    }
    let foreign = one.page("/events").await["next"].as_str().unwrap().to_owned();
    let page = two.page(&format!("/events?after={foreign}")).await;
    assert_eq!(page["verdict"], json!({"recovered": false, "reason": "epoch_changed"}));
}
