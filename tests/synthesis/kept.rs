//! What was asked for is kept: the kind of task, the length, and that what may be withheld isn't shown before.

use serde_json::{Value, json};

use crate::drafts::{Draft, faithful, finding};
use crate::harness::Planner;
use crate::model_server::{Asked, ModelServer, Protocol, Says};
use crate::read::Page;
use crate::scene::{body, bring_all, ended, of_type, patient, plan, result, text};

const METHOD: &str = "# Method\n\nThe pump ran for 40 days in Linz [1]. The valve of the pump was opened twice a day [1].\n\n\
    | Day | Litres |\n|---|---|\n| 1 | 1,300 |";
const OUTCOME: &str =
    "# Outcome\n\nThe pump moved 52,000 litres of water in all [1]. No seal of the pump leaked [1].";

/// A step of this kind of two subagents, which bring the parts of a document.
async fn parts(planner: &Planner, fields: &Value) {
    let expected = [("method", METHOD), ("outcome", OUTCOME)];
    let keys: Vec<Value> = expected.iter().map(|(key, _)| json!({ "key": key })).collect();
    let mut directive = json!({"plan_step_id": "p", "goal": "Report on the trial of the pump.", "deadline_ms": 60_000,
        "expected_subagents": keys, "synthesis": {"mode": "llm"}});
    for (name, value) in fields.as_object().unwrap() {
        directive[name] = value.clone();
    }
    planner.post(&directive).await.expect(201);
    for (key, content) in expected {
        let sources = [format!("https://{key}.example.org/")];
        let event = json!({"status": "success", "payload": {"content": content, "sources": sources}});
        planner.subagent("p", key).post(&event).await.expect(200);
    }
}

/// Drafts these, each of which cites everything, and repairs nothing.
fn drafts(asked: &Asked, contents: &[&str]) -> Says {
    let findings = match asked.items() {
        Some(_) => Vec::new(),
        None => contents.iter().map(|said| finding("Pump", said, &json!([1, 2]))).collect(),
    };
    Says::Text(Draft { findings, ..Draft::default() }.text())
}

