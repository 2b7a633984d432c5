//! Words that a model wrote are nobody's quotation: no form of a result puts them between quotation marks in a subagent's mouth.

use serde_json::{Value, json};

use crate::drafts::{Draft, claims, finding};
use crate::harness::TestApp;
use crate::model_server::{ModelServer, Protocol, Says};
use crate::scene::{assert_written, bring_all, by_model, ended, patient, plan, result, text};

/// What nobody said in these words, and what somebody did.
const REARRANGED: &str = "In April 2024 the valve behind the main boiler was cleaned by Ms Okafor.";
const VERBATIM: &str = "Customers of the northern plant reported 17 leaking seals";

/// A service whose model has its own words for one thing, and `summary`.
async fn rewording(summary: &'static str) -> (TestApp, ModelServer) {
    let server = ModelServer::saying(move |asked| {
        let claims = claims(asked);
        let claim = claims.iter().find(|claim| text(claim, "text").contains("Okafor")).unwrap();
        let findings = vec![finding("The valve", REARRANGED, &claim["sources"])];
        Says::Text(Draft { findings, summary: summary.to_owned(), ..Draft::default() }.text())
    })
    .await;
    (patient(&server, Protocol::OpenAi).start().await, server)
}

/// Between quotation marks, or right behind one.
fn assert_not_quoted(shown: &str) {
    let words = REARRANGED.trim_end_matches('.');
    assert!(shown.contains(words), "{shown}");
    for mark in ['“', '"', '„', '«'] {
        assert!(!shown.contains(&format!("{mark}{words}")), "{mark} in {shown}");
    }
}

#[tokio::test]
async fn a_summary_out_of_findings_quotes_only_what_was_said_word_for_word() {
    for summary in ["", "The valve was cleaned 99 times."] {
        let (app, _server) = rewording(summary).await;
        let result = by_model(app.client()).await;
        assert_written(&result);
        assert_eq!(result["metadata"]["synthesis"]["added"], 2, "{}", result["metadata"]);
        let shown = text(&result, "summary");
        if shown.contains("In April 2024") {
            assert_not_quoted(shown);
            assert!(shown.contains(" — *crm*"), "{shown}");
        }
        assert!(!shown.contains("99"), "{shown}");
        assert_not_quoted(text(&result, "synthesis"));
    }
}

#[tokio::test]
async fn no_form_of_a_result_puts_a_models_words_in_a_subagents_mouth() {
    let (app, _server) = rewording("").await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    ended(&planner, "p").await;
    let whole: Value = result(&planner, "p").await;
    assert_eq!(whole["metadata"]["method"], "llm", "{}", whole["metadata"]);
    for format in ["llm", "html", "slack"] {
        let path = format!("/steps/p/result?format={format}");
        let answer = planner.get(&path).send().await;
        // What is JSON has quotation marks of its own.
        let shown = answer.text().replace("\\\"", "„").replace('"', "");
        assert_not_quoted(&shown);
        assert!(shown.contains(VERBATIM), "{format}: {shown}");
    }
    let answer = planner.get("/steps/p/result?format=llm").send().await;
    let shown = answer.text();
    assert!(shown.contains(&format!("“{VERBATIM}")), "a twin is a quotation: {shown}");
    assert!(shown.contains("a language model wrote"), "{shown}");
}
