//! Circuit breakers: whoever keeps failing isn't called, one call tries it after a while, and everybody is told why.

use std::collections::{BTreeSet, HashMap};
use std::time::{SystemTime, UNIX_EPOCH};

use futures::future::join_all;
use serde_json::{Value, json};
use tributary::simulate::{Call, Ended};

use crate::harness::{PATIENCE, Planner, Setup, eventually};
use crate::retries::{millis, script_for, step_status, unix_ms};
use crate::scene::{Scene, about, ended, statuses};

/// Whom these tests make fail, and how it is called: by this name in the simulator.
const KEY: &str = "documentation";
const PATH: &str = "/documentation/json?name=flaky";
/// Longer than any test.
const FAR_MS: u64 = 600_000;

/// Four calls are enough, and none is forgotten.
fn brittle(open_ms: u64) -> impl FnOnce(Setup) -> Setup {
    move |setup| {
        let setup = setup.env("BREAKER__MINIMUM_CALLS", 4).env("BREAKER__WINDOW_MS", FAR_MS);
        setup.env("BREAKER__OPEN_MS", open_ms).env("BREAKER__OPEN_MOST_MS", FAR_MS)
    }
}

#[tokio::test]
async fn a_subagent_that_keeps_failing_is_degraded_and_not_called_and_others_are_unaffected() {
    let scene = Scene::with(brittle(FAR_MS)).await;
    behave(&scene, json!([{"status": 503}]));
    for number in 1..=4 {
        assert_eq!(statuses(&once(&scene, &format!("s{number}")).await, KEY), ["in_progress", "error"]);
        let breaker = breaker(&scene, KEY).await;
        assert_eq!(breaker["state"], if number < 4 { "closed" } else { "open" });
        assert_eq!((&breaker["calls"], &breaker["failure_rate"]), (&json!(number), &json!(1.0)), "{breaker}");
        assert_eq!(breaker.get("since").is_some(), number == 4, "{breaker}");
    }
    let open = breaker(&scene, KEY).await;
    assert_eq!(open["reason"], "4 of 4 calls failed within 600 s");
    let expected = [flaky(&scene), scene.called("voice", "/voice/json")];
    let events = ended(&scene.plan(&expected).await, "p").await;
    let about = about(&events, KEY);
    let [.., degraded, completed] = &about[..] else { panic!("{about:?}") };
    assert_eq!(statuses(&events, KEY), ["degraded"]);
    assert_eq!((&degraded["reason"], &degraded["since"]), (&open["reason"], &open["since"]));
    assert_eq!((&completed["status"], completed.get("attempts").is_some()), (&json!("degraded"), true));
    assert_eq!(statuses(&events, "voice").last().unwrap(), "success");
    assert_eq!((step_status(&events), scene.agents.calls().names["flaky"].calls), ("partial_failure", 4));
    assert_eq!(breaker(&scene, "voice").await, json!({"state": "closed", "failure_rate": 0.0, "calls": 1}));
    assert_eq!(breaker(&scene, KEY).await, open, "what isn't called changes nothing");
}

#[tokio::test]
async fn what_a_subagent_refuses_never_opens_its_breaker() {
    let scene = Scene::with(brittle(FAR_MS)).await;
    for (number, status) in [400, 401, 403, 404, 422, 409, 410, 413].into_iter().enumerate() {
        behave(&scene, json!([{"status": status}]));
        let events = once(&scene, &format!("s{number}")).await;
        assert_eq!(statuses(&events, KEY), ["in_progress", "error"], "{status}");
    }
    assert_eq!(breaker(&scene, KEY).await, json!({"state": "closed", "failure_rate": 0.0, "calls": 8}));
}

#[tokio::test]
async fn a_subagent_that_never_answers_in_time_is_degraded_too() {
    let scene = Scene::with(brittle(FAR_MS)).await;
    behave(&scene, json!([{"hang": "head"}]));
    for number in 0..4 {
        let planner = post(&scene, &format!("s{number}"), json!({"deadline_ms": 400})).await;
        assert_eq!(statuses(&ended(&planner, "p").await, KEY), ["in_progress", "timeout"]);
    }
    assert_eq!(breaker(&scene, KEY).await["state"], "open");
    assert_eq!(statuses(&once(&scene, "s").await, KEY), ["degraded"]);
}

