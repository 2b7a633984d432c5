//! Bodies that are wrong: each gets a problem document that says where, and changes nothing.

use serde_json::Value;

use crate::harness::{TestApp, assert_problem, open_plan};

fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

/// Body, status, code, and the pointer of the first issue (`-`: none is given).
type Case = (Vec<u8>, u16, &'static str, &'static str);

fn case(body: impl Into<Vec<u8>>, status: u16, code: &'static str, pointer: &'static str) -> Case {
    (body.into(), status, code, pointer)
}

#[tokio::test]
async fn wrong_directives_are_refused_with_their_place() {
    let app = TestApp::new().start().await;
    let with =
        |rest: &str| format!("{{\"plan_step_id\":\"p\",\"expected_subagents\":[{{\"key\":\"a\"}}]{rest}}}");
    let subagent = |text: &str| format!("{{\"plan_step_id\":\"p\",\"expected_subagents\":[{text}]}}");
    let cases = [
        case("", 400, "invalid_json", ""),
        case("{\"plan_step_id\":", 400, "invalid_json", ""),
        case(with("") + "x", 400, "invalid_json", ""),
        case(b"{\"plan_step_id\":\"\xff\"}".to_vec(), 400, "invalid_json", ""),
        case("[]", 422, "invalid_event", ""),
        case("{}", 422, "invalid_event", "/plan_step_id"),
        case(with(",\"colour\":1"), 422, "unknown_field", "/colour"),
        case(with(",\"deadline_ms\":\"soon\""), 422, "invalid_event", "/deadline_ms"),
        case(with(",\"deadline_ms\":0"), 422, "invalid_event", "/deadline_ms"),
        case(with(",\"deadline_ms\":1e400"), 400, "invalid_json", ""),
        case(with(",\"query\":\"a\",\"query\":\"b\""), 400, "invalid_json", "/query"),
        case(
            with(",\"planner_context\":{\"x\":{\"y\":1,\"y\":2}}"),
            400,
            "invalid_json",
            "/planner_context/x/y",
        ),
        case(with(&format!(",\"planner_context\":{{\"x\":{}}}", nested(5_000))), 400, "invalid_json", ""),
        case(with(",\"parent_step_id\":\"p\""), 422, "invalid_event", "/parent_step_id"),
        case(with(",\"parent_step_id\":\"a b\""), 422, "invalid_id", "/parent_step_id"),
        case(subagent("{\"key\":\"\"}"), 422, "invalid_id", "/expected_subagents/0/key"),
        case(subagent("{\"key\":\"..\"}"), 422, "invalid_id", "/expected_subagents/0/key"),
        case(
            subagent(&format!("{{\"key\":\"{}\"}}", "k".repeat(129))),
            422,
            "invalid_id",
            "/expected_subagents/0/key",
        ),
        case(
            subagent("{\"key\":\"a\",\"max_attempts\":0}"),
            422,
            "invalid_event",
            "/expected_subagents/0/max_attempts",
        ),
        case(
            subagent("{\"key\":\"a\",\"adapter\":\"none\"}"),
            422,
            "invalid_event",
            "/expected_subagents/0/adapter",
        ),
        case(subagent("{\"key\":\"a\",\"colour\":1}"), 422, "unknown_field", "/expected_subagents/0/colour"),
        case(subagent("[\"a\",\"b\"]"), 422, "invalid_event", "/expected_subagents/0"),
    ];
    for (body, status, code, pointer) in cases {
        let shown = String::from_utf8_lossy(&body[..body.len().min(120)]).into_owned();
        let answer = app.post("/planner/sessions/s/steps").body("application/json", body).send().await;
        check(&assert_problem(&answer, status, code), pointer, &shown);
    }
    assert_problem(&app.get("/planner/sessions/s").send().await, 404, "unknown_session");
}

