//! Bounds of a session's whole life, and of how many sessions there are.

use serde_json::{Value, json};

use crate::harness::{TestApp, assert_problem, open_plan};

#[tokio::test]
async fn session_has_so_many_events_and_can_still_end() {
    let app = TestApp::new().env("LIMITS__EVENTS_PER_SESSION", 10).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let events: Vec<Value> =
        (1..=20).map(|revision| json!({"status": "partial", "revision": revision})).collect();
    let problem = assert_problem(&a.post(&json!(events)).await, 422, "limit_reached");
    assert_eq!((&problem["accepted"], problem["results"].as_array().unwrap().len()), (&json!(8), 20));
    assert_eq!(problem["results"][8]["code"], "limit_reached");
    let progress = app.post(planner.path("/steps/p/progress")).json(&json!({"message": "m"}));
    assert_problem(&progress.send().await, 422, "limit_reached");
    let next = json!({"plan_step_id": "q", "expected_subagents": [{"key": "a"}]});
    assert_problem(&planner.post(&next).await, 422, "limit_reached");
    assert_eq!(a.post(&events[7]).await.expect(200)["duplicate"], 1, "what was stored is known");
    let page = planner.page("/events").await;
    assert_eq!((page["tail"].as_u64(), page["events"].as_array().unwrap().len()), (Some(10), 10));
    planner.tell("/steps/p/cancel", json!({})).await;
    assert_eq!(planner.step("p").await["status"], "cancelled", "what ends something is never refused");
}

#[tokio::test]
async fn session_has_so_many_bytes_and_can_still_end() {
    let app = TestApp::new().env("LIMITS__BYTES_PER_SESSION", 20_000).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let mut stored = 0;
    let refused = loop {
        let answer = a.post(&json!({"status": "partial", "payload": "x".repeat(1_000)})).await;
        if answer.status != 200 {
            break answer;
        }
        stored += 1;
    };
    assert_problem(&refused, 422, "limit_reached");
    assert!((8..=20).contains(&stored), "{stored} events of a good kilobyte");
    let page = planner.page("/events?type=planner_stream").await;
    assert_eq!(page["events"].as_array().unwrap().len(), stored);
    planner.tell("/cancel", json!({})).await;
    assert_eq!(planner.state().await["status"], "closed");
}

#[tokio::test]
async fn full_session_takes_the_results_that_are_expected_and_its_step_ends() {
    let app = TestApp::new().env("LIMITS__EVENTS_PER_SESSION", 10).start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let (a, b) = (planner.subagent("p", "a"), planner.subagent("p", "b"));
    let events: Vec<Value> =
        (1..=20).map(|revision| json!({"status": "partial", "revision": revision})).collect();
    assert_problem(&a.post(&json!(events)).await, 422, "limit_reached");
    let answer = "A quote is valid for 30 days.";
    let success = json!({"status": "success", "payload": {"content": answer, "sources": []}});
    assert_eq!(a.post(&success).await.expect(200)["accepted"], 1);
    let failure = json!({"error": {"code": "x", "message": "it is down"}});
    assert_eq!(b.post(&failure).await.expect(200)["accepted"], 1);
    assert_eq!(planner.step("p").await["status"], "partial_failure");
    let result = planner.get("/steps/p/result").send().await.expect(200);
    assert_eq!(
        (&result["results"][0]["content"], result["failures"].as_array().unwrap().len()),
        (&json!(answer), 1)
    );
    assert_eq!(a.succeed().await["late"], 1, "one each");
}

#[tokio::test]
async fn service_remembers_so_many_sessions() {
    let app = TestApp::new().env("LIMITS__SESSIONS", 2).start().await;
    let planners =
        [open_plan(app.client(), "one", &["a"]).await, open_plan(app.client(), "two", &["a"]).await];
    let directive = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}]});
    assert_problem(&app.planner("three").post(&directive).await, 503, "over_capacity");
    for planner in planners {
        assert_eq!(planner.subagent("p", "a").say("partial", 1, "x").await["verdict"], "accepted");
        planner.start("q", &["a"]).await;
        assert_eq!(planner.page("/events").await["tail"], 4);
    }
    assert_problem(&app.get("/planner/sessions/three").send().await, 404, "unknown_session");
}
