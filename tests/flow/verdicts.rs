//! What becomes of a subagent's event: accepted, duplicate, stale, late or conflict, and what is refused beside them.

use serde_json::{Value, json};

use crate::harness::{TestApp, assert_problem, essential, open_plan};

fn verdicts(body: &Value) -> Vec<&str> {
    body["results"].as_array().unwrap().iter().map(|result| result["verdict"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn revisions_decide_what_becomes_of_an_event() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let a = planner.subagent("p", "a");
    assert_eq!(a.say("partial", 2, "two").await, json!({"verdict": "accepted", "sequence": 3}));
    assert_eq!(a.say("partial", 2, "two").await, json!({"verdict": "duplicate", "sequence": 3}));
    assert_eq!(a.say("partial", 1, "one").await["verdict"], "stale");
    let other = a.post(&json!({"status": "partial", "revision": 2, "payload": {"content": "other"}})).await;
    let problem = assert_problem(&other, 409, "revision_conflict");
    assert_eq!((verdicts(&problem), problem["conflict"].as_u64()), (vec!["conflict"], Some(1)));
    assert_eq!(a.say("success", 9, "nine").await["verdict"], "accepted");
    assert_eq!(a.say("success", 9, "nine").await["verdict"], "duplicate", "also after the end");
    assert_eq!(a.say("partial", 3, "three").await["verdict"], "stale", "stale goes before late");
    assert_eq!(a.say("partial", 10, "ten").await["verdict"], "late");
    assert_eq!(a.succeed().await["late"], 1, "without a revision it is the next one");
    let page = planner.page("/events?subagent=a&type=planner_stream").await;
    let contents: Vec<_> =
        page["events"].as_array().unwrap().iter().map(|e| e["content"]["revision"].clone()).collect();
    assert_eq!(contents, [2, 9]);
    assert_eq!(planner.step("p").await["subagents"][0]["late"], 2);
}

#[tokio::test]
async fn telemetry_and_spelling_make_no_conflict() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let a = planner.subagent("p", "a");
    for (text, verdict) in [
        (r#"{"status":"success","revision":1,"payload":{"n":1.0,"a":"\u00e9"}}"#, "accepted"),
        (
            r#"{"payload": {"a":"é", "n":1}, "telemetry":{"latency_ms":5}, "revision":1, "status":"completed"}"#,
            "duplicate",
        ),
    ] {
        let answer = app.post(&a.path).body("application/json", text).send().await.expect(200);
        assert_eq!(verdicts(&answer), [verdict], "{text}");
    }
}

#[tokio::test]
async fn items_are_decided_one_by_one_and_the_worst_gives_the_status() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let a = planner.subagent("p", "a");
    let event =
        |revision: u64, content: &str| json!({"status": "partial", "revision": revision, "payload": content});
    let mixed =
        json!([event(1, "x"), event(1, "x"), {"revision": 2}, event(1, "y"), event(3, "z"), event(2, "w")]);
    let problem = assert_problem(&a.post(&mixed).await, 422, "invalid_event");
    let expected = ["accepted", "duplicate", "invalid", "conflict", "accepted", "stale"];
    assert_eq!(verdicts(&problem), expected);
    let counts =
        ["accepted", "duplicate", "conflict", "stale", "late"].map(|name| problem[name].as_u64().unwrap());
    assert_eq!(counts, [2, 1, 1, 1, 0]);
    assert_eq!(problem["errors"][0]["index"], 2);
    let conflict =
        assert_problem(&a.post(&json!([event(4, "x"), event(4, "y")])).await, 409, "revision_conflict");
    assert_eq!(
        (verdicts(&conflict), &conflict["errors"][0]["index"]),
        (vec!["accepted", "conflict"], &json!(1))
    );
}

#[tokio::test]
async fn array_of_one_is_answered_as_an_array() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let a = planner.subagent("p", "a");
    let problem = assert_problem(&a.post(&json!([{"status": "bogus"}])).await, 422, "invalid_event");
    assert_eq!(
        (&problem["errors"][0]["index"], &problem["errors"][0]["pointer"]),
        (&json!(0), &json!("/status"))
    );
    let problem = assert_problem(&a.post(&json!({"status": "bogus"})).await, 422, "invalid_event");
    assert_eq!(problem["errors"][0].get("index"), None, "one event has no place");
}

