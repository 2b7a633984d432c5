//! Safety subagents, called and pushing: what their decisions end, and what follows where they give none.

use serde_json::{Value, json};
use tributary::simulate::{Call, Ended};

use crate::contract::Gate;
use crate::harness::{PATIENCE, Planner, TestApp, eventually};
use crate::scene::{Scene, about, ended, statuses};

/// What a guard model says.
const SAFE: &str = r#"{"label":"safe","categories":[],"score":0.03}"#;
const UNSAFE: &str = r#"{"label":"unsafe","categories":["S7"],"score":0.97,"reason":"category S7: Privacy"}"#;
const FLAGGED: &str = r#"{"label":"flag_for_review","categories":["S7"],"score":0.53}"#;

/// A service that may call anything on this machine.
async fn scene(change: impl FnOnce(crate::harness::Setup) -> crate::harness::Setup) -> Scene {
    Scene::with(|setup| change(setup.env("INVOKE__ALLOWED_HOSTS", "127.0.0.1"))).await
}

/// A session of that name, with a step `p`.
async fn plan(scene: &Scene, session: &str, expected: &[Value]) -> Planner {
    let planner = scene.app.planner(session);
    let directive = json!({
        "plan_step_id": "p", "query": "how do quotes convert?", "deadline_ms": 60_000, "expected_subagents": expected,
    });
    planner.post(&directive).await.expect(201);
    planner
}

/// The decision that follows right after an output's `subagent_completed`.
#[track_caller]
fn decision_after(events: &[Value], result_key: &str) -> Value {
    let completed =
        |event: &Value| event["type"] == "subagent_completed" && event["content"]["result_key"] == result_key;
    let at =
        events.iter().position(completed).unwrap_or_else(|| panic!("{result_key} isn't over: {events:?}"));
    let next = &events[at + 1];
    assert_eq!(next["type"], "policy_outcome", "{next}");
    assert_eq!(next["sequence"], json!(events[at]["sequence"].as_u64().unwrap() + 1), "in the same batch");
    next["content"].clone()
}

fn decisions(events: &[Value]) -> usize {
    events.iter().filter(|event| event["type"] == "policy_outcome").count()
}

/// The step's events so far.
async fn so_far(planner: &Planner) -> Vec<Value> {
    planner.page("/steps/p/events?limit=5000").await["events"].as_array().unwrap().clone()
}

/// Waits until an output has this status; returns the events by then.
async fn until(planner: &Planner, result_key: &str, status: &str) -> Vec<Value> {
    eventually(format!("{result_key} to be {status}"), || async {
        let events = so_far(planner).await;
        statuses(&events, result_key).iter().any(|said| said == status).then_some(events)
    })
    .await
}

/// Waits until the simulator has seen how a call of this path and query ended.
async fn call_ended(scene: &Scene, path: &str, query: &str, ended: Ended) {
    let is_it = |call: &Call| {
        call.asked.path == path && call.asked.query.contains(query) && call.ended == Some(ended)
    };
    let seen = scene.agents.until(PATIENCE, |calls| calls.calls.iter().any(is_it)).await;
    assert!(seen.is_ok(), "{path} {query} {ended:?}: {seen:?}");
}

