//! Calls stay with who makes them while a large result is made. How long that takes is up to the test: it holds all the places of
//! computations.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tributary::domain::backoff::BackoffSettings;
use tributary::domain::breaker::BreakerSettings;
use tributary::domain::entry::Entry;
use tributary::domain::event::SenderStatus;
use tributary::domain::protocols::Bounds;
use tributary::domain::record::Record;
use tributary::domain::session::Command;
use tributary::engine::computing::off_thread_of;
use tributary::engine::coordinator::{AggregationCoordinator, Reply, Submission, SubmitError};
use tributary::engine::invoke::{InvokeSettings, Invoker};
use tributary::engine::mux::changed;
use tributary::engine::ports::result_cache::ResultCache;
use tributary::engine::ports::subagent::{Answer, CallError, OutboundCall, Subagents};
use tributary::engine::telemetry::Telemetry;

use crate::fixtures::{post, progress, say, session_key};
use crate::scene::{Scene, memory, settings};
use crate::scripted::ScriptedStore;

const LEASE: Duration = Duration::from_millis(900);
const PATIENCE: Duration = Duration::from_secs(30);
/// More than is combined at once, less than a large computation.
const LONG_BYTES: usize = 40 << 10;

/// An agent that is asked, and doesn't answer: how often it was.
#[derive(Default)]
struct Silent(watch::Sender<usize>);

impl Subagents for Silent {
    fn call(&self, _call: OutboundCall) -> BoxFuture<'_, Result<Answer, CallError>> {
        self.0.send_modify(|count| *count += 1);
        futures::future::pending().boxed()
    }
}

/// A replica over the store that calls that agent.
fn replica(store: &Arc<ScriptedStore>, agent: &Arc<Silent>) -> Scene {
    let invoke = InvokeSettings {
        calls_max: 10,
        lease: Some(LEASE),
        backoff: BackoffSettings::default(),
        breaker: BreakerSettings::default(),
        bounds: Bounds { event_bytes: 1 << 20, text_bytes: 1 << 20 },
        named: BTreeSet::new(),
    };
    let invoker = Invoker::new(agent.clone(), None, None, invoke, Telemetry::off());
    let coordinator =
        AggregationCoordinator::new(store.clone(), None, settings(), (Some(invoker), None), Telemetry::off());
    Scene { store: store.clone(), coordinator, key: session_key("sess-1") }
}

/// Every place of a small computation, until it is dropped.
async fn hold_all_places() -> Vec<mpsc::Sender<()>> {
    let count = 2 * std::thread::available_parallelism().unwrap().get();
    let mut held = Vec::new();
    for _ in 0..count {
        let (end, ended) = mpsc::channel::<()>();
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let hold = move || {
            begun.send(()).unwrap();
            // It ends with who holds the other end.
            let _ = ended.recv_timeout(PATIENCE);
        };
        tokio::spawn(off_thread_of(0, hold));
        has_begun.await.unwrap();
        held.push(end);
    }
    held
}

/// A session whose first step `p` waits for the agent, and whose second `q` for something long.
async fn begun(scene: &Scene, agent: &Silent) {
    let invoke = json!({"url": "http://agent.test/", "protocol": "json"});
    let called = post("p").expects("crm", "r").of_which("invoke", invoke).with("deadline_ms", 60_000);
    scene.tells(called.command()).await.unwrap();
    scene.tells(post("q").expects("docs", "d").with("deadline_ms", 60_000).command()).await.unwrap();
    timeout(PATIENCE, agent.0.subscribe().wait_for(|count| *count == 1)).await.unwrap().unwrap();
}

/// The end of `q`, whose result takes until there is a place.
fn ends_q(scene: &Scene) -> JoinHandle<Result<Reply, SubmitError>> {
    let Command::Event { step, key, mut event } = say("q", "docs", SenderStatus::Success).command() else {
        unreachable!("what is said is an event")
    };
    let long = "The rate rose to 12 % in spring. ".repeat(LONG_BYTES / 32);
    event.payload = Some(Arc::from(RawValue::from_string(json!({"content": long}).to_string()).unwrap()));
    let submission = Submission::one(Command::Event { step, key, event }, None);
    let (coordinator, key) = (scene.coordinator.clone(), scene.key.clone());
    tokio::spawn(async move { coordinator.submit(&key, submission).await })
}

/// Waits until calls were renewed so often.
async fn renewed(scene: &Scene, times: usize) {
    let window = scene.store.inner.follow(&scene.key).await.unwrap();
    let look = async {
        loop {
            let seen = window.tail().version;
            if renewals(&scene.log().await) >= times {
                break;
            }
            changed(&window, seen).await;
        }
    };
    timeout(PATIENCE, look).await.expect("the calls are renewed");
}

fn count(log: &[Arc<Entry>], is_one: impl Fn(&Record) -> bool) -> usize {
    log.iter().filter(|entry| is_one(&entry.record)).count()
}

fn renewals(log: &[Arc<Entry>]) -> usize {
    count(log, |record| matches!(record, Record::CallsRenewed { .. }))
}

fn ended(log: &[Arc<Entry>], id: &str) -> usize {
    count(log, |record| matches!(record, Record::StepEnded { step } if step.as_str() == id))
}

#[tokio::test]
async fn calls_are_renewed_while_a_large_result_is_made_and_nobody_takes_them_over() {
    let (store, agent) = (ScriptedStore::over(memory(|_| {})), Arc::new(Silent::default()));
    let (scene, other) = (replica(&store, &agent), replica(&store, &agent));
    begun(&scene, &agent).await;
    other.coordinator.resume(&other.key).await.unwrap();
    let held = hold_all_places().await;
    let reply = ends_q(&scene);
    let before = renewals(&scene.log().await);
    // Longer than the calls are its own by what was said before. One may be of before the computation began.
    renewed(&scene, before + 5).await;
    assert!(!reply.is_finished(), "its result isn't there");
    assert_eq!(ended(&scene.log().await, "q"), 0);
    drop(held);
    let reply = reply.await.unwrap().unwrap();
    assert!(reply.answers[0].is_ok(), "{:?}", reply.answers);
    let log = scene.log().await;
    assert_eq!(ended(&log, "q"), 1);
    assert_eq!(count(&log, |record| matches!(record, Record::CallTaken { .. })), 1);
    assert_eq!(*agent.0.borrow(), 1, "it is asked once");
}

#[tokio::test]
async fn result_is_made_anew_where_another_replica_wrote_meanwhile() {
    let (store, agent) = (ScriptedStore::over(memory(|_| {})), Arc::new(Silent::default()));
    let scene = replica(&store, &agent);
    begun(&scene, &agent).await;
    let held = hold_all_places().await;
    let before = renewals(&scene.log().await);
    let reply = ends_q(&scene);
    renewed(&scene, before + 2).await;
    store.rival(&scene.key, &[progress("q", "almost there")]).await;
    drop(held);
    assert!(reply.await.unwrap().unwrap().answers[0].is_ok());
    let log = scene.log().await;
    let told =
        count(&log, |record| matches!(record, Record::Aggregated { step, .. } if step.as_str() == "q"));
    assert_eq!((ended(&log, "q"), told), (1, 1));
    let sequences: Vec<u64> = log.iter().map(|entry| entry.sequence.0).collect();
    assert_eq!(sequences, (1..=log.len() as u64).collect::<Vec<_>>());
}
