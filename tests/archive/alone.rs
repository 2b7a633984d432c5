//! Two services that keep their sessions in memory on one PostgreSQL: each would take the other's entries for a branch that was left.

use serde_json::json;
use sqlx::{Connection, PgConnection};
use tributary::domain::position::Sequence;
use tributary::engine::ports::archive::Archive;

use crate::harness::{Planner, Setup, TestApp, assert_problem, eventually, open_plan};
use crate::postgres::{Server, archive_at};
use crate::redis_server::RedisServer;
use crate::writer::sequences;

/// What another process would take: the lock of the schema `public`.
const TAKE: &str = "SELECT pg_try_advisory_lock(7512094, hashtext('public'))";

fn service(url: &str) -> Setup {
    TestApp::new().env("ARCHIVE__URL", url).env("ARCHIVE__BATCH_WAIT_MS", 1)
}

async fn says(planner: &Planner, revision: u64) {
    let said = planner.subagent("p", "a").say("partial", revision, "x").await;
    assert_eq!(said["verdict"], "accepted");
}

/// Waits until the archive has the whole log of `s`, as it is.
async fn is_archived(planner: &Planner, url: &str) {
    let archive = archive_at(url).await;
    let key = crate::fixtures::session_key(&planner.session);
    let tail = planner.page("/events?after=tail").await["tail"].as_u64().unwrap();
    eventually("everything to be archived", || async {
        let archived = sequences(&archive.read(&key, Sequence(0), 10_000).await.ok()?);
        (archived == (1..=tail).collect::<Vec<_>>()).then_some(())
    })
    .await;
    archive.close().await;
}

fn check(url: &str) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tributary"));
    let output = command.arg("check").env("TRIBUTARY_ARCHIVE__URL", url).output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[tokio::test]
async fn database_is_for_one_service_with_sessions_in_memory_at_a_time() {
    let server = Server::start().await;
    let url = server.database().await;
    let mut first = service(&url).start().await;
    let planner = open_plan(first.client(), "s", &["a"]).await;
    says(&planner, 1).await;
    is_archived(&planner, &url).await;
    assert!(check(&url).contains("up to date; a process (PostgreSQL's "), "{}", check(&url));
    let (code, said) = service(&url).env("SERVER__DRAIN_WINDOW_MS", 0).refused().await;
    assert_eq!(code, Some(1), "{said}");
    let told =
        "error: archive.url: waited 10 s for it: another process has the database (PostgreSQL's process ";
    assert!(said.contains("waiting for the archive") && said.contains(told), "{said}");
    assert!(said.contains("connected from 127.0.0.1"), "{said}");
    says(&planner, 2).await;
    is_archived(&planner, &url).await;

    // Another schema is another archive.
    let mut admin = PgConnection::connect(&url).await.unwrap();
    sqlx::query("CREATE SCHEMA beside").execute(&mut admin).await.unwrap();
    let beside = format!("{url}?options=-csearch_path%3Dbeside");
    open_plan(service(&beside).start().await.client(), "t", &["a"]).await;

    // The next one starts while the one before still stops.
    let second = service(&url).begin();
    second.logged("waiting for the archive").await;
    first.signal("TERM");
    let second = second.answers().await;
    assert!(first.exited().await.success());
    let planner = second.planner("s");
    says(&planner, 3).await;
    is_archived(&planner, &url).await;
    // However it ends.
    second.signal("KILL");
    service(&url).start().await;
}

#[tokio::test]
async fn replicas_on_one_redis_share_a_database() {
    let (server, redis) = (Server::start().await, RedisServer::start());
    let url = server.database().await;
    let replica =
        || service(&url).env("CACHE__BACKEND", "redis").env("CACHE__REDIS_URL", redis.url()).start();
    let (first, second) = (replica().await, replica().await);
    let planner = open_plan(first.client(), "s", &["a"]).await;
    says(&second.planner("s"), 1).await;
    is_archived(&planner, &url).await;
}

#[tokio::test]
async fn who_has_the_database_takes_it_again_when_that_was_away() {
    let mut server = Server::start().await;
    let url = server.database().await;
    let first = service(&url).start().await;
    let planner = open_plan(first.client(), "s", &["a"]).await;
    server.crash();
    says(&planner, 1).await;
    server.restart().await;
    // Who starts meanwhile lets it go first.
    let (code, said) = service(&url).env("SERVER__DRAIN_WINDOW_MS", 0).refused().await;
    assert!(code == Some(1) && said.contains("another process has the database"), "{said}");
    says(&planner, 2).await;
    is_archived(&planner, &url).await;
}

/// It has what is nowhere else: it goes on, and acknowledges nothing that nobody would archive.
#[tokio::test]
async fn who_finds_the_database_taken_keeps_what_it_has_and_stores_nothing_more_until_it_is_free() {
    let mut server = Server::start().await;
    let url = server.database().await;
    let first = service(&url).env("CACHE__APPEND_TIMEOUT_MS", 500).start().await;
    let planner = open_plan(first.client(), "s", &["a"]).await;
    is_archived(&planner, &url).await;
    server.crash();
    says(&planner, 1).await;
    first.signal("STOP");
    server.restart().await;
    let mut other = PgConnection::connect(&url).await.unwrap();
    let took: bool = sqlx::query_scalar(TAKE).fetch_one(&mut other).await.unwrap();
    assert!(took, "its lock ended with the database");
    first.signal("CONT");

    first.logged("another process took the archive while the database was away").await;
    let ready = first.get("/readyz").send().await.expect(503);
    for dependency in ["cache", "archive"] {
        let why = ready["dependencies"][dependency]["reason"].as_str().unwrap();
        assert!(why.contains("another process has the database"), "{ready}");
    }
    let event = json!({"status": "partial", "revision": 2, "payload": {"content": "y"}});
    assert_problem(&planner.subagent("p", "a").post(&event).await, 503, "store_unavailable");
    let tail = planner.page("/events?after=tail").await["tail"].as_u64().unwrap();
    let events = planner.page("/events").await;
    assert_eq!(events["events"].as_array().unwrap().len() as u64, tail, "what it has can be read: {events}");
    let rows = async |other: &mut PgConnection| -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM entries").fetch_one(other).await.unwrap()
    };
    assert!(rows(&mut other).await < tail.cast_signed(), "nothing was written where another has the archive");

    other.close().await.unwrap();
    first.logged("the archive is this process's again").await;
    says(&planner, 2).await;
    is_archived(&planner, &url).await;
    eventually("readiness", || async { (first.get("/readyz").send().await.status == 200).then_some(()) })
        .await;
}
