//! What a model told one tenant is kept for that one, whatever step or session asks, and no other gets it, even where they ask the very same.

use serde_json::{Value, json};
use tributary::edge::auth::new_api_key;

use crate::drafts::faithful;
use crate::harness::{Client, TestApp};
use crate::model_server::{ModelServer, Protocol, Says};
use crate::scene::{body, bring_all, ended, patient, plan, post_step};

/// A service that keeps answers, and its callers: two of one tenant, one of another.
async fn service(server: &ModelServer) -> (TestApp, [String; 3]) {
    let mut setup = patient(server, Protocol::OpenAi).env("SYNTHESIS__CACHE_SECONDS", 600);
    setup = setup.env("AUTH__MODE", "required");
    let mut keys = Vec::new();
    for (name, tenant, random) in [("A", "acme", 1), ("B", "acme", 2), ("C", "globex", 3)] {
        let (key, hash) = new_api_key([random; 32]);
        let field = |field: &str| format!("AUTH__KEYS__{name}__{field}");
        setup = setup.env(&field("HASH"), hash).env(&field("TENANT"), tenant).env(&field("SCOPES"), "plan");
        keys.push(key);
    }
    (setup.start().await, keys.try_into().unwrap())
}

async fn asked_by(client: Client, key: &str, path: &str, body: &Value) -> Value {
    let request = client.post(path).header("authorization", format!("Bearer {key}"));
    request.json(body).send().await.expect(200)
}

fn sheet() -> Value {
    json!({"objective": "How long is a quote valid?", "options": {"mode": "llm"}, "sheet": {"status": "completed",
        "entries": [{"content": "Quotes are valid for 30 days.", "citations": ["c1"]}],
        "citations": [{"id": "c1", "title": "Quotes", "url": "https://a.example.org/quotes"}]}})
}

fn tree() -> Value {
    let leaf = |id: &str, content: &str| json!({"id": id, "goal": "Look", "task_type": "retrieval", "content": content});
    let children = [leaf("a", "Quotes are valid for 30 days."), leaf("b", "Orders are shipped on Mondays.")];
    json!({"id": "root", "goal": "What holds?", "task_type": "composition", "options": {"mode": "llm"},
        "children": children})
}

#[tokio::test]
async fn what_a_model_told_one_tenant_no_other_gets() {
    for (path, body) in
        [("/syntheses", body(&json!({"mode": "llm"}))), ("/answers", sheet()), ("/trees", tree())]
    {
        let server = ModelServer::saying(|asked| {
            let is_prose = asked.schema().is_none();
            Says::Text(if is_prose { "Quotes are valid for 30 days [1].".into() } else { faithful(asked) })
        })
        .await;
        let (app, [one, colleague, stranger]) = service(&server).await;
        let mut calls = Vec::new();
        for key in [&one, &one, &colleague, &stranger, &stranger] {
            asked_by(app.client(), key, path, &body).await;
            calls.push(server.calls().len());
        }
        let first = calls[0];
        assert!(first > 0, "{path}");
        assert_eq!(calls, [first, first, first, 2 * first, 2 * first], "{path}");
    }
}

#[tokio::test]
async fn the_same_question_of_another_step_gets_the_draft_that_is_kept() {
    let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
    let app = patient(&server, Protocol::OpenAi).env("SYNTHESIS__CACHE_SECONDS", 600).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    ended(&planner, "p").await;
    let first = server.calls().len();
    assert!(first > 0);
    post_step(&planner, "q", json!({})).await.expect(201);
    bring_all(&planner, "q").await;
    ended(&planner, "q").await;
    let other = plan(app.client(), "t", json!({})).await;
    bring_all(&other, "p").await;
    ended(&other, "p").await;
    assert_eq!(server.calls().len(), first, "each was asked again");
}