#[tokio::test]
async fn when_its_time_is_over_exactly_one_call_tries_it_and_its_success_closes_the_breaker() {
    let scene = Scene::with(brittle(300)).await;
    open(&scene, &[json!({"latency_ms": 4_000}), json!({})]).await;
    half_open(&scene).await;
    let names: Vec<_> = (0..20).map(|number| format!("t{number}")).collect();
    let planners = join_all(names.iter().map(|name| post(&scene, name, json!({})))).await;
    eventually("all but one to be told", || async {
        let ended = join_all(
            planners.iter().map(|planner| async { planner.step("p").await["status"] != "in_progress" }),
        );
        (ended.await.into_iter().filter(|ended| *ended).count() == 19).then_some(())
    })
    .await;
    let flaky = scene.agents.calls().names["flaky"];
    assert_eq!((flaky.calls, flaky.in_flight, flaky.max_in_flight), (5, 1, 1));
    assert_eq!(breaker(&scene, KEY).await["state"], "half_open");
    let ends = join_all(planners.iter().map(|planner| ended(planner, "p"))).await;
    let last: Vec<_> = ends.iter().map(|events| statuses(events, KEY).pop().unwrap()).collect();
    let count = |status: &str| last.iter().filter(|last| *last == status).count();
    assert_eq!((count("degraded"), count("success")), (19, 1));
    assert_eq!(breaker(&scene, KEY).await, json!({"state": "closed", "failure_rate": 0.0, "calls": 0}));
    assert_eq!(statuses(&once(&scene, "u").await, KEY), ["in_progress", "success"]);
    assert_eq!(scene.agents.calls().names["flaky"].calls, 6);
}

#[tokio::test]
async fn a_try_that_fails_keeps_it_from_being_called_for_twice_as_long() {
    const OPEN_MS: f64 = 400.0;
    let scene = Scene::with(brittle(400)).await;
    let opened = open(&scene, &[json!({"status": 503}), json!({"status": 503}), json!({})]).await;
    let mut reasons = BTreeSet::new();
    for number in 0.. {
        let events = once(&scene, &format!("t{number}")).await;
        match statuses(&events, KEY).pop().unwrap().as_str() {
            "success" => break,
            "degraded" => {
                let content = told(&events, "degraded");
                assert_eq!(content["since"], opened["since"], "a failed try is no new outage");
                reasons.insert(content["reason"].as_str().unwrap().to_owned());
            }
            _ => {}
        }
    }
    let why = "4 of 4 calls failed within 600 s";
    let known =
        ["", "; 1 probe failed since", "; 2 probes failed since"].map(|since| format!("{why}{since}"));
    // A busy machine may be late for the first waits, but not for the last one.
    assert!(
        reasons.is_subset(&known.iter().cloned().collect()) && reasons.contains(&known[2]),
        "{reasons:?}"
    );
    let agents = scene.agents.calls();
    let [.., first, second, third] = &agents.calls[..] else { panic!("{agents:?}") };
    assert_eq!(agents.total, 7, "four that failed, three that tried");
    let since = unix_ms(opened["since"].as_str().unwrap()) as f64;
    let waits = [
        agents.started_at_unix_ms + first.started_ms - since,
        second.started_ms - first.ended_ms.unwrap(),
        third.started_ms - second.ended_ms.unwrap(),
    ];
    for (wait, times) in waits.into_iter().zip([1.0, 2.0, 4.0]) {
        assert!(wait > times * OPEN_MS - CLOCKS_MS, "{wait} ms, not {times} times {OPEN_MS}");
    }
}

#[tokio::test]
async fn a_try_that_is_cancelled_leaves_its_place_to_the_next_call() {
    let scene = Scene::with(brittle(200)).await;
    open(&scene, &[json!({"hang": "head"}), json!({})]).await;
    half_open(&scene).await;
    let tries = post(&scene, "tries", json!({})).await;
    scene.agents.until(PATIENCE, |calls| calls.in_flight == 1).await.unwrap();
    assert_eq!(statuses(&once(&scene, "waits").await, KEY), ["degraded"]);
    tries.tell("/steps/p/cancel", json!({"reason": "not needed"})).await;
    assert_eq!(statuses(&ended(&tries, "p").await, KEY), ["in_progress", "cancelled"]);
    eventually("the next try", || async {
        let session = format!("t{}", fastrand::u64(..));
        (statuses(&once(&scene, &session).await, KEY) == ["in_progress", "success"]).then_some(())
    })
    .await;
    assert_eq!(breaker(&scene, KEY).await["state"], "closed");
}

#[tokio::test]
async fn a_degraded_subagent_is_called_all_the_same_where_the_directive_wants_that() {
    let scene = Scene::with(brittle(FAR_MS)).await;
    let open = open(&scene, &[json!({})]).await;
    let planner = post(&scene, "s", json!({"on_degraded": "try"})).await;
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, KEY), ["in_progress", "success"]);
    let begun = told(&events, "in_progress");
    assert_eq!((&begun["reason"], &begun["since"]), (&open["reason"], &open["since"]));
    // It says nothing about whether others may call.
    assert_eq!(breaker(&scene, KEY).await, open);
    assert_eq!(statuses(&once(&scene, "t").await, KEY), ["degraded"]);
}

