//! Redis comes back with a file that takes long to read: it answers everything with `-LOADING` meanwhile.

use serde_json::json;

use super::load::start;
use super::scene::{Scene, try_send, whole_log};
use crate::harness::{assert_problem, eventually};
use crate::redis_server::RedisServer;

/// A Redis that waits a while for each key that it reads, until told otherwise, and answers in between.
fn slow_reader() -> RedisServer {
    RedisServer::start_with(&[
        "--save",
        "",
        "--appendonly",
        "no",
        "--rdbcompression",
        "no",
        "--enable-debug-command",
        "yes",
        // Microseconds: a minute and a half in all.
        "--key-load-delay",
        "30000",
        "--loading-process-events-interval-bytes",
        "1024",
    ])
}

#[tokio::test]
async fn a_redis_that_reads_its_file_is_waited_for_and_nothing_is_lost() {
    let variables = [("CACHE__APPEND_TIMEOUT_MS", "1500")];
    let mut scene = Scene::with(slow_reader(), &variables).await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    planner.subagent("p", "crm").say("partial", 1, "in the file").await;
    scene.redis.expect_ok(&["DEBUG", "POPULATE", "3000", "other", "2048"]);
    scene.redis.expect_ok(&["SAVE"]);
    planner.subagent("p", "crm").say("partial", 2, "after it").await;
    let log = whole_log(scene.client(1), "s").await;
    let mut stream = scene.client(1).sse(planner.path("/events?coalesce=never")).await;
    let (_, mut coverage) = stream.open().await;
    stream.cover(&mut coverage, log.len() as u64).await;

    scene.redis.kill();
    scene.redis.begin_restart();
    let redis = &scene.redis;
    eventually("Redis to read its file", || async {
        redis.try_command(&["PING"]).is_some_and(|answer| answer.starts_with("-LOADING")).then_some(())
    })
    .await;
    let event = json!({"status": "partial", "revision": 3, "payload": {"content": "x", "sources": []}});
    let begun = std::time::Instant::now();
    let [here, there] = [0, 1].map(|replica| scene.planner(replica, "s").subagent("p", "crm"));
    let (one, other) = tokio::join!(here.post(&event), there.post(&event));
    for answer in [one, other] {
        assert_problem(&answer, 503, "store_unavailable");
    }
    assert!(
        begun.elapsed().as_secs() < 30,
        "told in time, on a machine that may stand still: {:?}",
        begun.elapsed()
    );
    while stream.expect("heartbeat").await.json()["store"] != "unavailable" {}
    for client in scene.clients() {
        let ready = client.get("/readyz").send().await.expect(503);
        assert_eq!(ready["dependencies"]["cache"]["ready"], false);
    }
    let still = redis.command(&["PING"]);
    assert!(still.starts_with("-LOADING"), "all of that while it reads: {still}");

    scene.redis.expect_ok(&["CONFIG", "SET", "key-load-delay", "0"]);
    let taken = eventually("the event to be taken", || async {
        let answer = try_send(here.request(&event)).await?;
        (answer.status == 200).then(|| answer.json()["results"][0].clone())
    })
    .await;
    assert_eq!(taken["verdict"], "accepted", "{taken}");
    assert_eq!(taken["sequence"], log.len() as u64 + 1, "after what was acknowledged: {taken}");
    stream.cover(&mut coverage, log.len() as u64 + 1).await;
    for client in scene.clients() {
        let now = whole_log(client, "s").await;
        assert_eq!(now[..log.len()], log, "what the file lacked is put back");
        eventually("readiness", || async move {
            (client.get("/readyz").send().await.status == 200).then_some(())
        })
        .await;
    }
}
