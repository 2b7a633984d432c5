//! Calls of real peers: servers that other people wrote, from their registries, and one on Node alone. Each test starts
//! its own. `tests/invoke/peers/README.md` says what they do, `scripts/test` installs what they need.

mod a2a;
mod judged;
mod models;
mod process;
mod sse;
mod withdrawal;

use serde_json::{Value, json};

use crate::harness::{Planner, Setup, TestApp};
use crate::scene::{about, calling, ended, statuses};
use process::Peer;

/// A peer, and a service that may call it.
struct Scene {
    peer: Peer,
    app: TestApp,
}

impl Scene {
    async fn of(peer: Peer) -> Self {
        Self::with(peer, |setup| setup).await
    }

    /// With other settings.
    async fn with(peer: Peer, change: impl FnOnce(Setup) -> Setup) -> Self {
        let app = change(calling(peer.address)).start().await;
        Self { peer, app }
    }

    /// An output of `key` that is called at `path` of the peer.
    fn called(&self, key: &str, protocol: &str, path: &str) -> Value {
        json!({ "key": key, "invoke": { "url": self.peer.url(path), "protocol": protocol } })
    }

    /// A session with one step `p` that expects these.
    async fn plan(&self, session: &str, expected: &[Value]) -> Planner {
        let planner = self.app.planner(session);
        let directive = json!({ "plan_step_id": "p", "deadline_ms": 60_000, "expected_subagents": expected });
        planner.post(&directive).await.expect(201);
        planner
    }

    /// The same, and its events once it has ended.
    async fn run(&self, session: &str, expected: &[Value]) -> Vec<Value> {
        ended(&self.plan(session, expected).await, "p").await
    }

    /// What the peer tells at `path`.
    async fn told(&self, path: &str) -> Value {
        self.peer.client().get(path).send().await.expect(200)
    }
}

/// `value` with another `name`.
fn having(mut value: Value, name: &str, other: impl Into<Value>) -> Value {
    value[name] = other.into();
    value
}

/// The contents of an output with this status, in order.
fn with_status(events: &[Value], key: &str, status: &str) -> Vec<Value> {
    let about = about(events, key).into_iter();
    about.filter(|content| content["status"] == status && content["attempts"].is_null()).collect()
}

/// The payload that an output ended well with, after `retries` failed attempts.
#[track_caller]
fn success(events: &[Value], key: &str, retries: usize) -> Value {
    let statuses = statuses(events, key);
    assert_eq!(statuses.last().map(String::as_str), Some("success"), "{key}: {:#?}", about(events, key));
    assert_eq!(with_status(events, key, "retry").len(), retries, "{key}: {statuses:?}");
    with_status(events, key, "success")[0]["payload"].clone()
}

/// The text at `field` of an output that ended well, which was shown before its end, and grew from one partial to the next.
#[track_caller]
fn assert_grows(events: &[Value], key: &str, field: &str) -> String {
    let whole = success(events, key, 0)[field].as_str().unwrap().to_owned();
    let partials = with_status(events, key, "partial");
    let shown: Vec<_> = partials.iter().map(|partial| partial["payload"][field].as_str().unwrap()).collect();
    assert!(shown.len() >= 2, "{key}: {shown:?}");
    let grow = |pair: &[&str]| pair[1].len() > pair[0].len() && pair[1].starts_with(pair[0]);
    assert!(shown.windows(2).all(grow), "{key}: {shown:?}");
    assert!(shown.iter().all(|shown| whole.starts_with(shown)), "{key}: {shown:?}");
    whole
}

/// The codes of an output's failures: of each attempt that was followed by another, then of the last one.
#[track_caller]
fn failures(events: &[Value], key: &str) -> Vec<String> {
    let statuses = statuses(events, key);
    assert_eq!(statuses.last().map(String::as_str), Some("error"), "{key}: {:#?}", about(events, key));
    let of = |status| with_status(events, key, status).into_iter();
    of("retry")
        .chain(of("error"))
        .map(|content| content["error"]["code"].as_str().unwrap().to_owned())
        .collect()
}
