//! A draft of which nothing is delivered is taken back from those who saw it grow, before they get the answer.

use serde_json::{Value, json};

use crate::drafts::{Draft, faithful};
use crate::model_server::{Asked, ModelServer, Protocol, Says};
use crate::read::Page;
use crate::scene::{body, bring_all, ended, of_type, patient, plan};

type Writes = fn(&Asked) -> Says;

/// Ways to write something that isn't delivered.
const WAYS: [(&str, Writes); 4] = [
    ("nothing of it stands", |asked| match asked.items() {
        Some(_) => Says::Text(Draft::default().text()),
        None => {
            let mut draft = Draft::faithful(asked);
            for finding in &mut draft.findings {
                finding["content"] = json!("Nobody at the plant has ever heard of 4711 broken lifts.");
            }
            Says::Text(draft.text())
        }
    }),
    ("a refusal behind it", |asked| Says::Stop(faithful(asked), "content_filter")),
    ("it breaks off again and again", |asked| Says::Cut(faithful(asked), 700)),
    ("below what is wanted", |asked| Says::Text(faithful(asked))),
];

fn options(name: &str) -> Value {
    match name {
        "below what is wanted" => json!({"mode": "llm", "min_quality": 1.0}),
        _ => json!({"mode": "llm"}),
    }
}

/// All that was shown is gone.
#[track_caller]
fn assert_taken_back(page: &Page, name: &str) {
    assert!(!page.texts.is_empty(), "{name}: nothing was shown");
    assert!(page.texts.values().all(String::is_empty), "{name}: {page:?}");
}

#[tokio::test]
async fn a_step_takes_back_a_draft_that_it_does_not_deliver() {
    for (name, write) in WAYS {
        let server = ModelServer::saying(write).await;
        let app = patient(&server, Protocol::OpenAi).start().await;
        let planner = plan(app.client(), "s", options(name)).await;
        bring_all(&planner, "p").await;
        let events = ended(&planner, "p").await;
        assert_eq!(of_type(&events, "synthesis")[0]["content"]["method"], "extractive", "{name}");
        assert_taken_back(&Page::of(&events), name);
        let types: Vec<&Value> = events.iter().map(|event| &event["type"]).collect();
        let last = types.iter().rposition(|kind| **kind == "synthesis_delta");
        let told = types.iter().position(|kind| **kind == "synthesis");
        assert!(last < told, "{name}: {types:?}");
    }
}

#[tokio::test]
async fn a_streamed_synthesis_takes_back_a_draft_that_it_does_not_deliver() {
    for (name, write) in WAYS {
        let server = ModelServer::saying(write).await;
        let app = patient(&server, Protocol::OpenAi).start().await;
        let request = app.post("/syntheses").header("accept", "text/event-stream");
        let mut stream = request.json(&body(&options(name))).sse().await;
        let mut page = Page::default();
        loop {
            let frame = stream.next().await.unwrap();
            match frame.name.as_str() {
                "synthesis_delta" => page.add(&frame.json()),
                "synthesis" => {
                    assert_eq!(frame.json()["metadata"]["method"], "extractive", "{name}");
                    break;
                }
                other => panic!("{name}: `{other}`"),
            }
        }
        assert_taken_back(&page, name);
    }
}
