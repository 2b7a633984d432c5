//! What safety refused: a subagent's words, whether they came in part or as a whole, and a whole plan.

use serde_json::{Value, json};

use crate::harness::{Planner, TestApp};
use crate::scene::{ask, bring, each, plan, result};

const ORDER: &str = "The warehouse ships an order on the next working day [1].";
const SALARY: &str = "The salary of Ann is 91,000 dollars.";

/// A refusal of the subagent `a`.
fn refusal() -> Value {
    json!({"decision": "refuse", "policy": "pii", "reason": "personal data", "subagent": "a"})
}

/// The result, in which nothing is of `a` but that it was refused.
async fn assert_untold(planner: &Planner) -> Value {
    for format in ["json", "llm", "anthropic", "slack", "html"] {
        let answer = ask(planner, &format!("?format={format}")).await;
        assert!(!answer.text().contains("91,000"), "{format}: {}", answer.text());
        assert!(answer.text().contains("pii: personal data"), "{format}: {}", answer.text());
    }
    let result = result(planner).await;
    let failure = &result["failures"][0];
    for (member, value) in [("task_id", "a"), ("status", "refused"), ("error", "pii: personal data")] {
        assert_eq!(failure[member], value, "{failure}");
    }
    assert_eq!(each(&result["results"], "task_id"), ["b"]);
    assert_eq!(result["metadata"]["failed_subagents"], 1);
    result
}

#[tokio::test]
async fn a_part_that_was_refused_is_not_told() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b"], json!({})).await;
    let part = json!({"status": "partial", "payload": {"content": SALARY}});
    planner.subagent("p", "a").post(&part).await.expect(200);
    planner.tell("/steps/p/safety", refusal()).await;
    bring(&planner, "b", ORDER, &["https://b.org/orders"]).await;
    assert_eq!(assert_untold(&planner).await["status"], "partial_failure");
}

#[tokio::test]
async fn a_success_that_is_refused_before_the_step_ends_is_not_told() {
    let app = TestApp::new().start().await;
    for path in ["/steps/p/safety", "/safety"] {
        let planner = app.planner(&path[1..4]);
        let subagents = json!([{"key": "a"}, {"key": "b"}]);
        planner.post(&json!({"plan_step_id": "p", "expected_subagents": subagents})).await.expect(201);
        bring(&planner, "a", SALARY, &[]).await;
        planner.tell(path, refusal()).await;
        bring(&planner, "b", ORDER, &["https://b.org/orders"]).await;
        let result = assert_untold(&planner).await;
        assert_eq!(result["status"], "completed", "how its outputs ended stays as it was");
        assert_eq!(result, crate::scene::result(&planner).await);
    }
}

#[tokio::test]
async fn what_was_refused_when_a_step_had_ended_stays_as_it_was_told() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a"], json!({"more_steps": true})).await;
    bring(&planner, "a", SALARY, &[]).await;
    let told = result(&planner).await;
    planner.tell("/safety", refusal()).await;
    assert_eq!(result(&planner).await, told);
}

#[tokio::test]
async fn a_plan_that_is_refused_is_over_for_its_readers() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a"], json!({"more_steps": true})).await;
    let refusal = json!({"decision": "refuse", "policy": "p", "reason": "r"});
    assert_eq!(planner.tell("/safety", refusal).await["status"], "closed");
    assert_eq!(planner.page("/events").await["closed"], true);
    let session = planner.get("").send().await.expect(200);
    assert_eq!((&session["status"], &session["more_steps"]), (&json!("closed"), &json!(false)));
}
