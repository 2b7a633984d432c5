//! A log whose time is over, or that Redis let go, of a session that this replica still has in memory: its planner goes on.

use serde_json::{Value, json};

use super::archived::archive_in;
use super::scene::{replica, whole_log};
use crate::harness::{Planner, assert_problem, eventually};
use crate::redis_server::RedisServer;

const LOG: &str = "tributary:{default/s}:log";

fn step(id: &str) -> Value {
    json!({"plan_step_id": id, "expected_subagents": [{"key": "a"}], "more_steps": true, "deadline_ms": 60_000})
}

async fn first_step(planner: &Planner) -> u64 {
    planner.post(&step("p")).await.expect(201);
    planner.subagent("p", "a").say("success", 1, "x").await;
    planner.state().await["sequence"]["tail"].as_u64().unwrap()
}

async fn is_gone(redis: &RedisServer, key: &str) {
    eventually("the log to expire", || async { (redis.command(&["EXISTS", key]) == ":0").then_some(()) })
        .await;
}

#[tokio::test]
async fn a_directive_brings_an_expired_session_back_that_is_still_in_memory() {
    let redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    let settings = [("ARCHIVE__URL", &*url), ("CACHE__TTL_SECONDS", "1")];
    let (first, second) = (replica(&redis.url(), &settings).await, replica(&redis.url(), &settings).await);
    let planner = first.client().planner("s");
    let tail = first_step(&planner).await;
    is_gone(&redis, LOG).await;
    // What isn't a directive brings nothing back.
    let event = json!({"status": "success", "revision": 1, "payload": {"content": "x"}});
    assert_problem(&planner.subagent("p", "a").post(&event).await, 410, "session_expired");

    planner.post(&step("q")).await.expect(201);
    let said = planner.subagent("q", "a").say("success", 1, "y").await;
    assert_eq!(said["verdict"], "accepted");
    // Sequence, epoch and chain go on, and what was before is known.
    planner.post(&step("p")).await.expect(200);
    let repeated = planner.subagent("p", "a").say("success", 1, "x").await;
    assert_eq!(repeated["verdict"], "duplicate");
    let (mine, theirs) = (whole_log(first.client(), "s").await, whole_log(second.client(), "s").await);
    assert_eq!(mine, theirs);
    let sequences: Vec<u64> = mine.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    assert!(sequences.contains(&1) && sequences.contains(&(tail + 1)), "{sequences:?}");
    assert_eq!(planner.state().await["steps"].as_array().unwrap().len(), 2);
    archive.close().await;
}

#[tokio::test]
async fn without_an_archive_a_directive_begins_after_what_expired() {
    let redis = RedisServer::start();
    let replica = replica(&redis.url(), &[("CACHE__TTL_SECONDS", "1")]).await;
    let planner = replica.client().planner("s");
    let tail = first_step(&planner).await;
    // The keys stay for longer: they only clear up.
    let is_over = || async { (planner.get("").send().await.status == 410).then_some(()) };
    eventually("the session's data to expire", is_over).await;
    planner.post(&step("q")).await.expect(201);
    let state = planner.state().await;
    assert_eq!(
        (state["steps"].as_array().unwrap().len(), &state["sequence"]["oldest"]),
        (1, &json!(tail + 1))
    );
}

#[tokio::test]
async fn who_queues_behind_a_directive_is_not_told_that_its_session_has_expired() {
    let redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    let settings = [("ARCHIVE__URL", &*url), ("CACHE__TTL_SECONDS", "1")];
    let replica = replica(&redis.url(), &settings).await;
    let planner = replica.client().planner("s");
    first_step(&planner).await;
    is_gone(&redis, LOG).await;
    let (one, two) = (step("q"), step("q"));
    let (first, second) = tokio::join!(planner.post(&one), planner.post(&two));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 201]);
    archive.close().await;
}

#[tokio::test]
async fn a_log_that_redis_let_go_keeps_nobody_from_going_on() {
    for with_archive in [true, false] {
        let redis = RedisServer::start();
        let (url, archive) = archive_in(&redis);
        let settings = [("ARCHIVE__URL", &*url)];
        let replica = replica(&redis.url(), if with_archive { &settings } else { &[] }).await;
        let planner = replica.client().planner("s");
        first_step(&planner).await;
        let log = whole_log(replica.client(), "s").await;
        assert_eq!(redis.command(&["UNLINK", LOG]), ":1");
        planner.post(&step("q")).await.expect(201);
        planner.subagent("q", "a").say("success", 1, "y").await;
        assert_eq!(whole_log(replica.client(), "s").await[..log.len()], log, "byte for byte");
        archive.close().await;
    }
}
