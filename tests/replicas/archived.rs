//! What a replica took and didn't archive before it was killed, another one archives; and what a store lost that nobody
//! holds, the archive gives back.

use serde_json::json;
use tributary::domain::ids::{SessionKey, TenantId};
use tributary::edge::archive::{ArchiveUrl, SqlArchive};
use tributary::engine::ports::archive::Archive;

use super::load::start;
use super::scene::{Scene, replica, whole_log};
use super::versions::set_format;
use crate::harness::{TestApp, assert_problem, eventually};
use crate::redis_server::RedisServer;

#[tokio::test]
async fn what_a_killed_replica_left_unarchived_is_archived_by_another() {
    let redis = RedisServer::start();
    let url = format!("sqlite://{}", redis.folder().join("archive.db").display());
    // It waits for more to archive, and doesn't look after what is due: it is killed before it does either.
    let slow = [("ARCHIVE__URL", &*url), ("ARCHIVE__BATCH_WAIT_MS", "10000"), ("CACHE__SWEEP_MS", "60000")];
    let first = replica(&redis.url(), &[&slow[..], &[("ARCHIVE__LOOK_AFTER_MS", "500")]].concat()).await;
    let planner = first.client().planner("s");
    start(&planner).await;
    planner.subagent("p", "crm").say("partial", 1, "x").await;
    let log = whole_log(first.client(), "s").await;
    first.signal("KILL");
    drop(first);

    let archive = SqlArchive::at(&url.parse::<ArchiveUrl>().unwrap()).unwrap();
    let key = SessionKey { tenant: TenantId::default_tenant(), session: "s".parse().unwrap() };
    assert_eq!(archive.session(&key).await.unwrap(), None, "nothing is archived yet");
    let second = replica(&redis.url(), &[("ARCHIVE__URL", &url)]).await;
    let position = eventually("the session to be archived", || async {
        archive.session(&key).await.unwrap().map(|session| session.position)
    })
    .await;
    assert_eq!(position.sequence.0, log.len() as u64);
    assert_eq!(whole_log(second.client(), "s").await, log);
    archive.close().await;
}

/// An archive, as a replica is told of it and as a test reads it.
pub fn archive_in(redis: &RedisServer) -> (String, std::sync::Arc<SqlArchive>) {
    let url = format!("sqlite://{}", redis.folder().join("archive.db").display());
    let archive = SqlArchive::at(&url.parse::<ArchiveUrl>().unwrap()).unwrap();
    (url, std::sync::Arc::new(archive))
}

