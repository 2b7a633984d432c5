//! Failures that are tried again, and those that aren't.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tributary::simulate::{Call, Ended, Script};

use crate::harness::{PATIENCE, stalled_during};
use crate::scene::{Scene, about, ended, statuses};

#[tokio::test]
async fn a_subagent_that_fails_twice_recovers_with_the_same_key_and_a_raised_revision() {
    let scene = Scene::new().await;
    let planner = scene.plan(&[scene.called("documentation", "/documentation/json?fail=2")]).await;
    let events = ended(&planner, "p").await;
    let wanted = ["in_progress", "retry", "in_progress", "retry", "in_progress", "success"];
    assert_eq!(statuses(&events, "documentation"), wanted);
    let about = about(&events, "documentation");
    let retries: Vec<_> = about.iter().filter(|content| content["status"] == "retry").collect();
    assert_eq!((&retries[0]["attempt"], &retries[1]["attempt"]), (&json!(2), &json!(3)));
    assert_eq!(retries[0]["error"]["code"], "status_503");
    let revisions: Vec<_> = about.iter().filter_map(|content| content["revision"].as_u64()).collect();
    assert!(revisions.is_sorted(), "{revisions:?}");
    assert_eq!(about.last().unwrap()["attempts"], 3);
    let calls = scene.agents.calls().calls;
    let keys: Vec<_> = calls.iter().map(|call| &call.asked.headers["idempotency-key"]).collect();
    assert_eq!(keys.len(), 3);
    assert!(keys.iter().all(|key| *key == keys[0]), "every attempt is the same request to the subagent");
    let attempts: Vec<_> =
        calls.iter().map(|call| call.asked.headers["tributary-attempt"].as_str()).collect();
    assert_eq!(attempts, ["1/3", "2/3", "3/3"]);
}

#[tokio::test]
async fn what_cannot_get_better_is_not_tried_again() {
    let scene = Scene::new().await;
    for status in [400, 401, 403, 404, 422] {
        let planner = scene.app.planner(&format!("s{status}"));
        let path = format!("/documentation/json?status={status}");
        let directive =
            json!({"plan_step_id": "p", "expected_subagents": [scene.called("documentation", &path)]});
        planner.post(&directive).await.expect(201);
        let events = ended(&planner, "p").await;
        assert_eq!(statuses(&events, "documentation"), ["in_progress", "error"], "{status}");
        let error = &about(&events, "documentation")[2]["error"];
        assert_eq!(error["code"], format!("status_{status}"));
    }
}

/// A 503 passes as a rule, and a 422 doesn't: the agent knows better.
#[tokio::test]
async fn what_the_body_of_a_refusal_says_of_another_attempt_goes_before_its_status() {
    let scene = Scene::new().await;
    let lasting = scene.called("lasting", "/documentation/json?status=503&retryable=false");
    let passing = scene.called("passing", "/documentation/json?fail=1&status=422&retryable=true");
    let events = ended(&scene.plan(&[lasting, passing]).await, "p").await;
    assert_eq!(statuses(&events, "lasting"), ["in_progress", "error"]);
    assert_eq!(statuses(&events, "passing"), ["in_progress", "retry", "in_progress", "success"]);
    let error = &about(&events, "lasting")[2]["error"];
    assert_eq!((&error["code"], &error["retryable"]), (&json!("status_503"), &json!(false)));
}

#[tokio::test]
async fn what_an_agent_asked_to_wait_is_waited_for_also_where_the_backoff_is_shorter() {
    let scene = Scene::new().await;
    let asking = |status| format!("/documentation/json?fail=1&status={status}&retry_after=1");
    let expected = [scene.called("busy", &asking(503)), scene.called("limited", &asking(429))];
    let planner = scene.plan(&expected).await;
    let events = ended(&planner, "p").await;
    for key in ["busy", "limited"] {
        assert_eq!(statuses(&events, key), ["in_progress", "retry", "in_progress", "success"]);
        let calls = calls_of(&scene, key);
        let waited = calls[1].started_ms - calls[0].ended_ms.unwrap();
        assert!(waited >= 995.0, "{waited} ms, though the agent asked for a second");
    }
}

