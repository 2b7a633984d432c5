//! Readers cost Redis next to nothing.

use super::load::start;
use super::scene::Scene;
use crate::harness::eventually;

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
