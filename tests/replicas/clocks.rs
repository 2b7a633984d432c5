//! Replicas whose clocks are wrong: by half a minute, in both directions. Redis' clock decides.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::load::Load;
use super::scene::{setup, whole_log};
use crate::harness::{TestApp, essential, eventually};
use crate::redis_server::RedisServer;

/// How far the clocks are off.
const OFF: Duration = Duration::from_secs(30);

/// What changes a program's clock, out of Debian's package `libfaketime`.
fn library() -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib").unwrap().map(|entry| entry.unwrap().path());
    let found = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1")).find(|path| path.exists());
    found.expect("Debian's package faketime is installed: scripts/test does it")
}

/// A replica with a clock that goes right but shows another time.
async fn off_by(url: &str, offset: &str) -> TestApp {
    let library = library();
    let variables = [
        ("LD_PRELOAD", library.to_str().unwrap()),
        ("FAKETIME", offset),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
    ];
    variables.into_iter().fold(setup(url), |setup, (name, value)| setup.variable(name, value)).start().await
}

/// Milliseconds since 1970 of a time on the wire.
fn millis(time: &Value) -> i128 {
    time.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_nanosecond() / 1_000_000
}

fn now() -> i128 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    i128::try_from(since.as_millis()).unwrap()
}

/// How far a replica's clock is from this program's, by the first line of its log.
fn is_off(app: &TestApp) -> i128 {
    let line: Value = serde_json::from_str(&app.log_lines()[0]).unwrap();
    millis(&line["timestamp"]) - now()
}

#[tokio::test]
async fn replicas_whose_clocks_are_a_minute_apart_agree_on_times_and_deadlines() {
    let redis = RedisServer::start();
    let [ahead, behind] = [off_by(&redis.url(), "+30s").await, off_by(&redis.url(), "-30s").await];
    let half = i128::try_from(OFF.as_millis()).unwrap() / 2;
    assert!(is_off(&ahead) > half && is_off(&behind) < -half, "their clocks are off");

    // A deadline that the one ahead would see as long over, and the one behind as far away.
    let (began, deadline) = (now(), 1_500);
    for (app, session) in [(&ahead, "a"), (&behind, "b")] {
        let directive =
            json!({"plan_step_id": "p", "expected_subagents": [{"key": "crm"}], "deadline_ms": deadline});
        app.client().planner(session).post(&directive).await.expect(201);
    }
    for (other, session) in [(&behind, "a"), (&ahead, "b")] {
        let planner = other.client().planner(session);
        eventually("the step to end", || async {
            planner.step("p").await["ended_at"].is_string().then_some(())
        })
        .await;
        let took = now() - began;
        assert!((i128::from(deadline)..15_000).contains(&took), "{session} ended after {took} ms");
        let log = whole_log(other.client(), session).await;
        assert_eq!(essential(&log).iter().filter(|event| *event == "crm:timeout").count(), 1);
    }

    // Both write into the same sessions: their times are Redis', and never go back.
    let load = Load::new(4, 20);
    let clients = [ahead.client(), behind.client()];
    load.begin(&clients).await;
    for told in load.run(&clients).await {
        told.assert_whole(ahead.client()).await;
        let log = whole_log(behind.client(), &told.session).await;
        let times: Vec<i128> = log.iter().map(|event| millis(&event["timestamp"])).collect();
        assert!(times.is_sorted(), "{}: {times:?}", told.session);
        let right = began - 1_000..now() + 1_000;
        assert!(
            times.iter().all(|time| right.contains(time)),
            "{}: {times:?}, not in {right:?}",
            told.session
        );
    }
}
