//! Without a language model everything goes on, and whoever asked for one is told why there is none.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::model_server::{ModelServer, Protocol};
use crate::scene::{
    assert_extracted, bring_all, by_model, ended, of_type, plan, result, synthesis, text, written_by,
};

const WHY: &str = "no language model is configured";

/// A result without what says that it was asked otherwise.
fn unexplained(mut result: Value) -> Value {
    result["metadata"].as_object_mut().unwrap().remove("reason");
    result["metadata"]["trace_id"].take();
    result
}

#[tokio::test]
async fn without_a_provider_a_step_is_extracted_and_says_why() {
    let app = TestApp::new().start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    let events = ended(&planner, "p").await;
    assert_eq!(of_type(&events, "synthesis_delta").len(), 0);
    let told = &of_type(&events, "synthesis")[0]["content"];
    let asked = result(&planner, "p").await;
    assert_eq!((&told["method"], &told["summary"]), (&json!("extractive"), &asked["summary"]));
    assert_eq!(assert_extracted(&asked), WHY);

    let other = plan(app.client(), "t", json!({"mode": "extractive"})).await;
    bring_all(&other, "p").await;
    ended(&other, "p").await;
    let extracted = result(&other, "p").await;
    assert_eq!(extracted["metadata"]["reason"], Value::Null, "it is what was asked for");
    let comparable = |result: Value| {
        let session = text(&result, "session_id").to_owned();
        result.to_string().replace(&format!("sessions/{session}/"), "").replace(&format!("\"{session}\""), "")
    };
    assert_eq!(comparable(unexplained(asked)), comparable(unexplained(extracted)));
}

#[tokio::test]
async fn without_a_provider_a_synthesis_a_tree_and_an_answer_say_why() {
    let app = TestApp::new().start().await;
    let asked = by_model(app.client()).await;
    assert_eq!(assert_extracted(&asked), WHY);
    let extracted = synthesis(app.client(), &json!({"mode": "extractive"})).await;
    assert_eq!(extracted["metadata"]["reason"], Value::Null);
    assert_eq!(unexplained(asked), unexplained(extracted.clone()));
    assert_eq!(extracted, synthesis(app.client(), &json!({})).await, "it is the default");

    let leaf = |id: &str, content: &str| json!({"id": id, "goal": "why", "task_type": "retrieval", "content": content});
    let children = json!([
        leaf("a", "The pump needs oil every 30 days."),
        leaf("b", "The valve is cleaned each April.")
    ]);
    let tree = |options: Value| json!({"id": "root", "goal": "why", "task_type": "retrieval", "children": children, "options": options});
    let post = async |body: Value| app.post("/trees").json(&body).send().await.expect(200);
    let written = post(tree(json!({"mode": "llm"}))).await;
    for result in [&written["result"], &written["nodes"][0]["result"]] {
        assert_eq!(result["metadata"]["method"], "extractive");
        assert_eq!(text(&result["metadata"], "reason"), WHY);
    }
    let plain = post(tree(json!({}))).await;
    assert_eq!(plain["result"]["metadata"]["reason"], Value::Null);
}

#[tokio::test]
async fn an_extractive_directive_asks_no_model_even_where_there_is_one() {
    let server = ModelServer::start().await;
    let app = written_by(&server, Protocol::OpenAi).start().await;
    for (session, mode) in [("s", "extractive"), ("t", "none")] {
        let planner = plan(app.client(), session, json!({ "mode": mode })).await;
        bring_all(&planner, "p").await;
        let events = ended(&planner, "p").await;
        assert_eq!(of_type(&events, "synthesis_delta").len(), 0);
        assert_eq!(of_type(&events, "synthesis").len(), usize::from(mode == "extractive"));
        assert_eq!(result(&planner, "p").await["metadata"]["reason"], Value::Null);
    }
    synthesis(app.client(), &json!({})).await;
    assert_eq!(server.calls().len(), 0);
}

#[tokio::test]
async fn with_nothing_to_say_no_model_is_asked() {
    let server = ModelServer::start().await;
    let app = written_by(&server, Protocol::OpenAi).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    for (key, ..) in crate::scene::SAID {
        let failed = json!({"status": "error", "error": {"message": "no rows"}});
        planner.subagent("p", key).post(&failed).await.expect(200);
    }
    ended(&planner, "p").await;
    let metadata = &result(&planner, "p").await["metadata"];
    assert_eq!(
        (&metadata["method"], text(metadata, "reason")),
        (&json!("extractive"), "there is nothing to write about")
    );
    let failed = json!([{"task_id": "a", "subagent": "a", "success": false, "error": "no rows"}]);
    let body = json!({"results": failed, "options": {"mode": "llm"}});
    let answer = app.post("/syntheses").json(&body).send().await.expect(200);
    assert_eq!(answer["metadata"]["method"], "extractive");
    assert!(!text(&answer["metadata"], "reason").is_empty());
    assert_eq!(server.calls().len(), 0);
}
