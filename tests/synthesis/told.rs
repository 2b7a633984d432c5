//! What an operator is told of a language model whose answers can't be had or used: one line, and what a server said isn't in it.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::model_server::{ModelServer, Protocol, Says};
use crate::scene::{assert_extracted, bring_all, by_model, ended, patient, plan};

/// The lines of the log that say that an answer was extracted.
fn told(app: &TestApp) -> Vec<Value> {
    let lines = app.log_lines().into_iter().filter(|line| line.contains("a synthesis is extracted"));
    lines.map(|line| line.parse().unwrap()).collect()
}

#[tokio::test]
async fn a_model_that_refuses_the_key_is_told_once_with_its_place() {
    let server =
        ModelServer::saying(|_| Says::Status(401, vec![], "canarybody: no such key".to_owned())).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    ended(&planner, "p").await;
    app.logged("a synthesis is extracted").await;
    for _ in 0..3 {
        assert_extracted(&by_model(app.client()).await);
    }
    let told = told(&app);
    assert_eq!(told.len(), 1, "{told:?}");
    let line = &told[0];
    assert_eq!((&line["level"], &line["code"]), (&json!("WARN"), &json!("unauthorised")), "{line}");
    assert_eq!((&line["session"], &line["step"]), (&json!("s"), &json!("p")), "{line}");
    assert_eq!((&line["provider"], &line["model"]), (&json!("openai"), &json!("test-model")), "{line}");
    assert!(line["trace_id"].as_str().is_some_and(|id| id.len() == 32), "{line}");
    assert!(!line.to_string().contains("canarybody"), "{line}");
}

#[tokio::test]
async fn each_reason_is_told_for_itself() {
    let server = ModelServer::saying(|asked| match asked.number {
        0 => Says::Text("Sorry?".to_owned()),
        _ => Says::Hang,
    })
    .await;
    let app = patient(&server, Protocol::OpenAi).env("SYNTHESIS__TIMEOUT_MS", 2_000).start().await;
    assert_extracted(&by_model(app.client()).await);
    assert_extracted(&by_model(app.client()).await);
    app.logged("deadline_exceeded").await;
    let codes: Vec<Value> = told(&app).into_iter().map(|line| line["code"].clone()).collect();
    assert_eq!(codes, [json!("unreadable_draft"), json!("deadline_exceeded")]);
}
