//! Syntheses and trees by a language model, without a plan.

use serde_json::{Value, json};

use crate::drafts::{Draft, claims, faithful};
use crate::model_server::{ModelServer, Protocol, Says};
use crate::read::Page;
use crate::scene::{BOTH, assert_extracted, assert_written, body, patient, synthesis, text};

#[tokio::test]
async fn a_streamed_synthesis_is_the_draft_as_it_grows_and_then_the_whole() {
    for protocol in BOTH {
        let server = ModelServer::start().await;
        let app = patient(&server, protocol).start().await;
        let request = app.post("/syntheses").json(&body(&json!({"mode": "llm"})));
        let stream = tokio::spawn(request.sse());
        let mut exchange = server.next().await;
        let draft = Draft::faithful(&exchange.asked);
        let whole = draft.text();
        let (first, rest) = whole.split_at(whole.find(",\"source_ids\"").unwrap());
        exchange.begin().await;
        exchange.say(first).await;
        let mut stream = stream.await.unwrap();
        let mut page = Page::default();
        while page.text("findings/0/content") != text(&draft.findings[0], "content") {
            page.add(&stream.expect("synthesis_delta").await.json());
        }
        exchange.say(rest).await;
        exchange.end().await;
        let mut events = stream.rest().await;
        let end = events.pop().unwrap();
        let synthesis = events.pop().unwrap();
        assert_eq!((synthesis.name.as_str(), end.name.as_str()), ("synthesis", "end"));
        for delta in &events {
            assert_eq!(delta.name, "synthesis_delta");
            page.add(&delta.json());
        }
        assert_eq!(page.text("summary"), draft.summary);
        assert_eq!(page.restarts, 0);
        assert_written(&synthesis.json());
    }
}

#[tokio::test]
async fn a_streamed_synthesis_whose_model_fails_ends_with_the_extractive_one() {
    let server = ModelServer::saying(|asked| Says::Cut(faithful(asked), 1_200)).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let mut stream = app.post("/syntheses").json(&body(&json!({"mode": "llm"}))).sse().await;
    let events = stream.rest().await;
    let whole = events[events.len() - 2].json();
    let reason = assert_extracted(&whole);
    assert!(reason.contains("truncated"), "{reason}");
    let mut page = Page::default();
    for delta in events.iter().filter(|event| event.name == "synthesis_delta") {
        page.add(&delta.json());
    }
}

#[tokio::test]
async fn a_synthesis_of_a_result_is_written_by_the_model_too() {
    let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let baseline = synthesis(app.client(), &json!({})).await;
    let body = json!({"query": crate::scene::QUERY, "aggregation": baseline, "options": {"mode": "llm"}});
    assert_written(&app.post("/syntheses").json(&body).send().await.expect(200));
}

#[tokio::test]
async fn forms_of_a_synthesis_are_those_of_every_result() {
    let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let written = synthesis(app.client(), &json!({"mode": "llm"})).await;
    for format in ["llm", "html", "slack", "anthropic"] {
        let path = format!("/syntheses?format={format}");
        let answer = app.post(path).json(&body(&json!({"mode": "llm"}))).send().await;
        assert_eq!(answer.status, 200, "{format}");
        assert!(answer.text().contains("24 months"), "{format}: {}", answer.text());
    }
    assert!(text(&written, "synthesis").contains("24 months"));
}

#[tokio::test]
async fn the_wanted_language_length_and_format_are_asked_for() {
    let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let options = json!({"mode": "llm", "language": "de", "target_length": 77, "format": "narrative"});
    let result = synthesis(app.client(), &options).await;
    assert_eq!(result["metadata"]["method"], "llm", "{}", result["metadata"]);
    let asked = server.asked().remove(0);
    assert!(asked.user().contains("77") && asked.user().contains("German"), "{}", asked.user());
    let properties = &asked.schema().unwrap()["properties"]["findings"]["items"]["properties"];
    assert!(properties["transition"].is_object(), "{properties}");
    assert!(!text(&result, "synthesis").starts_with("## "), "{}", result["synthesis"]);
}

