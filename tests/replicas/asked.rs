//! Redis comes back empty, and a session is asked for at a replica that holds nothing of it before the one that does has put it back:
//! the archive knows it, and it goes on.

use serde_json::{Value, json};

use super::archived::{archive_in, archived_to};
use super::scene::{replica, try_send};
use crate::harness::{Planner, TestApp, eventually};
use crate::redis_server::RedisServer;

/// An event is taken, sooner or later, with this verdict.
async fn takes(planner: &Planner, key: &str, event: Value, verdict: &str) {
    let subagent = planner.subagent("p", key);
    let told = eventually("an answer to an event", || async {
        let answer = try_send(subagent.request(&event)).await?;
        assert_ne!(answer.status, 404, "{}", answer.text());
        assert_ne!(answer.status, 410, "{}", answer.text());
        (answer.status == 200).then(|| answer.json()["results"][0]["verdict"].clone())
    });
    assert_eq!(told.await, verdict);
}

fn said(status: &str, revision: u64, content: &str) -> Value {
    json!({"status": status, "revision": revision, "payload": {"content": content, "sources": []}})
}

/// The first of two replicas takes a step that the archive knows, and then a result that it doesn't; it is frozen, and Redis comes
/// back empty.
async fn held_by_a_frozen_one(redis: &mut RedisServer, url: &str, more: bool) -> [TestApp; 2] {
    let archive = archive_in(redis).1;
    let slow = [("ARCHIVE__URL", url), ("ARCHIVE__BATCH_WAIT_MS", "5000")];
    let first = replica(&redis.url(), &slow).await;
    let second = replica(&redis.url(), &[("ARCHIVE__URL", url)]).await;
    let planner = first.client().planner("s");
    let expected = json!([{"key": "x"}, {"key": "y"}]);
    let step = json!({"plan_step_id": "p", "expected_subagents": expected, "deadline_ms": 120_000, "more_steps": true});
    planner.post(&step).await.expect(201);
    let mut last = planner.subagent("p", "x").say("partial", 1, "x goes on").await;
    if more {
        planner.subagent("p", "x").say("success", 2, "x is done").await;
        last = planner.subagent("p", "y").say("success", 1, "y is done").await;
    }
    let tail = planner.state().await["sequence"]["tail"].as_u64().unwrap();
    assert!(last["sequence"].as_u64().unwrap() <= tail);
    archived_to(&archive, "s", tail).await;
    if !more {
        planner.subagent("p", "y").say("success", 1, "y found 17 of them").await;
    }
    first.signal("STOP");
    redis.kill();
    redis.restart();
    archive.close().await;
    [first, second]
}

#[tokio::test]
async fn a_running_step_goes_on_and_what_only_the_holder_has_is_decided_again() {
    let mut redis = RedisServer::start();
    let url = archive_in(&redis).0;
    let [first, second] = held_by_a_frozen_one(&mut redis, &url, false).await;
    let there = second.client().planner("s");
    takes(&there, "x", said("partial", 2, "x goes on"), "accepted").await;
    assert_ne!(there.step("p").await["subagents"][1]["status"], "success", "nobody else knows it");
    first.signal("CONT");
    eventually("the result that only the frozen one had", || async {
        (there.step("p").await["subagents"][1]["status"] == "success").then_some(())
    })
    .await;
    takes(&there, "x", said("success", 3, "x is done"), "accepted").await;
    let result = there.page("/steps/p/result").await;
    let brought: Vec<&Value> =
        result["results"].as_array().unwrap().iter().map(|one| &one["task_id"]).collect();
    assert_eq!(brought, ["x", "y"], "{result}");
}

#[tokio::test]
async fn a_session_that_was_taken_for_expired_meanwhile_is_put_back() {
    let mut redis = RedisServer::start();
    let url = archive_in(&redis).0;
    let [first, second] = held_by_a_frozen_one(&mut redis, &url, true).await;
    let there = second.client().planner("s");
    // Nothing runs: what the archive has can be read, and that the session goes on is known by nobody who is awake.
    eventually("the archive's word", || async {
        let answer = try_send(there.get("/steps/p")).await?;
        (answer.status == 200).then_some(())
    })
    .await;
    first.signal("CONT");
    eventually("the session to be back", || async {
        let answer = try_send(there.subagent("p", "y").request(&said("success", 2, "again"))).await?;
        (answer.status == 200).then_some(())
    })
    .await;
    takes(&there, "y", said("success", 1, "y is done"), "duplicate").await;
}