#[tokio::test]
async fn what_an_agent_asked_to_wait_beyond_the_deadline_is_an_error_at_once() {
    let scene = Scene::new().await;
    let mut asks = scene.called("documentation", "/documentation/json?status=503&retry_after=60");
    asks["deadline_ms"] = json!(30_000);
    let events = ended(&scene.plan(&[asks]).await, "p").await;
    assert_eq!(statuses(&events, "documentation"), ["in_progress", "error"]);
    let about = about(&events, "documentation");
    assert_eq!(about[2]["error"]["code"], "status_503");
    assert_eq!(about.last().unwrap()["attempts"], 1);
    let took =
        millis(&events, "documentation", "error")[0] - millis(&events, "documentation", "in_progress")[0];
    assert!(took < 15_000, "it was told after {took} ms");
    assert_eq!(scene.agents.calls().total, 1);
}

#[tokio::test]
async fn one_attempt_is_one_call() {
    let scene = Scene::new().await;
    let mut once = scene.called("documentation", "/documentation/json?fail=1");
    once["max_attempts"] = json!(1);
    let events = ended(&scene.plan(&[once]).await, "p").await;
    assert_eq!(statuses(&events, "documentation"), ["in_progress", "error"]);
    let calls = scene.agents.calls();
    assert_eq!((calls.total, &*calls.calls[0].asked.headers["tributary-attempt"]), (1, "1/1"));
}

#[tokio::test]
async fn attempts_that_are_used_up_end_with_the_last_cause() {
    let scene = Scene::new().await;
    scene.agents.set_script(script(json!([{"status": 500}, {"status": 502}, {"status": 504}, {}])));
    let events = ended(&scene.plan(&[scene.called("documentation", NAMED)]).await, "p").await;
    let wanted = ["in_progress", "retry", "in_progress", "retry", "in_progress", "error"];
    assert_eq!(statuses(&events, "documentation"), wanted);
    let about = about(&events, "documentation");
    let causes: Vec<_> = about.iter().filter_map(|content| content["error"]["code"].as_str()).collect();
    assert_eq!(causes, ["status_500", "status_502", "status_504"]);
    let completed = about.last().unwrap();
    assert_eq!((&completed["status"], &completed["attempts"]), (&json!("error"), &json!(3)));
    assert_eq!(step_status(&events), "failed");
    assert_eq!(scene.agents.calls().total, 3);
}

#[tokio::test]
async fn an_answer_that_is_none_of_its_protocol_is_tried_again() {
    let scene = Scene::with(|setup| setup.env("BREAKER__MINIMUM_CALLS", 100_000)).await;
    for protocol in ["json", "ndjson", "sse", "openai", "anthropic", "a2a"] {
        for garbage in ["json", "html", "binary", "truncated"] {
            let name = format!("{protocol}-{garbage}");
            scene.agents.set_script(script_for(&name, json!([{"garbage": garbage}, {}])));
            let planner = scene.app.planner(&name);
            let called = scene.called("documentation", &format!("/documentation/{protocol}?name={name}"));
            planner.post(&json!({"plan_step_id": "p", "expected_subagents": [called]})).await.expect(201);
            let events = ended(&planner, "p").await;
            if name == "openai-truncated" {
                // It is cut behind the reason, where nothing of the answer is missing.
                assert_eq!(turns(&events), ["in_progress", "success"], "{name}");
                continue;
            }
            assert_eq!(turns(&events), ["in_progress", "retry", "in_progress", "success"], "{name}");
            let about = about(&events, "documentation");
            let retry = about.iter().find(|content| content["status"] == "retry").unwrap();
            let code = retry["error"]["code"].as_str().unwrap();
            let wanted = match (protocol, garbage) {
                (_, "truncated") => "broken_answer",
                (_, "html") => "unexpected_content_type",
                (_, "json") | ("json" | "ndjson", _) => "malformed_answer",
                // An event stream is lines, and those that aren't its fields are passed over.
                _ => "empty_answer",
            };
            assert_eq!(code, wanted, "{name}: {retry}");
        }
    }
}

