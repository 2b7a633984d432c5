//! What is said of actions and decisions while they aren't over: an action that is swapped, one that failed, a decision that is
//! half written.

use serde_json::{Value, json};

use crate::harness::{TestApp, assert_problem, open_plan};
use crate::scene::{about, ended};

fn card(action: &str, state: &str) -> Value {
    json!({"action": action, "state": state, "summary": "s", "parameters": {"to": action}})
}

#[tokio::test]
async fn what_is_confirmed_and_begun_is_the_action_that_was_proposed() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["action_workflow"]).await;
    let subagent = planner.subagent("p", "action_workflow");
    let push = async |action: &str, state: &str| {
        subagent.post(&json!({"status": "partial", "payload": card(action, state)})).await
    };
    push("send", "proposed").await.expect(200);
    for (before, next) in [("proposed", "confirmed"), ("confirmed", "executing")] {
        let problem = assert_problem(&push("delete_all", next).await, 422, "invalid_event");
        let error = &problem["errors"][0];
        assert_eq!(error["pointer"], "/payload/action", "{problem}");
        let detail = error["detail"].as_str().unwrap();
        assert!(detail.contains(before) && detail.contains(next), "{detail}");
        // Who doesn't say which means the same; then it goes on as before.
        let silent = json!({"state": next, "parameters": {"to": "someone else"}});
        subagent.post(&json!({"status": "partial", "payload": silent})).await.expect(200);
    }
    push("send", "executing").await.expect(200);
    // Another one may be proposed instead, as long as nobody has agreed.
    let planner = open_plan(app.client(), "t", &["action_workflow"]).await;
    let subagent = planner.subagent("p", "action_workflow");
    for (action, state) in [("send", "proposed"), ("archive", "proposed"), ("archive", "confirmed")] {
        subagent.post(&json!({"status": "partial", "payload": card(action, state)})).await.expect(200);
    }
}

#[tokio::test]
async fn an_action_that_failed_says_why() {
    let app = TestApp::new().start().await;
    for (number, (error, why)) in [
        (json!({"code": "smtp", "message": "boom"}), "boom"),
        (json!("the mailbox is full"), "the mailbox is full"),
        (json!({"code": "smtp"}), "Send the mail"),
        (Value::Null, "Send the mail"),
    ]
    .into_iter()
    .enumerate()
    {
        let planner = open_plan(app.client(), &format!("s{number}"), &["action_workflow"]).await;
        let subagent = planner.subagent("p", "action_workflow");
        let proposed = json!({"status": "partial", "payload": {"action": "send", "state": "proposed"}});
        subagent.post(&proposed).await.expect(200);
        let failed = json!({"action": "send", "state": "failed", "summary": "Send the mail", "error": error});
        app.post(format!("{}?raw=true", subagent.path)).json(&failed).send().await.expect(200);
        let events = ended(&planner, "p").await;
        let end = about(&events, "action_workflow").into_iter().find(|content| content["status"] == "error");
        assert_eq!(end.unwrap()["error"], json!({"code": "action_failed", "message": why}));
    }
}

#[tokio::test]
async fn a_decision_is_shown_once_it_is_whole() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["safety"]).await;
    let subagent = planner.subagent("p", "safety");
    let refusal =
        json!({"decision": "refuse", "policy": "p", "reason": "r", "severity": "high", "terminate": true});
    for (payload, is_shown) in [
        (json!({"content": "safe"}), false),
        (json!({"content": "safeguards were broken: un"}), false),
        (json!("un"), false),
        (refusal, true),
    ] {
        subagent.post(&json!({"status": "partial", "payload": payload})).await.expect(200);
        let page = planner.page("/steps/p/events").await;
        let last = page["events"].as_array().unwrap().last().unwrap()["content"].clone();
        assert_eq!((&last["status"], last.get("payload").is_some()), (&json!("partial"), is_shown), "{last}");
    }
    let whole = json!({"status": "success", "payload": {"content": "safeguards were broken: unsafe"}});
    subagent.post(&whole).await.expect(200);
    let events = ended(&planner, "p").await;
    let end = about(&events, "safety").into_iter().find(|content| content["status"] == "success").unwrap();
    assert_eq!(end["payload"]["decision"], "refuse", "{end}");
}