#[tokio::test]
async fn wrong_events_are_refused_with_their_place() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let event = |rest: &str| format!("{{\"status\":\"partial\"{rest}}}");
    let cases = [
        case("", 400, "invalid_json", ""),
        case("nonsense", 400, "invalid_json", ""),
        case("\u{a0}{\"status\":\"partial\"}", 400, "invalid_json", ""),
        case("{\"status\":\"partial\"}\u{c}", 400, "invalid_json", ""),
        case("[{\"status\":\"partial\"},", 400, "invalid_json", ""),
        case(b"{\"status\":\"partial\",\"payload\":\"\xc3\x28\"}".to_vec(), 400, "invalid_json", ""),
        case("1", 422, "invalid_event", ""),
        case("{\"status\":\"done\"}", 422, "invalid_event", "/status"),
        case("{\"type\":\"other\",\"status\":\"partial\"}", 422, "invalid_event", "/type"),
        case(event(",\"subagent\":\"b\""), 422, "invalid_event", "/subagent"),
        case(event(",\"revision\":0"), 422, "invalid_event", "/revision"),
        case(event(",\"revision\":-1"), 422, "invalid_event", "/revision"),
        case(event(",\"revision\":1.5"), 422, "invalid_event", "/revision"),
        case(event(",\"revision\":9007199254740992"), 422, "invalid_event", "/revision"),
        case(event(",\"revision\":1,\"revision\":2"), 400, "invalid_json", "/revision"),
        case(event(",\"result_key\":\"a b\""), 422, "invalid_id", "/result_key"),
        case(event(",\"colour\":1"), 422, "unknown_field", "/colour"),
        case(event(",\"error\":{\"colour\":1}"), 422, "unknown_field", "/error/colour"),
        case(event(",\"payload\":{\"a\":[{\"b\":1,\"b\":1}]}"), 400, "invalid_json", "/payload/a/0/b"),
        case(event(",\"payload\":\"\\ud800\""), 400, "invalid_json", "-"),
        case(event(&format!(",\"payload\":{}", nested(200))), 400, "invalid_json", "-"),
        case(event(&format!(",\"payload\":{}", nested(100_000))), 400, "invalid_json", "-"),
    ];
    for (body, status, code, pointer) in cases {
        let shown = String::from_utf8_lossy(&body[..body.len().min(120)]).into_owned();
        let answer = app.post(planner.subagent("p", "a").path).body("application/json", body).send().await;
        check(&assert_problem(&answer, status, code), pointer, &shown);
    }
    assert_eq!(planner.page("/events").await["tail"], 1);
    // Deep, but not too deep: it can be read back by everyone.
    let deep = event(&format!(",\"payload\":{}", nested(110)));
    assert_eq!(
        app.post(planner.subagent("p", "a").path).body("application/json", deep).send().await.status,
        200
    );
    planner.page("/events").await;
}

#[track_caller]
fn check(problem: &Value, pointer: &str, shown: &str) {
    let given = problem["errors"][0]["pointer"].as_str();
    assert!(
        pointer == "-" || given == Some(pointer),
        "{given:?} instead of {pointer} for {shown}: {problem}"
    );
}

#[tokio::test]
async fn words_are_strings_and_a_problem_says_which() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let directive =
        |rest: &str| format!("{{\"plan_step_id\":\"q\",\"expected_subagents\":[{{\"key\":\"a\"}}],{rest}}}");
    let wrong = ["{\"%\":null}", "{\"%\":1}", "{}", "[]", "true", "1"];
    for (value, word) in wrong.iter().flat_map(|value| [(value, "retrieval"), (value, "llm")]) {
        let value = value.replace('%', word);
        let (body, pointer) = match word {
            "llm" => (directive(&format!("\"synthesis\":{{\"mode\":{value}}}")), "/synthesis/mode"),
            _ => (directive(&format!("\"task_type\":{value}")), "/task_type"),
        };
        let answer = app.post(planner.path("/steps")).body("application/json", body.clone()).send().await;
        let problem = assert_problem(&answer, 422, "invalid_event");
        check(&problem, pointer, &body);
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("expected one of `") && detail.contains(word), "{detail}");
    }
    let decision = "{\"decision\":{\"refuse\":null},\"policy\":\"x\",\"reason\":\"y\"}";
    let answer = app.post(planner.path("/steps/p/safety")).body("application/json", decision).send().await;
    check(&assert_problem(&answer, 422, "invalid_event"), "/decision", decision);
    assert_eq!(planner.step("p").await["status"], "in_progress");
}

