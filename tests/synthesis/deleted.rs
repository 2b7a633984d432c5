//! What a model wrote for a session is deleted with it, also from where the same question would find it.

use serde_json::json;

use crate::drafts::faithful;
use crate::harness::{Client, Setup};
use crate::model_server::{ModelServer, Protocol, Says};
use crate::redis_server::RedisServer;
use crate::scene::{assert_written, bring_all, ended, patient, plan, result};

/// A session, with one step, that begins anew each time.
async fn written(client: Client) {
    let planner = plan(client, "s", json!({})).await;
    bring_all(&planner, "p").await;
    ended(&planner, "p").await;
    assert_written(&result(&planner, "p").await);
}

async fn asked_again_after_a_deletion(setup: Setup, server: &ModelServer) {
    let app = setup.env("SYNTHESIS__CACHE_SECONDS", 600).start().await;
    let mut calls = Vec::new();
    for _ in 0..2 {
        written(app.client()).await;
        calls.push(server.calls().len());
        assert_eq!(app.request("DELETE", "/planner/sessions/s").send().await.status, 204);
    }
    assert_eq!(calls[1], 2 * calls[0], "nothing of the first is left");
}

async fn faithful_server() -> ModelServer {
    ModelServer::saying(|asked| Says::Text(faithful(asked))).await
}

#[tokio::test]
async fn what_was_written_for_a_session_is_gone_with_it() {
    let server = faithful_server().await;
    asked_again_after_a_deletion(patient(&server, Protocol::OpenAi), &server).await;
}

#[tokio::test]
async fn what_replicas_share_of_a_session_is_gone_with_it() {
    let (redis, server) = (RedisServer::start(), faithful_server().await);
    let setup = patient(&server, Protocol::OpenAi);
    let setup = setup.env("CACHE__BACKEND", "redis").env("CACHE__REDIS_URL", redis.url());
    asked_again_after_a_deletion(setup, &server).await;
    assert_eq!(redis.command(&["EXISTS", "tributary:{default/s}:answers"]), ":0");
    let kept = redis.raw(&["KEYS", "tributary:completion:*"]);
    assert!(kept.starts_with(b"*0"), "{}", String::from_utf8_lossy(&kept));
}
