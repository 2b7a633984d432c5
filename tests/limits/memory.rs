//! The bytes that all sessions share: those that ended give way first, then senders are refused.

use serde_json::{Value, json};

use crate::harness::{Answer, Planner, Setup, TestApp, assert_problem, eventually, open_plan};

const EVENT_BYTES: usize = 8_000;

fn small() -> Setup {
    let app = TestApp::new().env("LIMITS__EVENT_BYTES", 16_384).env("CACHE__RING_BYTES", 262_144);
    app.env("CACHE__MEMORY_BYTES_MAX", 1_048_576)
}

/// Fills a session's log; the answer that isn't 200, where there is one.
async fn fill(planner: &Planner, events: u64) -> (u64, Option<Answer>) {
    for revision in 1..=events {
        let event = json!({"status": "partial", "revision": revision, "payload": {"content": "x".repeat(EVENT_BYTES), "sources": []}});
        let answer = planner.subagent("p", "a").post(&event).await;
        if answer.status != 200 {
            return (revision - 1, Some(answer));
        }
    }
    (events, None)
}

#[tokio::test]
async fn memory_has_a_bound_and_what_was_acknowledged_is_still_there() {
    let app = small().start().await;
    let mut filled = Vec::new();
    let refused = loop {
        let planner = open_plan(app.client(), &format!("s{}", filled.len()), &["a"]).await;
        let (stored, refused) = fill(&planner, 25).await;
        filled.push((planner, stored));
        if let Some(refused) = refused {
            break refused;
        }
    };
    assert_problem(&refused, 503, "over_capacity");
    assert!((4..=6).contains(&filled.len()), "{} sessions of 200 KiB in 1 MiB", filled.len());
    for (planner, stored) in &filled {
        let page = planner.page("/events?type=planner_stream").await;
        assert_eq!(
            (page["verdict"]["recovered"].as_bool(), page["events"].as_array().unwrap().len() as u64),
            (Some(true), *stored)
        );
    }
    // Space comes back with the session.
    assert_eq!(app.request("DELETE", filled[0].0.path("")).send().await.status, 204);
    let (last, stored) = filled.last().unwrap();
    assert_eq!(last.subagent("p", "a").say("partial", stored + 1, "x").await["verdict"], "accepted");
}

#[tokio::test]
async fn sessions_that_ended_give_way_the_oldest_first() {
    let app = small().start().await;
    let mut planners = Vec::new();
    for number in 0..8 {
        let planner = open_plan(app.client(), &format!("s{number}"), &["a"]).await;
        assert!(fill(&planner, 25).await.1.is_none(), "there is always one that ended");
        planner.tell("/cancel", json!({})).await;
        planners.push(planner);
    }
    let mut statuses = Vec::new();
    for planner in &planners {
        statuses.push(planner.get("").send().await.status);
    }
    let kept = statuses.iter().filter(|status| **status == 200).count();
    assert!(kept >= 2 && statuses[0] == 410, "{statuses:?}");
    assert!(statuses.is_sorted_by(|a, b| a >= b), "the oldest first: {statuses:?}");
}

#[tokio::test]
async fn ring_of_one_session_is_trimmed_by_bytes() {
    let app = small().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    assert!(fill(&planner, 100).await.1.is_none(), "one session never fills what all share");
    let page = planner.page("/events?after=tail").await;
    let kept = page["tail"].as_u64().unwrap() - page["oldest"].as_u64().unwrap() + 1;
    assert!((20..=32).contains(&kept), "{kept} events of 8 KiB in 256 KiB");
    let snapshot = planner.page("/events").await;
    assert_eq!(snapshot["verdict"]["reason"], "trimmed");
    let shown: &Vec<Value> = snapshot["events"].as_array().unwrap();
    assert_eq!(shown.last().unwrap()["content"]["revision"], 100);
}

/// Nothing would ever be let go if what runs couldn't end.
#[tokio::test]
async fn full_store_lets_steps_end_and_goes_on() {
    let app = small().start().await;
    let mut planners = Vec::new();
    loop {
        let planner = app.planner(&format!("s{}", planners.len()));
        let directive =
            json!({"plan_step_id": "p", "deadline_ms": 8_000, "expected_subagents": [{"key": "a"}]});
        planner.post(&directive).await.expect(201);
        let refused = fill(&planner, 25).await.1;
        planners.push(planner);
        if refused.is_some() {
            break;
        }
    }
    let last = planners.last().unwrap();
    assert_eq!(last.tell("/steps/p/cancel", json!({})).await["status"], "cancelled");
    eventually("every deadline to fire", || async {
        for planner in &planners {
            let answer = planner.get("/steps/p").send().await;
            // What has ended may have given way already.
            if answer.status == 200 && answer.json()["ended_at"].is_null() {
                return None;
            }
        }
        Some(())
    })
    .await;
    open_plan(app.client(), "another", &["a"]).await;
}
