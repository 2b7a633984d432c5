//! A Redis that was emptied while it ran: whoever asks first, at a replica that holds nothing of it, is told what was acknowledged.

use serde_json::json;

use super::load::start;
use super::scene::replica;
use crate::harness::{Client, TestApp};
use crate::redis_server::RedisServer;

/// Two replicas, and a session that only the first one holds, in a Redis that has just lost it.
async fn emptied(redis: &RedisServer, replicas: &[TestApp; 2], session: &str) -> Client {
    let planner = replicas[0].client().planner(session);
    start(&planner).await;
    planner.subagent("p", "crm").succeed().await;
    redis.expect_ok(&["FLUSHALL"]);
    replicas[1].client()
}

#[tokio::test]
async fn who_reads_first_what_a_redis_lost_that_was_emptied_is_shown_it() {
    let redis = RedisServer::start();
    let replicas = [replica(&redis.url(), &[]).await, replica(&redis.url(), &[]).await];
    let paths = [
        "/events",
        "/events?after=tail",
        "",
        "/steps/p",
        "/steps/p/events",
        "/steps/p/result",
        "/steps/p/results/crm",
    ];
    for (at, path) in paths.into_iter().enumerate() {
        let session = format!("s{at}");
        let there = emptied(&redis, &replicas, &session).await;
        let answer = there.get(format!("/planner/sessions/{session}{path}")).send().await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    }
    let there = emptied(&redis, &replicas, "last").await;
    let listed = there.get("/planner/sessions").send().await.json();
    let names: Vec<_> =
        listed["sessions"].as_array().unwrap().iter().map(|one| one["session_id"].clone()).collect();
    assert!(names.contains(&json!("last")), "{listed}");
}

/// Also at the replica that knows the session, which needs no look at the store to go on from where a reader is.
#[tokio::test]
async fn who_begins_with_a_snapshot_of_what_a_redis_lost_is_shown_it() {
    let redis = RedisServer::start();
    let holder = replica(&redis.url(), &[]).await;
    for round in 0..5 {
        let planner = holder.client().planner(&format!("s{round}"));
        start(&planner).await;
        planner.subagent("p", "crm").succeed().await;
        let log = planner.page("/events").await;
        redis.expect_ok(&["FLUSHALL"]);
        let mut reader =
            holder.client().sse(format!("/planner/sessions/s{round}/events?after=snapshot")).await;
        reader.open().await;
        let first = reader.expect("snapshot").await.json();
        assert_eq!(first["events"][0]["type"], "step_started", "{round}: {first}");
        let mut last = first;
        while last["complete"] == false {
            last = reader.expect("snapshot").await.json();
        }
        assert_eq!(last["to"], log["tail"], "{round}");
    }
}

#[tokio::test]
async fn what_is_deleted_right_after_a_redis_was_emptied_stays_deleted() {
    let redis = RedisServer::start();
    let archive = format!("sqlite://{}", redis.folder().join("archive.db").display());
    for settings in [&[][..], &[("ARCHIVE__URL", &*archive)]] {
        let replicas = [replica(&redis.url(), settings).await, replica(&redis.url(), settings).await];
        for round in 0..3 {
            let session = format!("s{round}");
            let there = emptied(&redis, &replicas, &session).await;
            let path = format!("/planner/sessions/{session}");
            assert_eq!(there.request("DELETE", &path).send().await.status, 204, "{round} {settings:?}");
            for replica in &replicas {
                let answer = replica.client().get(&path).send().await;
                assert_eq!(answer.status, 404, "{round} {settings:?}: {}", answer.text());
            }
        }
    }
}
