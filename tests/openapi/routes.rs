//! What is listed is there, what is there is listed, and what is shown works.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::described::{Ask, Described};
use super::document::printed;
use super::harness::{Folder, TestApp, eventually};

/// What `API.md` says of this version.
const PATHS: [&str; 24] = [
    "GET /planner/sessions",
    "GET /planner/sessions/{session_id}",
    "DELETE /planner/sessions/{session_id}",
    "POST /planner/sessions/{session_id}/safety",
    "POST /planner/sessions/{session_id}/cancel",
    "POST /planner/sessions/{session_id}/close",
    "GET /planner/sessions/{session_id}/events",
    "POST /planner/sessions/{session_id}/steps",
    "GET /planner/sessions/{session_id}/steps/{plan_step_id}",
    "GET /planner/sessions/{session_id}/steps/{plan_step_id}/events",
    "GET /planner/sessions/{session_id}/steps/{plan_step_id}/result",
    "POST /planner/sessions/{session_id}/steps/{plan_step_id}/result/feedback",
    "POST /planner/sessions/{session_id}/steps/{plan_step_id}/legacy-response",
    "POST /planner/sessions/{session_id}/steps/{plan_step_id}/progress",
    "POST /planner/sessions/{session_id}/steps/{plan_step_id}/safety",
    "POST /planner/sessions/{session_id}/steps/{plan_step_id}/cancel",
    "POST /planner/sessions/{session_id}/steps/{plan_step_id}/subagents/{key}/events",
    "GET /healthz",
    "GET /readyz",
    "GET /analytics/subagents",
    "GET /analytics/feedback",
    "GET /shadow/discrepancies",
    "GET /openapi.json",
    "GET /docs",
];

#[tokio::test]
async fn operations_are_routed() {
    // Streams wait that long for a step that isn't there.
    let app = TestApp::new().env("STREAMING__UNKNOWN_PATIENCE_MS", 10).start().await;
    let described = Described::by(&app).await;
    let operations = described.operations();
    let listed: BTreeSet<String> =
        operations.iter().map(|operation| format!("{} {}", operation.method, operation.template)).collect();
    for path in PATHS {
        assert!(listed.contains(path), "{path} isn't described");
    }
    for operation in operations {
        let answer = app.request(operation.method, operation.path(&[], "")).send().await;
        let is_unrouted = || operation.method != "HEAD" && answer.json()["code"] == "not_found";
        let missing = answer.status == 405 || (answer.status == 404 && is_unrouted());
        assert!(!missing, "{} {}: {}", operation.method, operation.template, answer.text());
        described.check_answer(operation, &answer);
    }
}

#[tokio::test]
async fn methods_that_are_not_described_are_refused() {
    let app = TestApp::new().start().await;
    let described = Described::by(&app).await;
    let operations = described.operations();
    for template in described.paths().keys() {
        let of_path: Vec<_> = operations.iter().filter(|one| one.template == template).collect();
        for method in ["GET", "PUT", "POST", "DELETE", "PATCH"] {
            if of_path.iter().all(|operation| operation.method != method) {
                let answer = app.request(method, of_path[0].path(&[], "")).send().await;
                assert_eq!(answer.status, 405, "{method} {template}: {}", answer.text());
                assert!(answer.header("allow").is_some(), "{method} {template}");
                described.check("Problem", &answer.json());
            }
        }
    }
}

/// `OpenApiRouter::routes` takes a route together with its description; `route` would take it alone.
#[test]
fn routes_are_added_with_their_descriptions() {
    assert!(!include_str!("../../src/edge/http/router.rs").contains(".route("));
}

#[tokio::test]
async fn every_example_is_taken() {
    let folder = Folder::new();
    let app = TestApp::new().env("ARCHIVE__URL", folder.url()).start().await;
    let described = Described::by(&app).await;
    let mut sent = 0;
    for operation in described.operations() {
        for (media, example) in operation.examples() {
            let session = format!("session-{sent}");
            let ids = [("session_id", session.as_str())];
            if operation.id() != "post_step" {
                let mut directive: Value = serde_json::from_slice(&described.example("post_step")).unwrap();
                // A bridge's answer ends with the step, and nobody says anything in this one.
                if operation.path(&ids, "").starts_with("/bridges/") {
                    directive["deadline_ms"] = json!(300);
                }
                let body = Some(("application/json", directive.to_string().into_bytes()));
                let made = described.ask(&app, "post_step", Ask { ids: &ids, body, ..Ask::default() }).await;
                made.expect(201);
            }
            let ask = Ask { ids: &ids, body: Some((media, example)), ..Ask::default() };
            let answer = described.ask(&app, operation.id(), ask).await;
            assert!((200..300).contains(&answer.status), "{} {media}: {}", operation.id(), answer.text());
            sent += 1;
        }
    }
    assert!(sent > 9, "{sent}");
}

#[tokio::test]
async fn refusals_of_the_whole_service_are_as_described() {
    let described = printed();
    let off = TestApp::new().env("ROLLOUT__AGGREGATOR_STREAMING", false).start().await;
    let hurried = TestApp::new().env("LIMITS__REQUESTS_PER_SECOND", 1).start().await;
    let full = TestApp::new().env("SERVER__CONNECTIONS_MAX", 1).start().await;
    // The first connections may come while the service still lets go of an earlier one.
    let mut held = Vec::new();
    for operation in described.operations() {
        if operation.described["tags"][0] == "planner" {
            let answer = described.ask(&off, operation.id(), Ask::default()).await;
            assert_eq!(answer.expect(404)["code"], "feature_disabled", "{}", operation.id());
        }
        let path = operation.path(&[], "");
        if operation.described["responses"]["429"].is_null() {
            assert!(["/healthz", "/readyz", "/metrics"].contains(&path.as_str()), "{path} has a rate");
        } else {
            let answer = eventually("a request too many", || async {
                let answer = hurried.request(operation.method, &path).send().await;
                (answer.status == 429).then_some(answer)
            });
            described.check_answer(operation, &answer.await);
        }
        if path == "/healthz" {
            // Whether it lives is told all the same.
            continue;
        }
        let answer = loop {
            let answer = full.request(operation.method, &path).send().await;
            if answer.status == 503 {
                break answer;
            }
            held.push(full.connect().await);
        };
        if operation.method != "HEAD" {
            assert_eq!(answer.json()["code"], json!("over_capacity"), "{}", operation.id());
        }
        described.check_answer(operation, &answer);
    }
}
