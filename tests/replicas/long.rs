//! A session is longer than its part of the log, and Redis comes back empty: what an output ended with long ago is in nobody's
//! memory any more.

use serde_json::{Value, json};

use super::archived::{archive_in, archived_to};
use super::scene::{Scene, try_send, whole_log};
use crate::harness::{Planner, eventually};
use crate::redis_server::RedisServer;

const RING: (&str, &str) = ("CACHE__RING_ENTRIES", "16");

/// A step whose output `y` ended with a result long before what the log still holds. Returns how far the log is.
async fn go_on_for_long(planner: &Planner) -> u64 {
    let expected = json!([{"key": "x"}, {"key": "y"}]);
    let step = json!({"plan_step_id": "p", "expected_subagents": expected, "deadline_ms": 120_000});
    planner.post(&step).await.expect(201);
    planner.subagent("p", "y").say("success", 1, "y found 17 of them").await;
    let mut last = Value::Null;
    for revision in 1..=60 {
        last = planner.subagent("p", "x").say("partial", revision, "x goes on").await;
    }
    last["sequence"].as_u64().unwrap()
}

/// Redis loses everything, and the step ends. Returns its result, which every replica tells alike.
async fn lose_everything_and_end(scene: &mut Scene) -> Value {
    scene.redis.kill();
    scene.redis.restart();
    let event =
        json!({"status": "success", "revision": 99, "payload": {"content": "x is done", "sources": []}});
    let subagent = scene.planner(1, "s").subagent("p", "x");
    eventually("the last result to be taken", || async {
        let answer = try_send(subagent.request(&event)).await?;
        (answer.status == 200).then_some(())
    })
    .await;
    let result = scene.planner(1, "s").page("/steps/p/result").await;
    assert_eq!(scene.planner(0, "s").page("/steps/p/result").await["results"], result["results"]);
    result
}

#[tokio::test]
async fn the_archive_gives_the_results_back() {
    let redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    let mut scene = Scene::with(redis, &[("ARCHIVE__URL", &url), RING]).await;
    let last = go_on_for_long(&scene.planner(0, "s")).await;
    archived_to(&archive, "s", last).await;
    let cursor = scene.planner(0, "s").page("/events?after=tail").await["next"].as_str().unwrap().to_owned();
    let result = lose_everything_and_end(&mut scene).await;
    let brought: Vec<&Value> =
        result["results"].as_array().unwrap().iter().map(|one| &one["task_id"]).collect();
    assert_eq!(brought, ["x", "y"], "{result}");
    assert_eq!(result["failures"], json!([]));
    let page = scene.planner(0, "s").page(&format!("/events?after={cursor}")).await;
    assert_eq!(
        page["verdict"]["reason"], "ok",
        "who held it put it back before anything was decided: {page}"
    );
    let told = page["events"].as_array().unwrap().iter().find(|event| event["type"] == "aggregation");
    assert!(told.unwrap().to_string().contains("y found 17 of them"), "{page}");
    archive.close().await;
}

#[tokio::test]
async fn who_saw_the_results_gives_them_back() {
    let mut scene = Scene::with(RedisServer::start(), &[RING]).await;
    go_on_for_long(&scene.planner(0, "s")).await;
    let result = lose_everything_and_end(&mut scene).await;
    let brought: Vec<&Value> =
        result["results"].as_array().unwrap().iter().map(|one| &one["task_id"]).collect();
    assert_eq!(brought, ["x", "y"], "{result}");
}

/// The replica that saw everything is gone; the other one has seen the last event alone, whose place is returned.
async fn leave_who_saw_the_end(scene: &mut Scene) -> u64 {
    let last = scene.planner(1, "s").subagent("p", "x").say("partial", 70, "x goes on").await;
    scene.replicas[0].signal("KILL");
    scene.replicas[0].exited().await;
    scene.replicas.remove(0);
    last["sequence"].as_u64().unwrap()
}

#[tokio::test]
async fn the_archive_gives_the_results_back_that_nobody_saw() {
    let redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    let mut scene = Scene::with(redis, &[("ARCHIVE__URL", &url), RING]).await;
    go_on_for_long(&scene.planner(0, "s")).await;
    let last = leave_who_saw_the_end(&mut scene).await;
    archived_to(&archive, "s", last).await;
    let result = lose_everything_and_end(&mut scene).await;
    let brought: Vec<&Value> =
        result["results"].as_array().unwrap().iter().map(|one| &one["task_id"]).collect();
    assert_eq!(brought, ["x", "y"], "{result}");
    archive.close().await;
}

#[tokio::test]
async fn where_nobody_saw_them_that_is_told() {
    let mut scene = Scene::with(RedisServer::start(), &[RING]).await;
    go_on_for_long(&scene.planner(0, "s")).await;
    leave_who_saw_the_end(&mut scene).await;
    let result = lose_everything_and_end(&mut scene).await;
    let failure = &result["failures"][0];
    assert_eq!((&failure["task_id"], &failure["status"]), (&json!("y"), &json!("lost")), "{result}");
}

#[tokio::test]
async fn what_lies_between_an_older_file_and_what_is_held_comes_out_of_the_archive() {
    let redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    let mut scene = Scene::with(redis, &[("ARCHIVE__URL", &url), RING]).await;
    let planner = scene.planner(0, "s");
    planner.start("p", &["x"]).await;
    assert_eq!(scene.redis.command(&["SAVE"]), "+OK");
    let mut last = Value::Null;
    for revision in 1..=60 {
        last = planner.subagent("p", "x").say("partial", revision, "x goes on").await;
    }
    archived_to(&archive, "s", last["sequence"].as_u64().unwrap()).await;
    let log = whole_log(scene.client(0), "s").await;
    let cursor = planner.page("/events?after=tail").await["next"].as_str().unwrap().to_owned();
    scene.redis.kill();
    scene.redis.restart();
    let event = json!({"status": "partial", "revision": 61, "payload": {"content": "and on"}});
    let subagent = scene.planner(1, "s").subagent("p", "x");
    // Both look at once: who holds the log mustn't begin another before the archive gave back what lies between.
    let went_on = eventually("an event after the loss", || async {
        let answer = try_send(subagent.request(&event)).await?;
        (answer.status == 200).then_some(())
    });
    let holder = scene.planner(0, "s");
    let asked = format!("/events?after={cursor}");
    let seen = eventually("a page of who holds the log", || async {
        let answer = try_send(holder.get(&asked)).await?;
        (answer.status == 200).then(|| answer.json()["verdict"]["reason"].clone())
    });
    assert_eq!(tokio::join!(went_on, seen).1, "ok");
    let page = holder.page(&asked).await;
    assert_eq!(
        (&page["verdict"]["reason"], &page["events"][0]["sequence"]),
        (&json!("ok"), &json!(log.len() + 1)),
        "{page}"
    );
    assert_eq!(whole_log(scene.client(1), "s").await[..log.len()], log, "byte for byte");
    archive.close().await;
}
