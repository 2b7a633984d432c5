//! The whole service with llmock as its model: whatever llmock does there is a believable result, and llmock finds nothing
//! wrong with who asked.

use serde_json::{Value, json};

use super::judge::{Judge, fail, fault, stall};
use crate::harness::{Client, TestApp};
use crate::scene::{
    KEY, MODEL, assert_extracted, assert_written, bring_all, by_model, ended, of_type, plan, result,
    synthesis,
};

const APIS: [(&str, &str); 2] = [("openai", "/v1"), ("anthropic", "/anthropic")];

/// A service that llmock writes for, with its own pauses between attempts.
async fn service(judge: &Judge, (provider, path): (&str, &str)) -> TestApp {
    let setup = TestApp::new()
        .env("SYNTHESIS__PROVIDER", provider)
        .env("SYNTHESIS__BASE_URL", judge.url(path))
        .env("SYNTHESIS__MODEL", MODEL)
        .env("SYNTHESIS__API_KEY", KEY)
        .env("SYNTHESIS__CACHE_SECONDS", 0)
        .env("SYNTHESIS__IDLE_TIMEOUT_MS", 1_500)
        .env("BREAKER__MINIMUM_CALLS", 1_000_000);
    setup.start().await
}

/// A draft out of what the extractive result quotes: nothing in it needs a repair.
async fn draft(client: Client) -> String {
    let extracted = synthesis(client, &json!({"mode": "extractive"})).await;
    let finding = |finding: &Value| json!({"topic": finding["topic"], "content": finding["content"], "source_ids": finding["sources"], "confidence": "medium"});
    let findings: Vec<Value> = extracted["findings"].as_array().unwrap().iter().map(finding).collect();
    assert!(!findings.is_empty(), "{extracted}");
    json!({"findings": findings, "contradictions": [], "gaps": [], "summary": extracted["summary"]})
        .to_string()
}

/// What llmock finds, but for two things. Of two waits it wants the second to be longer: with full jitter it is shorter about
/// every fourth time; that waits grow on average is tested where they are made. And it takes a next attempt that begins before it
/// has noticed the end of a broken one for another call: whoever comes again has neither accepted nor passed over anything.
fn said_against(verdict: &Value) -> Vec<&Value> {
    let came_again = |finding: &Value| {
        let broken = ["truncated_stream_accepted", "malformed_chunk_ignored"].map(Value::from);
        let last = finding["requests"].as_array().and_then(|requests| requests.last()?.as_u64());
        broken.contains(&finding["code"]) && last < verdict["attempts"].as_u64()
    };
    let findings = verdict["findings"].as_array().unwrap();
    findings.iter().filter(|finding| finding["code"] != "no_backoff" && !came_again(finding)).collect()
}

#[track_caller]
fn assert_passed(verdict: &Value, attempts: usize, scene: &str) {
    let is_fault = |finding: &&Value| finding["severity"] == "error";
    assert!(!said_against(verdict).iter().any(is_fault), "{scene}: {verdict:#}");
    assert_eq!(verdict["attempts"], attempts, "{scene}: {verdict:#}");
}

#[tokio::test]
async fn every_fault_ends_with_the_models_answer_and_llmock_finds_nothing_wrong() {
    let judge = Judge::start().await;
    for api in APIS {
        let app = service(&judge, api).await;
        let draft = draft(app.client()).await;
        for behaviors in [
            vec![],
            vec![json!({"type": "fail", "status": 429, "retry_after": 1.0})],
            vec![fault("truncate", 0)],
            vec![fault("truncate", 9)],
            vec![fault("disconnect", 2)],
            vec![stall(6)],
            vec![fault("malformed", 4)],
            vec![json!({"type": "slow_first_token", "seconds": 1.0})],
            vec![fail(500), fault("truncate", 3)],
        ] {
            judge.plan(&behaviors, &draft).await;
            let result = by_model(app.client()).await;
            let scene = format!("{api:?} {behaviors:?}");
            assert_written(&result);
            assert_eq!(result["metadata"]["synthesis"]["repaired"], 0, "{scene}: {result:#}");
            let is_slow = behaviors.first().is_some_and(|behavior| behavior["type"] == "slow_first_token");
            let faults = if is_slow { 0 } else { behaviors.len() };
            let verdict = judge.verdict().await;
            assert_passed(&verdict, 1 + faults, &scene);
            assert_eq!(said_against(&verdict), Vec::<&Value>::new(), "{scene}");
        }
    }
}

#[tokio::test]
async fn a_model_that_never_gets_it_done_leaves_the_extracted_answer_and_is_asked_no_more_than_allowed() {
    let judge = Judge::start().await;
    for api in APIS {
        let app = service(&judge, api).await;
        let draft = draft(app.client()).await;
        let always = |mut behavior: Value| {
            behavior["times"] = Value::Null;
            behavior
        };
        for (behavior, attempts) in [
            // One that is cut each time it would take for accepted, since nobody asks a fourth time.
            (fault("disconnect", 5), 3),
            (fault("malformed", 5), 3),
            (fail(529), 3),
            (fail(401), 1),
            (fail(400), 1),
        ] {
            judge.plan(&[always(behavior.clone())], &draft).await;
            let reason = assert_extracted(&by_model(app.client()).await);
            assert!(reason.contains(MODEL), "{behavior}: {reason}");
            assert_passed(&judge.verdict().await, attempts, &format!("{api:?} {behavior}: {reason}"));
        }
    }
}

#[tokio::test]
async fn a_step_ends_once_with_the_models_answer_behind_a_limit_and_a_cut_stream() {
    let judge = Judge::start().await;
    for api in APIS {
        let app = service(&judge, api).await;
        let draft = draft(app.client()).await;
        let limit = json!({"type": "fail", "status": 429, "retry_after": 1.0});
        judge.plan(&[limit, fault("truncate", 30)], &draft).await;
        let planner = plan(app.client(), "s", json!({})).await;
        bring_all(&planner, "p").await;
        let events = ended(&planner, "p").await;
        for once in ["aggregation", "synthesis", "plan_step_completed"] {
            assert_eq!(of_type(&events, once).len(), 1, "{once}");
        }
        // Of the draft that was cut, and of the whole one, which begins it anew.
        let begun = |path: &str| {
            let deltas =
                of_type(&events, "synthesis_delta").into_iter().map(|event| event["content"].to_string());
            // One that is empty takes the part back before.
            let begins = |delta: &String| delta.contains("\"offset\":0") && !delta.contains("\"text\":\"\"");
            deltas.filter(|delta| delta.contains(path) && begins(delta)).count()
        };
        assert_eq!(begun("\"findings/0/content\""), 2, "{events:#?}");
        assert_written(&result(&planner, "p").await);
        assert_passed(&judge.verdict().await, 3, api.0);
    }
}
