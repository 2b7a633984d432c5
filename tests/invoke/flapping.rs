//! A flapping subagent under a thousand steps of two replicas over one Redis: no call while a breaker is open, and one try
//! at a time, whichever replica makes it.
//!
//! Windows are each replica's own, so each has outages of its own; the right to try is one for both.

use std::collections::{BTreeSet, HashMap};
use std::time::{SystemTime, UNIX_EPOCH};

use futures::future::join_all;
use serde_json::json;
use tributary::simulate::Call;

use crate::harness::PATIENCE;
use crate::replicas::Pair;
use crate::retries::{script_for, unix_ms};
use crate::scene::{about, ended, statuses};

const KEY: &str = "documentation";
const PATH: &str = "/documentation/json?name=flaky";
const OPEN_MS: f64 = 400.0;
/// So short that there are many tries: whether one succeeds depends on how many calls the other replica made meanwhile.
const OPEN_MOST_MS: f64 = 800.0;
const PLANNERS: usize = 10;
const STEPS: usize = 100;
/// The time of an outage is the store's, as a busy replica estimates it; all else is by this process's clock.
const SLACK_MS: f64 = 150.0;

#[tokio::test]
async fn a_flapping_subagent_is_never_called_while_degraded_but_by_one_try_at_a_time_of_two_replicas() {
    let (open_ms, open_most_ms) = (OPEN_MS.to_string(), OPEN_MOST_MS.to_string());
    let pair = Pair::new(&[
        ("BREAKER__MINIMUM_CALLS", "4"),
        ("BREAKER__WINDOW_MS", "600000"),
        ("BREAKER__OPEN_MS", &open_ms),
        ("BREAKER__OPEN_MOST_MS", &open_most_ms),
        // Nobody takes over what the other is about to call: whose breaker let a call through is known by its session.
        ("CACHE__SWEEP_MS", "60000"),
    ])
    .await;
    // In threes: of every other answer two replicas that take turns would get the good ones here and the bad ones there.
    let flapping: Vec<_> = (0..1_000)
        .map(|turn| json!({"status": if turn % 3 < 2 { 503 } else { 200 }, "latency_ms": 20}))
        .collect();
    pair.agents.set_script(script_for("flaky", json!(flapping)));
    let runs = join_all((0..PLANNERS).map(|number| plan_steps(&pair, number, STEPS))).await;
    let steps: HashMap<String, Step> = runs.into_iter().flatten().collect();
    let calls = pair.agents.until(PATIENCE, |calls| calls.in_flight == 0).await.unwrap();
    let called: Vec<Made> =
        calls.calls.iter().map(|call| Made::new(&steps, call, calls.started_at_unix_ms)).collect();

    let mut tries: Vec<&Made> = (0..2).flat_map(|replica| tries_of(replica, &steps, &called)).collect();
    tries.sort_by(|a, b| a.started_ms.total_cmp(&b.started_ms));
    for replica in 0..2 {
        assert!(tries.iter().any(|made| made.replica == replica), "replica {replica} never tried");
    }
    for pair in tries.windows(2) {
        let over = pair[0].ended_ms - pair[1].started_ms;
        assert!(over <= 0.0, "two tries at once, by the agent's own clock: for {over} ms");
    }
    let count = |status: &str| steps.values().filter(|step| step.status == status).count() as u64;
    let (degraded, success, error) = (count("degraded"), count("success"), count("error"));
    assert_eq!(degraded + success + error, steps.len() as u64);
    assert_eq!(success + error, calls.total, "a call for each that wasn't degraded");
}

