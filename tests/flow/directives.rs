//! Posting a directive: once, again, and another under the same id.

use serde_json::json;

use crate::harness::{TestApp, assert_problem, open_plan};

#[tokio::test]
async fn directive_posted_again_gets_the_same_answer() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let directive = json!({"plan_step_id": "p", "session_id": "s", "expected_subagents": [{"key": "a"}]});
    let first = planner.post(&directive).await;
    let location = "/planner/sessions/s/steps/p";
    assert_eq!((first.status, first.header("location")), (201, Some(location)));
    let body = first.json();
    assert_eq!((body["session_id"].as_str(), body["plan_step_id"].as_str()), (Some("s"), Some("p")));
    assert_eq!(body["links"]["self"], location);
    assert_eq!(body["links"]["events"], planner.events("p"));
    planner.subagent("p", "a").succeed().await;
    // Spelt another way: other order, other whitespace, defaults written out.
    let spelt = r#"{ "expected_subagents" : [ {"max_attempts":3, "key":"a", "result_key":"a"} ], "deadline_ms":120000,
        "plan_step_id":"p" }"#;
    for text in [directive.to_string(), spelt.to_owned()] {
        let again = app.post(planner.path("/steps")).body("application/json", text).send().await;
        assert_eq!((again.status, again.text()), (200, first.text()));
    }
    assert_eq!(planner.page("/events?type=step_started").await["events"].as_array().unwrap().len(), 1);
}