#[tokio::test]
async fn long_names_are_cut_and_a_language_has_bounds() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let name = "x".repeat(900_000);
    let options = format!("{{\"results\":[],\"options\":{{\"{name}\":1}}}}");
    for (path, body) in [
        (planner.path("/steps"), format!("{{\"plan_step_id\":\"q\",\"{name}\":1}}")),
        (planner.path("/steps/p/subagents/a/events"), format!("{{\"status\":\"success\",\"{name}\":1}}")),
        (planner.path("/steps/p/progress"), format!("{{\"message\":\"m\",\"{name}\":1}}")),
        ("/aggregations".to_owned(), format!("{{\"results\":[],\"{name}\":1}}")),
        ("/syntheses".to_owned(), options),
    ] {
        let answer = app.post(&path).body("application/json", body).send().await;
        assert_problem(&answer, 422, "unknown_field");
        assert!(answer.text().len() < 20_000, "{path}: {} bytes", answer.text().len());
    }
    for language in [String::new(), "l".repeat(65)] {
        let synthesis = serde_json::json!({ "language": language });
        let directive = serde_json::json!({"plan_step_id": "q", "expected_subagents": [{"key": "a"}], "synthesis": synthesis});
        check(
            &assert_problem(&planner.post(&directive).await, 422, "invalid_event"),
            "/synthesis/language",
            &language,
        );
    }
}

#[tokio::test]
async fn a_planners_context_has_the_bound_of_an_event() {
    let app = TestApp::new().env("LIMITS__EVENT_BYTES", 1_024).start().await;
    let context = serde_json::json!({"x": "x".repeat(1_024)});
    let directive = serde_json::json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}], "planner_context": context});
    let answer = app.planner("s").post(&directive).await;
    check(&assert_problem(&answer, 413, "event_too_large"), "/planner_context", "its context");
}

#[tokio::test]
async fn wrong_small_bodies_are_refused_with_their_place() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let cases = [
        ("/steps/p/progress", "{}", "invalid_event", "/message"),
        ("/steps/p/progress", "{\"message\":\" \"}", "invalid_event", "/message"),
        ("/steps/p/progress", "{\"message\":\"m\",\"percent\":101}", "invalid_event", "/percent"),
        ("/steps/p/progress", "{\"message\":\"m\",\"colour\":1}", "unknown_field", "/colour"),
        (
            "/steps/p/safety",
            "{\"decision\":\"maybe\",\"policy\":\"x\",\"reason\":\"y\"}",
            "invalid_event",
            "/decision",
        ),
        ("/steps/p/safety", "{\"decision\":\"allow\",\"reason\":\"y\"}", "invalid_event", "/policy"),
        ("/safety", "{\"decision\":\"allow\",\"policy\":\"\",\"reason\":\"y\"}", "invalid_event", "/policy"),
        ("/cancel", "{\"why\":\"x\"}", "unknown_field", "/why"),
        ("/steps/p/cancel", "[]", "invalid_event", ""),
        ("/close", "{\"now\":true}", "unknown_field", "/now"),
    ];
    for (path, body, code, pointer) in cases {
        let answer = app.post(planner.path(path)).body("application/json", body).send().await;
        check(&assert_problem(&answer, 422, code), pointer, body);
    }
    let stranger = "{\"decision\":\"allow\",\"policy\":\"x\",\"reason\":\"y\",\"subagent\":\"z\"}";
    let answer = app.post(planner.path("/steps/p/safety")).body("application/json", stranger).send().await;
    assert_problem(&answer, 404, "unknown_subagent");
    assert_eq!(planner.page("/events").await["tail"], 1);
}

/// It is JSON, and says so itself: what is wrong is its size.
#[tokio::test]
async fn number_beyond_a_double_is_told_as_that() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let path = planner.subagent("p", "a").path;
    for path in [path.clone(), format!("{path}?raw=true")] {
        let body = "{\"status\":\"partial\",\"payload\":{\"x\":-1e400}}";
        let answer = app.post(path).body("application/json", body).send().await;
        let detail = assert_problem(&answer, 400, "invalid_json")["detail"].as_str().unwrap().to_owned();
        assert!(detail.starts_with("a number is larger than a double can hold"), "{detail}");
    }
}