#[track_caller]
fn assert_in_order(text: &str, pieces: &[&str]) {
    let places: Vec<_> = pieces.iter().map(|piece| text.find(piece)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{pieces:?} at {places:?}: {text}");
}

#[tokio::test]
async fn a_composition_is_asked_for_and_delivered_as_prose_that_keeps_its_parts() {
    let server = ModelServer::saying(|asked| {
        let outcome = "No seal of the pump leaked, and the pump moved 52,000 litres of water in all.";
        drafts(
            asked,
            &[outcome, "The pump ran for 40 days in Linz. The valve of the pump was opened twice a day."],
        )
    })
    .await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let planner = app.planner("s");
    parts(&planner, &json!({"task_type": "composition", "length": 345})).await;
    ended(&planner, "p").await;
    let asked = server.asked().remove(0);
    assert!(asked.user().contains("prose that keeps the parts and their order"), "{}", asked.user());
    assert!(asked.user().contains("about 345 words"), "the step's own length: {}", asked.user());
    let material = asked.material();
    let whole: Vec<&str> =
        material.iter().filter(|line| line["result"].is_u64()).map(|line| text(line, "text")).collect();
    assert_eq!(whole.len(), 2, "{material:?}");
    assert!(whole[0].contains("| 1 | 1,300 |") && whole[1].contains("No seal"), "as a whole: {whole:?}");
    let result = result(&planner, "p").await;
    assert_eq!(result["metadata"]["method"], "llm", "{}", result["metadata"]);
    let written = text(&result, "synthesis");
    let pieces =
        ["## Method", "40 days in Linz", "| 1 | 1,300 |", "## Outcome", "No seal of the pump leaked, and"];
    assert_in_order(written, &pieces);
    assert!(!written.contains("\n- ") && !written.contains("— *"), "{written}");
}

#[tokio::test]
async fn reasoning_is_asked_for_and_delivered_as_positions() {
    let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
    let app = patient(&server, Protocol::Anthropic).start().await;
    let planner = app.planner("s");
    parts(&planner, &json!({"task_type": "reasoning"})).await;
    ended(&planner, "p").await;
    assert!(server.asked()[0].user().contains("Form: positions."), "{}", server.asked()[0].user());
    let result = result(&planner, "p").await;
    assert_eq!(result["metadata"]["method"], "llm", "{}", result["metadata"]);
    let pieces = ["## Position: method", "40 days in Linz", "## Position: outcome", "52,000 litres"];
    assert_in_order(text(&result, "synthesis"), &pieces);
}

#[tokio::test]
async fn a_nodes_length_and_kind_are_told_to_the_model() {
    let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let leaf =
        |id: &str, content: &str| json!({"id": id, "goal": id, "task_type": "retrieval", "content": content});
    let plain = |said: &str| said.replace(" [1]", "");
    let tree = json!({"id": "root", "goal": "Report on the trial", "task_type": "reasoning", "length": 123,
        "children": [leaf("a", &plain(METHOD)), leaf("b", &plain(OUTCOME))], "options": {"mode": "llm"}});
    app.post("/trees").json(&tree).send().await.expect(200);
    let asked = server.asked().remove(0);
    assert!(
        asked.user().contains("about 123 words") && asked.user().contains("Form: positions."),
        "{}",
        asked.user()
    );
}

#[tokio::test]
async fn a_models_summary_is_no_longer_than_the_wanted_length() {
    let server = ModelServer::saying(|asked| {
        Says::Text(Draft::changed(asked, |draft| {
            let said = draft.findings.iter().map(|finding| text(finding, "content").trim_end_matches('.'));
            draft.summary = said.map(|said| format!("{said}. ")).collect();
        }))
    })
    .await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let words = |length: u32| {
        let body = body(&json!({"mode": "llm", "target_length": length}));
        let request = app.post("/syntheses").json(&body).send();
        async {
            text(&request.await.expect(200), "summary")
                .split(' ')
                .filter(|word| !word.starts_with('['))
                .count()
        }
    };
    let (long, short) = (words(500).await, words(15).await);
    assert!(long > 30 && (5..=15).contains(&short), "{long} {short}");
}

/// A draft below what is wanted, or above it, for those who may be shown nothing of one that is withheld.
fn blocking(min_quality: f64) -> Value {
    json!({"mode": "llm", "min_quality": min_quality, "on_low_quality": "block"})
}

#[tokio::test]
async fn where_a_result_may_be_withheld_nobody_sees_its_draft() {
    for (min_quality, method) in [(0.1, "llm"), (1.0, "extractive")] {
        let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
        let app = patient(&server, Protocol::OpenAi).start().await;
        let planner = plan(app.client(), "s", blocking(min_quality)).await;
        bring_all(&planner, "p").await;
        let events = ended(&planner, "p").await;
        assert_eq!(of_type(&events, "synthesis_delta"), Vec::<&Value>::new(), "{min_quality}");
        assert_eq!(of_type(&events, "synthesis")[0]["content"]["method"], method);

        let request = app.post("/syntheses").json(&body(&blocking(min_quality)));
        let mut stream = request.header("accept", "text/event-stream").sse().await;
        let mut page = Page::default();
        let events = stream.rest().await;
        let whole = events.iter().find(|event| event.name == "synthesis").unwrap().json();
        for delta in events.iter().filter(|event| event.name == "synthesis_delta") {
            page.add(&delta.json());
        }
        // What passed its checks comes as every result does that nobody has to check.
        assert_eq!(page.text("synthesis"), text(&whole, "synthesis"), "{min_quality}");
        assert!(page.texts.keys().all(|path| path == "synthesis"), "{page:?}");
        assert_eq!(text(&whole, "synthesis").is_empty(), method == "extractive");
    }
}

#[tokio::test]
async fn a_stream_shows_that_it_lives_while_the_model_thinks() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::OpenAi).env("STREAMING__HEARTBEAT_MS", 100).start().await;
    let stream = tokio::spawn(app.post("/syntheses").json(&body(&json!({"mode": "llm"}))).sse());
    let mut exchange = server.next().await;
    let mut stream = stream.await.unwrap();
    // Nothing but comments comes until the model says something.
    let silent = async {
        while stream.comments < 4 {
            stream.heard().await;
        }
    };
    crate::harness::within("signs of life", silent).await;
    exchange.begin().await;
    let draft = faithful(&exchange.asked);
    exchange.say(&draft).await;
    exchange.end().await;
    assert_eq!(stream.rest().await.last().unwrap().name, "end");
}
