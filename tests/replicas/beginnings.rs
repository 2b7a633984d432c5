//! Redis comes back empty, and who holds only the end of a session is the first to notice: what came before follows, from another
//! replica or the archive.

use serde_json::{Value, json};

use super::archived::{archive_in, archived_to};
use super::scene::{Scene, replica, try_send, whole_log};
use crate::harness::{Planner, eventually};
use crate::redis_server::RedisServer;

/// A step that expects `x` and `y`; the first replica takes all but the last event, which is the only one that the other has seen.
/// Returns how far the log is.
async fn begin(scene: &Scene) -> u64 {
    let first = scene.planner(0, "s");
    let expected = json!([{"key": "x"}, {"key": "y"}]);
    let step = json!({"plan_step_id": "p", "expected_subagents": expected, "deadline_ms": 120_000});
    first.post(&step).await.expect(201);
    for revision in 1..=3 {
        first.subagent("p", "x").say("partial", revision, "x").await;
    }
    first.subagent("p", "y").say("success", 1, "y is done").await;
    let last = scene.planner(1, "s").subagent("p", "x").say("partial", 4, "x").await;
    last["sequence"].as_u64().unwrap()
}

/// Redis loses everything, and the second replica, which holds the end, goes on.
async fn lose_everything(scene: &mut Scene) {
    scene.redis.kill();
    scene.redis.restart();
    let event = json!({"status": "partial", "revision": 5, "payload": {"content": "x", "sources": []}});
    let second = scene.planner(1, "s");
    eventually("an event after the loss", || async {
        let answer = try_send(second.subagent("p", "x").request(&event)).await?;
        (answer.status == 200).then_some(())
    })
    .await;
}

async fn begins_at_1(planner: &Planner) {
    eventually("the beginning to be back", || async {
        (planner.page("/events?after=0").await["oldest"] == 1).then_some(())
    })
    .await;
}

/// The step's result has what both brought.
async fn ends_whole(planner: &Planner) {
    planner.subagent("p", "x").say("success", 9, "x is done").await;
    let result = eventually("the result", || async {
        let result = planner.page("/steps/p/result").await;
        (result["status"] != "in_progress").then_some(result)
    })
    .await;
    let brought: Vec<&Value> =
        result["results"].as_array().unwrap().iter().map(|one| &one["task_id"]).collect();
    assert_eq!(brought, ["x", "y"], "{result}");
    assert_eq!(result["failures"], json!([]));
}

#[tokio::test]
async fn another_replica_puts_it_in_front() {
    let mut scene = Scene::new().await;
    begin(&scene).await;
    let log = whole_log(scene.client(0), "s").await;
    scene.replicas[0].signal("STOP");
    lose_everything(&mut scene).await;
    let second = scene.planner(1, "s");
    assert_ne!(second.page("/events?after=0").await["oldest"], 1, "only the end is held here");
    scene.replicas[0].signal("CONT");
    begins_at_1(&second).await;
    for client in scene.clients() {
        assert_eq!(whole_log(client, "s").await[..log.len()], log, "byte for byte, for whoever asks");
    }
    assert_eq!(scene.redis.command(&["HEXISTS", "tributary:{default/s}:meta", "torn"]), ":0");
    // And so it stays when who held it is gone.
    scene.replicas[0].signal("KILL");
    ends_whole(&second).await;
    assert_eq!(whole_log(scene.client(1), "s").await[..log.len()], log);
}

/// As after replicas were replaced one by one: nobody is left that saw the session begin.
#[tokio::test]
async fn who_holds_nothing_does_not_begin_it_anew_before_the_end_is_back() {
    let mut scene = Scene::new().await;
    begin(&scene).await;
    let before = scene.planner(1, "s").state().await;
    drop(scene.replicas.remove(0));
    let third = replica(&scene.redis.url(), &[]).await;
    scene.redis.kill();
    scene.redis.restart();
    let planner = third.client().planner("s");
    let expected = json!([{"key": "z"}]);
    let step = json!({"plan_step_id": "q", "expected_subagents": expected, "deadline_ms": 120_000});
    let taken = eventually("the next directive", || async {
        let answer = try_send(third.client().post(planner.path("/steps")).json(&step)).await?;
        (answer.status != 503).then_some(answer)
    });
    taken.await.expect(201);
    let after = planner.state().await;
    assert_eq!(after["epoch"], before["epoch"], "{after}");
    assert_eq!(after["steps"].as_array().map(Vec::len), Some(2), "{after}");
}

#[tokio::test]
async fn the_archive_puts_it_in_front() {
    let redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    let mut scene = Scene::with(redis, &[("ARCHIVE__URL", &url)]).await;
    let last = begin(&scene).await;
    archived_to(&archive, "s", last).await;
    scene.replicas[0].signal("KILL");
    scene.replicas[0].exited().await;
    lose_everything(&mut scene).await;
    ends_whole(&scene.planner(1, "s")).await;
    archive.close().await;
}
