//! Readers cost Redis next to nothing.

use futures::future::join_all;

use super::load::start;
use super::scene::Scene;
use crate::harness::eventually;
use crate::redis_server::RedisServer;

/// Calls of a command so far.
fn calls(scene: &Scene, command: &str) -> u64 {
    let name = format!("cmdstat_{command}:");
    let stats = scene.redis.text(&["INFO", "commandstats"]);
    let line = stats.lines().find_map(|line| line.strip_prefix(&*name));
    line.and_then(|line| line.strip_prefix("calls=")?.split(',').next()?.parse().ok()).unwrap_or(0)
}

fn connections(scene: &Scene) -> usize {
    scene.redis.text(&["CLIENT", "LIST"]).lines().filter(|line| line.starts_with("id=")).count()
}

#[tokio::test]
async fn readers_open_no_connections_to_redis_and_a_storm_of_them_reads_next_to_nothing() {
    let scene = Scene::new().await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    planner.subagent("p", "crm").say("partial", 1, "a").await;
    let first = scene.client(0).sse(planner.path("/events")).await;
    let before = connections(&scene);
    let (scripts, ranges) = (calls(&scene, "hgetall"), calls(&scene, "xrange"));
    let mut streams = Vec::new();
    for _ in 0..300 {
        let mut stream = scene.client(0).sse(planner.path("/events")).await;
        stream.open().await;
        streams.push(stream);
    }
    assert_eq!(connections(&scene), before, "whatever the number of readers");
    // One connection asks; each replica has at most six.
    assert!(before <= 13, "{before} connections of two replicas");
    let (scripts, ranges) = (calls(&scene, "hgetall") - scripts, calls(&scene, "xrange") - ranges);
    assert!(scripts + ranges <= 20, "{scripts} states and {ranges} ranges read for 300 readers");
    planner.subagent("p", "crm").succeed().await;
    for mut stream in streams {
        let rest = stream.rest().await;
        assert_eq!(rest.last().unwrap().name, "end");
    }
    drop(first);
    eventually("readers to be gone", || async {
        let ready = scene.client(0).get("/readyz").send().await.json();
        (ready["dependencies"]["service"]["readers"] == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn readers_that_come_at_once_with_cursors_of_another_epoch_share_what_redis_is_asked() {
    const READERS: u64 = 200;
    let scene = Scene::with(RedisServer::start(), &[("CACHE__REDIS_TIMEOUT_MS", "30000")]).await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    for revision in 1..=20 {
        planner.subagent("p", "crm").say("partial", revision, "a").await;
    }
    let first = scene.client(0).sse(planner.path("/events")).await;
    let read = || (calls(&scene, "hgetall"), calls(&scene, "hvals"), calls(&scene, "xrange"));
    let before = read();
    // All of them have come before the first is answered, however busy the machine is.
    scene.redis.signal("STOP");
    let come = (0..READERS).map(async |_| {
        let request = scene.client(0).get(planner.path("/events"));
        let mut stream = request.header("last-event-id", "abcdef_10_0011223344556677").sse().await;
        let open = stream.until("open").await.pop().unwrap().json();
        assert_eq!((&open["reason"], &open["recovered"]), (&"epoch_changed".into(), &false.into()));
        stream.until("snapshot").await;
        stream
    });
    let go_on = async {
        let all = format!("tributary_readers {}\n", READERS + 1);
        eventually("all readers to have come", || async {
            let metrics = scene.client(0).get("/metrics").send().await;
            metrics.text().contains(&all).then_some(())
        })
        .await;
        scene.redis.signal("CONT");
    };
    let (streams, ()) = futures::join!(join_all(come), go_on);
    let after = read();
    let (states, snapshots, ranges) = (after.0 - before.0, after.1 - before.1, after.2 - before.2);
    let told = format!("{states} states, {snapshots} snapshots and {ranges} ranges for {READERS} readers");
    assert!(snapshots <= 20 && states <= 100 && ranges <= 100, "{told}");
    planner.subagent("p", "crm").succeed().await;
    for mut stream in streams.into_iter().chain([first]) {
        assert_eq!(stream.rest().await.last().unwrap().name, "end");
    }
}
