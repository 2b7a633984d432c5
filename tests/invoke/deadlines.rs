//! Calls that end before their subagent does: at a deadline, by the planner, with their session, with the service. Each
//! time the connection is closed at once and nothing stays in flight.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tributary::simulate::{Calls, Ended, Simulator};

use crate::harness::{Folder, PATIENCE, TestApp, events_of, eventually};
use crate::retries::{millis, step_status, unix_ms};
use crate::scene::{Scene, about, ended, statuses};

/// After this a call that was ended isn't ended promptly any more; the machine may be busy.
const PROMPTLY: i64 = 8_000;

/// What a subagent does that never comes to an end, and how it is called.
const HANGS: [(&str, &str); 3] = [
    ("head", "/documentation/json?hang=head"),
    ("body", "/documentation/json?hang=body&chunks=4"),
    ("stream", "/documentation/sse?hang=body&chunks=4"),
];

#[tokio::test]
async fn an_output_whose_time_is_over_is_a_timeout_and_the_others_finish() {
    let scene = Scene::new().await;
    let mut expected = hanging(&scene);
    for hanging in &mut expected {
        hanging["deadline_ms"] = json!(3_000);
    }
    expected.push(scene.called("slow", "/documentation/sse?latency_ms=6000"));
    expected.push(scene.called("quick", "/documentation/json"));
    let planner = scene.plan(&expected).await;
    let events = ended(&planner, "p").await;
    for (key, _) in HANGS {
        assert_timeout(&events, key);
        let at = millis(&events, key, "timeout")[0];
        let late = at - deadline_of(&events, key);
        assert!((0..PROMPTLY).contains(&late), "{key}: {late} ms after its deadline");
    }
    for key in ["slow", "quick"] {
        assert_eq!(statuses(&events, key).last().unwrap(), "success", "{key}");
    }
    // Who hangs is given up before the slow one is there.
    assert!(millis(&events, "head", "timeout")[0] < millis(&events, "slow", "success")[0]);
    assert_eq!(step_status(&events), "partial_failure");
    let gone = nothing_in_flight(&scene.agents, 3).await;
    for call in gone.calls.iter().filter(|call| call.ended == Some(Ended::PeerGone)) {
        let key = &call.asked.headers["tributary-result-key"];
        let gone_at = gone.started_at_unix_ms + call.ended_ms.unwrap();
        let late = gone_at as i64 - deadline_of(&events, key);
        assert!(late < PROMPTLY, "{key}: its connection was closed {late} ms after its deadline");
    }
}

#[tokio::test]
async fn what_is_pushed_after_the_timeout_is_late_and_changes_nothing() {
    let scene = Scene::new().await;
    let mut hangs = scene.called("documentation", "/documentation/json?hang=head");
    hangs["deadline_ms"] = json!(3_000);
    let planner = scene.plan(&[hangs, scene.called("slow", "/documentation/json?latency_ms=6000")]).await;
    eventually("the timeout", || async {
        let step = planner.step("p").await;
        (of(&step, "documentation")["status"] == "timeout").then_some(())
    })
    .await;
    // While its step runs, and after.
    let subagent = planner.subagent("p", "documentation");
    for count in [1, 2] {
        let verdict = subagent.say("success", 10 + count, "too late").await;
        assert_eq!(verdict["verdict"], "late", "{verdict}");
        let events = ended(&planner, "p").await;
        assert_timeout(&events, "documentation");
        assert_eq!(of(&planner.step("p").await, "documentation")["late"], json!(count));
    }
    nothing_in_flight(&scene.agents, 1).await;
}

#[tokio::test]
async fn the_deadline_of_a_step_is_that_of_all_its_calls() {
    let scene = Scene::new().await;
    let mut expected = hanging(&scene);
    // Later than the step's: it has no effect.
    expected[0]["deadline_ms"] = json!(50_000);
    // It would be tried again long after.
    expected.push(scene.called("fails", "/documentation/json?status=503&retry_after=1"));
    expected[3]["max_attempts"] = json!(100);
    expected.push(scene.called("quick", "/documentation/json"));
    let planner = scene.plan_with(&expected, json!({"deadline_ms": 4_000})).await;
    let events = ended(&planner, "p").await;
    for (key, _) in HANGS {
        assert_timeout(&events, key);
    }
    let step = &events.iter().find(|event| event["type"] == "step_completed").unwrap()["content"];
    assert_eq!((step_status(&events), &step["status"]), ("partial_failure", &json!("partial_failure")));
    let calls = nothing_in_flight(&scene.agents, 3).await;
    for call in &calls.calls {
        let budget: u64 = call.asked.headers["tributary-budget-ms"].parse().unwrap();
        assert!((1..=4_000).contains(&budget), "{budget}");
    }
    // Nothing comes after the end.
    let tail = planner.page("/events").await["tail"].clone();
    assert_eq!(planner.subagent("p", "fails").say("success", 50, "x").await["verdict"], "late");
    assert_eq!(planner.page("/events").await["tail"], tail);
}

