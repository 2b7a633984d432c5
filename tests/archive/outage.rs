//! Databases that are away, hang, or have no room: nothing is lost, senders are told, and all goes on by itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tributary::domain::position::Sequence;
use tributary::edge::archive::SqlArchive;
use tributary::engine::ports::archive::Archive;
use tributary::engine::ports::result_cache::{Appended, ResultCache, StoreError};

use crate::contract::DELETED;
use crate::harness::{Planner, TestApp, assert_problem, eventually, open_plan, within};
use crate::postgres::{Server, archive_at};
use crate::redis_server::RedisServer;
use crate::scene::Scene;
use crate::sqlite::Folder;
use crate::writer::{Writer, partial, sequences};

/// Writes until the disk is full; returns what a writer is told then.
async fn fills(scene: &Scene, writer: &mut Writer) -> StoreError {
    loop {
        match writer.tries(&*scene.cache, &[partial()]).await {
            Ok(Appended::Stored { .. }) => {}
            Ok(Appended::Conflict(missed)) => panic!("{missed:?}"),
            Err(error) if scene.sql.health().is_err() => return error,
            // The archiver is only slower than this.
            Err(_) => {}
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn full_disk_is_a_backlog_and_goes_on_when_there_is_room() {
    let folder = Folder::new();
    let sql = Arc::new(SqlArchive::sqlite_of_pages(&folder.0.join("archive.db"), 150));
    sql.migrate().await.unwrap();
    let scene = Scene::new(sql, 8_192, 65_536);
    let mut ballast = Writer::new("ballast");
    ballast.begins(&*scene.cache).await;
    for _ in 0..8 {
        for _ in 0..25 {
            ballast.writes(&*scene.cache, &[partial()]).await;
        }
        scene.has_everything_of(&ballast).await;
    }
    let mut writer = Writer::new("s");
    writer.begins(&*scene.cache).await;
    let refused = within("a full disk", fills(&scene, &mut writer)).await;
    assert!(matches!(refused, StoreError::Backlog(_)), "{refused}");
    assert!(scene.sql.health().unwrap_err().contains("full"), "{:?}", scene.sql.health());
    // The cache still has what the archive hasn't.
    let archived = scene.archived(&writer.key).await;
    let kept = scene.cache.read(&writer.key, Sequence(archived.len() as u64), 100_000).await.unwrap();
    assert_eq!(archived.len() + kept.entries().unwrap().len(), writer.log.len());
    // Somebody makes room.
    eventually("room", || async { scene.sql.forget(&ballast.key, DELETED).await.ok() }).await;
    scene.has_everything_of(&writer).await;
    writer.writes(&*scene.cache, &[partial()]).await;
    scene.has_everything_of(&writer).await;
    assert!(scene.sql.health().is_ok());
}

/// Posts partials until the service was heard to be without its archive, and then some more.
async fn publishes(planner: &Planner, revisions: std::ops::RangeInclusive<u64>) {
    for revision in revisions {
        let said = planner.subagent("p", "a").say("partial", revision, "x").await;
        assert_eq!(said["verdict"], "accepted");
    }
}

async fn archive_is(app: &TestApp, ready: bool) {
    eventually(format!("the archive's readiness to be {ready}"), || async {
        let answer = app.get("/readyz").send().await;
        assert_eq!(answer.status, 200, "the service takes traffic without it");
        (answer.json()["dependencies"]["archive"]["ready"] == ready).then_some(())
    })
    .await;
}

/// PostgreSQL crashes, hangs and comes back while a planner goes on; its archive misses nothing.
#[tokio::test]
async fn database_that_is_away_or_hangs_misses_nothing() {
    let mut server = Server::start().await;
    let url = server.database().await;
    let app = TestApp::new().env("ARCHIVE__URL", &url).env("ARCHIVE__BATCH_WAIT_MS", 1);
    let app = app.env("CACHE__RING_ENTRIES", 16).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    publishes(&planner, 1..=50).await;
    let mut reader = app.sse(format!("{}?coalesce=never", planner.events("p"))).await;
    let (open, mut coverage) = reader.open().await;
    // What only the archive has is read before it goes.
    reader.cover(&mut coverage, open["tail"].as_u64().unwrap()).await;

    eventually("the first entries to be in the archive alone", || async {
        (planner.page("/events?after=0").await["source"] == "archive").then_some(())
    })
    .await;

    server.crash();
    publishes(&planner, 51..=150).await;
    archive_is(&app, false).await;
    // What isn't archived is still whole in the cache, beyond the ring.
    let tail = planner.page("/events?after=tail").await["tail"].as_u64().unwrap();
    let waiting = planner.page(&format!("/events?after={}", tail - 90)).await;
    assert_eq!((&waiting["source"], waiting["events"].as_array().unwrap().len()), (&json!("ring"), 90));
    // Whoever asks for what only the archive could know is told to come again, not that it never was.
    assert_problem(&app.get("/planner/sessions/never").send().await, 503, "store_unavailable");
    assert_problem(&planner.get("/events?after=0").send().await, 503, "store_unavailable");
    app.planner("new").start("p", &["a"]).await;
    server.restart().await;
    archive_is(&app, true).await;

    server.freeze();
    publishes(&planner, 151..=200).await;
    server.thaw();
    planner.subagent("p", "a").succeed().await;
    let rest = reader.until("end").await;
    rest.iter().filter(|event| event.name == "planner_stream").for_each(|event| coverage.take(event));
    let tail = planner.page("/events?after=tail").await["tail"].as_u64().unwrap();
    coverage.assert_whole(tail);

    let archive = archive_at(&url).await;
    let key = crate::fixtures::session_key("s");
    eventually("everything to be archived", || async {
        let archived = sequences(&archive.read(&key, Sequence(0), 10_000).await.ok()?);
        (archived == (1..=tail).collect::<Vec<_>>()).then_some(())
    })
    .await;
    let new = archive.session(&crate::fixtures::session_key("new")).await.unwrap().unwrap();
    assert_eq!(new.position.sequence, Sequence(1));
    archive.close().await;
}

/// How long planners go on before the database goes away, and after that.
const AROUND: Duration = Duration::from_secs(1);
const SESSIONS: usize = 20;
/// So often each session is written to before the crash, while the database is away, and after.
const ROUNDS: usize = 7;

/// How long it is away: in the whole of the tests half a minute.
fn away() -> Duration {
    let seconds = std::env::var("TRIBUTARY_AWAY_SECONDS").map(|text| text.parse().expect("whole seconds"));
    Duration::from_secs(seconds.unwrap_or(2))
}

#[tokio::test]
async fn database_of_two_replicas_that_is_away_under_load_misses_nothing() {
    let away = away();
    let (mut server, redis) = (Server::start().await, RedisServer::start());
    let url = server.database().await;
    let replica = || {
        let setup = TestApp::new().env("CACHE__BACKEND", "redis").env("CACHE__REDIS_URL", redis.url());
        // What a replica had claimed that the machine stopped is looked after before this test loses patience.
        let setup = setup.env("ARCHIVE__URL", &url).env("ARCHIVE__LOOK_AFTER_MS", 20_000);
        setup.env("CACHE__RING_ENTRIES", 16).start()
    };
    let replicas = [replica().await, replica().await];
    for session in 0..SESSIONS {
        replicas[session % 2].planner(&format!("s{session}")).start("p", &["a"]).await;
    }
    let mut revision = 0;
    for (phase, lasts) in [AROUND, away, AROUND].into_iter().enumerate() {
        match phase {
            0 => {}
            1 => server.crash(),
            _ => server.restart().await,
        }
        let (begun, before) = (Instant::now(), revision);
        // Each has its rounds, also where the machine stands still in it.
        while begun.elapsed() < lasts || revision < before + ROUNDS {
            revision += 1;
            for session in 0..SESSIONS {
                let planner = replicas[(session + revision) % 2].planner(&format!("s{session}"));
                publishes(&planner, revision as u64..=revision as u64).await;
            }
        }
    }
    let archive = archive_at(&url).await;
    for session in 0..SESSIONS {
        let name = format!("s{session}");
        let tail = replicas[0].planner(&name).page("/events?after=tail").await["tail"].as_u64().unwrap();
        assert!(tail > revision as u64, "each was accepted");
        let key = crate::fixtures::session_key(&name);
        eventually("everything to be archived", || async {
            let archived = sequences(&archive.read(&key, Sequence(0), 100_000).await.ok()?);
            (archived == (1..=tail).collect::<Vec<_>>()).then_some(())
        })
        .await;
    }
    archive.close().await;
}

#[tokio::test]
async fn backlog_is_told_to_senders() {
    let server = Server::start().await;
    let url = server.database().await;
    let app = TestApp::new().env("ARCHIVE__URL", &url).env("CACHE__RING_BYTES", 65_536);
    let app = app.env("LIMITS__EVENT_BYTES", 65_536).env("CACHE__RING_BYTES_HARD", 65_536).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    server.freeze();
    let mut accepted = 0;
    let refused = loop {
        let event =
            json!({"status": "partial", "revision": accepted + 1, "payload": {"content": "x".repeat(2_000)}});
        let answer = planner.subagent("p", "a").post(&event).await;
        if answer.status != 200 {
            break answer;
        }
        accepted += 1;
        assert!(accepted < 100, "never refused");
    };
    assert_problem(&refused, 503, "archive_backlog");
    assert!(refused.header("retry-after").is_some());
    server.thaw();
    eventually("room", || async {
        let event = json!({"status": "success", "revision": accepted + 1, "payload": {"content": "x"}});
        (planner.subagent("p", "a").post(&event).await.status == 200).then_some(())
    })
    .await;
    let page = planner.page("/events").await;
    assert_eq!(page["events"].as_array().unwrap().len() as u64, page["tail"].as_u64().unwrap());
}
