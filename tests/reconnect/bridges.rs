//! What bridges tell of what isn't kept any more, what nobody may see, and of a service that is full: never a success, and
//! never a task that isn't there.

use serde_json::{Value, json};

use crate::harness::{Folder, Incoming, Planner, TestApp, assert_problem, eventually, open_plan, within};

fn step(fields: &Value) -> Value {
    let mut step = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}]});
    step.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    step
}

async fn task(app: &TestApp, method: &str, id: &str) -> Value {
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"id": id}});
    let post = app.post("/bridges/a2a/sessions/s").header("a2a-version", "1.0").json(&request);
    post.send().await.expect(200)
}

/// A session whose data is over.
async fn expired(archive: Option<&Folder>) -> (TestApp, Planner) {
    let mut app = TestApp::new().env("CACHE__TTL_SECONDS", 1).env("CACHE__SWEEP_MS", 20);
    if let Some(folder) = archive {
        app = app.env("ARCHIVE__URL", folder.url());
    }
    let app = app.start().await;
    let planner = app.planner("s");
    planner.post(&step(&json!({}))).await.expect(201);
    planner.subagent("p", "a").say("success", 1, "x").await;
    eventually("the session's data to expire", || async {
        let page = planner.page("/events?after=0").await;
        (page["source"] == "archive" || page["verdict"]["reason"] == "expired").then_some(())
    })
    .await;
    (app, planner)
}

#[tokio::test]
async fn no_task_is_made_up_of_a_session_that_expired() {
    let (app, _) = expired(None).await;
    for id in ["neverwas", "p"] {
        for method in ["GetTask", "SubscribeToTask", "CancelTask"] {
            let told = task(&app, method, id).await;
            assert_eq!(told["error"]["code"], -32001, "{method} {id}: {told}");
        }
    }
}

#[tokio::test]
async fn a_durable_stream_of_a_step_that_expired_has_one_answer() {
    let (app, planner) = expired(None).await;
    for id in ["neverwas", "p"] {
        let path = format!("/bridges/durable-streams/sessions/s/steps/{id}");
        for query in ["", "?offset=-1", "?offset=now", "?offset=now&live=long-poll", "?offset=now&live=sse"] {
            let answer = app.get(format!("{path}{query}")).send().await;
            assert_problem(&answer, 410, "session_expired");
        }
        assert_eq!(app.request("HEAD", path).send().await.status, 410, "{id}");
    }
    drop(planner);
}

/// The log is closed until a directive comes; what is about a result that can be read is taken.
#[tokio::test]
async fn feedback_and_the_monoliths_answer_are_taken_where_only_an_archive_has_the_step() {
    let folder = Folder::new();
    let (app, planner) = expired(Some(&folder)).await;
    for path in ["/steps/p/cancel", "/steps/p/progress", "/close"] {
        let body = if path.ends_with("progress") { json!({"message": "m"}) } else { json!({}) };
        let answer = app.post(planner.path(path)).json(&body).send().await;
        assert_problem(&answer, 410, "session_expired");
    }
    planner.get("/steps/p/result").send().await.expect(200);
    let feedback = app.post(planner.path("/steps/p/result/feedback")).json(&json!({"score": 1}));
    feedback.send().await.expect(201);
    let legacy = app.post(planner.path("/steps/p/legacy-response")).json(&json!({"answer": "It is x."}));
    legacy.send().await.expect(200);
}

#[tokio::test]
async fn a_step_in_the_shadow_is_no_success_of_any_bridge() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    planner.post(&step(&json!({"shadow": true, "more_steps": true}))).await.expect(201);
    assert_eq!(task(&app, "GetTask", "p").await["error"]["code"], -32001, "while it runs");
    planner.subagent("p", "a").succeed().await;
    assert_eq!(task(&app, "GetTask", "p").await["error"]["code"], -32001);
    let input =
        json!({"threadId": "t", "runId": "r", "messages": [], "tools": [], "context": [], "state": {}});
    let run = app.post("/bridges/ag-ui/sessions/s/steps/p").json(&input).send().await;
    assert!(run.text().contains("RUN_ERROR") && !run.text().contains("RUN_FINISHED"), "{}", run.text());
    let chat = app.post("/bridges/ai-sdk/sessions/s/steps/p").json(&json!({"messages": []})).send().await;
    assert!(chat.text().contains(r#""type":"error""#), "{}", chat.text());
    assert!(!chat.text().contains(r#""type":"finish""#), "{}", chat.text());
    let mut graph = app.sse("/bridges/langgraph/threads/s/runs/p/stream").await;
    assert_eq!(graph.expect("error").await.json()["error"], "unknown_step");
}

#[tokio::test]
async fn who_joins_a_run_whose_beginning_is_gone_is_told_its_state() {
    let app = TestApp::new().env("CACHE__RING_ENTRIES", 16).start().await;
    let planner = open_plan(app.client(), "s", &["g", "h"]).await;
    planner.subagent("p", "g").say("success", 1, "found").await;
    for revision in 1..=30 {
        planner.subagent("p", "h").say("partial", revision, "on").await;
    }
    let mut run = app.sse("/bridges/langgraph/threads/s/runs/p/stream?stream_mode=values").await;
    run.expect("metadata").await;
    run.expect("values").await;
    // Whatever else follows comes of this.
    planner.tell("/steps/p/cancel", json!({})).await;
    let state = run.expect("values").await.json();
    assert_eq!(state["subagents"]["g"]["status"], "success", "{state}");
    assert_eq!(state["subagents"]["h"]["status"], "in_progress", "{state}");
}

/// A stream that ends at once would be asked for again at once.
#[tokio::test]
async fn a_durable_stream_without_a_seat_is_refused_before_it_begins() {
    let app = TestApp::new().env("LIMITS__READERS", 1).env("LIMITS__READERS_PER_SESSION", 1).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut seated = app.sse(planner.events("p")).await;
    seated.open().await;
    for offset in ["now", "-1"] {
        let path = format!("/bridges/durable-streams/sessions/s/steps/p?offset={offset}&live=sse");
        let refused = app.get(path).header("accept", "text/event-stream").send().await;
        assert_problem(&refused, 503, "over_capacity");
        assert!(refused.header("retry-after").is_some());
    }
    drop(seated);
    app.settled("readers", 0).await;
    let path = "/bridges/durable-streams/sessions/s/steps/p?offset=-1&live=sse";
    let mut stream = app.get(path).open().await.unwrap();
    assert_eq!(stream.status, 200);
    heard(&mut stream, "step_started").await;
    planner.subagent("p", "a").say("partial", 1, "x").await;
    heard(&mut stream, r#""status":"partial""#).await;
}

/// Reads until something was said.
async fn heard(stream: &mut Incoming, what: &str) {
    let mut said = String::new();
    while !said.contains(what) {
        let bytes = within(what, stream.next()).await.unwrap();
        said.push_str(&String::from_utf8_lossy(&bytes.expect("it goes on")));
    }
}