#[tokio::test]
async fn a_step_of_nothing_but_calls_that_hang_fails() {
    let scene = Scene::new().await;
    let planner = scene.plan_with(&hanging(&scene), json!({"deadline_ms": 3_000})).await;
    assert_eq!(step_status(&ended(&planner, "p").await), "failed");
    nothing_in_flight(&scene.agents, 3).await;
}

#[tokio::test]
async fn a_step_or_a_session_that_is_cancelled_ends_its_calls() {
    let scene = Scene::new().await;
    for what in ["/steps/p/cancel", "/cancel"] {
        let planner = scene.app.planner(&format!("s{}", what.len()));
        let step = |name| json!({"plan_step_id": name, "expected_subagents": hanging(&scene)});
        for name in ["p", "q"] {
            planner.post(&step(name)).await.expect(201);
        }
        in_flight(&scene.agents, 6).await;
        planner.tell(what, json!({"reason": "not needed any more"})).await;
        let events = ended(&planner, "p").await;
        for (key, _) in HANGS {
            let last = &about(&events, key).pop().unwrap();
            assert_eq!(last["status"], "cancelled", "{what}: {last}");
        }
        assert_eq!(step_status(&events), "cancelled");
        if what == "/steps/p/cancel" {
            // The other step isn't touched.
            in_flight(&scene.agents, 3).await;
            planner.tell("/steps/q/cancel", json!({"reason": "neither"})).await;
        }
        assert_eq!(step_status(&ended(&planner, "q").await), "cancelled");
        nothing_in_flight(&scene.agents, 6).await;
        scene.agents.reset();
    }
    // That they were ended says nothing about the subagents.
    let analytics = scene.app.get("/analytics/subagents").send().await.expect(200);
    for subagent in analytics["subagents"].as_array().unwrap() {
        assert_eq!(
            (&subagent["breaker"]["state"], &subagent["breaker"]["calls"]),
            (&json!("closed"), &json!(0))
        );
    }
}

#[tokio::test]
async fn an_output_that_is_pushed_ends_its_call() {
    let scene = Scene::new().await;
    let planner = scene.plan(&hanging(&scene)).await;
    in_flight(&scene.agents, 3).await;
    for (key, _) in HANGS {
        planner.subagent("p", key).succeed().await;
    }
    assert_eq!(step_status(&ended(&planner, "p").await), "completed");
    nothing_in_flight(&scene.agents, 3).await;
}

#[tokio::test]
async fn a_session_that_is_forgotten_ends_its_calls() {
    let scene = Scene::new().await;
    let planner = scene.plan(&hanging(&scene)).await;
    let waits = scene.app.planner("other");
    let retries = scene.called("documentation", "/documentation/json?status=503&retry_after=5");
    waits.post(&json!({"plan_step_id": "p", "expected_subagents": [retries]})).await.expect(201);
    scene.agents.until(PATIENCE, |calls| calls.in_flight == 3 && calls.total == 4).await.unwrap();
    for planner in [&planner, &waits] {
        let forgotten = scene.app.request("DELETE", planner.path("")).send().await;
        assert_eq!(forgotten.status, 204, "{}", forgotten.text());
        assert_eq!(planner.get("").send().await.status, 404);
    }
    nothing_in_flight(&scene.agents, 3).await;
    // A name that is used again is another session: nothing of the old one comes into it.
    let planner = scene.plan(&[scene.called("documentation", "/documentation/json?latency_ms=6000")]).await;
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "documentation"), ["in_progress", "success"]);
    assert_eq!(scene.agents.calls().total, 5, "what was to be tried again five seconds later isn't");
}

