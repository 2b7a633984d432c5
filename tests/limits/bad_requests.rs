//! Requests that lead nowhere: wrong ids, methods, types and paths.

use serde_json::json;

use crate::harness::{TestApp, assert_problem, open_plan};

#[tokio::test]
async fn ids_that_are_none_are_refused_everywhere() {
    let app = TestApp::new().start().await;
    let long = "x".repeat(129);
    for id in ["a%20b", "%2e%2e", "a%2Fb", "%C3%A4", "%FF", &long] {
        for path in [
            format!("/planner/sessions/{id}"),
            format!("/planner/sessions/{id}/events"),
            format!("/planner/sessions/s/steps/{id}"),
            format!("/planner/sessions/s/steps/{id}/events"),
        ] {
            assert_problem(&app.get(path).send().await, 422, "invalid_id");
        }
        for path in [
            format!("/planner/sessions/{id}/steps"),
            format!("/planner/sessions/{id}/close"),
            format!("/planner/sessions/s/steps/{id}/cancel"),
            format!("/planner/sessions/s/steps/p/subagents/{id}/events"),
        ] {
            assert_problem(&app.post(path).json(&json!({})).send().await, 422, "invalid_id");
        }
    }
    let longest = "x".repeat(128);
    assert_problem(&app.get(format!("/planner/sessions/{longest}")).send().await, 404, "unknown_session");
}

#[tokio::test]
async fn files_that_no_text_can_name_are_not_there() {
    let app = TestApp::new().start().await;
    for folder in ["schemas", "console", "docs"] {
        assert_problem(&app.get(format!("/{folder}/%FF")).send().await, 404, "not_found");
    }
}

#[tokio::test]
async fn wrong_methods_are_told_the_right_ones() {
    let app = TestApp::new().start().await;
    for (method, path, allow) in [
        ("PUT", "/planner/sessions/s/steps", vec!["POST"]),
        ("GET", "/planner/sessions/s/steps", vec!["POST"]),
        ("POST", "/planner/sessions/s", vec!["GET", "DELETE"]),
        ("DELETE", "/planner/sessions/s/events", vec!["GET"]),
        ("GET", "/planner/sessions/s/steps/p/subagents/a/events", vec!["POST"]),
        ("PATCH", "/planner/sessions/s/steps/p", vec!["GET"]),
        ("POST", "/healthz", vec!["GET"]),
        ("PUT", "/bridges/durable-streams/sessions/s", vec!["GET", "HEAD"]),
    ] {
        let answer = app.request(method, path).send().await;
        assert_problem(&answer, 405, "method_not_allowed");
        let allowed = answer.header("allow").unwrap_or_else(|| panic!("no Allow for {method} {path}"));
        let allowed: Vec<_> = allowed.split(',').map(str::trim).collect();
        assert!(allow.iter().all(|method| allowed.contains(method)), "{method} {path}: {allowed:?}");
        assert!(!allowed.contains(&method));
        // docs/bridges/durable-streams.md: every answer there has it.
        let is_stream = path.starts_with("/bridges/durable-streams/");
        assert_eq!(answer.header("x-content-type-options") == Some("nosniff"), is_stream, "{path}");
    }
}

