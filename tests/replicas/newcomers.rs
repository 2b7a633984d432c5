//! A replica that starts right after Redis has lost everything holds nothing, and has seen no other server: it can't know that there was
//! anything to lose, and asks those who were there.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::load::start;
use super::scene::replica;
use crate::harness::{Planner, TestApp, eventually, stalled_during};
use crate::redis_server::RedisServer;

/// Who is back so soon after a newcomer was started is back within the half second that this one waits, however busy the machine is.
const IN_TIME: Duration = Duration::from_millis(450);
/// How long the machine may stand still for an answer that is waited for half a second.
const STALL: Duration = Duration::from_millis(150);

/// One that notices by itself only what breaks its line.
async fn earlier(redis: &RedisServer) -> TestApp {
    let variables = [("CACHE__SWEEP_MS", "60000"), ("STREAMING__HEARTBEAT_MS", "60000")];
    replica(&redis.url(), &variables).await
}

fn second_step() -> Value {
    json!({"plan_step_id": "q", "expected_subagents": [{"key": "crm"}], "deadline_ms": 600_000})
}

fn said() -> Value {
    json!({"status": "partial", "revision": 2, "payload": {"content": "y", "sources": []}})
}

/// The session goes on where it was.
async fn goes_on(planner: &Planner, before: &Value) {
    let after = planner.state().await;
    assert_eq!(after["epoch"], before["epoch"], "{after}");
    assert!(after["sequence"]["tail"].as_u64() > before["sequence"]["tail"].as_u64(), "{after}");
}

#[tokio::test]
async fn who_starts_after_redis_was_emptied_begins_nothing_anew_and_knows_what_others_hold() {
    let redis = RedisServer::start();
    let first = earlier(&redis).await;
    for session in ["directive", "event", "page"] {
        let here = first.client().planner(session);
        start(&here).await;
        here.subagent("p", "crm").say("partial", 1, "x").await;
        let before = here.state().await;
        redis.expect_ok(&["FLUSHALL"]);
        let ((second, answer), stalled) = stalled_during(async {
            let second = replica(&redis.url(), &[]).await;
            let there = second.client().planner(session);
            let answer = match session {
                "directive" => there.post(&second_step()).await,
                "event" => there.subagent("p", "crm").post(&said()).await,
                _ => there.get("/events").send().await,
            };
            (second, answer)
        })
        .await;
        if stalled < STALL {
            answer.expect(if session == "directive" { 201 } else { 200 });
            here.subagent("p", "crm").say("partial", 3, "z").await;
            goes_on(&second.client().planner(session), &before).await;
            goes_on(&here, &before).await;
        }
    }
}

#[tokio::test]
async fn who_starts_on_a_redis_that_came_back_empty_waits_for_those_who_are_not_back_yet() {
    let mut redis = RedisServer::start();
    let first = earlier(&redis).await;
    let here = first.client().planner("s");
    start(&here).await;
    let before = here.state().await;
    first.signal("STOP");
    redis.kill();
    redis.restart();
    let begun = Instant::now();
    let second = replica(&redis.url(), &[]).await;
    let there = second.client().planner("s");
    let told = tokio::spawn({
        let there = there.clone();
        async move { there.post(&second_step()).await }
    });
    // By then the directive is there.
    second.get("/readyz").send().await;
    first.signal("CONT");
    first.logged("subscribed to Redis again").await;
    let was_in_time = begun.elapsed() < IN_TIME;
    told.await.unwrap().expect(201);
    if was_in_time {
        goes_on(&there, &before).await;
        goes_on(&here, &before).await;
    }
}

/// The first replica on a new Redis: nobody is there who could say anything.
#[tokio::test]
async fn who_is_alone_on_a_new_redis_waits_for_nobody_longer_than_half_a_second() {
    let redis = RedisServer::start();
    let (said, stalled) = stalled_during(async {
        let alone = replica(&redis.url(), &[]).await;
        let planner = alone.client().planner("s");
        let begun = Instant::now();
        start(&planner).await;
        let waited = begun.elapsed();
        // Nothing was lost: what isn't known isn't waited for.
        let unknown = planner
            .subagent("never", "crm")
            .post(&json!({"status": "success", "payload": {"content": "x"}}))
            .await;
        eventually("the line", || async { (alone.get("/readyz").send().await.status == 200).then_some(()) })
            .await;
        (waited, unknown.status)
    })
    .await;
    assert_eq!(said.1, 404);
    assert!(
        said.0.as_millis() < 1_000 + stalled.as_millis(),
        "{said:?}, the machine stood still for {stalled:?}"
    );
}
