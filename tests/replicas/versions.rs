//! Replicas of two versions on one Redis: the older one leaves alone what it couldn't read.

use serde_json::json;

use super::load::revisions;
use super::scene::{Scene, whole_log};
use crate::harness::assert_problem;
use crate::redis_server::RedisServer;

/// How a session is written: a field says it, and the first byte of its place.
pub fn set_format(scene: &Scene, format: u8) {
    let key = "tributary:{default/s}:meta";
    let set = "local place = redis.call('HGET', KEYS[1], 'place')
        return redis.call('HSET', KEYS[1], 'format', ARGV[1], 'place', string.char(ARGV[1]) .. string.sub(place, 2))";
    let answer = scene.redis.command(&["EVAL", set, "1", key, &format.to_string()]);
    assert_eq!(answer, ":0", "the fields were there");
}

/// Where a newer version has taken a session over, an older replica refuses what it would have to write, at once: a
/// balancer finds another. Its other sessions go on, and so does this one where the newer version is taken back.
#[tokio::test]
async fn an_older_replica_refuses_a_session_that_a_newer_one_wrote_and_harms_nothing() {
    // As long as a store that is down is waited for: longer than this test has patience.
    let waits = [("CACHE__APPEND_TIMEOUT_MS", "60000")];
    let scene = Scene::with(RedisServer::start(), &waits).await;
    let planner = scene.planner(0, "s");
    planner.start("p", &["crm"]).await;
    planner.subagent("p", "crm").say("partial", 1, "one").await;
    let newer = 200;
    set_format(&scene, newer);

    for replica in 0..2 {
        let planner = scene.planner(replica, "s");
        let event = json!({"status": "partial", "revision": 2, "payload": {"content": "two"}});
        let refused = planner.subagent("p", "crm").post(&event).await;
        assert_problem(&refused, 503, "store_unavailable");
        assert!(refused.header("retry-after").is_some());
        let directive = json!({"plan_step_id": "q", "expected_subagents": [{"key": "crm"}]});
        assert_problem(&planner.post(&directive).await, 503, "store_unavailable");
        let forgotten = scene.client(replica).request("DELETE", planner.path("")).send().await;
        assert_problem(&forgotten, 503, "store_unavailable");
    }
    let other = scene.planner(1, "other");
    other.start("p", &["crm"]).await;
    assert_eq!(other.subagent("p", "crm").say("success", 1, "one").await["verdict"], "accepted");

    let format = 2;
    set_format(&scene, format);
    let said = scene.planner(1, "s").subagent("p", "crm").say("success", 2, "two").await;
    assert_eq!(said["verdict"], "accepted");
    let log = whole_log(scene.client(0), "s").await;
    assert_eq!(revisions(&log).iter().map(|(revision, _)| *revision).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(log.last().unwrap()["type"], "plan_step_completed");
}