/// Every optional field: absent, `null`, its default, or an object or array that says nothing.
#[tokio::test]
async fn directive_that_spells_out_nothing_is_the_same() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let post = |text: String| app.post(planner.path("/steps")).body("application/json", text).send();
    let plain = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}]});
    let first = planner.post(&plain).await;
    assert_eq!(first.status, 201);
    let spelt = [
        r#""session_id":null"#,
        r#""planner_context":null"#,
        r#""planner_context":{}"#,
        r#""planner_context": { } "#,
        r#""query":null,"goal":null,"instructions":null,"document_context":null"#,
        r#""task_type":null,"length":null,"parent_step_id":null"#,
        r#""expected_children":null,"depends_on":null"#,
        r#""expected_children":[],"depends_on":[]"#,
        r#""deadline_ms":null,"more_steps":null,"shadow":null"#,
        r#""deadline_ms":120000,"more_steps":false,"shadow":false"#,
        r#""aggregation":null,"synthesis":null"#,
        r#""aggregation":{},"synthesis":{}"#,
        r#""aggregation":{"min_relevance":null,"max_results":null,"deduplicate":null,"max_result_tokens":null}"#,
        r#""aggregation":{"min_relevance":0,"max_results":20,"deduplicate":true,"max_result_tokens":2000}"#,
        r#""synthesis":{"mode":null,"prompt":null,"language":null,"target_length":null,"format":null}"#,
        r#""synthesis":{"include_contradictions":null,"include_gaps":null,"min_quality":null,"on_low_quality":null}"#,
        r#""synthesis":{"mode":"extractive","format":"structured","min_quality":-0.0,"on_low_quality":"warn"}"#,
        r#""synthesis":{"budget":null}"#,
        r#""synthesis":{"budget":{}}"#,
        r#""synthesis":{"budget":{"tokens":null,"calls":null,"cost":null,"time_ms":null}}"#,
    ];
    for members in spelt {
        let text = format!(r#"{{"plan_step_id":"p","expected_subagents":[{{"key":"a"}}],{members}}}"#);
        let again = post(text).await;
        assert_eq!((again.status, again.text()), (200, first.text()), "{members}");
    }
    let spelt = [
        r#""result_key":null,"adapter":null,"task":null,"deadline_ms":null"#,
        r#""max_attempts":null,"on_degraded":null,"invoke":null,"telemetry":null"#,
        r#""adapter":"generic","max_attempts":3,"on_degraded":"skip""#,
        r#""telemetry":{}"#,
        r#""telemetry":{"trace_id":null,"span_id":null,"latency_ms":null,"metrics":null}"#,
        r#""telemetry":{"metrics":{ }}"#,
    ];
    for members in spelt {
        let again =
            post(format!(r#"{{"plan_step_id":"p","expected_subagents":[{{"key":"a",{members}}}]}}"#)).await;
        assert_eq!((again.status, again.text()), (200, first.text()), "{members}");
    }
    let with_telemetry = |step: &str, members: &str| {
        let telemetry = format!(r#"{{"correlation_id":"c"{members}}}"#);
        format!(r#"{{"plan_step_id":"{step}","expected_subagents":[{{"key":"a","telemetry":{telemetry}}}]}}"#)
    };
    assert_eq!(post(with_telemetry("q", "")).await.status, 201);
    assert_eq!(post(with_telemetry("q", r#","metrics":{}"#)).await.status, 200);
    assert_problem(&post(with_telemetry("q", r#","metrics":{"a":1}"#)).await, 409, "directive_conflict");
    for context in [r#"{"a":null}"#, r#"{"":{}}"#] {
        let other = format!(
            r#"{{"plan_step_id":"p","expected_subagents":[{{"key":"a"}}],"planner_context":{context}}}"#
        );
        assert_problem(&post(other).await, 409, "directive_conflict");
    }
}

#[tokio::test]
async fn another_directive_under_the_same_id_is_a_conflict_and_changes_nothing() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let before = planner.state().await;
    let other = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}, {"key": "b"}]});
    assert_problem(&planner.post(&other).await, 409, "directive_conflict");
    assert_eq!(planner.state().await, before);
    // The same id is free in another session.
    assert_eq!(app.planner("t").post(&other).await.status, 201);
}

#[tokio::test]
async fn directive_without_anyone_to_wait_for_is_refused() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let nobody = json!({"plan_step_id": "p", "expected_subagents": []});
    assert_problem(&planner.post(&nobody).await, 422, "invalid_event");
    let parent = json!({"plan_step_id": "p", "expected_children": ["c"]});
    assert_eq!(planner.post(&parent).await.status, 201);
}

#[tokio::test]
async fn session_of_the_body_must_agree_with_the_path() {
    let app = TestApp::new().start().await;
    let elsewhere = json!({"plan_step_id": "p", "session_id": "t", "expected_subagents": [{"key": "a"}]});
    let problem = assert_problem(&app.planner("s").post(&elsewhere).await, 422, "invalid_event");
    assert_eq!(problem["errors"][0]["pointer"], "/session_id");
    assert_problem(&app.get("/planner/sessions/s").send().await, 404, "unknown_session");
}

#[tokio::test]
async fn key_may_be_expected_several_times_with_result_keys_of_their_own() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let expected = json!([{"key": "a", "result_key": "one"}, {"key": "a", "result_key": "two"}]);
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    let a = planner.subagent("p", "a");
    let which = assert_problem(&a.post(&json!({"status": "success"})).await, 422, "invalid_event");
    assert_eq!(which["errors"][0]["pointer"], "/result_key");
    for result_key in ["two", "one"] {
        a.post(&json!({"status": "success", "result_key": result_key})).await.expect(200);
    }
    assert_problem(
        &a.post(&json!({"status": "success", "result_key": "three"})).await,
        404,
        "unknown_subagent",
    );
    assert_eq!(planner.step("p").await["status"], "completed");
    let twice =
        json!({"plan_step_id": "q", "expected_subagents": [{"key": "a"}, {"key": "b", "result_key": "a"}]});
    assert_problem(&planner.post(&twice).await, 422, "invalid_event");
}

#[tokio::test]
async fn subagent_that_is_switched_off_is_degraded_at_once() {
    let app = TestApp::new().env("SUBAGENTS__VOICE__ENABLED", false).start().await;
    let planner = open_plan(app.client(), "s", &["voice", "a"]).await;
    let page = planner.page("/steps/p/events?subagent=voice&type=planner_stream").await;
    let content = &page["events"][0]["content"];
    assert_eq!(
        (content["status"].as_str(), content["reason"].as_str()),
        (Some("degraded"), Some("disabled"))
    );
    planner.subagent("p", "a").succeed().await;
    assert_eq!(planner.step("p").await["status"], "partial_failure");
}

#[tokio::test]
async fn step_that_is_to_fail_without_a_subagent_fails_where_that_is_switched_off() {
    let app = TestApp::new().env("SUBAGENTS__VOICE__ENABLED", false).start().await;
    for (session, key, wanted) in [
        ("s", "voice", json!({"step": "failed", "subagents": ["degraded", "cancelled"]})),
        // What isn't switched off isn't degraded.
        ("t", "crm", json!({"step": "in_progress", "subagents": ["pending", "pending"]})),
    ] {
        let planner = app.planner(session);
        let expected = json!([{"key": key, "on_degraded": "fail"}, {"key": "b"}]);
        planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
        let step = planner.step("p").await;
        let subagents = step["subagents"].as_array().unwrap();
        let statuses: Vec<_> = subagents.iter().map(|subagent| subagent["status"].clone()).collect();
        assert_eq!(json!({"step": step["status"], "subagents": statuses}), wanted);
    }
    // Who doesn't say so goes on without it.
    let planner = open_plan(app.client(), "u", &["voice", "b"]).await;
    assert_eq!(planner.step("p").await["status"], "in_progress");
}

#[tokio::test]
async fn rollout_flag_turns_planners_away_and_says_so() {
    let app = TestApp::new().env("ROLLOUT__AGGREGATOR_STREAMING", false).start().await;
    let directive = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}]});
    assert_problem(&app.planner("s").post(&directive).await, 404, "feature_disabled");
    assert_eq!(app.get("/healthz").send().await.status, 200);
}