async fn push(planner: &Planner, key: &str, payload: &str) -> Value {
    let event = format!(r#"{{"status":"success","payload":{payload}}}"#);
    let pushed = planner.subagent("p", key).request(&json!({})).body("application/json", event);
    pushed.send().await.expect(200)["results"][0].clone()
}

/// A documentation agent that says the first half of its answer and no more.
fn half(scene: &Scene, key: &str) -> Value {
    // A seed of its own: outputs that say the same are merged.
    let seed: u32 = key.bytes().map(u32::from).sum();
    let path = format!("/documentation/sse?chunks=4&hang=body&name={key}&seed={seed}");
    let mut called = scene.called(key, &path);
    called["adapter"] = json!("documentation");
    called
}

/// What a list of a result says of an output.
fn told(result: &Value, list: &str, result_key: &str) -> Option<Value> {
    result[list].as_array().unwrap().iter().find(|item| item["task_id"] == result_key).cloned()
}

#[tokio::test]
async fn decisions_of_called_and_pushing_safety_subagents_follow_right_after_their_completion() {
    let scene = scene(|setup| setup).await;
    let cases = [
        ("allow", SAFE, false, "completed"),
        ("refuse", UNSAFE, true, "refused"),
        ("escalate", FLAGGED, false, "completed"),
    ];
    for (decision, raw, terminate, status) in cases {
        for way in ["json", "sse", "openai", "a2a", "push"] {
            let safety = match way {
                "push" => json!({"key": "safety"}),
                protocol => scene.called("safety", &format!("/safety/{protocol}?decision={decision}")),
            };
            let planner =
                plan(&scene, &format!("{decision}-{way}"), &[safety, json!({"key": "other"})]).await;
            if way == "push" {
                assert_eq!(push(&planner, "safety", raw).await["verdict"], "accepted");
            }
            let events = until(&planner, "safety", "success").await;
            let outcome = decision_after(&events, "safety");
            assert_eq!(
                (&outcome["decision"], &outcome["terminate"]),
                (&json!(decision), &json!(terminate)),
                "{way}"
            );
            let names_a_policy = outcome["policy"].as_str().is_some_and(|policy| policy.starts_with('S'));
            assert_eq!(names_a_policy, decision != "allow", "{way}: {outcome}");
            if !terminate {
                assert_eq!(planner.step("p").await["status"], "in_progress", "{decision} ends nothing");
                planner.subagent("p", "other").succeed().await;
            }
            let events = ended(&planner, "p").await;
            assert_eq!(
                (planner.step("p").await["status"].clone(), decisions(&events)),
                (json!(status), 1),
                "{way}"
            );
        }
    }
}

#[tokio::test]
async fn refusal_of_a_subagent_ends_that_one_with_its_call_and_the_step_goes_on() {
    let scene = scene(|setup| setup).await;
    for way in ["called", "pushing"] {
        let gate = Gate::to(scene.agents.addr).await;
        let refused = format!("research-{way}");
        let safety = match way {
            "called" => {
                let path = format!("/safety/json?decision=refuse&subagent={refused}");
                gate.before(scene.called("safety", &path), &json!({}))
            }
            _ => json!({"key": "safety"}),
        };
        let other = format!("other-{way}");
        let expected = [safety, half(&scene, &refused), half(&scene, &other), json!({"key": "pushing"})];
        let planner = plan(&scene, way, &expected).await;
        until(&planner, &refused, "partial").await;
        until(&planner, &other, "partial").await;
        gate.open();
        if way == "pushing" {
            let raw = UNSAFE.replace("\"score\"", &format!("\"subagent\":\"{refused}\",\"score\""));
            push(&planner, "safety", &raw).await;
        }
        let events = until(&planner, &refused, "refused").await;
        let outcome = decision_after(&events, "safety");
        assert_eq!((&outcome["stage"], &outcome["terminate"]), (&json!(refused), &json!(false)), "{outcome}");
        let ending = &about(&events, &refused);
        let terminal = ending.iter().find(|content| content["status"] == "refused").unwrap();
        assert_eq!(terminal["reason"], outcome["reason"]);
        call_ended(&scene, "/documentation/sse", &refused, Ended::PeerGone).await;
        assert_eq!(planner.step("p").await["status"], "in_progress", "{way}");
        let still = scene.agents.calls().calls.into_iter().find(|call| call.asked.query.contains(&other));
        assert_eq!(still.unwrap().ended, None, "{way}: whoever wasn't refused goes on");
        push(&planner, &other, r#"{"answer":"Quotes convert in two steps.","citations":[]}"#).await;
        planner.subagent("p", "pushing").succeed().await;
        ended(&planner, "p").await;
        assert_eq!(planner.step("p").await["status"], "partial_failure");
        let result = planner.get("/steps/p/result?wait_ms=5000").send().await.expect(200);
        assert_eq!(told(&result, "results", &refused), None, "what was refused isn't told: {result}");
        assert_eq!(told(&result, "failures", &refused).unwrap()["status"], "refused");
    }
}

#[tokio::test]
async fn refusal_of_the_step_refuses_it_cancels_the_calls_and_keeps_what_was_found() {
    let scene = scene(|setup| setup).await;
    // Without a subagent, or of one but with `terminate`.
    for (session, asked) in [("step", ""), ("one", "&subagent=research-one&terminate=true")] {
        let gate = Gate::to(scene.agents.addr).await;
        let path = format!("/safety/json?decision=refuse{asked}");
        let safety = gate.before(scene.called("safety", &path), &json!({}));
        let (one, two) = (format!("research-{session}"), format!("second-{session}"));
        let whole = scene.called("documentation", "/documentation/json");
        let expected = [safety, half(&scene, &one), half(&scene, &two), whole, json!({"key": "pushing"})];
        let planner = plan(&scene, session, &expected).await;
        until(&planner, "documentation", "success").await;
        until(&planner, &one, "partial").await;
        until(&planner, &two, "partial").await;
        gate.open();
        let events = ended(&planner, "p").await;
        assert_eq!(decision_after(&events, "safety")["terminate"], true);
        for key in [&one, &two, "pushing"] {
            assert_eq!(statuses(&events, key).last().unwrap(), "refused", "{key}");
        }
        for key in [&one, &two] {
            call_ended(&scene, "/documentation/sse", key, Ended::PeerGone).await;
        }
        let result = planner.get("/steps/p/result").send().await.expect(200);
        for key in [&one, &two] {
            // Who was refused by name isn't told; who only ended with the step is.
            let is_named = asked.contains(key.as_str());
            let kept = told(&result, "results", key).map(|kept| kept["partial"].clone());
            assert_eq!(kept, (!is_named).then_some(json!(true)), "{key}");
            assert_eq!(told(&result, "failures", key).unwrap()["status"], "refused");
        }
        assert_eq!(planner.step("p").await["status"], "refused");
        assert_eq!(result["status"], "refused");
        let whole = result["results"].as_array().unwrap().iter().find(|it| it["task_id"] == "documentation");
        assert!(!whole.unwrap()["content"].as_str().unwrap().is_empty());
        let late = push(&planner, "pushing", r#"{"content":"too late","sources":[]}"#).await;
        assert_eq!(late["verdict"], "late");
    }
}

#[tokio::test]
async fn refusal_of_nobody_that_is_expected_is_one_of_the_step() {
    let scene = scene(|setup| setup).await;
    // One that isn't there, and the safety subagent itself.
    for named in ["nobody", "safety"] {
        let safety = scene.called("safety", &format!("/safety/json?decision=refuse&subagent={named}"));
        let planner = plan(&scene, named, &[safety, json!({"key": "other"})]).await;
        let events = ended(&planner, "p").await;
        let outcome = decision_after(&events, "safety");
        assert_eq!((&outcome["stage"], &outcome["terminate"]), (&Value::Null, &json!(true)), "{named}");
        assert_eq!(statuses(&events, "other").last().unwrap(), "refused");
        assert_eq!(planner.step("p").await["status"], "refused", "{named}");
    }
}

#[tokio::test]
async fn escalation_ends_neither_the_subagent_that_it_names_nor_its_call() {
    let scene = scene(|setup| setup).await;
    let gate = Gate::to(scene.agents.addr).await;
    let safety = scene.called("safety", "/safety/json?decision=escalate&subagent=research");
    let planner = plan(&scene, "s", &[gate.before(safety, &json!({})), half(&scene, "research")]).await;
    until(&planner, "research", "partial").await;
    gate.open();
    let events = until(&planner, "safety", "success").await;
    let outcome = decision_after(&events, "safety");
    assert_eq!((&outcome["decision"], &outcome["stage"]), (&json!("escalate"), &json!("research")));
    // What the research says itself still counts, and its call is there until then.
    let calls = scene.agents.calls();
    assert_eq!(calls.of("research").next().unwrap().ended, None);
    assert_eq!(
        push(&planner, "research", r#"{"answer":"done","citations":[]}"#).await["verdict"],
        "accepted"
    );
    ended(&planner, "p").await;
    assert_eq!(planner.step("p").await["status"], "completed");
}

/// How a safety subagent comes to give no decision: its output and its terminal.
fn without_decision(scene: &Scene) -> [(&'static str, Value, &'static str); 3] {
    // The third failure opens the breaker of `safety`.
    let fails = scene.called("safety", "/safety/json?status=503");
    let degraded = scene.called("safety", "/safety/json");
    let mut hangs = scene.called("guard", "/safety/json?hang=head");
    hangs["deadline_ms"] = json!(3_000);
    hangs["adapter"] = json!("safety");
    [("safety", fails, "error"), ("safety", degraded, "degraded"), ("guard", hangs, "timeout")]
}

#[tokio::test]
async fn safety_subagent_that_gives_no_decision_refuses_the_step_unless_told_otherwise() {
    let scene = scene(|setup| setup.env("BREAKER__MINIMUM_CALLS", 3).env("BREAKER__OPEN_MS", 120_000)).await;
    for (key, safety, terminal) in without_decision(&scene) {
        let other = format!("research-{terminal}");
        let planner =
            plan(&scene, terminal, &[half(&scene, &other), safety, json!({"key": "pushing"})]).await;
        let events = ended(&planner, "p").await;
        assert_eq!(statuses(&events, key).last().unwrap(), terminal);
        let outcome = decision_after(&events, key);
        let told = (&outcome["decision"], &outcome["policy"], &outcome["terminate"]);
        assert_eq!(told, (&json!("refuse"), &json!("safety_unavailable"), &json!(true)), "{terminal}");
        assert!(outcome["reason"].as_str().unwrap().contains(&format!("`{key}`")), "{outcome}");
        for refused in [&other, "pushing"] {
            assert_eq!(statuses(&events, refused).last().unwrap(), "refused", "{terminal}: {refused}");
        }
        assert_eq!((planner.step("p").await["status"].clone(), decisions(&events)), (json!("refused"), 1));
        let none_left = scene.agents.until(PATIENCE, |calls| calls.in_flight == 0).await;
        assert!(none_left.is_ok(), "{terminal}: a call goes on: {none_left:?}");
    }
}

#[tokio::test]
async fn step_goes_on_without_a_decision_where_that_is_configured() {
    let scene = scene(|setup| {
        let setup = setup.env("BREAKER__MINIMUM_CALLS", 3).env("BREAKER__OPEN_MS", 120_000);
        setup.env("SAFETY__ON_FAILURE", "fail_open")
    })
    .await;
    for (key, safety, terminal) in without_decision(&scene) {
        let planner = plan(&scene, terminal, &[safety, json!({"key": "pushing"})]).await;
        let outcome = decision_after(&until(&planner, key, terminal).await, key);
        let told = (&outcome["decision"], &outcome["policy"], &outcome["terminate"]);
        assert_eq!(told, (&json!("allow"), &json!("safety_unavailable"), &json!(false)), "{terminal}");
        assert_eq!(planner.step("p").await["status"], "in_progress", "{terminal}");
        // What it would have said comes too late to change anything.
        assert_eq!(push(&planner, key, UNSAFE).await["verdict"], "late");
        planner.subagent("p", "pushing").succeed().await;
        let events = ended(&planner, "p").await;
        assert_eq!(
            (planner.step("p").await["status"].clone(), decisions(&events)),
            (json!("partial_failure"), 1)
        );
    }
}

#[tokio::test]
async fn pushing_safety_subagent_that_fails_or_is_late_is_judged_by_the_same_rule() {
    let app = TestApp::new().start().await;
    for (session, deadline_ms, terminal) in [("errs", 60_000, "error"), ("late", 200, "timeout")] {
        let planner = app.planner(session);
        let safety = json!({"key": "safety", "deadline_ms": deadline_ms});
        let directive = json!({"plan_step_id": "p", "expected_subagents": [safety, {"key": "other"}]});
        planner.post(&directive).await.expect(201);
        if terminal == "error" {
            let error = json!({"status": "error", "error": {"message": "out of order"}});
            planner.subagent("p", "safety").post(&error).await.expect(200);
        }
        let events = ended(&planner, "p").await;
        assert_eq!(statuses(&events, "safety").last().unwrap(), terminal);
        assert_eq!(decision_after(&events, "safety")["policy"], "safety_unavailable");
        assert_eq!(planner.step("p").await["status"], "refused");
    }
}

#[tokio::test]
async fn safety_subagent_that_is_switched_off_says_nothing_and_is_not_called() {
    let scene = scene(|setup| setup.env("SUBAGENTS__SAFETY__ENABLED", false)).await;
    let safety = scene.called("safety", "/safety/json?decision=refuse");
    let planner = plan(&scene, "s", &[safety, scene.called("documentation", "/documentation/json")]).await;
    let events = ended(&planner, "p").await;
    let safety = about(&events, "safety");
    assert_eq!((&safety[0]["status"], &safety[0]["reason"]), (&json!("degraded"), &json!("disabled")));
    assert_eq!(decisions(&events), 0, "{events:?}");
    assert_eq!(statuses(&events, "documentation").last().unwrap(), "success");
    assert_eq!(planner.step("p").await["status"], "partial_failure");
    assert!(scene.agents.calls().calls.iter().all(|call| call.asked.path != "/safety/json"));
}

#[tokio::test]
async fn output_that_is_no_decision_refuses_the_step_or_is_for_a_person() {
    for (rule, decision, policy, status) in [
        ("fail_closed", "refuse", "safety_unavailable", "refused"),
        ("fail_open", "escalate", "unreadable", "completed"),
    ] {
        let scene = scene(|setup| setup.env("SAFETY__ON_FAILURE", rule)).await;
        let called = scene.called("safety", "/row_selection/json");
        for (way, safety) in [("called", called), ("pushing", json!({"key": "safety"}))] {
            let planner = plan(&scene, way, &[safety, json!({"key": "other"})]).await;
            if way == "pushing" {
                push(&planner, "safety", r#"{"colour":"amber"}"#).await;
            }
            let outcome = decision_after(&until(&planner, "safety", "success").await, "safety");
            let told = (&outcome["decision"], &outcome["policy"], &outcome["terminate"]);
            let closed = json!(rule == "fail_closed");
            assert_eq!(told, (&json!(decision), &json!(policy), &closed), "{rule} {way}");
            if rule == "fail_open" {
                assert_eq!(planner.step("p").await["status"], "in_progress");
                planner.subagent("p", "other").succeed().await;
            }
            ended(&planner, "p").await;
            assert_eq!(planner.step("p").await["status"], status, "{rule} {way}");
        }
    }
}