#[tokio::test]
async fn sender_of_nothing_is_told_where_it_stands() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let cursor = planner.step("p").await["cursor"].clone();
    let bodies =
        [("application/json", "[]"), ("application/x-ndjson", "\n"), ("text/event-stream", ": nothing\n\n")];
    for (media_type, nothing) in bodies {
        let send = async |step: &str, key: &str| {
            app.post(planner.subagent(step, key).path).body(media_type, nothing).send().await
        };
        let answer = send("p", "a").await.expect(200);
        assert_eq!((&answer["results"], &answer["cursor"]), (&json!([]), &cursor), "{media_type}: {answer}");
        assert_problem(&send("p", "nobody").await, 404, "unknown_subagent");
        assert_problem(&send("never", "a").await, 404, "unknown_step");
    }
}

#[tokio::test]
async fn retryable_error_is_a_retry_while_attempts_are_left() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let expected = json!([{"key": "a", "max_attempts": 2}, {"key": "b"}]);
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    let a = planner.subagent("p", "a");
    let error = json!({"error": {"code": "busy", "message": "try again", "retryable": true}});
    a.post(&error).await.expect(200);
    a.say("partial", 2, "second try").await;
    assert_eq!(planner.step("p").await["subagents"][0]["attempts"], 2);
    a.post(&error).await.expect(200);
    let events = planner.page("/events?subagent=a").await["events"].clone();
    let events = events.as_array().unwrap();
    let expected = ["subagent_started", "a:retry", "a:partial", "a:error", "subagent_completed"];
    assert_eq!(essential(events), expected);
    let attempts: Vec<_> =
        events[1..4].iter().map(|event| event["content"]["attempt"].as_u64().unwrap()).collect();
    assert_eq!((attempts, &events[1]["content"]["error"]["code"]), (vec![2, 2, 2], &json!("busy")));
    assert_eq!(events[4]["content"]["attempts"], 2);
}

#[tokio::test]
async fn strangers_are_turned_away() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let event = json!({"status": "success"});
    assert_problem(&planner.subagent("p", "b").post(&event).await, 404, "unknown_subagent");
    assert_problem(&planner.subagent("q", "a").post(&event).await, 404, "unknown_step");
    assert_problem(&app.planner("t").subagent("p", "a").post(&event).await, 404, "unknown_step");
    // One of several is that item's fault, and no reason to say that the address is wrong.
    let items = json!([{"status": "partial"}, {"status": "partial", "result_key": "nobody"}]);
    let mixed = planner.subagent("p", "a").post(&items).await;
    assert_eq!(assert_problem(&mixed, 422, "unknown_subagent")["accepted"], 1);
    let disagrees = json!({"status": "success", "subagent": "b"});
    assert_problem(&planner.subagent("p", "a").post(&disagrees).await, 422, "invalid_event");
    assert_eq!(planner.step("p").await["subagents"][0]["status"], "partial");
}

#[tokio::test]
async fn success_whose_payload_is_null_is_refused_and_ends_nothing() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["crm"]).await;
    let crm = planner.subagent("p", "crm");
    let problem =
        assert_problem(&crm.post(&json!({"status": "success", "payload": null})).await, 422, "invalid_event");
    assert_eq!(problem["errors"][0]["pointer"], "/payload", "{problem}");
    assert!(problem["errors"][0]["detail"].as_str().unwrap().contains("null"), "{problem}");
    let raw = app.post(format!("{}?raw=true", crm.path)).body("application/json", "null").send().await;
    assert_problem(&raw, 422, "invalid_event");
    assert_eq!(planner.step("p").await["status"], "in_progress");
    // Before the success it is as good as absent.
    crm.post(&json!({"status": "partial", "payload": null})).await.expect(200);
    crm.succeed().await;
}