#[tokio::test]
async fn wrong_types_are_told_the_right_ones() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let paths =
        ["/steps", "/steps/p/progress", "/steps/p/safety", "/steps/p/cancel", "/safety", "/cancel", "/close"];
    for path in paths.map(|path| planner.path(path)) {
        for media_type in
            ["text/plain", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data"]
        {
            let answer = app.post(&path).body(media_type, "{}").send().await;
            let problem = assert_problem(&answer, 415, "unsupported_media_type");
            assert!(problem["detail"].as_str().unwrap().contains("application/json"));
        }
    }
    let a = planner.subagent("p", "a");
    for media_type in ["text/plain", "application/octet-stream", "application/ndjson"] {
        let answer = app.post(&a.path).body(media_type, "{\"status\":\"success\"}").send().await;
        assert_problem(&answer, 415, "unsupported_media_type");
    }
    let event = app.post(&a.path).body("application/json; charset=utf-16", "{\"status\":\"success\"}");
    assert_problem(&event.send().await, 415, "unsupported_media_type");
    let raw = format!("{}?raw=true", a.path);
    for charset in ["utf-16le", "\"UTF-16\"", "utf-32"] {
        let media_type = format!("text/plain; charset={charset}");
        let answer = app.post(&raw).body(&media_type, "h\0e\0l\0l\0o\0").send().await;
        assert_problem(&answer, 415, "unsupported_media_type");
    }
    let answer =
        app.post(&a.path).body("Application/JSON; charset=utf-8", "{\"status\":\"success\"}").send().await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn hours_are_read_like_other_counts() {
    let app = TestApp::new().start().await;
    for path in ["/analytics/subagents", "/analytics/feedback"] {
        let answer = app.get(format!("{path}?hours=1.5")).send().await;
        let problem = assert_problem(&answer, 422, "invalid_event");
        assert_eq!(problem["detail"], "`hours` is a whole number, not `1.5`");
        let answer = app.get(format!("{path}?hours={}", u64::MAX)).send().await;
        assert_problem(&answer, 422, "limit_reached");
        app.get(format!("{path}?hours=1")).send().await.expect(200);
    }
}

/// Who gives two values means one of them, and nobody knows which.
#[tokio::test]
async fn what_has_one_value_has_it_once() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let (events, result) = (planner.path("/events"), planner.path("/steps/p/result"));
    for (path, name, value) in [
        (&*events, "after", "start"),
        (&events, "last_event_id", ""),
        (&events, "limit", "5"),
        (&events, "last", "5"),
        (&events, "batch", "1"),
        (&events, "coalesce", "auto"),
        (&events, "ticket", "t"),
        (&result, "format", "json"),
        (&result, "partial", "true"),
        (&result, "wait_ms", "1"),
        ("/planner/sessions", "limit", "5"),
        ("/analytics/subagents", "hours", "1"),
        ("/shadow/discrepancies", "kind", "answer"),
    ] {
        let answer = app.get(format!("{path}?{name}={value}&x=1&x=2&{name}={value}")).send().await;
        let problem = assert_problem(&answer, 422, "invalid_event");
        assert_eq!(problem["detail"], format!("`{name}` is given more than once"), "{path}");
    }
    let a = planner.subagent("p", "a");
    for query in ["raw=true&raw=false", "raw=true&result_key=a&result_key=b"] {
        let answer = app.post(format!("{}?{query}", a.path)).json(&json!("text")).send().await;
        assert_problem(&answer, 422, "invalid_event");
    }
    for path in [&*events, "/bridges/langgraph/threads/s/stream"] {
        let places = app.get(path).header("last-event-id", "start").header("last-event-id", "tail");
        let problem = assert_problem(&places.send().await, 422, "invalid_event");
        assert_eq!(problem["detail"], "`Last-Event-ID` is given more than once", "{path}");
    }
    let path = "/bridges/durable-streams/sessions/s";
    for twice in ["live", "cursor", "offset"] {
        let answer = app.get(format!("{path}?offset=now&live=sse&cursor=1&{twice}=1")).send().await;
        assert_problem(&answer, 400, "invalid_cursor");
    }
    // Each of these names more.
    planner.get("/events?subagent=a&subagent=b&type=step_started&type=synthesis").send().await.expect(200);
}

