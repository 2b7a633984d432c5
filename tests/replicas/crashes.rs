//! A replica dies between any two of its calls to the store: what it was at, others bring to its end, once.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use futures::{StreamExt, stream};
use serde_json::{Value, json};
use tributary::edge::archive::SqlArchive;

use super::archived::{archive_in, archived_to};
use super::load::revisions;
use super::scene::{replica, try_send, whole_log};
use super::tripwire::{Death, Tripwire};
use crate::harness::{Client, Request, essential, eventually};
use crate::redis_server::RedisServer;

/// Replicas that die at a time.
const AT_ONCE: usize = 12;
/// When the step ends: the subagent that speaks has spoken by then, even on a busy machine.
const DEADLINE_MS: u64 = 8_000;
/// A scene has more calls than the first and fewer than the second.
const CALLS_MIN: i64 = 15;
const CALLS_MAX: i64 = 200;
/// What the scene's log has in the end.
const ENTRIES: usize = 11;

/// A Redis and an archive, for one death: heirs take up whatever they find.
struct Scene {
    redis: RedisServer,
    url: String,
    archive: Arc<SqlArchive>,
}

/// What became of a scene.
#[derive(Debug)]
struct Fate {
    /// The replica's calls ended before it died.
    outlived: bool,
    log: Vec<String>,
}

/// A step whose first subagent says something and succeeds, and whose second one is never heard of.
fn requests(client: Client, session: &str) -> Vec<Request> {
    let planner = client.planner(session);
    let expected = json!([{"key": "crm"}, {"key": "web"}]);
    let directive = json!({"plan_step_id": "p", "expected_subagents": expected, "deadline_ms": DEADLINE_MS});
    let event = |status, revision: u64| {
        let payload = json!({"content": format!("The bridge has {revision} arches."), "sources": []});
        planner
            .subagent("p", "crm")
            .request(&json!({"status": status, "revision": revision, "payload": payload}))
    };
    let directive = client.post(planner.path("/steps")).json(&directive);
    vec![directive, event("partial", 1), event("success", 2)]
}

/// The sequence that an event was stored at; 0 of a directive.
fn sequence(answer: &Value) -> u64 {
    answer["results"][0]["sequence"].as_u64().unwrap_or(0)
}

impl Scene {
    fn new() -> Self {
        let redis = RedisServer::start();
        let (url, archive) = archive_in(&redis);
        Self { redis, url, archive }
    }

    /// A replica dies at its `n`th call, and its heir starts; whoever waits for an answer asks that one.
    async fn dies_at(self, n: i64, death: Death) -> Fate {
        let session = format!("{death:?}-{n:03}").to_lowercase();
        let wire = Tripwire::to(self.redis.port, &session, death).await;
        // It takes nothing out of the indexes in its short life: its heir would have to wait before it may do that.
        let [sweep, look] = [("CACHE__SWEEP_MS", "60000"), ("ARCHIVE__LOOK_AFTER_MS", "4000")];
        let variables = [("ARCHIVE__URL", &*self.url), sweep, look];
        let mut mortal = replica(&format!("redis://{}", wire.address), &variables).await;
        wire.trip_at(n);
        let mut told = Vec::new();
        let life = async {
            for request in requests(mortal.client(), &session) {
                told.push(sequence(&try_send(request).await.unwrap().json()));
            }
            self.is_over(&session).await;
        };
        let outlived = tokio::select! {
            () = life => true,
            () = wire.tripped() => false,
        };
        mortal.signal("KILL");
        mortal.exited().await;
        let heir =
            replica(&self.redis.url(), &[("ARCHIVE__URL", &self.url), ("ARCHIVE__LOOK_AFTER_MS", "300")])
                .await;
        let lost_answers = requests(heir.client(), &session).into_iter().skip(told.len());
        for request in lost_answers {
            // It may meet what the dead one still holds: then it is told to ask again.
            let taken = eventually("the heir to take it", || async {
                let answer = request.clone().send().await;
                (answer.status < 300).then_some(answer)
            });
            told.push(sequence(&taken.await.json()));
        }
        self.is_over(&session).await;
        let log = whole_log(heir.client(), &session).await;
        let stored: Vec<u64> = revisions(&log).into_iter().map(|(_, sequence)| sequence).take(2).collect();
        assert_eq!(told[1..], stored, "{session}: what was acknowledged is where it was said to be");
        archived_to(&self.archive, &session, log.len() as u64).await;
        self.archive.close().await;
        Fate { outlived, log: essential(&log) }
    }

    /// Waits until the step has ended and the store knows that all of it is archived: only then it lets the log expire.
    async fn is_over(&self, session: &str) {
        let [log, meta] = ["log", "meta"].map(|part| format!("tributary:{{default/{session}}}:{part}"));
        eventually(format!("{session} to end and to expire"), || async {
            let is_whole = self.redis.command(&["XLEN", &log]) == format!(":{ENTRIES}");
            (is_whole && self.redis.command(&["PTTL", &meta]) != ":-1").then_some(())
        })
        .await;
    }
}

async fn dies_at_any_call(death: Death) {
    // Those that are under way by then go on to their end: each ends the processes that it started.
    let is_over = Cell::new(false);
    let calls = (1..CALLS_MAX).take_while(|_| !is_over.get());
    let mut fates = stream::iter(calls).map(|n| Scene::new().dies_at(n, death)).buffered(AT_ONCE);
    let (mut logs, mut deaths) = (BTreeSet::new(), 0);
    while let Some(fate) = fates.next().await {
        logs.insert(fate.log);
        is_over.set(is_over.get() || fate.outlived);
        deaths += i64::from(!is_over.get());
    }
    assert!((CALLS_MIN..CALLS_MAX).contains(&deaths), "{deaths} deaths");
    assert_eq!(logs.len(), 1, "{logs:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crash_before_any_call_to_the_store_loses_nothing_and_doubles_nothing() {
    dies_at_any_call(Death::Before).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crash_after_any_call_to_the_store_loses_nothing_and_doubles_nothing() {
    dies_at_any_call(Death::After).await;
}
