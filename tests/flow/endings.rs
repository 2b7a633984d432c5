//! How steps end other than by their subagents: deadlines, safety, cancel; and how a session does.

use serde_json::{Value, json};

use crate::harness::{Planner, TestApp, assert_problem, essential, open_plan};

async fn events(planner: &Planner, rest: &str) -> Vec<Value> {
    planner.page(rest).await["events"].as_array().unwrap().clone()
}

#[tokio::test]
async fn subagent_that_is_too_slow_times_out_and_its_result_is_late() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let expected = json!([{"key": "slow", "deadline_ms": 50}, {"key": "good"}]);
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    let mut reader = app.get(format!("{}?type=subagent_completed", planner.events("p"))).sse().await;
    reader.open().await;
    let frame = reader.expect("planner_stream").await.json();
    assert_eq!(frame["events"][0]["content"]["status"], "timeout");
    assert_eq!(planner.subagent("p", "slow").say("success", 1, "at last").await["verdict"], "late");
    planner.subagent("p", "good").succeed().await;
    reader.until("end").await;
    let step = planner.step("p").await;
    assert_eq!(step["status"], "partial_failure");
    assert_eq!(
        (&step["subagents"][0]["status"], &step["subagents"][0]["late"]),
        (&json!("timeout"), &json!(1))
    );
}

#[tokio::test]
async fn step_ends_with_all_it_has_when_its_own_time_is_over() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let directive =
        json!({"plan_step_id": "p", "deadline_ms": 60, "expected_subagents": [{"key": "a"}, {"key": "b"}]});
    planner.post(&directive).await.expect(201);
    app.sse(planner.events("p")).await.until("end").await;
    let timeouts = events(&planner, "/events?type=planner_stream").await;
    assert_eq!(essential(&timeouts), ["a:timeout", "b:timeout"]);
    assert_eq!(planner.step("p").await["status"], "failed");
    assert_problem(
        &app.post(planner.path("/steps/p/progress")).json(&json!({"message": "m"})).send().await,
        409,
        "step_ended",
    );
}

#[tokio::test]
async fn safety_is_always_streamed_and_a_refusal_ends_what_is_open() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b", "c"]).await;
    planner.subagent("p", "a").succeed().await;
    let allow = json!({"decision": "allow", "policy": "pii", "reason": "clean"});
    planner.tell("/steps/p/safety", allow).await;
    let one = json!({"decision": "refuse", "policy": "pii", "reason": "names", "subagent": "b", "severity": "high"});
    planner.tell("/steps/p/safety", one).await;
    let step = planner.step("p").await;
    let statuses: Vec<_> =
        step["subagents"].as_array().unwrap().iter().map(|s| s["status"].as_str().unwrap()).collect();
    assert_eq!((statuses, &step["status"]), (vec!["success", "refused", "pending"], &json!("in_progress")));
    let all = json!({"decision": "refuse", "policy": "abuse", "reason": "weapons"});
    let told = planner.tell("/steps/p/safety", all).await;
    assert_eq!(told["status"], "refused");
    let policies = events(&planner, "/events?type=policy_outcome").await;
    let said: Vec<_> = policies
        .iter()
        .map(|p| (p["content"]["decision"].clone(), p["content"]["terminate"].clone()))
        .collect();
    assert_eq!(
        said,
        [(json!("allow"), json!(false)), (json!("refuse"), json!(false)), (json!("refuse"), json!(true))]
    );
    assert_eq!(told["sequence"], policies[2]["sequence"]);
    let essentials = essential(&events(&planner, "/events").await);
    assert_eq!(essentials.last().unwrap(), "plan_step_completed");
    assert_eq!(essentials.iter().filter(|name| *name == "plan_step_completed").count(), 1);
    assert_eq!(planner.step("p").await["subagents"][0]["status"], "success", "what was found is kept");
}