pub async fn archived_to(archive: &SqlArchive, session: &str, sequence: u64) {
    let key = SessionKey { tenant: TenantId::default_tenant(), session: session.parse().unwrap() };
    eventually("the archive to be level", || async {
        let known = archive.session(&key).await.ok().flatten()?;
        (known.position.sequence.0 == sequence).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_deleted_session_stays_deleted_though_another_replica_has_just_read_it_in_the_archive() {
    let redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    archive.migrate().await.unwrap();
    let settings = [("ARCHIVE__URL", &*url), ("CACHE__TTL_SECONDS", "1")];
    let (first, second) = (replica(&redis.url(), &settings).await, replica(&redis.url(), &settings).await);
    let planner = first.client().planner("s");
    start(&planner).await;
    planner.subagent("p", "crm").succeed().await;
    let there = second.client().planner("s");
    eventually("the archive alone to have it", || async {
        (there.page("/events?after=0").await["source"] == "archive").then_some(())
    })
    .await;
    assert_eq!(second.client().get("/planner/sessions/s").send().await.status, 200);
    assert_eq!(first.client().request("DELETE", "/planner/sessions/s").send().await.status, 204);
    for client in [second.client(), first.client()] {
        assert_problem(&client.get("/planner/sessions/s").send().await, 404, "unknown_session");
    }
    // Nor does what begins anew tell how long it was.
    start(&there).await;
    assert_eq!(there.page("/events?after=tail").await["tail"], 1);
}

#[tokio::test]
async fn a_session_of_a_newer_version_keeps_no_other_from_the_archive() {
    // Those that wait are archived in the order in which they came.
    let scene = Scene::with(RedisServer::start(), &[]).await;
    let (url, archive) = archive_in(&scene.redis);
    let slow = [("ARCHIVE__URL", &*url), ("ARCHIVE__BATCH_WAIT_MS", "300")];
    let replica = replica(&scene.redis.url(), &slow).await;
    start(&replica.client().planner("s")).await;
    set_format(&scene, 200);
    let other = replica.client().planner("t");
    start(&other).await;
    for revision in 1..=3 {
        other.subagent("p", "crm").say("partial", revision, "x").await;
    }
    archived_to(&archive, "t", 5).await;
    // It was told: the log can be trimmed, and expires.
    let place = "tributary:{default/t}:meta";
    eventually("the cache to be told", || async {
        (scene.redis.command(&["PTTL", place]) != ":-1").then_some(())
    })
    .await;
}

/// A store that was saved, and then took more that the archive has, comes back from what was saved; nobody held anything.
async fn go_back(redis: &mut RedisServer, holder: TestApp) {
    holder.signal("KILL");
    drop(holder);
    redis.kill();
    redis.restart();
}

#[tokio::test]
async fn entries_that_only_the_archive_has_go_back_before_anything_is_decided() {
    let mut redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    let first = replica(&redis.url(), &[("ARCHIVE__URL", &url)]).await;
    let planner = first.client().planner("s");
    start(&planner).await;
    planner.subagent("p", "crm").say("partial", 1, "kept").await;
    archived_to(&archive, "s", 3).await;
    assert_eq!(redis.command(&["SAVE"]), "+OK");
    for revision in 2..=8 {
        planner.subagent("p", "crm").say("partial", revision, "lost by the store").await;
    }
    let log = whole_log(first.client(), "s").await;
    let cursor = planner.page("/events").await["next"].as_str().unwrap().to_owned();
    archived_to(&archive, "s", 10).await;
    go_back(&mut redis, first).await;

    let second = replica(&redis.url(), &[("ARCHIVE__URL", &url)]).await;
    let planner = second.client().planner("s");
    assert_eq!(planner.page("/events").await["tail"], 10, "for who reads first");
    let repeated = planner.subagent("p", "crm").say("partial", 8, "lost by the store").await;
    assert_eq!((&repeated["verdict"], &repeated["sequence"]), (&json!("duplicate"), &json!(10)));
    let next = planner.subagent("p", "crm").say("partial", 9, "next").await;
    assert_eq!((&next["verdict"], &next["sequence"]), (&json!("accepted"), &json!(11)));
    let page = planner.page(&format!("/events?after={cursor}")).await;
    assert_eq!(
        (&page["verdict"]["recovered"], page["events"].as_array().unwrap().len()),
        (&json!(true), 1),
        "{page}"
    );
    assert_eq!(whole_log(second.client(), "s").await[..10], log, "byte for byte");
    let metrics = second.get("/metrics").send().await.text().to_owned();
    assert!(metrics.contains("tributary_restored_entries_total 7"), "{metrics}");
    archive.close().await;
}

#[tokio::test]
async fn deadline_of_a_step_that_the_store_lost_comes_without_anybody_asking() {
    for lost in ["all", "the step"] {
        let mut redis = RedisServer::start();
        let (url, archive) = archive_in(&redis);
        let first = replica(&redis.url(), &[("ARCHIVE__URL", &url)]).await;
        let planner = first.client().planner("s");
        let step = |id, deadline_ms| json!({"plan_step_id": id, "expected_subagents": [{"key": "crm"}], "deadline_ms": deadline_ms});
        if lost == "the step" {
            planner.post(&step("before", 600_000)).await.expect(201);
            assert_eq!(redis.command(&["SAVE"]), "+OK");
        }
        planner.post(&step("p", 3_000)).await.expect(201);
        let tail = planner.state().await["sequence"]["tail"].as_u64().unwrap();
        archived_to(&archive, "s", tail).await;
        go_back(&mut redis, first).await;
        let second = replica(&redis.url(), &[("ARCHIVE__URL", &url)]).await;
        let key = SessionKey { tenant: TenantId::default_tenant(), session: "s".parse().unwrap() };
        eventually("the end of the step in the archive", || async {
            let known = archive.session(&key).await.ok().flatten()?;
            (known.position.sequence.0 > tail).then_some(())
        })
        .await;
        let step = second.client().planner("s").step("p").await;
        assert_eq!(step["subagents"][0]["status"], "timeout", "{lost}: {step}");
        archive.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_that_give_back_a_long_log_at_once_give_it_back_once() {
    let mut redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    let first = replica(&redis.url(), &[("ARCHIVE__URL", &url)]).await;
    let planner = first.client().planner("s");
    start(&planner).await;
    assert_eq!(redis.command(&["SAVE"]), "+OK");
    // More than goes into one append, by number and by size.
    let partial = |revision: u64| json!({"status": "partial", "revision": revision, "payload": {"content": "x".repeat(1_000)}});
    planner.subagent("p", "crm").post(&(1..=700).map(partial).collect()).await.expect(200);
    let log = whole_log(first.client(), "s").await;
    archived_to(&archive, "s", log.len() as u64).await;
    go_back(&mut redis, first).await;

    let (redis_url, variables) = (redis.url(), [("ARCHIVE__URL", &*url)]);
    let (one, two) = tokio::join!(replica(&redis_url, &variables), replica(&redis_url, &variables));
    let mut speaking = Vec::new();
    for (at, replica) in [&one, &two, &one, &two].into_iter().enumerate() {
        let planner = replica.client().planner("s");
        speaking.push(tokio::spawn(async move {
            let again = planner.subagent("p", "crm").post(&partial(700)).await.expect(200);
            assert_eq!(again["results"][0]["verdict"], "duplicate", "{again}");
            planner.tell("/steps/p/progress", json!({"message": format!("on {at}")})).await;
        }));
    }
    for speaking in speaking {
        speaking.await.unwrap();
    }
    let (mine, theirs) = (whole_log(one.client(), "s").await, whole_log(two.client(), "s").await);
    assert_eq!(mine, theirs, "one log");
    assert_eq!(
        (&mine[..log.len()], mine.len()),
        (&log[..], log.len() + 4),
        "byte for byte, and what came since"
    );
    archive.close().await;
}

#[tokio::test]
async fn a_late_result_is_counted_that_comes_to_a_replica_which_has_written_nothing_yet() {
    let redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    archive.migrate().await.unwrap();
    let settings = [("ARCHIVE__URL", &*url)];
    let (first, second) = (replica(&redis.url(), &settings).await, replica(&redis.url(), &settings).await);
    let planner = first.client().planner("s");
    start(&planner).await;
    planner.subagent("p", "crm").succeed().await;
    let late = second.client().planner("s").subagent("p", "crm").say("success", 9, "late").await;
    assert_eq!(late["verdict"], "late");
    let client = second.client();
    eventually("the late result to be counted", || async {
        let figures = client.get("/analytics/subagents").send().await.json();
        let subagents = figures["subagents"].as_array()?;
        subagents.iter().find(|of| of["key"] == "crm" && of["late"] == 1).map(drop)
    })
    .await;
    archive.close().await;
}