#[tokio::test]
async fn a_call_that_finishes_in_time_is_stored_and_shown_before_the_service_ends() {
    let folder = Folder::new();
    let Scene { agents, mut app } =
        Scene::with(|setup| setup.env("ARCHIVE__URL", folder.url()).env("SERVER__DRAIN_WINDOW_MS", 20_000))
            .await;
    let planner = app.planner("s");
    let called =
        |path: &str| json!({"key": "documentation", "invoke": {"url": agents.url(path), "protocol": "sse"}});
    let expected = [called("/documentation/sse?latency_ms=4000&chunks=3&chunk_ms=50")];
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    let mut reader = app.sse(planner.events("p")).await;
    reader.open().await;
    agents.until(PATIENCE, |calls| calls.in_flight == 1).await.unwrap();
    app.signal("TERM");
    app.logged("\"stopping\"").await;
    assert_eq!(agents.calls().in_flight, 1, "it runs on");
    let frames = reader.rest().await;
    let events: Vec<_> = frames.iter().flat_map(events_of).collect();
    assert_eq!(statuses(&events, "documentation").last().unwrap(), "success");
    assert_eq!(frames.last().unwrap().name, "end");
    assert!(app.exited().await.success());
    let calls = agents.calls();
    assert_eq!((calls.in_flight, calls.calls[0].ended), (0, Some(Ended::Answered)));

    let again = TestApp::new().env("ARCHIVE__URL", folder.url()).start().await;
    let stored = ended(&again.planner("s"), "p").await;
    assert_eq!(step_status(&stored), "completed");
    assert_eq!(statuses(&stored, "documentation").last().unwrap(), "success");
    assert_eq!(agents.calls().total, 1);
}

#[tokio::test]
async fn a_call_that_hangs_is_cut_and_the_service_ends_inside_its_window() {
    const WINDOW: Duration = Duration::from_secs(12);
    let scene = Scene::with(|setup| setup.env("SERVER__DRAIN_WINDOW_MS", WINDOW.as_millis())).await;
    let mut expected = hanging(&scene);
    // Due again inside the window: nothing new begins.
    expected.push(scene.called("fails", "/documentation/json?status=503&retry_after=5"));
    let planner = scene.plan(&expected).await;
    let Scene { agents, mut app } = scene;
    agents.until(PATIENCE, |calls| calls.in_flight == 3 && calls.total == 4).await.unwrap();
    let mut reader = app.sse(planner.events("p")).await;
    reader.open().await;
    app.signal("TERM");
    let begun = Instant::now();
    let last = reader.rest().await.pop().unwrap();
    assert_eq!(last.name, "drain", "{last:?}");
    assert!(app.exited().await.success());
    let took = begun.elapsed();
    assert!(
        (WINDOW / 2..WINDOW).contains(&took),
        "calls get half of the window, the service the whole: {took:?}"
    );
    app.logged("calls that take too long to finish are cancelled").await;
    app.logged("\"stopped\"").await;
    let calls = nothing_in_flight(&agents, 3).await;
    assert_eq!(calls.total, 4);
}

/// Outputs whose subagents hang.
fn hanging(scene: &Scene) -> Vec<Value> {
    HANGS.iter().map(|(key, path)| scene.called(key, path)).collect()
}

/// Waits until so many calls are in flight.
async fn in_flight(agents: &Simulator, count: u64) {
    let reached = agents.until(PATIENCE, |calls| calls.in_flight == count).await;
    reached.unwrap_or_else(|calls| panic!("{} calls in flight, not {count}", calls.in_flight));
}

/// Waits, not for long, until no call is in flight; so many were ended by the service.
async fn nothing_in_flight(agents: &Simulator, ended_early: usize) -> Calls {
    let promptly = Duration::from_millis(PROMPTLY as u64);
    let calls = agents.until(promptly, |calls| calls.in_flight == 0).await;
    let calls = calls.unwrap_or_else(|calls| panic!("{} calls are still in flight", calls.in_flight));
    let gone = calls.calls.iter().filter(|call| call.ended == Some(Ended::PeerGone)).count();
    assert_eq!(gone, ended_early, "{:?}", calls.calls);
    calls
}

fn assert_timeout(events: &[Value], key: &str) {
    let about = about(events, key);
    let [.., timeout, completed] = &about[..] else { panic!("{about:?}") };
    assert_eq!(
        (&timeout["status"], &timeout["reason"]),
        (&json!("timeout"), &json!("deadline")),
        "{timeout}"
    );
    assert_eq!(completed["status"], "timeout", "{completed}");
}

/// An output's deadline, as the step's first event tells it.
fn deadline_of(events: &[Value], key: &str) -> i64 {
    let started = events.iter().find(|event| event["type"] == "step_started").unwrap();
    let expected = started["content"]["expected"].as_array().unwrap();
    let output = expected.iter().find(|output| output["result_key"] == key).unwrap();
    unix_ms(output["deadline"].as_str().unwrap())
}

/// A subagent in a step's state.
fn of<'a>(step: &'a Value, key: &str) -> &'a Value {
    step["subagents"].as_array().unwrap().iter().find(|subagent| subagent["result_key"] == key).unwrap()
}
