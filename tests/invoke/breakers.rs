//! Circuit breakers: whoever keeps failing isn't called, one call tries it after a while, and everybody is told why.

use std::collections::BTreeSet;

use futures::future::join_all;
use serde_json::{Value, json};
use tributary::simulate::Ended;

use crate::harness::{PATIENCE, Planner, Setup, eventually};
use crate::retries::{script_for, step_status, unix_ms};
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
    join_all((0..4).map(async |number| {
        let planner = post(&scene, &format!("s{number}"), json!({"deadline_ms": 3_000})).await;
        assert_eq!(statuses(&ended(&planner, "p").await, KEY), ["in_progress", "timeout"]);
    }))
    .await;
    assert_eq!(breaker(&scene, KEY).await["state"], "open");
    assert_eq!(statuses(&once(&scene, "s").await, KEY), ["degraded"]);
}

#[tokio::test]
async fn when_its_time_is_over_exactly_one_call_tries_it_and_its_success_closes_the_breaker() {
    let scene = Scene::with(brittle(300)).await;
    open(&scene, &[json!({"latency_ms": 8_000}), json!({})]).await;
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
    const OPEN_MS: f64 = 1_000.0;
    let scene = Scene::with(brittle(1_000)).await;
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
    // A machine that is busy or stands still may be late for the first waits, but not for the last one.
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
async fn metrics_show_the_breaker_of_each_subagent_and_every_change_of_it() {
    let scene = Scene::with(|setup| brittle(300)(setup).env("SUBAGENTS__CRM__ENABLED", true)).await;
    open(&scene, &[json!({})]).await;
    let is_open = "tributary_breakers{state=\"open\",subagent=\"documentation\"} 1";
    let changed =
        |to: &str| format!("tributary_breaker_transitions_total{{subagent=\"documentation\",to=\"{to}\"}} 1");
    let text = metrics(&scene).await;
    assert!(text.contains(&changed("open")), "{text}");
    assert!(text.contains(is_open) || text.contains(&is_open.replace("open", "half_open")), "{text}");
    eventually("the try that closes it", || async {
        let session = format!("t{}", fastrand::u64(..));
        (statuses(&once(&scene, &session).await, KEY) == ["in_progress", "success"]).then_some(())
    })
    .await;
    let text = metrics(&scene).await;
    for to in ["open", "half_open", "closed"] {
        assert!(text.contains(&changed(to)), "{to}: {text}");
    }
    // Known ones are there from the beginning, and whoever makes up keys makes no series.
    let planner = scene.app.planner("made-up");
    let expected = [scene.called("made-up-by-somebody", "/generic/json")];
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    ended(&planner, "p").await;
    let text = metrics(&scene).await;
    assert!(text.contains("tributary_breakers{state=\"open\",subagent=\"crm\"} 0"), "{text}");
    assert!(text.contains("tributary_breakers{state=\"closed\",subagent=\"other\"} 1"), "{text}");
    assert!(!text.contains("made-up-by-somebody"), "{text}");
}

async fn metrics(scene: &Scene) -> String {
    scene.app.get("/metrics").send().await.text().to_owned()
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

/// Two clocks of one machine may differ by so much, since one of them is read in whole milliseconds.
const CLOCKS_MS: f64 = 3.0;

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

/// When the places are given back, the time of those that waited for them is over.
#[tokio::test]
async fn a_place_that_comes_when_the_time_is_over_says_nothing_about_a_subagent() {
    let scene = Scene::with(|setup| brittle(FAR_MS)(setup).env("INVOKE__CALLS_MAX", 1)).await;
    let mut outputs = vec![scene.called(KEY, "/documentation/json?hang=head")];
    outputs.extend((0..12).map(|number| {
        let mut output = scene.called(KEY, "/documentation/json");
        output["result_key"] = json!(format!("w{number}"));
        output
    }));
    ended(&scene.plan_with(&outputs, json!({"deadline_ms": 700})).await, "p").await;
    let asked = scene.agents.calls().total;
    let breaker = breaker(&scene, KEY).await;
    assert!(breaker["calls"].as_u64().unwrap() <= asked as u64, "{asked} calls were made: {breaker}");
}
