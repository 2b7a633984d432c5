//! What these tests say all the time: a service with a model behind it, three subagents, and what may be delivered of them.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Planner, Setup, TestApp, eventually};
use crate::model_server::{ModelServer, Protocol};

/// The key that the model's server wants.
pub const KEY: &str = "sk-canarykey-5b1f0c";
/// The model that is configured.
pub const MODEL: &str = "test-model";
pub const QUERY: &str = "How long is the warranty, and what was repaired?";
pub const BOTH: [Protocol; 2] = [Protocol::OpenAi, Protocol::Anthropic];

/// What three subagents say, with their sources.
pub const SAID: [(&str, &str, &[&str]); 3] = [
    (
        "docs",
        "The standard warranty covers every pump for 24 months after delivery [1]. Spare parts are shipped within 3 \
         working days from Rotterdam [2].",
        &["https://docs.example.org/warranty", "https://docs.example.org/parts"],
    ),
    (
        "crm",
        "The valve behind the main boiler was cleaned by Ms Okafor in April 2024 [1].",
        &["https://crm.example.org/valve"],
    ),
    (
        "tickets",
        "Customers of the northern plant reported 17 leaking seals during the last winter [1].",
        &["https://tickets.example.org/seals"],
    ),
];

/// A service for which this server writes. It waits little, and asks as often as it needs an answer.
pub fn written_by(server: &ModelServer, protocol: Protocol) -> Setup {
    let setup = TestApp::new()
        .env("SYNTHESIS__PROVIDER", protocol.name())
        .env("SYNTHESIS__BASE_URL", server.url())
        .env("SYNTHESIS__MODEL", MODEL)
        .env("SYNTHESIS__API_KEY", KEY)
        .env("SYNTHESIS__CACHE_SECONDS", 0);
    setup.env("INVOKE__BACKOFF_BASE_MS", 5).env("INVOKE__BACKOFF_MOST_MS", 20)
}

/// The same, whatever fails how often.
pub fn patient(server: &ModelServer, protocol: Protocol) -> Setup {
    written_by(server, protocol).env("BREAKER__MINIMUM_CALLS", 1_000_000)
}

/// What the subagents say, as `results`.
pub fn results() -> Vec<Value> {
    let result = |(key, content, sources): &(&str, &str, &[&str])| json!({"task_id": key, "subagent": key, "success": true, "content": content, "sources": sources});
    SAID.iter().map(result).collect()
}

/// A body of `POST /syntheses` with these options.
pub fn body(options: &Value) -> Value {
    json!({"query": QUERY, "results": results(), "options": options})
}

/// What the subagents come to by `POST /syntheses` with these options.
pub async fn synthesis(client: Client, options: &Value) -> Value {
    client.post("/syntheses").json(&body(options)).send().await.expect(200)
}

/// The same by a language model.
pub async fn by_model(client: Client) -> Value {
    synthesis(client, &json!({"mode": "llm"})).await
}

/// A session with a step `p` for the subagents, whose answer a language model writes.
pub async fn plan(client: Client, session: &str, synthesis: Value) -> Planner {
    let planner = client.planner(session);
    post_step(&planner, "p", synthesis).await.expect(201);
    planner
}

/// A directive for the subagents, by a language model where nothing else is said.
pub async fn post_step(planner: &Planner, step: &str, mut synthesis: Value) -> Answer {
    synthesis.as_object_mut().unwrap().entry("mode").or_insert(json!("llm"));
    let expected: Vec<Value> = SAID.iter().map(|(key, ..)| json!({ "key": key })).collect();
    let directive = json!({"plan_step_id": step, "query": QUERY, "expected_subagents": expected,
        "deadline_ms": 60_000, "synthesis": synthesis});
    planner.post(&directive).await
}

/// The subagents of a step end well.
pub async fn bring_all(planner: &Planner, step: &str) {
    for (key, content, sources) in SAID {
        let event = json!({"status": "success", "payload": {"content": content, "sources": sources}});
        planner.subagent(step, key).post(&event).await.expect(200);
    }
}

/// The events of a step once it has ended.
pub async fn ended(planner: &Planner, step: &str) -> Vec<Value> {
    eventually(format!("the end of {step}"), || async {
        let page = planner.page(&format!("/steps/{step}/events?limit=5000")).await;
        (page["closed"] == true).then(|| page["events"].as_array().unwrap().clone())
    })
    .await
}

