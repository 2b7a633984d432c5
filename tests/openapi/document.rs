//! The document by itself.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};

use super::described::{Described, Operation};
use super::harness::TestApp;
use super::schema::{Validator, is_known};

/// The document that the program prints.
pub fn printed() -> Described {
    let output = Command::new(env!("CARGO_BIN_EXE_tributary")).arg("openapi").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Described { document: serde_json::from_slice(&output.stdout).unwrap() }
}

#[tokio::test]
async fn service_serves_what_the_program_prints() {
    let app = TestApp::new().start().await;
    assert_eq!(Described::by(&app).await.document, printed().document);
}

#[test]
fn document_is_of_this_version() {
    let Described { document } = printed();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["info"]["title"], "Tributary");
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(document["servers"][0]["url"], "/");
}

#[test]
fn operations_are_whole() {
    let described = printed();
    let tags = described.document["tags"].as_array().unwrap().iter();
    let tags: BTreeSet<&str> = tags.map(|tag| tag["name"].as_str().unwrap()).collect();
    let mut ids = BTreeSet::new();
    for operation in described.operations() {
        let at = format!("{} {}", operation.method, operation.template);
        assert!(ids.insert(operation.id()), "{at}: its id is taken");
        assert!(!operation.described["summary"].as_str().unwrap().is_empty(), "{at}");
        assert!(tags.contains(operation.described["tags"][0].as_str().unwrap()), "{at}");
        let in_template = operation.template.split('{').skip(1).map(|part| part.split('}').next().unwrap());
        assert_eq!(names_in_path(&operation), in_template.collect(), "{at}");
        for (status, response) in operation.described["responses"].as_object().unwrap() {
            assert!((200..600).contains(&status.parse::<u16>().unwrap()), "{at} {status}");
            assert!(!response["description"].as_str().unwrap().is_empty(), "{at} {status}");
        }
    }
}

fn names_in_path<'d>(operation: &Operation<'d>) -> BTreeSet<&'d str> {
    let in_path = operation.parameters().filter(|parameter| parameter["in"] == "path");
    let required = in_path.inspect(|parameter| assert_eq!(parameter["required"], true, "{parameter}"));
    required.map(|parameter| parameter["name"].as_str().unwrap()).collect()
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_used() {
    let described = printed();
    let mut used = BTreeSet::new();
    follow(&described, &described.document["paths"], &mut used);
    // Streams are texts to OpenAPI 3.1; the description of their form names it.
    follow(&described, &json!({ "$ref": "#/components/schemas/StreamFrame" }), &mut used);
    let all = described.document["components"]["schemas"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(used, all);
}

fn follow(described: &Described, value: &Value, used: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                let name = reference.strip_prefix("#/components/schemas/").unwrap();
                let schema = described.document.pointer(&reference[1..]);
                let schema = schema.unwrap_or_else(|| panic!("{reference} leads nowhere"));
                if used.insert(name.to_owned()) {
                    follow(described, schema, used);
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
fn what_may_be_null_says_so_once() {
    let described = printed();
    let mut choices = Vec::new();
    one_ofs(&described.document, &mut choices);
    assert!(!choices.is_empty());
    for choice in choices {
        let takes_null = |schema: &&Value| described.validator().faults(schema, &Value::Null, "").is_empty();
        let takers = choice.as_array().unwrap().iter().filter(takes_null).count();
        assert!(takers <= 1, "of a oneOf exactly one may match: {choice}");
    }
    let result = json!({"task_id": "t", "subagent": "s", "success": true, "sources": null, "error": null});
    described.check("AggregationRequest", &json!({"query": null, "results": [result], "options": null}));
    let answer = described.document.pointer("/components/schemas/EventsAnswer/properties/results/type");
    assert_eq!(answer, Some(&json!("array")));
}

fn one_ofs<'d>(value: &'d Value, found: &mut Vec<&'d Value>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("oneOf").filter(|choice| choice.is_array()));
            members.values().for_each(|member| one_ofs(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| one_ofs(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_status_that_is_taken_is_described() {
    let described = printed();
    for status in ["pending", "in_progress", "partial", "success", "completed", "error"] {
        described.check("EventsBody", &json!({"status": status, "payload": "x"}));
        described.check("EventsBody", &json!([{"status": status}]));
    }
}

/// Not as those of a session's log, and not the same with and without an archive: docs/archive.md.
#[test]
fn feedback_says_how_long_its_keys_are_known() {
    let described = printed();
    let said = described.operation("post_feedback").described["description"].as_str().unwrap().to_owned();
    for part in
        ["with an archive each is remembered as long as what it stored", "the last 256 keys of a session"]
    {
        assert!(said.replace('\n', " ").contains(part), "{said}");
    }
}
