//! A stop ends in its time, though a store stands still and never answers.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Planner, Setup, TestApp, eventually, open_plan};
use crate::postgres::Server;
use crate::redis_server::RedisServer;

const WINDOW: Duration = Duration::from_secs(1);
/// What the machine may add. A call to the database is given up after five seconds, an append to Redis after a minute here.
const BEYOND: Duration = Duration::from_secs(2);

fn service() -> Setup {
    TestApp::new().env("SERVER__DRAIN_WINDOW_MS", WINDOW.as_millis()).env("ARCHIVE__BATCH_WAIT_MS", 1)
}

/// Tells it to stop; how long it took to end.
async fn stops(app: &mut TestApp) -> Duration {
    let begin = Instant::now();
    app.signal("TERM");
    app.exited().await;
    begin.elapsed()
}

async fn archived(app: &TestApp) {
    eventually("everything to be archived", || async {
        let ready = app.get("/readyz").send().await.json();
        (ready["dependencies"]["archive"]["waiting_sessions"] == 0).then_some(())
    })
    .await;
}

/// Posts, and doesn't wait for an answer that may never come.
async fn posts(planner: &Planner) {
    let event = json!({"status": "partial", "revision": 1, "payload": {"content": "x"}});
    let _ = planner.subagent("p", "a").request(&event).open().await;
}

#[tokio::test]
async fn stop_does_not_wait_for_a_postgresql_that_hangs() {
    let server = Server::start().await;
    let url = server.database().await;
    let mut app = service().env("ARCHIVE__URL", &url).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    archived(&app).await;
    server.freeze();
    // What is written hangs there, and so does what is read, each on a connection.
    posts(&planner).await;
    let read = app.get("/analytics/subagents").open();
    let (took, _) = futures::join!(stops(&mut app), read);
    server.thaw();
    assert!(took < WINDOW + BEYOND, "{took:?}");
}

#[tokio::test]
async fn stop_does_not_wait_for_a_redis_that_hangs() {
    let redis = RedisServer::start();
    let url = redis.url();
    let mut app = service()
        .env("CACHE__BACKEND", "redis")
        .env("CACHE__REDIS_URL", &url)
        .env("CACHE__REDIS_TIMEOUT_MS", 500)
        .env("CACHE__APPEND_TIMEOUT_MS", 60_000)
        .start()
        .await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(planner.events("p")).await;
    reader.open().await;
    redis.signal("STOP");
    // By then what was posted waits for it, and so does the service's own work.
    let stopping = async {
        app.logged("Redis doesn't answer").await;
        stops(&mut app).await
    };
    let ((), took) = futures::join!(posts(&planner), stopping);
    redis.signal("CONT");
    assert!(took < WINDOW + BEYOND, "{took:?}");
}
