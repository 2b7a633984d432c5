//! The state of sessions and steps as planners ask for it.

use serde_json::{Value, json};

use crate::harness::{TestApp, assert_problem, open_plan};

#[tokio::test]
async fn state_of_a_step_follows_its_subagents() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let before = planner.step("p").await;
    assert_eq!(
        (before["status"].as_str(), &before["subagents"][0]["status"]),
        (Some("in_progress"), &json!("pending"))
    );
    assert_eq!(
        (&before["subagents"][0]["revision"], &before["subagents"][0]["latency_ms"]),
        (&json!(0), &Value::Null)
    );
    planner.subagent("p", "a").say("partial", 4, "x").await;
    let a = planner.step("p").await["subagents"][0].clone();
    assert_eq!(
        (a["status"].as_str(), a["revision"].as_u64(), a["attempts"].as_u64()),
        (Some("partial"), Some(4), Some(1))
    );
    planner.subagent("p", "a").succeed().await;
    planner.subagent("p", "b").succeed().await;
    let step = planner.step("p").await;
    assert_eq!(step["status"], "completed");
    assert!(step["subagents"][0]["latency_ms"].is_u64() && step["ended_at"].is_string());
    let page = planner.page("/steps/p/events").await;
    assert_eq!((&step["sequence"]["oldest"], &step["sequence"]["tail"]), (&page["from"], &page["to"]));
    assert_eq!(step["cursor"], page["next"], "the place after its end");
}

#[tokio::test]
async fn state_of_a_session_lists_its_steps_in_order() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    planner.start("q", &["a"]).await;
    planner.subagent("p", "a").succeed().await;
    let state = planner.state().await;
    let steps: Vec<_> = state["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| (s["plan_step_id"].clone(), s["status"].clone()))
        .collect();
    assert_eq!(steps, [(json!("p"), json!("completed")), (json!("q"), json!("in_progress"))]);
    let page = planner.page("/events").await;
    assert_eq!(
        (&state["cursor"], &state["epoch"], &state["sequence"]["tail"]),
        (&page["next"], &page["epoch"], &page["tail"])
    );
    assert_eq!((&state["status"], &state["more_steps"]), (&json!("open"), &json!(false)));
}

#[tokio::test]
async fn sessions_are_listed_page_by_page() {
    let app = TestApp::new().start().await;
    for name in ["c", "a", "e", "b", "d"] {
        open_plan(app.client(), name, &["a"]).await;
    }
    let (mut names, mut after) = (Vec::new(), None);
    loop {
        let query = after.map(|after: String| format!("&after={after}")).unwrap_or_default();
        let list = app.get(format!("/planner/sessions?limit=2{query}")).send().await.expect(200);
        for session in list["sessions"].as_array().unwrap() {
            assert_eq!((&session["status"], &session["open_steps"]), (&json!("open"), &json!(1)));
            names.push(session["session_id"].as_str().unwrap().to_owned());
        }
        match list["next"].as_str() {
            Some(next) => after = Some(next.to_owned()),
            None => break,
        }
    }
    assert_eq!(names, ["a", "b", "c", "d", "e"]);
    let whole = app.get("/planner/sessions?limit=5").send().await.expect(200);
    assert_eq!((whole["sessions"].as_array().unwrap().len(), &whole["next"]), (5, &json!(null)));
}

#[tokio::test]
async fn list_that_is_asked_for_wrongly_is_refused_as_a_page_is() {
    let app = TestApp::new().start().await;
    for (query, code, told) in [
        ("limit=0", "limit_reached", "`limit` is 1 to 1000"),
        ("limit=1001", "limit_reached", "`limit` is 1 to 1000"),
        ("limit=many", "invalid_event", "`limit` is a whole number, not `many`"),
        ("after=a%20b", "invalid_id", "`after`: "),
    ] {
        let answer = app.get(format!("/planner/sessions?{query}")).send().await;
        let problem = assert_problem(&answer, 422, code);
        assert!(problem["detail"].as_str().unwrap().contains(told), "{problem}");
    }
    app.get("/planner/sessions?limit=1000&cache_buster=1").send().await.expect(200);
}

#[tokio::test]
async fn what_changes_is_never_cached() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let operations = ["/healthz", "/readyz", "/analytics/subagents"].map(str::to_owned);
    for path in
        ["/planner/sessions".to_owned(), planner.path(""), planner.path("/steps/p")].iter().chain(&operations)
    {
        let answer = app.get(path).send().await;
        assert_eq!((answer.status, answer.header("cache-control")), (200, Some("no-store")), "{path}");
    }
}

#[tokio::test]
async fn deadlines_are_told_in_utc_with_milliseconds() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let expected = json!([{"key": "a", "deadline_ms": 8_000}, {"key": "b"}]);
    planner
        .post(&json!({"plan_step_id": "p", "deadline_ms": 15_000, "expected_subagents": expected}))
        .await
        .expect(201);
    let step = planner.step("p").await;
    let time = |value: &Value| {
        let text = value.as_str().unwrap();
        assert!(text.len() == 24 && text.ends_with('Z') && text.as_bytes()[19] == b'.', "{text}");
        text.parse::<jiff::Timestamp>().unwrap().as_millisecond()
    };
    let started = time(&step["started_at"]);
    assert_eq!(time(&step["deadline"]) - started, 15_000);
    assert_eq!(time(&step["subagents"][0]["deadline"]) - started, 8_000);
    assert_eq!(time(&step["subagents"][1]["deadline"]) - started, 15_000);
}

#[tokio::test]
async fn session_that_left_memory_is_as_it_was() {
    let app = TestApp::new().env("COORDINATOR__IDLE_MS", 100).start().await;
    let planner = app.planner("s");
    let step =
        |id: &str| json!({"plan_step_id": id, "more_steps": true, "expected_subagents": [{"key": "a"}]});
    planner.post(&step("p")).await.expect(201);
    planner.subagent("p", "a").say("success", 3, "x").await;
    let before = planner.state().await;
    app.settled("active_sessions", 0).await;
    assert_eq!(planner.state().await, before);
    assert_eq!(planner.subagent("p", "a").say("success", 3, "x").await["verdict"], "duplicate");
    assert_eq!(planner.post(&step("p")).await.status, 200);
    planner.post(&step("q")).await.expect(201);
}