#[tokio::test]
async fn safety_of_the_session_ends_the_plan() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    planner.start("q", &["a"]).await;
    let mut reader = app.sse(planner.events("p")).await;
    let outcome = json!({"decision": "escalate", "policy": "x", "reason": "y", "terminate": true});
    planner.tell("/safety", outcome).await;
    let seen = reader.until("end").await;
    assert!(seen.iter().any(|frame| frame.data.contains("policy_outcome")), "seen in every step");
    for step in ["p", "q"] {
        assert_eq!(planner.step(step).await["status"], "refused");
    }
}

#[tokio::test]
async fn cancel_ends_a_step_or_all_and_closing_a_stream_never_does() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    for step in ["q", "r"] {
        planner.start(step, &["a", "b"]).await;
    }
    let mut reader = app.sse(planner.events("p")).await;
    reader.open().await;
    drop(reader);
    app.settled("readers", 0).await;
    assert_eq!(planner.step("p").await["status"], "in_progress");
    let told = planner.tell("/steps/q/cancel", json!({"reason": "not needed"})).await;
    assert_eq!(told["status"], "cancelled");
    let q = events(&planner, "/steps/q/events?type=planner_stream").await;
    assert_eq!(
        (essential(&q), &q[0]["content"]["reason"]),
        (vec!["a:cancelled".into(), "b:cancelled".into()], &json!("not needed"))
    );
    let again = planner.tell("/steps/q/cancel", json!({})).await;
    assert_eq!((again["status"].as_str(), again["sequence"].as_u64()), (Some("cancelled"), None));
    planner.tell("/cancel", json!({})).await;
    for step in ["p", "r"] {
        assert_eq!(planner.step(step).await["status"], "cancelled");
    }
}

#[tokio::test]
async fn what_a_summary_cites_stands_in_the_event_that_tells_it() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let directive = json!({"plan_step_id": "p", "query": "How long is a quote valid?", "expected_subagents": [{"key": "docs"}, {"key": "crm"}]});
    planner.post(&directive).await.expect(201);
    let title = "Manual of quotes. ".repeat(10);
    let bring = |key: &str, content: &str, sources: Value| {
        let payload = json!({"content": content, "sources": sources});
        let subagent = planner.subagent("p", key);
        async move { subagent.post(&json!({"status": "success", "payload": payload})).await.expect(200) }
    };
    let sources = json!([{"url": "https://crm.example.com/s"}, {"url": "https://crm.example.com/unread"}]);
    bring("crm", "Only the manager may prolong a quote [1].", sources).await;
    let sources = json!([{"url": "https://docs.example.com/q", "title": title}]);
    bring("docs", "A standard quote is valid for 30 days after it was sent [1].", sources).await;
    let told = events(&planner, "/steps/p/events?type=aggregation,synthesis").await;
    let result = planner.get("/steps/p/result").send().await.expect(200);
    for event in &told {
        let (content, kind) = (&event["content"], &event["type"]);
        let summary = content["summary"].as_str().unwrap();
        let cited = content["sources"].as_array().unwrap();
        let all = result["sources"].as_array().unwrap();
        let in_summary = |source: &&Value| summary.contains(&format!("[{}]", source["id"]));
        let expected: Vec<&Value> = all.iter().filter(in_summary).collect();
        assert!(!expected.is_empty() && expected.len() < all.len(), "{kind}: {summary}");
        assert_eq!(cited.len(), expected.len(), "{kind}: {cited:?}");
        for (cited, source) in cited.iter().zip(expected) {
            assert_eq!((&cited["id"], &cited["url"]), (&source["id"], &source["url"]), "{kind}");
            assert!(cited["title"].as_str().unwrap().chars().count() <= 120, "{kind}: {cited}");
            assert_eq!(cited.as_object().unwrap().len(), 3, "{kind}: {cited}");
        }
    }
    assert_eq!(told.len(), 2);
}