#[tokio::test]
async fn failure_is_kept_as_it_was_told() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    for (key, error) in [
        ("a", json!({"code": "x", "message": "m", "retryable": false})),
        ("b", json!({"code": "x", "message": "m"})),
    ] {
        planner.subagent("p", key).post(&json!({"error": error})).await.expect(200);
        let page = planner.page(&format!("/events?subagent={key}&type=planner_stream")).await;
        let content = &page["events"][0]["content"];
        assert_eq!((&content["status"], &content["error"]), (&json!("error"), &error));
    }
}

#[tokio::test]
async fn raw_output_says_in_the_query_which_one_it_is() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let expected = json!([{"key": "a", "result_key": "one"}, {"key": "a", "result_key": "two"}]);
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    let send = async |query: &str| {
        let path = format!("{}?raw=true{query}", planner.subagent("p", "a").path);
        app.post(path).body("text/plain", "a quote is valid for 30 days").send().await
    };
    assert_problem(&send("").await, 422, "invalid_event");
    assert_problem(&send("&result_key=three").await, 404, "unknown_subagent");
    assert_problem(&send("&result_key=a%20b").await, 422, "invalid_id");
    send("&result_key=two").await.expect(200);
    let step = planner.step("p").await;
    let subagents = step["subagents"].as_array().unwrap();
    let statuses: Vec<_> = subagents.iter().map(|subagent| subagent["status"].clone()).collect();
    assert_eq!(statuses, ["pending", "success"]);
}

#[tokio::test]
async fn query_names_the_output_of_events_too_and_none_may_name_another() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let expected = json!([{"key": "a", "result_key": "one"}, {"key": "a", "result_key": "two"}]);
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    let send = async |body: &str, media: &str| {
        let path = format!("{}?result_key=one", planner.subagent("p", "a").path);
        app.post(path).body(media, body).send().await
    };
    let other = send(r#"{"status":"success","result_key":"two"}"#, "application/json").await;
    let problem = assert_problem(&other, 422, "invalid_event");
    assert_eq!(problem["errors"][0]["pointer"], "/result_key", "{problem}");
    send(r#"{"status":"partial","payload":"x"}"#, "application/json").await.expect(200);
    send(r#"[{"status":"partial","result_key":"one","payload":"y"}]"#, "application/json").await.expect(200);
    let measured = r#"{"status":"success","payload":"z","telemetry":{"latency_ms":930.4}}"#;
    send(&format!("{measured}\n"), "application/x-ndjson").await.expect(200);
    let page = planner.page("/events?type=planner_stream&subagent=a").await;
    let last = page["events"].as_array().unwrap().last().unwrap();
    let said =
        (&last["content"]["result_key"], &last["content"]["revision"], &last["telemetry"]["latency_ms"]);
    assert_eq!(said, (&json!("one"), &json!(3), &json!(930)), "{last}");
}

/// Whether there is the session makes no difference to who sends into a step that isn't there.
#[tokio::test]
async fn results_of_what_nobody_expects_are_there_with_and_without_the_session() {
    let app = TestApp::new().start().await;
    open_plan(app.client(), "known", &["a"]).await;
    let wrong = "{\"status\":\"partial\"}";
    for (media, body, many) in [
        ("application/json", wrong.to_owned(), false),
        ("application/json", format!("[{wrong},{wrong}]"), true),
        ("application/x-ndjson", format!("{wrong}\n{wrong}\n"), true),
    ] {
        let mut seen = Vec::new();
        for session in ["known", "unknown"] {
            let path = format!("/planner/sessions/{session}/steps/q/subagents/a/events");
            let answer = app.post(path).body(media, &*body).send().await;
            let mut problem = assert_problem(&answer, 404, "unknown_step");
            let results = problem["results"].as_array().unwrap().clone();
            assert_eq!(results.len(), if many { 2 } else { 1 }, "{problem}");
            assert!(results.iter().all(|result| result["code"] == "unknown_step"), "{problem}");
            problem.as_object_mut().unwrap().remove("cursor");
            let shape: Vec<String> = problem.as_object().unwrap().keys().cloned().collect();
            seen.push((shape, problem["errors"].as_array().map(Vec::len), problem["accepted"].clone()));
        }
        assert_eq!(seen[0], seen[1], "{media}");
    }
}
