//! Things that happen at once: one of them wins, the same one for everybody, and nothing happens twice.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::future::join_all;
use serde_json::{Value, json};

use crate::harness::{TestApp, open_plan};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_equal_directives_is_new_and_all_get_the_same_answer() {
    let app = TestApp::new().start().await;
    for round in 0..10 {
        let planner = app.planner(&format!("s{round}"));
        let directive = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}]});
        let answers = join_all((0..20).map(|_| planner.post(&directive))).await;
        let created = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(created, 1, "round {round}");
        assert!(
            answers
                .iter()
                .all(|answer| matches!(answer.status, 200 | 201) && answer.text() == answers[0].text())
        );
        assert_eq!(planner.page("/events").await["tail"], 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_directives_under_one_id_wins() {
    let app = TestApp::new().start().await;
    for round in 0..10 {
        let planner = app.planner(&format!("s{round}"));
        let directives: Vec<Value> = (0..20)
            .map(|n| json!({"plan_step_id": "p", "query": format!("{n}"), "expected_subagents": [{"key": "a"}]}))
            .collect();
        let answers = join_all(directives.iter().map(|directive| planner.post(directive))).await;
        let winner = answers.iter().position(|answer| answer.status == 201).unwrap();
        assert_eq!(answers.iter().filter(|answer| answer.status == 409).count(), 19);
        assert_eq!(planner.step("p").await["query"], directives[winner]["query"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_contents_of_a_revision_is_stored() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    for revision in 1..=20 {
        let event = |n: u64| json!({"status": "partial", "revision": revision, "payload": {"content": n, "sources": []}});
        let events: Vec<Value> = (0..16).map(|n| event(n % 8)).collect();
        let answers = join_all(events.iter().map(|event| a.post(event))).await;
        let mut verdicts = BTreeMap::new();
        for answer in &answers {
            let verdict = answer.json()["results"][0]["verdict"].as_str().unwrap().to_owned();
            *verdicts.entry(verdict).or_insert(0) += 1;
        }
        let expected = [("accepted", 1), ("conflict", 14), ("duplicate", 1)];
        assert!(verdicts.iter().map(|(name, count)| (name.as_str(), *count)).eq(expected), "{verdicts:?}");
    }
    let page = planner.page("/events?type=planner_stream").await;
    assert_eq!(page["events"].as_array().unwrap().len(), 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn result_or_timeout_wins_and_the_sender_is_told_which() {
    const STEPS: u64 = 60;
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let mut senders = Vec::new();
    for n in 0..STEPS {
        let step = format!("p{n}");
        let directive = json!({"plan_step_id": step, "deadline_ms": 40, "more_steps": true, "expected_subagents": [{"key": "a"}]});
        planner.post(&directive).await.expect(201);
        let a = planner.subagent(&step, "a");
        senders.push(tokio::spawn(async move {
            // Around the deadline, some before, some after.
            let mut around = tokio::time::interval_at(
                tokio::time::Instant::now() + Duration::from_millis(20 + n % 40),
                Duration::from_secs(1),
            );
            around.tick().await;
            a.say("success", 1, "just in time?").await["verdict"].as_str().unwrap().to_owned()
        }));
    }
    let verdicts = join_all(senders).await;
    planner.tell("/close", json!({})).await;
    let mut reader = app.sse(planner.path("/events")).await;
    reader.until("end").await;
    for (n, verdict) in verdicts.into_iter().enumerate() {
        let (step, verdict) = (planner.step(&format!("p{n}")).await, verdict.unwrap());
        let page = planner.page(&format!("/steps/p{n}/events?type=planner_stream")).await;
        let terminals = page["events"].as_array().unwrap();
        assert_eq!(terminals.len(), 1, "exactly one of them: {page}");
        let status = terminals[0]["content"]["status"].as_str().unwrap();
        assert_eq!(step["subagents"][0]["status"], status);
        let (expected, late) = if status == "success" { ("accepted", 0) } else { ("late", 1) };
        assert_eq!((status == "success" || status == "timeout", verdict.as_str()), (true, expected));
        assert_eq!(step["subagents"][0]["late"], late);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_that_leaves_memory_between_its_events_loses_none() {
    let app = TestApp::new().env("COORDINATOR__IDLE_MS", 100).start().await;
    let planner = app.planner("s");
    let directive =
        |id: &str| json!({"plan_step_id": id, "more_steps": true, "expected_subagents": [{"key": "a"}]});
    planner.post(&directive("p0")).await.expect(201);
    planner.subagent("p0", "a").succeed().await;
    // No step runs, so the session may leave at any time; it has just left, or is about to, when the next step comes.
    let mut pace = tokio::time::interval(Duration::from_millis(100));
    for n in 1..20 {
        pace.tick().await;
        let step = format!("p{n}");
        let (one, two) = (directive(&step), directive(&step));
        let answers = tokio::join!(planner.post(&one), planner.post(&two));
        assert_eq!(answers.0.status + answers.1.status, 401, "one 201 and one 200");
        planner.subagent(&step, "a").succeed().await;
    }
    let page = planner.page("/events?type=plan_step_completed").await;
    assert_eq!(page["events"].as_array().unwrap().len(), 20);
    let all = planner.page("/events").await;
    let sequences = all["events"].as_array().unwrap().iter().map(|event| event["sequence"].as_u64().unwrap());
    assert!(sequences.eq(1..=all["tail"].as_u64().unwrap()));
}