#[tokio::test]
async fn timeout_while_another_attempt_is_waited_for_says_why_the_last_one_failed() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let expected = json!([{"key": "a", "deadline_ms": 1_500}, {"key": "b", "deadline_ms": 1_500}]);
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    let message = "boom ".repeat(200);
    for message in ["first", &message] {
        let error = json!({"code": "no_rows", "message": message, "retryable": true});
        planner.subagent("p", "a").post(&json!({"status": "error", "error": error})).await.expect(200);
    }
    app.sse(planner.events("p")).await.until("end").await;
    let of_status = |status: &'static str| {
        let planner = &planner;
        async move {
            let told = events(planner, "/steps/p/events?type=planner_stream").await;
            told.into_iter().filter(|event| event["content"]["status"] == status).collect::<Vec<_>>()
        }
    };
    assert_eq!(of_status("retry").await.len(), 2);
    let timeouts = of_status("timeout").await;
    let of =
        |stage: &str| &timeouts.iter().find(|event| event["content"]["stage"] == stage).unwrap()["content"];
    let error = &of("a")["error"];
    assert_eq!((&of("a")["reason"], &error["code"]), (&json!("deadline"), &json!("no_rows")));
    let told = error["message"].as_str().unwrap();
    assert!(told.starts_with("boom boom") && told.chars().count() <= 501, "the last one, in short: {told}");
    assert_eq!(of("b").get("error"), None, "nothing failed there");
    let result = planner.get("/steps/p/result").send().await.expect(200);
    let why = result["failures"][0]["error"].as_str().unwrap();
    assert!(why.starts_with("deadline, after: boom") && why.ends_with("(no_rows)"), "{why}");
    assert_eq!(
        (&result["failures"][0]["status"], &result["failures"][1]["error"]),
        (&json!("timeout"), &json!("deadline"))
    );
}

#[tokio::test]
async fn session_is_open_while_more_steps_follow_and_opens_again() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let step = |id: &str, more: bool| json!({"plan_step_id": id, "more_steps": more, "expected_subagents": [{"key": "a"}]});
    planner.post(&step("p", true)).await.expect(201);
    planner.subagent("p", "a").succeed().await;
    let ended = events(&planner, "/events?type=plan_step_completed").await;
    assert_eq!(ended[0]["content"]["more_steps"], true);
    assert_eq!(planner.state().await["status"], "open");
    assert_eq!(planner.page("/events").await["closed"], false);
    let told = planner.tell("/close", json!({})).await;
    assert_eq!(told["status"], "closed");
    assert_eq!(planner.page("/events").await["closed"], true);
    planner.post(&step("q", false)).await.expect(201);
    assert_eq!(planner.state().await["status"], "open", "a later directive opens it again");
    planner.subagent("q", "a").succeed().await;
    assert_eq!(planner.state().await["status"], "closed");
}

#[tokio::test]
async fn progress_of_the_planner_is_an_event_of_its_step() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let progress = json!({"message": "thinking", "percent": 12.5, "payload": {"of": ["mine"]}});
    let told = planner.tell("/steps/p/progress", progress.clone()).await;
    let shown = events(&planner, "/steps/p/events?type=planner_progress").await;
    assert_eq!((&shown[0]["content"], &shown[0]["sequence"]), (&progress, &told["sequence"]));
    planner.tell("/steps/p/progress", json!({"message": "thinking", "percent": 5})).await;
    let page = planner.get("/steps/p/events?type=planner_progress&last=1").send().await;
    assert!(page.text().contains("\"percent\":5}"), "a whole number stays one: {}", page.text());
}

#[tokio::test]
async fn allowance_that_ends_something_is_refused() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let decided = |decision: &str, terminate: bool| json!({"decision": decision, "policy": "x", "reason": "y", "terminate": terminate});
    for rest in ["/steps/p/safety", "/safety"] {
        let answer = app.post(planner.path(rest)).json(&decided("allow", true)).send().await;
        let problem = assert_problem(&answer, 422, "invalid_event");
        assert_eq!(problem["errors"][0]["pointer"], "/terminate");
        assert_eq!(planner.tell(rest, decided("allow", false)).await["session_id"], "s");
    }
    assert_eq!(planner.step("p").await["status"], "in_progress");
    planner.tell("/steps/p/safety", decided("escalate", true)).await;
    assert_eq!(planner.step("p").await["status"], "refused");
}