/// The tries of a replica, each in its time: a call that its breaker should have kept back panics.
fn tries_of<'m>(replica: usize, steps: &HashMap<String, Step>, called: &'m [Made]) -> Vec<&'m Made> {
    let own = || steps.values().filter(|step| step.replica == replica);
    // Every outage that a step was told of.
    let outages: BTreeSet<i64> = own().filter_map(|step| step.since).collect();
    assert!(outages.len() >= 2, "it hardly flapped at {replica}: {outages:?}");
    let mut calls: Vec<&Made> = called.iter().filter(|made| made.replica == replica).collect();
    calls.sort_by(|a, b| a.started_ms.total_cmp(&b.started_ms));
    let mut tries = Vec::new();
    let mut from = outages.iter().map(|since| *since as f64).peekable();
    while let Some(since) = from.next() {
        let next = from.peek().copied().unwrap_or(f64::MAX);
        let told = own().filter(|step| step.since == Some(since as i64)).map(|step| step.done_ms);
        // Whoever posts after that has seen that it is open.
        let mut known_from = told.fold(f64::MAX, f64::min);
        let (mut quiet_from, mut wait) = (since, OPEN_MS);
        for made in calls.iter().filter(|made| made.started_ms > since && made.started_ms < next) {
            // What was posted before was let through before, and has only begun later.
            let is_early = made.posted_ms < since || made.started_ms < quiet_from + wait - SLACK_MS;
            if is_early {
                let after = made.posted_ms - known_from;
                assert!(
                    after < 0.0,
                    "called {after} ms after the breaker was known to be open at {replica} ({since})"
                );
                continue;
            }
            tries.push(*made);
            if made.succeeded {
                let told = |step: &Step| step.since == Some(since as i64) && step.posted_ms > made.done_ms;
                assert!(!own().any(told), "degraded after it had recovered from {since} at {replica}");
                break;
            }
            known_from = made.done_ms;
            (quiet_from, wait) = (made.ended_ms, OPEN_MOST_MS.min(2.0 * wait));
        }
    }
    tries
}

/// How a step went that calls the flaky subagent.
struct Step {
    /// Where it was posted, and so called from.
    replica: usize,
    /// Before it was posted and after its end was seen, by this process's clock.
    posted_ms: f64,
    done_ms: f64,
    status: String,
    /// Since when the subagent was degraded, where it was.
    since: Option<i64>,
}

fn now_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64() * 1_000.0
}

/// One planner's steps, one after the other.
async fn plan_steps(pair: &Pair, number: usize, steps: usize) -> Vec<(String, Step)> {
    let replica = number % 2;
    let planner = pair.scene.planner(replica, &format!("s{number}"));
    let mut done = Vec::with_capacity(steps);
    for step in 0..steps {
        let name = format!("p{step}");
        let posted_ms = now_ms();
        let mut flaky = pair.called(KEY, PATH);
        flaky["max_attempts"] = json!(1);
        planner.post(&json!({"plan_step_id": name, "expected_subagents": [flaky]})).await.expect(201);
        let events = ended(&planner, &name).await;
        let done_ms = now_ms();
        let status = statuses(&events, KEY).pop().unwrap();
        let since = about(&events, KEY).iter().find_map(|content| content["since"].as_str().map(unix_ms));
        done.push((format!("s{number}/{name}"), Step { replica, posted_ms, done_ms, status, since }));
    }
    done
}

/// A call, and how its step went; in milliseconds since 1970.
struct Made {
    replica: usize,
    posted_ms: f64,
    done_ms: f64,
    /// When the agent heard it.
    started_ms: f64,
    ended_ms: f64,
    succeeded: bool,
}

impl Made {
    fn new(steps: &HashMap<String, Step>, call: &Call, started_at: f64) -> Self {
        let header = |name: &str| &*call.asked.headers[name];
        let name = format!("{}/{}", header("tributary-session-id"), header("tributary-plan-step-id"));
        let step = &steps[&name];
        Self {
            replica: step.replica,
            started_ms: started_at + call.started_ms,
            posted_ms: step.posted_ms,
            done_ms: step.done_ms,
            ended_ms: started_at + call.ended_ms.unwrap(),
            succeeded: call.status == Some(200),
        }
    }
}