#[tokio::test]
async fn a_degraded_subagent_ends_the_step_where_the_directive_wants_that() {
    let scene = Scene::with(brittle(FAR_MS)).await;
    let open = open(&scene, &[json!({})]).await;
    let mut needed = flaky(&scene);
    needed["on_degraded"] = json!("fail");
    let expected = [scene.called("hangs", "/generic/json?hang=head"), json!({"key": "pushes"}), needed];
    let events = ended(&scene.plan(&expected).await, "p").await;
    let degraded = told(&events, "degraded");
    assert_eq!((&degraded["reason"], &degraded["since"]), (&open["reason"], &open["since"]));
    for key in ["hangs", "pushes"] {
        let last = about(&events, key).pop().unwrap();
        assert_eq!(last["status"], "cancelled", "{last}");
    }
    assert_eq!(step_status(&events), "failed");
    let calls = scene.agents.until(PATIENCE, |calls| calls.in_flight == 0).await.unwrap();
    assert!(calls.calls[4..].iter().all(|call| call.ended == Some(Ended::PeerGone)), "{:?}", calls.calls);
}

#[tokio::test]
async fn a_subagent_that_flaps_under_a_thousand_steps_is_never_called_while_degraded_but_by_one_try_at_a_time()
 {
    const OPEN_MS: f64 = 150.0;
    const PLANNERS: usize = 32;
    const STEPS: usize = 32;
    let scene = Scene::with(brittle(OPEN_MS as u64)).await;
    let flapping: Vec<_> =
        (0..1_000).map(|turn| json!({"status": if turn % 2 == 0 { 503 } else { 200 }})).collect();
    behave(&scene, json!(flapping));
    let runs = join_all((0..PLANNERS).map(|number| plan_steps(&scene, number, STEPS))).await;
    let steps: HashMap<String, Step> = runs.into_iter().flatten().collect();
    let calls = scene.agents.calls();
    let called: Vec<Made> =
        calls.calls.iter().map(|call| Made::new(&steps, call, calls.started_at_unix_ms)).collect();

    // Every outage that a step was told of.
    let outages: BTreeSet<i64> = steps.values().filter_map(|step| step.since).collect();
    assert!(outages.len() >= 3, "it hardly flapped: {outages:?}");
    let mut from = outages.iter().map(|since| *since as f64).peekable();
    while let Some(since) = from.next() {
        let next = from.peek().copied().unwrap_or(f64::MAX);
        let mut inside: Vec<_> = called
            .iter()
            // What was posted before may have been let through before, and have begun a moment after.
            .filter(|made| {
                made.begun_ms < next && (made.posted_ms >= since || made.begun_ms >= since + OPEN_MS)
            })
            .collect();
        inside.sort_by(|a, b| a.begun_ms.total_cmp(&b.begun_ms));
        let (mut quiet_from, mut wait) = (since, OPEN_MS);
        for made in inside {
            let early = quiet_from + wait - made.begun_ms;
            assert!(early < CLOCKS_MS, "called {early} ms too early in the outage since {since}");
            if wait == 0.0 {
                continue;
            }
            (quiet_from, wait) = (made.ended_ms, if made.succeeded { 0.0 } else { 2.0 * wait });
            let told =
                |step: &Step| step.since == Some(since as i64) && step.posted_ms > made.told_ms + CLOCKS_MS;
            assert!(wait > 0.0 || !steps.values().any(told), "degraded after it had recovered from {since}");
        }
    }

    let count = |status: &str| steps.values().filter(|step| step.status == status).count() as u64;
    let (degraded, success, error) = (count("degraded"), count("success"), count("error"));
    assert_eq!(degraded + success + error, steps.len() as u64);
    assert_eq!(success + error, calls.total, "a call for each that wasn't degraded");
    let counts = &subagent(&scene, KEY).await["counts"];
    let counted =
        [&counts["degraded"], &counts["success"], &counts["error"]].map(|count| count.as_u64().unwrap());
    assert_eq!(counted, [degraded, success, error]);
}

/// How a step went that calls the flaky subagent.
struct Step {
    /// Before it was posted, by this process's clock.
    posted_ms: f64,
    status: String,
    /// When its output ended.
    ended_ms: f64,
    /// When its call was begun, where it was.
    begun_ms: Option<f64>,
    /// Since when the subagent was degraded, where it was.
    since: Option<i64>,
}

/// One planner's steps, one after the other.
async fn plan_steps(scene: &Scene, number: usize, steps: usize) -> Vec<(String, Step)> {
    let planner = scene.app.planner(&format!("s{number}"));
    let mut done = Vec::with_capacity(steps);
    for step in 0..steps {
        let name = format!("p{step}");
        let posted_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64() * 1_000.0;
        planner.post(&json!({"plan_step_id": name, "expected_subagents": [flaky(scene)]})).await.expect(201);
        let events = ended(&planner, &name).await;
        let status = statuses(&events, KEY).pop().unwrap();
        let ended_ms = millis(&events, KEY, &status)[0] as f64;
        let begun_ms = millis(&events, KEY, "in_progress").first().map(|at| *at as f64);
        let since = about(&events, KEY).iter().find_map(|content| content["since"].as_str().map(unix_ms));
        done.push((format!("s{number}/{name}"), Step { posted_ms, status, ended_ms, begun_ms, since }));
    }
    done
}

