//! Tasks of agents on the official SDK for which nobody waits any more.

use std::time::Instant;

use serde_json::{Value, json};

use super::a2a::agent;
use super::{Scene, having};
use crate::harness::eventually;
use crate::scene::{ended, statuses};

impl Scene {
    /// The skills of the tasks that were cancelled, in alphabetical order, once there are so many.
    async fn cancelled(&self, count: usize) -> Vec<String> {
        eventually(format!("{count} tasks to be cancelled"), || async {
            let seen = self.told("/seen").await;
            let skills = seen.as_array().unwrap().iter().filter_map(|seen| seen["cancelled"].as_str());
            let mut skills: Vec<_> = skills.map(str::to_owned).collect();
            skills.sort_unstable();
            (skills.len() >= count).then_some(skills)
        })
        .await
    }

    /// Waits until so many withdrawals came to that.
    async fn withdrawals(&self, outcome: &str, count: u64) {
        let line = format!("tributary_call_withdrawals_total{{outcome=\"{outcome}\"");
        eventually(format!("{count} that are {outcome}"), || async {
            let metrics = self.app.get("/metrics").send().await;
            let text = metrics.text().to_owned();
            let found = text.lines().find(|found| found.starts_with(&line));
            let value = found.and_then(|found| found.rsplit(' ').next()?.parse::<f64>().ok());
            (value == Some(count as f64)).then_some(())
        })
        .await;
    }
}

/// Waits until an agent works on `key`.
async fn working(planner: &crate::harness::Planner, key: &str) {
    eventually(format!("{key} to work"), || async {
        let page = planner.page("/steps/p/events?limit=5000").await;
        let events = page["events"].as_array().unwrap().clone();
        let works = |event: &Value| {
            event["content"]["result_key"] == key && event["content"]["payload"]["progress"].is_string()
        };
        events.iter().any(works).then_some(())
    })
    .await;
}

#[tokio::test]
async fn agent_is_told_to_stop_when_its_deadline_is_over_its_step_cancelled_or_refused_by_safety() {
    let scene = agent().await;
    let slow = |key: &str| scene.asked(key, "/v1", "slow 600000");
    let late = [
        having(slow("late"), "deadline_ms", 2_500),
        having(scene.asked_in_0_3("late_old", "/compat", "slow 600000"), "deadline_ms", 2_500),
        // These end by their own word, and are told nothing.
        scene.asked("well", "/v1", "stream"),
        scene.asked("badly", "/v1", "fail"),
        scene.asked("again", "/v1", "flaky 1 withdrawal"),
    ];
    let events = scene.run("late", &late).await;
    for key in ["late", "late_old"] {
        assert_eq!(statuses(&events, key).last().unwrap(), "timeout");
    }
    let planner = scene.plan("cancelled", &[slow("unwanted")]).await;
    working(&planner, "unwanted").await;
    planner.tell("/steps/p/cancel", json!({"reason": "not needed"})).await;
    ended(&planner, "p").await;
    let planner = scene.plan("refused", &[slow("refused"), json!({"key": "safety"})]).await;
    working(&planner, "refused").await;
    let decision = json!({"status": "success", "payload": {"decision": "refuse", "terminate": true}});
    planner.subagent("p", "safety").post(&decision).await.expect(200);
    assert_eq!(statuses(&ended(&planner, "p").await, "refused").last().unwrap(), "refused");

    assert_eq!(scene.cancelled(4).await, ["slow"; 4]);
    scene.withdrawals("withdrawn", 4).await;
    scene.withdrawals("refused", 0).await;
    scene.withdrawals("failed", 0).await;
}

#[tokio::test]
async fn agent_that_does_not_stop_or_answer_is_counted_and_no_step_waits_for_it() {
    let scene = agent().await;
    let outputs = ["stubborn", "silent"].map(|skill| scene.asked(skill, "/v1", skill));
    let planner = scene.plan("s", &outputs).await;
    for key in ["stubborn", "silent"] {
        working(&planner, key).await;
    }
    let begin = Instant::now();
    planner.tell("/steps/p/cancel", json!({"reason": "not needed"})).await;
    ended(&planner, "p").await;
    assert!(begin.elapsed().as_secs() < 4, "the step waited for its agents: {:?}", begin.elapsed());
    assert_eq!(scene.cancelled(2).await, ["silent", "stubborn"]);
    scene.withdrawals("refused", 1).await;
    scene.withdrawals("failed", 1).await;
    scene.withdrawals("withdrawn", 0).await;
}