#[tokio::test]
async fn an_error_that_an_agent_tells_is_tried_again_if_it_says_that_this_may_help() {
    let scene = Scene::new().await;
    let told = |retryable| json!([{"status_event": "error", "retryable": retryable}, {}]);
    scene.agents.set_script(script(told(true)));
    let planner = scene.plan(&[scene.called("documentation", NAMED)]).await;
    let events = ended(&planner, "p").await;
    assert_eq!(turns(&events), ["in_progress", "retry", "in_progress", "success"]);
    scene.agents.set_script(script(told(false)));
    let again = json!({"plan_step_id": "q", "expected_subagents": [scene.called("documentation", NAMED)]});
    planner.post(&again).await.expect(201);
    assert_eq!(turns(&ended(&planner, "q").await), ["in_progress", "error"]);
}

#[tokio::test]
async fn a_port_that_nobody_listens_on_is_unreachable_and_tried_again() {
    let scene = Scene::with(|setup| setup.env("INVOKE__ALLOWED_HOSTS", "127.0.0.1")).await;
    // Taken, so that nobody else gets it, but not listened on: a connection is refused.
    let taken = TcpSocket::new_v4().unwrap();
    taken.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = format!("http://{}/answer", taken.local_addr().unwrap());
    let nobody = json!({"key": "documentation", "invoke": {"url": url, "protocol": "json"}});
    let events = ended(&scene.plan(&[nobody]).await, "p").await;
    let wanted = ["in_progress", "retry", "in_progress", "retry", "in_progress", "error"];
    assert_eq!(statuses(&events, "documentation"), wanted);
    let about = about(&events, "documentation");
    let codes: Vec<_> = about.iter().filter_map(|content| content["error"]["code"].as_str()).collect();
    assert_eq!(codes, ["unreachable"; 3]);
}

#[tokio::test]
async fn silence_before_and_inside_an_answer_is_timed_out_and_tried_again() {
    let scene = Scene::with(|setup| setup.env("INVOKE__IDLE_TIMEOUT_MS", 3_000)).await;
    scene.agents.set_script(script(json!([{"hang": "head"}, {"hang": "body", "chunks": 4}, {}])));
    let events = ended(&scene.plan(&[scene.called("documentation", NAMED)]).await, "p").await;
    assert_eq!(turns(&events), ["in_progress", "retry", "in_progress", "retry", "in_progress", "success"]);
    let about = about(&events, "documentation");
    let codes: Vec<_> = about.iter().filter_map(|content| content["error"]["code"].as_str()).collect();
    assert_eq!(codes, ["timed_out"; 2]);
    // The connections of those who said nothing are closed.
    let calls = scene.agents.until(PATIENCE, |calls| calls.in_flight == 0).await.unwrap().calls;
    let ends: Vec<_> = calls.iter().map(|call| call.ended.unwrap()).collect();
    assert_eq!(ends, [Ended::PeerGone, Ended::PeerGone, Ended::Answered]);
}

#[tokio::test]
async fn no_attempt_begins_after_the_deadline() {
    let scene = Scene::with(|setup| {
        // So many failures would open the breaker.
        setup.env("INVOKE__BACKOFF_MOST_MS", 200).env("BREAKER__MINIMUM_CALLS", 100_000)
    })
    .await;
    let many: Vec<_> = (0..20)
        .map(|number| {
            let mut called = scene.called("documentation", "/documentation/json?status=503&latency_ms=20");
            called["result_key"] = json!(format!("r{number}"));
            (called["max_attempts"], called["deadline_ms"]) = (json!(100), json!(4_000));
            called
        })
        .collect();
    let events = ended(&scene.plan(&many).await, "p").await;
    let started = events.iter().find(|event| event["type"] == "step_started").unwrap();
    let mut calls = 0;
    for expected in started["content"]["expected"].as_array().unwrap() {
        let key = expected["result_key"].as_str().unwrap();
        let deadline = unix_ms(expected["deadline"].as_str().unwrap());
        let begun = millis(&events, key, "in_progress");
        assert!(begun.len() > 1 && begun.iter().all(|at| *at < deadline), "{key}: {begun:?}, {deadline}");
        calls += begun.len() as u64;
        // The last attempt failed with no time left for another, or time ran out in it.
        let last = statuses(&events, key).pop().unwrap();
        assert!(["error", "timeout"].contains(&&*last), "{key}: {last}");
    }
    let made = scene.agents.until(PATIENCE, |calls| calls.in_flight == 0).await.unwrap();
    assert!(made.total <= calls, "{} calls for {calls} attempts", made.total);
    let budget = |call: &Call| call.asked.headers["tributary-budget-ms"].parse::<u64>().unwrap();
    assert!(made.calls.iter().all(|call| (1..=4_000).contains(&budget(call))));
}

