//! A repair that says what isn't asked for: what stood already, again, or nothing new. What failed is mended or quoted, never lost.

use serde_json::{Value, json};

use crate::budget::figure;
use crate::drafts::{Draft, claims, finding};
use crate::model_server::{Asked, ModelServer, Protocol, Says};
use crate::scene::{assert_extracted, assert_written, by_model, patient, text};

const BAD: &str = "Customers of the northern plant reported 71 leaking seals during the last winter.";

/// A finding for the claim that has these words.
fn of_claim(asked: &Asked, words: &str) -> Value {
    let claims = claims(asked);
    let claim = claims.iter().find(|claim| text(claim, "text").contains(words)).unwrap();
    finding("A topic", text(claim, "text"), &claim["sources"])
}

/// The answer to a draft with a wrong figure that is repaired by what `repair` makes of the failing item.
async fn repaired(repair: impl Fn(&Value) -> Vec<Value> + Send + Sync + 'static) -> Value {
    let good = std::sync::Mutex::new(None);
    let server = ModelServer::saying(move |asked| {
        let findings = match asked.items() {
            Some(items) => {
                let good: Option<Value> = good.lock().unwrap().clone();
                let failed = items[0]["draft"].clone();
                let made = repair(&failed);
                made.into_iter()
                    .map(|item| if item.is_null() { good.clone().unwrap() } else { item })
                    .collect()
            }
            None => {
                let stands = of_claim(asked, "24 months");
                *good.lock().unwrap() = Some(stands.clone());
                let mut fails = of_claim(asked, "17 leaking");
                fails["content"] = json!(BAD);
                vec![fails, stands]
            }
        };
        Says::Text(Draft { findings, ..Draft::default() }.text())
    })
    .await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let result = by_model(app.client()).await;
    assert_written(&result);
    assert_eq!(server.calls().len(), 2);
    result
}

fn corrected(failed: &Value) -> Value {
    let mut item = failed.clone();
    item["content"] = json!(text(failed, "content").replace("71", "17"));
    item
}

#[tokio::test]
async fn a_repair_that_repeats_the_draft_leaves_the_quotation_of_what_failed() {
    for (name, repair) in [
        ("the whole draft", (|failed| vec![failed.clone(), Value::Null]) as fn(&Value) -> Vec<Value>),
        ("another finding", |_| vec![Value::Null]),
        ("another finding, often", |_| vec![Value::Null; 12]),
    ] {
        let result = repaired(repair).await;
        let counts = &result["metadata"]["synthesis"];
        assert_eq!((&counts["twins"], &counts["dropped"]), (&json!(1), &json!(0)), "{name}: {counts}");
        assert!(text(&result, "synthesis").contains("“Customers of the northern plant"), "{name}: {result}");
    }
}

#[tokio::test]
async fn a_repair_is_found_beside_what_stood_already() {
    for (name, repair) in [
        ("behind it", (|failed| vec![Value::Null, corrected(failed)]) as fn(&Value) -> Vec<Value>),
        ("before it", |failed| vec![corrected(failed), Value::Null]),
        ("behind all of it", |failed| [vec![Value::Null; 5], vec![corrected(failed)]].concat()),
    ] {
        let result = repaired(repair).await;
        let counts = &result["metadata"]["synthesis"];
        assert_eq!((&counts["repaired"], &counts["dropped"]), (&json!(1), &json!(0)), "{name}: {counts}");
        assert!(text(&result, "synthesis").contains("17 leaking"), "{name}: {result}");
    }
}

#[tokio::test]
async fn a_draft_of_which_nothing_is_left_is_counted_finding_by_finding() {
    let server = ModelServer::saying(|asked| {
        let mut fails = finding("Zebras", "The zoo keeps 99 zebras.", &json!([1]));
        if let Some(items) = asked.items() {
            fails = items[0]["draft"].clone();
        }
        Says::Text(Draft { findings: vec![fails], ..Draft::default() }.text())
    })
    .await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let result = by_model(app.client()).await;
    assert_extracted(&result);
    let counts = &result["metadata"]["synthesis"];
    assert_eq!((&counts["kept"], &counts["dropped"]), (&json!(0), &json!(1)), "{counts}");
    assert_eq!(figure(&app, "tributary_synthesis_items_total{became=\"dropped\"").await, 1.0);
}
