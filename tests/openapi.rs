//! `/openapi.json` against the running service: it is valid, it says what there is, and what it says is true.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use serde_json::{Value, json};

#[path = "openapi/answers.rs"]
mod answers;
#[path = "openapi/described.rs"]
mod described;
#[path = "openapi/docs.rs"]
mod docs;
#[path = "openapi/frames.rs"]
mod frames;
#[path = "openapi/schema.rs"]
mod schema;
#[path = "openapi/service.rs"]
mod service;

use described::{Ask, Described};
use schema::{Validator, is_known};
use service::{Service, tributary};

/// The document that the program prints.
fn printed() -> Described {
    let output = tributary(&["openapi"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Described { document: serde_json::from_slice(&output.stdout).unwrap() }
}

fn body(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

const JSON: (&str, &str) = ("content-type", "application/json");
const SSE: (&str, &str) = ("accept", "text/event-stream");

#[test]
fn document_is_whole_and_every_reference_leads_somewhere() {
    let Described { document } = printed();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(
        (&document["info"]["title"], &document["info"]["version"]),
        (&json!("Tributary"), &json!(env!("CARGO_PKG_VERSION")))
    );
    assert_eq!(document["servers"][0]["url"], "/");
    let described = Described { document };
    let tags: BTreeSet<&str> = described.document["tags"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tag| tag["name"].as_str())
        .collect();
    let mut ids = BTreeSet::new();
    for operation in described.operations() {
        let at = format!("{} {}", operation.method, operation.template);
        assert!(ids.insert(operation.described["operationId"].as_str().unwrap()), "{at}: its id is taken");
        assert!(!operation.described["summary"].as_str().unwrap().is_empty(), "{at}");
        assert!(tags.contains(operation.described["tags"][0].as_str().unwrap()), "{at}");
        let in_path = operation.parameters().filter(|parameter| parameter["in"] == "path");
        let in_path: BTreeSet<&str> = in_path
            .map(|parameter| {
                assert_eq!(parameter["required"], true, "{at}");
                parameter["name"].as_str().unwrap()
            })
            .collect();
        let in_template = operation.template.split('{').skip(1).map(|part| part.split('}').next().unwrap());
        assert_eq!(in_path, in_template.collect(), "{at}");
        for (status, response) in operation.described["responses"].as_object().unwrap() {
            assert!((200..600).contains(&status.parse::<u16>().unwrap()), "{at} {status}");
            assert!(!response["description"].as_str().unwrap().is_empty(), "{at} {status}");
        }
    }
    let mut used = BTreeSet::new();
    follow(&described, &described.document["paths"], &mut used);
    follow(&described, &json!({ "$ref": "#/components/schemas/StreamFrame" }), &mut used);
    let all: BTreeSet<&str> =
        described.document["components"]["schemas"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        used.iter().map(String::as_str).collect::<BTreeSet<_>>(),
        all,
        "schemas that nothing leads to"
    );
}

/// Follows every `$ref` below `value`.
fn follow(described: &Described, value: &Value, used: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                let name = reference.strip_prefix("#/components/schemas/").unwrap();
                let found = described.validator().resolve(reference).cloned();
                if used.insert(name.to_owned()) {
                    follow(described, &found.unwrap_or_else(|| panic!("{reference} leads nowhere")), used);
                }
            }
            members.values().for_each(|member| follow(described, member, used));
        }
        Value::Array(items) => items.iter().for_each(|item| follow(described, item, used)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn schemas_are_written_in_keywords_that_the_validator_knows() {
    let described = printed();
    let mut found = BTreeSet::new();
    for schema in described.document["components"]["schemas"].as_object().unwrap().values() {
        Validator::keywords(schema, &mut found);
    }
    let unknown: Vec<_> = found.into_iter().filter(|keyword| !is_known(keyword)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn service_serves_what_the_program_prints() {
    assert_eq!(Described::by(&Service::start(&[])).document, printed().document);
}

/// What `API.md` says of this version.
const PATHS: [&str; 19] = [
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
    "POST /planner/sessions/{session_id}/steps/{plan_step_id}/progress",
    "POST /planner/sessions/{session_id}/steps/{plan_step_id}/safety",
    "POST /planner/sessions/{session_id}/steps/{plan_step_id}/cancel",
    "POST /planner/sessions/{session_id}/steps/{plan_step_id}/subagents/{key}/events",
    "GET /healthz",
    "GET /readyz",
    "GET /openapi.json",
    "GET /docs",
];

#[test]
fn document_lists_exactly_the_routes() {
    let service = Service::start(&[]);
    let described = Described::by(&service);
    let listed: BTreeSet<String> = described
        .operations()
        .iter()
        .map(|operation| format!("{} {}", operation.method.to_ascii_uppercase(), operation.template))
        .collect();
    for path in PATHS {
        assert!(listed.contains(path), "{path} isn't described");
    }
    for operation in described.operations() {
        let path = operation.path(&[], "");
        let answer = service.ask(&operation.method.to_ascii_uppercase(), &path, &[], b"");
        let missing = answer.status == 405 || (answer.status == 404 && answer.json()["code"] == "not_found");
        assert!(!missing, "{} {path} isn't routed: {}", operation.method, answer.text());
        described.check_answer(operation, &answer);
    }
    for (template, item) in described.paths() {
        let operation = described.operations().into_iter().find(|known| known.template == template).unwrap();
        for method in ["GET", "PUT", "POST", "DELETE", "PATCH"] {
            if item.get(method.to_ascii_lowercase()).is_none() {
                let answer = service.ask(method, &operation.path(&[], ""), &[], b"");
                assert_eq!(answer.status, 405, "{method} {template} isn't described: {}", answer.text());
                assert!(answer.header("allow").is_some(), "{method} {template}");
                described.check("Problem", &answer.json());
            }
        }
    }
    // A route can only be added together with its description.
    assert!(!include_str!("../src/edge/http/router.rs").contains(".route("));
}

#[test]
fn every_example_is_taken() {
    let service = Service::start(&[]);
    let described = Described::by(&service);
    let directive = described.operation("post_step").examples()[0].1.clone();
    let mut sent = 0;
    for operation in described.operations() {
        let id = operation.described["operationId"].as_str().unwrap();
        for (media, example) in operation.examples() {
            let session = format!("session-{sent}");
            let ids = [("session_id", session.as_str())];
            if id != "post_step" {
                let ask = Ask { ids: &ids, headers: &[JSON], body: directive.clone(), ..Ask::default() };
                assert_eq!(described.ask(&service, "post_step", &ask).status, 201);
            }
            let ask = Ask { ids: &ids, headers: &[("content-type", media)], body: example, ..Ask::default() };
            let answer = described.ask(&service, id, &ask);
            assert!((200..300).contains(&answer.status), "{id} {media}: {}", answer.text());
            sent += 1;
        }
    }
    assert!(sent >= 11, "{sent}");
}