#[tokio::test]
async fn attempts_wait_at_random_up_to_twice_as_long_each_time() {
    // A machine that stands still spoils a try, not all of them.
    const TRIES: usize = 8;
    const STALLED_MOST: Duration = Duration::from_millis(500);
    let scene = Scene::with(|setup| {
        let setup = setup.env("INVOKE__BACKOFF_BASE_MS", 400).env("INVOKE__BACKOFF_MOST_MS", 1_000);
        setup.env("BREAKER__MINIMUM_CALLS", 100_000)
    })
    .await;
    let many: Vec<_> = (0..OUTPUTS)
        .map(|number| {
            let mut called = scene.called("documentation", "/documentation/json?status=503");
            (called["result_key"], called["max_attempts"]) = (json!(format!("r{number}")), json!(4));
            called
        })
        .collect();
    let directive = json!({"plan_step_id": "p", "expected_subagents": many, "deadline_ms": 60_000});
    for number in 0..TRIES {
        let planner = scene.app.planner(&format!("s{number}"));
        let work = async {
            planner.post(&directive).await.expect(201);
            ended(&planner, "p").await
        };
        let (events, stalled) = stalled_during(work).await;
        if stalled < STALLED_MOST {
            return assert_full_jitter(&events);
        }
    }
    panic!("the machine stood still in each of {TRIES} tries");
}

const OUTPUTS: usize = 40;

fn assert_full_jitter(events: &[Value]) {
    // `min(1000, 400 · 2^(n - 1))`, and all of it at random.
    for (nth, ceiling) in [400, 800, 1_000].into_iter().enumerate() {
        let waits: Vec<_> = (0..OUTPUTS)
            .map(|number| {
                let key = format!("r{number}");
                millis(events, &key, "in_progress")[nth + 1] - millis(events, &key, "retry")[nth]
            })
            .collect();
        let (least, most) = (*waits.iter().min().unwrap(), *waits.iter().max().unwrap());
        assert!(least >= 0 && least < ceiling * 3 / 4, "nothing short among {waits:?}");
        assert!(most > ceiling / 2, "nothing long among {waits:?}");
        // What is over the ceiling is the machine's being busy.
        assert!(most < ceiling + 1_000, "too long: {waits:?}");
    }
}

/// A path whose calls have the name that [`script`] is for.
pub const NAMED: &str = "/documentation/sse?name=scripted";

/// What is done to the calls of [`NAMED`], one after the other.
pub fn script(behaviours: Value) -> Script {
    script_for("scripted", behaviours)
}

pub fn script_for(name: &str, behaviours: Value) -> Script {
    Script::read(&json!({format!("name={name}"): behaviours}).to_string()).unwrap()
}

/// The calls for an output, the oldest first.
pub fn calls_of(scene: &Scene, result_key: &str) -> Vec<Call> {
    let mut calls = scene.agents.calls().calls;
    calls.retain(|call| call.asked.headers["tributary-result-key"] == result_key);
    calls
}

/// When an output's events of that status were, in milliseconds since 1970.
pub fn millis(events: &[Value], result_key: &str, status: &str) -> Vec<i64> {
    let of_it = |event: &&Value| {
        let content = &event["content"];
        event["type"] == "planner_stream"
            && content["result_key"] == result_key
            && content["status"] == status
    };
    let at = |event: &Value| unix_ms(event["timestamp"].as_str().unwrap());
    events.iter().filter(of_it).map(at).collect()
}

pub fn unix_ms(text: &str) -> i64 {
    text.parse::<jiff::Timestamp>().unwrap().as_millisecond()
}

/// The statuses of `documentation` without what its agent says on the way, which isn't these tests' subject.
fn turns(events: &[Value]) -> Vec<String> {
    let mut turns = statuses(events, "documentation");
    turns.retain(|status| !matches!(&**status, "pending" | "partial"));
    turns.dedup();
    turns
}

/// How the step ended.
pub fn step_status(events: &[Value]) -> &str {
    events.last().unwrap()["content"]["status"].as_str().unwrap()
}
