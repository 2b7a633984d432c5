//! Two branches of a log, and an archive that has neither yet: the one that goes on stays readable, and what only the other one has comes
//! after it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::archived::{archive_in, archived_to};
use super::load::start;
use super::scene::{replica, try_send, whole_log};
use crate::harness::{Planner, TestApp, eventually};
use crate::redis_server::RedisServer;

const KEYS: [&str; 3] = ["meta", "log", "latest"];

/// Redis, with a copy of the session to go back to.
fn keep(redis: &RedisServer) {
    for key in KEYS {
        assert_eq!(redis.command(&["COPY", &format!("tributary:{{default/s}}:{key}"), key]), ":1");
    }
}

fn go_back(redis: &RedisServer) {
    for key in KEYS {
        assert_eq!(redis.command(&["RENAME", key, &format!("tributary:{{default/s}}:{key}")]), "+OK");
    }
}

/// The replica that holds partials of `crm` which Redis has lost, and another one that says something in their place.
struct Forked {
    redis: RedisServer,
    url: String,
    holder: TestApp,
    other: TestApp,
    /// The log as the holder showed it, and the place after it.
    held: Vec<Value>,
    cursor: String,
}

/// Redis loses the partials up to this revision, from the second on.
async fn fork(lost: u64, other_says: impl AsyncFnOnce(&Planner)) -> Forked {
    let redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    archive.close().await;
    let slow = [("ARCHIVE__URL", &*url), ("ARCHIVE__BATCH_WAIT_MS", "10000")];
    let holder = replica(&redis.url(), &slow).await;
    let planner = holder.client().planner("s");
    start(&planner).await;
    planner.subagent("p", "crm").say("partial", 1, "both have it").await;
    keep(&redis);
    for revision in 2..=lost {
        planner.subagent("p", "crm").say("partial", revision, "lost by the store").await;
    }
    let held = whole_log(holder.client(), "s").await;
    let cursor = planner.page("/events").await["next"].as_str().unwrap().to_owned();
    holder.signal("STOP");
    go_back(&redis);
    let other = replica(&redis.url(), &slow).await;
    other_says(&other.client().planner("s")).await;
    holder.signal("CONT");
    Forked { redis, url, holder, other, held, cursor }
}

/// The log in its new epoch, once `text` stands in it.
async fn log_with(forked: &Forked, text: &str) -> Vec<Value> {
    let old = forked.cursor.split('_').next().unwrap();
    let (holder, other) = (&forked.holder, &forked.other);
    eventually("the log in its new epoch", || async move {
        let state = try_send(holder.client().planner("s").get("")).await?.json();
        if state["epoch"].as_str()? == old {
            return None;
        }
        let log = whole_log(other.client(), "s").await;
        log.iter().any(|event| event["content"].to_string().contains(text)).then_some(log)
    })
    .await
}

fn sequences(log: &[Value]) -> Vec<u64> {
    log.iter().map(|event| event["sequence"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn the_branch_that_goes_on_stays_readable_though_nothing_of_it_was_archived() {
    let forked = fork(4, async |planner| {
        planner.tell("/steps/p/progress", json!({"message": "only here"})).await;
    })
    .await;
    let log = log_with(&forked, "only here").await;
    assert_eq!(log[..forked.held.len()], forked.held, "byte for byte");
    assert!(sequences(&log).is_sorted_by(|one, next| one < next), "{:?}", sequences(&log));
    assert_eq!(whole_log(forked.holder.client(), "s").await, log);
    // Who had read it goes on exactly, in the new epoch.
    let page = forked.other.client().planner("s").page(&format!("/events?after={}", forked.cursor)).await;
    assert_eq!(page["verdict"], json!({"recovered": true, "reason": "ok"}), "{page}");
    assert_eq!(page["events"], json!(log[forked.held.len()..]));
}

#[tokio::test]
async fn a_longer_branch_that_does_not_go_on_leaves_no_hole() {
    let forked = fork(20, async |planner| {
        planner.subagent("p", "crm").say("success", 2, "the last word").await;
    })
    .await;
    let log = eventually("the log in its new epoch", || async {
        let page = forked.holder.client().planner("s").page("/events?after=0").await;
        let log = page["events"].as_array()?;
        (page["epoch"] != forked.cursor.split('_').next()? && page["tail"].as_u64()? >= 22)
            .then(|| log.clone())
    })
    .await;
    let said = |log: &[Value]| {
        log.iter().filter(|event| event["type"] == "planner_stream").cloned().collect::<Vec<_>>()
    };
    assert_eq!(said(&log)[0], said(&forked.held)[0]);
    assert_eq!(said(&log)[1]["content"]["payload"]["content"], "the last word");
    assert_eq!(log[0]["sequence"], 1);
    // Of the other branch's reader nothing is hidden.
    let page = forked.other.client().planner("s").page(&format!("/events?after={}", forked.cursor)).await;
    assert_eq!(page["verdict"], json!({"recovered": false, "reason": "epoch_changed"}), "{page}");
}

#[tokio::test]
async fn what_led_up_to_a_new_epoch_is_folded_out_of_the_archive() {
    let mut forked = fork(4, async |planner| {
        planner.tell("/steps/p/progress", json!({"message": "only here"})).await;
    })
    .await;
    let log = log_with(&forked, "only here").await;
    let tail = log.last().unwrap()["sequence"].as_u64().unwrap();
    let (_, archive) = archive_in(&forked.redis);
    archived_to(&archive, "s", tail).await;
    // Nobody holds it any more, and Redis comes back empty.
    forked.holder.signal("KILL");
    forked.other.signal("KILL");
    drop((forked.holder, forked.other));
    forked.redis.kill();
    forked.redis.restart();
    let next = replica(&forked.redis.url(), &[("ARCHIVE__URL", &forked.url)]).await;
    assert_eq!(whole_log(next.client(), "s").await, log);
    let planner = next.client().planner("s");
    let repeated = planner.subagent("p", "crm").say("partial", 4, "lost by the store").await;
    assert_eq!(repeated["verdict"], "duplicate", "{repeated}");
    archive.close().await;
}

#[tokio::test]
async fn what_does_not_go_on_is_decided_again_as_soon_as_that_is_noticed() {
    let redis = RedisServer::start();
    // What is looked after now and then would come too late.
    let seldom = [("CACHE__SWEEP_MS", "60000")];
    let holder = replica(&redis.url(), &seldom).await;
    let planner = holder.client().planner("s");
    start(&planner).await;
    keep(&redis);
    planner.start("q", &["crm"]).await;
    planner.subagent("q", "crm").say("partial", 1, "lost by the store").await;
    let mut stream = holder.client().sse(planner.path("/events")).await;
    stream.open().await;
    holder.signal("STOP");
    go_back(&redis);
    let other = replica(&redis.url(), &seldom).await;
    let elsewhere = other.client().planner("s");
    elsewhere.start("r", &["crm"]).await;
    for revision in 1..=4 {
        elsewhere.subagent("r", "crm").say("partial", revision, "goes on").await;
    }
    holder.signal("CONT");
    let noticed = Instant::now();
    for planner in [&elsewhere, &planner] {
        let step = eventually("the lost step", || async {
            let step = try_send(planner.get("/steps/q")).await?;
            let step = (step.status == 200).then(|| step.json())?;
            (step["subagents"][0]["revision"] == 1).then_some(step)
        });
        step.await;
        assert_eq!(planner.step("r").await["subagents"][0]["revision"], 4);
    }
    assert!(noticed.elapsed() < Duration::from_secs(15), "{:?}", noticed.elapsed());
}
