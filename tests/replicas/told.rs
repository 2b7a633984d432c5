//! What callers are told where the store doesn't do its work.

use serde_json::json;

use super::scene::Scene;
use crate::harness::assert_problem;
use crate::redis_server::RedisServer;

/// What Redis says of itself, as that of a script, is for the log.
#[tokio::test]
async fn callers_are_told_what_to_do_and_not_what_redis_said() {
    let scene = Scene::with(RedisServer::start(), &[("CACHE__APPEND_TIMEOUT_MS", "300")]).await;
    let planner = scene.planner(0, "s");
    planner.start("p", &["crm"]).await;
    scene.redis.expect_ok(&["CONFIG", "SET", "min-replicas-to-write", "1"]);
    let event = json!({"status": "partial", "revision": 1, "payload": {"content": "one"}});
    let refused = planner.subagent("p", "crm").post(&event).await;
    assert_problem(&refused, 503, "store_unavailable");
    assert_eq!(refused.json()["detail"], "the store can't answer just now: try again in a moment");
    let line = scene.replicas[0].logged("NOREPLICAS").await;
    assert!(line.contains("\"WARN\""), "{line}");
}
