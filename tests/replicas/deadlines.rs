//! Deadlines fire once, whichever replica is alive.

use serde_json::json;

use super::scene::{Scene, whole_log};
use crate::harness::{essential, eventually, within};

async fn ended(scene: &Scene, replica: usize, session: &str) -> Vec<String> {
    let client = scene.client(replica);
    let session = session.to_owned();
    eventually("the step to end", || {
        let planner = client.planner(&session);
        async move { (planner.step("p").await["ended_at"].is_string()).then_some(()) }
    })
    .await;
    essential(&whole_log(client, &session).await)
}

const END: [&str; 4] = ["crm:timeout", "subagent_completed", "step_completed", "plan_step_completed"];

#[tokio::test]
async fn a_deadline_fires_when_the_replica_that_knew_it_is_gone() {
    let mut scene = Scene::new().await;
    let directive =
        json!({"plan_step_id": "p", "expected_subagents": [{"key": "crm"}], "deadline_ms": 1_500});
    scene.planner(0, "s").post(&directive).await.expect(201);
    scene.replicas[0].signal("KILL");
    scene.replicas[0].exited().await;
    assert_eq!(ended(&scene, 1, "s").await[1..], END);
}

#[tokio::test]
async fn a_deadline_fires_once_where_every_replica_knows_it() {
    let scene = Scene::new().await;
    for n in 0..10 {
        let session = format!("s-{n}");
        let directive =
            json!({"plan_step_id": "p", "expected_subagents": [{"key": "crm"}], "deadline_ms": 700});
        scene.planner(0, &session).post(&directive).await.expect(201);
        // Now both have a task for it, and a timer.
        scene.planner(1, &session).subagent("p", "crm").say("partial", 1, "x").await;
    }
    for n in 0..10 {
        let log = ended(&scene, n % 2, &format!("s-{n}")).await;
        assert_eq!(log[log.len() - 4..], END);
        assert_eq!(log.iter().filter(|event| *event == "crm:timeout").count(), 1);
    }
}

#[tokio::test]
async fn a_frozen_replica_that_wakes_up_changes_nothing() {
    let scene = Scene::new().await;
    let directive =
        json!({"plan_step_id": "p", "expected_subagents": [{"key": "crm"}], "deadline_ms": 1_500});
    scene.planner(0, "s").post(&directive).await.expect(201);
    scene.replicas[0].signal("STOP");
    let log = ended(&scene, 1, "s").await;
    scene.replicas[0].signal("CONT");
    // It answers with what the others did meanwhile, and adds nothing.
    let late = scene.planner(0, "s").subagent("p", "crm").say("success", 9, "late").await;
    assert_eq!(late["verdict"], "late");
    assert_eq!(essential(&whole_log(scene.client(0), "s").await), log);
}

#[tokio::test]
async fn a_deadline_whose_wake_up_was_lost_with_its_replica_fires_when_the_session_is_looked_at() {
    let mut scene = Scene::new().await;
    let directive =
        json!({"plan_step_id": "p", "expected_subagents": [{"key": "crm"}], "deadline_ms": 1_500});
    for session in ["asked", "read"] {
        scene.planner(0, session).post(&directive).await.expect(201);
    }
    // Nobody asks about this one any more: its reader only stays.
    let mut stream = scene.client(1).sse("/planner/sessions/read/events").await;
    scene.replicas[0].signal("KILL");
    scene.replicas[0].exited().await;
    let lost =
        "for _, key in ipairs(redis.call('KEYS', 'tributary:wake:*')) do redis.call('DEL', key) end return 1";
    assert_eq!(scene.redis.command(&["EVAL", lost, "0"]), ":1");
    within("the end, between heartbeats", stream.until("end")).await;
    assert_eq!(ended(&scene, 1, "read").await[1..], END);
    assert_eq!(ended(&scene, 1, "asked").await[1..], END);
}