/// Whoever writes `types` gets everything otherwise, and thinks that all of it is of that type.
#[tokio::test]
async fn what_is_nearly_a_parameter_is_refused_and_other_parameters_are_passed_over() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let (events, result) = (planner.path("/events"), planner.path("/steps/p/result"));
    for (path, near, meant) in [
        (&*events, "types=synthesis", "type"),
        (&events, "subagents=a", "subagent"),
        (&events, "Limit=5", "limit"),
        (&result, "wait=5", "wait_ms"),
        (&result, "Format=llm", "format"),
        ("/planner/sessions", "limits=5", "limit"),
        ("/analytics/subagents", "hour=1", "hours"),
    ] {
        let problem = assert_problem(&app.get(format!("{path}?{near}")).send().await, 422, "unknown_field");
        let name = near.split('=').next().unwrap();
        assert_eq!(problem["detail"], format!("the parameter `{name}` isn't known; `{meant}` is"), "{path}");
    }
    let a = planner.subagent("p", "a");
    for near in ["Raw=true", "resultKey=a"] {
        let answer = app.post(format!("{}?{near}", a.path)).json(&json!({"status": "partial"})).send().await;
        assert_problem(&answer, 422, "unknown_field");
    }
    // Of clients that stand in for an `EventSource`, and of those that want nothing cached.
    let others = "_=1&t=2&lastEventId=x&time=3&format=llm";
    app.get(format!("{events}?{others}")).send().await.expect(200);
    app.post(format!("{}?{others}", a.path)).json(&json!({"status": "partial"})).send().await.expect(200);
}

/// As names of fields are: a problem document isn't as long as what was sent.
#[tokio::test]
async fn values_of_the_query_are_repeated_in_part() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let (long, events) = ("9".repeat(4_000), planner.path("/events"));
    let mut paths: Vec<String> = ["after", "last_event_id", "limit", "last", "batch", "coalesce", "type"]
        .map(|name| format!("{events}?{name}={long}"))
        .into();
    let result = planner.path("/steps/p/result");
    paths.extend(["wait_ms", "partial", "format", "explain"].map(|name| format!("{result}?{name}={long}")));
    paths.push(format!("/analytics/subagents?hours={long}"));
    for path in paths {
        let answer = app.get(&path).send().await;
        assert!(matches!(answer.status, 400 | 422), "{path:.60}: {}", answer.status);
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("999…`") && detail.len() < 250, "{path:.60}: {detail}");
    }
    let header = planner.get("/events").header("last-event-id", long).send().await;
    assert!(assert_problem(&header, 400, "invalid_cursor").to_string().len() < 700);
}

#[tokio::test]
async fn unknown_paths_steps_and_sessions_are_404_by_their_own_code() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    for path in
        ["/", "/nowhere", "/planner", "/planner/sessions/s/nowhere", "/planner/sessions/s/steps/p/nowhere"]
    {
        assert_problem(&app.get(path).send().await, 404, "not_found");
    }
    for path in ["/steps/q", "/steps/q/events"] {
        assert_problem(&planner.get(path).send().await, 404, "unknown_step");
    }
    let progress = json!({"message": "m"});
    let safety = json!({"decision": "allow", "policy": "x", "reason": "y"});
    for (path, body) in
        [("/steps/q/progress", &progress), ("/steps/q/safety", &safety), ("/steps/q/cancel", &json!({}))]
    {
        for session in ["s", "t"] {
            let answer = app.post(app.planner(session).path(path)).json(body).send().await;
            assert_problem(&answer, 404, "unknown_step");
        }
    }
    for (path, body) in [("/safety", safety.clone()), ("/cancel", json!({})), ("/close", json!({}))] {
        assert_problem(
            &app.post(app.planner("t").path(path)).json(&body).send().await,
            404,
            "unknown_session",
        );
    }
    for path in ["/planner/sessions/t", "/planner/sessions/t/events"] {
        assert_problem(&app.get(path).send().await, 404, "unknown_session");
    }
}

#[tokio::test]
async fn problems_are_never_cached() {
    let app = TestApp::new().start().await;
    for request in [app.get("/nowhere"), app.get("/planner/sessions/t"), app.post("/healthz")] {
        let answer = request.send().await;
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{}", answer.text());
    }
}