const MONTHS: &str = "The standard warranty covers every pump for 24 months after delivery.";
const VALVE: &str = "The valve behind the main boiler is cleaned each April.";
const SEALS: &str = "Customers of the northern plant reported 17 leaking seals last winter.";

fn leaf(id: &str, content: &str) -> Value {
    json!({"id": id, "goal": format!("the goal of {id}"), "task_type": "retrieval", "content": content})
}

pub fn tree(options: &Value) -> Value {
    let inner = |id: &str, children: Value| json!({"id": id, "goal": format!("the goal of {id}"), "task_type": "retrieval", "children": children});
    let mut root = inner(
        "root",
        json!([
            inner("left", json!([leaf("a", MONTHS), leaf("b", VALVE)])),
            inner("right", json!([leaf("c", SEALS), leaf("d", VALVE)]))
        ]),
    );
    root["options"] = options.clone();
    root
}

#[tokio::test]
async fn a_trees_nodes_are_written_bottom_up_siblings_at_once() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let request = app.post("/trees").json(&tree(&json!({"mode": "llm"})));
    let whole = tokio::spawn(request.send());
    // Both siblings are asked for before either is answered.
    let siblings = [server.next().await, server.next().await];
    for mut exchange in siblings {
        exchange.begin().await;
        let text = faithful(&exchange.asked);
        exchange.say(&text).await;
        exchange.end().await;
    }
    let mut above = server.next().await;
    let known = claims(&above.asked);
    for said in [MONTHS, VALVE, SEALS] {
        let stem = said.trim_end_matches('.');
        assert!(known.iter().any(|claim| text(claim, "text").contains(stem)), "{said} in {known:?}");
    }
    above.begin().await;
    let draft = faithful(&above.asked);
    above.say(&draft).await;
    above.end().await;
    let tree = whole.await.unwrap().expect(200);
    for node in tree["nodes"].as_array().unwrap() {
        let metadata = &node["result"]["metadata"];
        assert_eq!((&metadata["method"], &metadata["reason"]), (&json!("llm"), &Value::Null), "{node}");
    }
    assert_eq!(tree["nodes"].as_array().unwrap().len(), 3);
    assert_eq!(tree["result"]["quality"]["verified"], true);
    assert!(text(&tree["result"], "synthesis").contains("24 months"));
    assert_eq!(server.calls().len(), 3);
}

#[tokio::test]
async fn a_node_that_cannot_be_written_is_extracted_and_the_tree_goes_on() {
    let server = ModelServer::saying(|asked| {
        let says_seals = asked.fenced().contains("leaking seals");
        let says_months = asked.fenced().contains("24 months");
        if says_seals && !says_months {
            Says::Status(500, vec![], "{}".to_owned())
        } else {
            Says::Text(faithful(asked))
        }
    })
    .await;
    let app = patient(&server, Protocol::Anthropic).start().await;
    let tree = app.post("/trees").json(&tree(&json!({"mode": "llm"}))).send().await.expect(200);
    let of = |id: &str| {
        let nodes = tree["nodes"].as_array().unwrap();
        let node = nodes.iter().find(|node| node["id"] == id).unwrap();
        node["result"]["metadata"].clone()
    };
    assert_eq!(of("right")["method"], "extractive");
    assert!(text(&of("right"), "reason").contains("server_error"));
    assert_eq!((&of("left")["method"], &of("root")["method"]), (&json!("llm"), &json!("llm")));
    assert!(text(&tree["result"], "synthesis").contains("leaking seals"));
}

#[tokio::test]
async fn hanging_up_on_a_tree_ends_its_calls() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let waiting = tokio::spawn(app.post("/trees").json(&tree(&json!({"mode": "llm"}))).open());
    let siblings = [server.next().await, server.next().await];
    waiting.abort();
    for exchange in siblings {
        exchange.gone().await;
    }
}