/// Two clocks of one machine may differ by so much, since one of them is read in whole milliseconds.
const CLOCKS_MS: f64 = 3.0;

/// A call, and how its step went; in milliseconds since 1970.
struct Made {
    posted_ms: f64,
    begun_ms: f64,
    ended_ms: f64,
    told_ms: f64,
    succeeded: bool,
}

impl Made {
    fn new(steps: &HashMap<String, Step>, call: &Call, started_at: f64) -> Self {
        let header = |name: &str| &*call.asked.headers[name];
        let name = format!("{}/{}", header("tributary-session-id"), header("tributary-plan-step-id"));
        let step = &steps[&name];
        let begun_ms = step.begun_ms.unwrap_or_else(|| panic!("{name} was {} and called", step.status));
        assert!(begun_ms < started_at + call.started_ms + CLOCKS_MS, "{name} was called before it was told");
        Self {
            posted_ms: step.posted_ms,
            begun_ms,
            ended_ms: started_at + call.ended_ms.unwrap(),
            told_ms: step.ended_ms,
            succeeded: call.status == Some(200),
        }
    }
}

/// The flaky subagent, called once.
fn flaky(scene: &Scene) -> Value {
    let mut called = scene.called(KEY, PATH);
    called["max_attempts"] = json!(1);
    called
}

/// What is done to the flaky subagent's calls, one after the other.
fn behave(scene: &Scene, behaviours: Value) {
    scene.agents.set_script(script_for("flaky", behaviours));
}

/// A session's step `p` that calls the flaky subagent, with these fields of its own.
async fn post(scene: &Scene, session: &str, fields: Value) -> Planner {
    let planner = scene.app.planner(session);
    let mut called = flaky(scene);
    called.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": [called]})).await.expect(201);
    planner
}

/// The events of such a step.
async fn once(scene: &Scene, session: &str) -> Vec<Value> {
    ended(&post(scene, session, json!({})).await, "p").await
}

/// Opens the breaker by four calls that fail; what comes after them is `then`. Gives the open breaker.
async fn open(scene: &Scene, then: &[Value]) -> Value {
    let failing = std::iter::repeat_n(json!({"status": 503}), 4);
    behave(scene, failing.chain(then.iter().cloned()).collect());
    for number in 0..4 {
        once(scene, &format!("opens{number}")).await;
    }
    let breaker = breaker(scene, KEY).await;
    assert!(breaker["since"].is_string(), "{breaker}");
    breaker
}

/// What was told of the flaky subagent with that status first.
fn told(events: &[Value], status: &str) -> Value {
    about(events, KEY).into_iter().find(|content| content["status"] == status).unwrap()
}

async fn half_open(scene: &Scene) {
    let what = "the breaker to be half open";
    eventually(what, || async { (breaker(scene, KEY).await["state"] == "half_open").then_some(()) }).await;
}

/// What the service tells of a subagent.
async fn subagent(scene: &Scene, key: &str) -> Value {
    let analytics = scene.app.get("/analytics/subagents").send().await.expect(200);
    let subagents = analytics["subagents"].as_array().unwrap();
    subagents.iter().find(|subagent| subagent["key"] == key).unwrap().clone()
}

async fn breaker(scene: &Scene, key: &str) -> Value {
    subagent(scene, key).await["breaker"].clone()
}

#[tokio::test]
async fn waiting_for_a_place_says_nothing_about_a_subagent() {
    let scene = Scene::with(|setup| brittle(FAR_MS)(setup).env("INVOKE__CALLS_MAX", 1)).await;
    let hog = scene.app.planner("hog");
    let hanging = scene.called("voice", "/voice/json?hang=head&name=hog");
    hog.post(&json!({"plan_step_id": "p", "expected_subagents": [hanging]})).await.expect(201);
    let taken = scene.agents.until(PATIENCE, |calls| calls.in_flight == 1).await;
    assert!(taken.is_ok(), "the only place is taken");
    let events = ended(&scene.plan_with(&[flaky(&scene)], json!({"deadline_ms": 300})).await, "p").await;
    assert_eq!(statuses(&events, KEY).last().unwrap(), "timeout");
    assert_eq!(scene.agents.calls().total, 1, "it was never asked");
    assert_eq!(breaker(&scene, KEY).await["calls"], 0);
    hog.tell("/cancel", json!({})).await;
}