/// The result of a step that has ended.
pub async fn result(planner: &Planner, step: &str) -> Value {
    planner.get(&format!("/steps/{step}/result")).send().await.expect(200)
}

/// The events of a type.
pub fn of_type<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

/// A text member.
#[track_caller]
pub fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value[member].as_str().unwrap_or_else(|| panic!("no text `{member}`: {value}"))
}

/// The numbers in a text that `[n]` cites.
pub fn cited(text: &str) -> Vec<u64> {
    let marker = regex_lite::Regex::new(r"\[(\d+)\]").unwrap();
    marker.captures_iter(text).map(|found| found[1].parse().unwrap()).collect()
}

/// The figures in a text, its citations left out.
pub fn figures(text: &str) -> Vec<String> {
    let marker = regex_lite::Regex::new(r"\[\d+\]").unwrap();
    let digits = regex_lite::Regex::new(r"\d+").unwrap();
    let plain = marker.replace_all(text, "");
    digits.find_iter(&plain).map(|found| found.as_str().to_owned()).collect()
}

/// Nothing is cited that isn't there, no figure is anybody's invention, and every subagent is heard or named.
#[track_caller]
pub fn assert_believable(result: &Value) {
    let array = |member: &str| result[member].as_array().unwrap_or_else(|| panic!("no `{member}`: {result}"));
    let ids: Vec<u64> = array("sources").iter().map(|source| source["id"].as_u64().unwrap()).collect();
    assert!(!ids.is_empty(), "{result}");
    let said = SAID.map(|(_, content, _)| content).join(" ");
    let known = figures(&said);
    let findings = array("findings");
    let contents = findings.iter().flat_map(|finding| [text(finding, "topic"), text(finding, "content")]);
    for shown in contents.chain([text(result, "summary"), text(result, "synthesis")]) {
        assert!(cited(shown).iter().all(|number| ids.contains(number)), "a dangling citation in: {shown}");
        // Behind the answer stand figures of its own: how many findings have how many sources, and their numbers.
        let answer =
            shown.split("\n## Gaps").next().and_then(|text| text.split("\n## Sources").next()).unwrap();
        let foreign: Vec<_> = figures(answer).into_iter().filter(|figure| !known.contains(figure)).collect();
        assert!(foreign.is_empty(), "nobody said {foreign:?}: {shown}");
    }
    for finding in findings {
        let sources = finding["sources"].as_array().unwrap();
        assert!(sources.iter().all(|number| ids.contains(&number.as_u64().unwrap())), "{finding}");
    }
    for (key, ..) in SAID {
        let is_heard =
            findings.iter().any(|finding| finding["contributors"].as_array().unwrap().contains(&json!(key)));
        let is_named = array("gaps").iter().any(|gap| gap.as_str().unwrap().contains(key));
        assert!(is_heard || is_named, "nothing of {key}: {result}");
    }
    let quality = &result["quality"];
    assert_eq!(quality["verified"], true, "{quality}");
    assert!(quality["numeric_fidelity"].is_null() || quality["numeric_fidelity"] == 1.0, "{quality}");
}

/// It was written by the model, and verified.
#[track_caller]
pub fn assert_written(result: &Value) {
    assert_believable(result);
    let metadata = &result["metadata"];
    assert_eq!((&metadata["method"], &metadata["model"]), (&json!("llm"), &json!(MODEL)), "{metadata}");
    assert_eq!(metadata["reason"], Value::Null, "{metadata}");
    assert!(metadata["prompt_version"].is_string(), "{metadata}");
}

/// It was extracted; returns why.
#[track_caller]
pub fn assert_extracted(result: &Value) -> String {
    assert_believable(result);
    let metadata = &result["metadata"];
    assert_eq!((&metadata["method"], &metadata["model"]), (&json!("extractive"), &Value::Null), "{metadata}");
    text(metadata, "reason").to_owned()
}

/// One or the other.
#[track_caller]
pub fn assert_delivered(result: &Value) -> Option<String> {
    match result["metadata"]["method"].as_str().unwrap() {
        "llm" => {
            assert_written(result);
            None
        }
        _ => Some(assert_extracted(result)),
    }
}
