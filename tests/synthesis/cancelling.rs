//! Who ends a writing, and who doesn't.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::drafts::faithful;
use crate::harness::{Planner, TestApp};
use crate::model_server::{Ended, Exchange, ModelServer, Protocol};
use crate::read::{Page, Reader};
use crate::scene::{
    assert_extracted, assert_written, body, bring_all, ended, of_type, patient, plan, result,
};

/// A step whose answer the model has begun to write.
async fn writing(server: &ModelServer, app: &TestApp, session: &str) -> (Planner, Exchange) {
    let planner = plan(app.client(), session, json!({})).await;
    bring_all(&planner, "p").await;
    let mut exchange = server.next().await;
    exchange.begin().await;
    exchange.say("{\"findings\":[{\"topic\":\"Warranty\",\"content\":\"The standard").await;
    (planner, exchange)
}

#[tokio::test]
async fn whatever_ends_a_step_ends_the_call_at_once_and_the_step_has_an_answer() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let refuse = json!({"decision": "refuse", "policy": "p", "reason": "no", "terminate": true});
    for (number, (rest, said, status, why)) in [
        ("/steps/p/cancel", json!({"reason": "enough"}), "cancelled", "the step was cancelled: enough"),
        ("/cancel", json!({}), "cancelled", "the step was cancelled by the planner"),
        ("/safety", refuse.clone(), "refused", "the step was refused: no"),
        ("/steps/p/safety", refuse, "refused", "the step was refused: no"),
    ]
    .into_iter()
    .enumerate()
    {
        let (planner, exchange) = writing(&server, &app, &format!("s{number}")).await;
        let told = Instant::now();
        planner.tell(rest, said).await;
        exchange.gone().await;
        assert!(told.elapsed() < Duration::from_secs(15), "{rest}: after {:?}", told.elapsed());
        let events = ended(&planner, "p").await;
        for once in ["synthesis", "plan_step_completed"] {
            assert_eq!(of_type(&events, once).len(), 1, "{rest}: {once}");
        }
        assert_eq!(of_type(&events, "synthesis")[0]["content"]["method"], "extractive");
        let result = result(&planner, "p").await;
        assert_eq!(assert_extracted(&result), why);
        let end = events.last().unwrap();
        assert_eq!(end["type"], "plan_step_completed", "nothing comes behind it");
        assert_eq!(of_type(&events, "step_completed").len(), 1, "{rest}");
        for told in [&result["status"], &end["content"]["status"], &planner.step("p").await["status"]] {
            assert_eq!(told, status, "{rest}");
        }
    }
    assert_eq!(server.calls().len(), 4, "nobody asks again");
    assert!(server.calls().iter().all(|call| call.ended == Some(Ended::PeerGone)));
}

#[tokio::test]
async fn what_was_refused_meanwhile_is_in_no_answer() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let refuse = json!({"decision": "refuse", "policy": "pii", "reason": "personal data", "subagent": "crm"});
    for (number, path) in ["/steps/p/safety", "/safety"].into_iter().enumerate() {
        let (planner, exchange) = writing(&server, &app, &format!("s{number}")).await;
        planner.tell(path, refuse.clone()).await;
        exchange.gone().await;
        ended(&planner, "p").await;
        let result = result(&planner, "p").await;
        assert_eq!(assert_extracted(&result), "the subagent `crm` was refused: personal data");
        assert!(!result.to_string().contains("Okafor"), "{result}");
        let failure = &result["failures"][0];
        assert_eq!((&failure["task_id"], &failure["status"]), (&json!("crm"), &json!("refused")));
    }
}

#[tokio::test]
async fn nothing_is_final_before_it_is_written() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let (planner, exchange) = writing(&server, &app, "s").await;
    let page = planner.page("/steps/p/events").await;
    let told = of_type(page["events"].as_array().unwrap(), "aggregation")[0]["content"].clone();
    // Nothing is combined anew, and the answer follows.
    assert_eq!((&told["final"], &told["metadata"]["final"]), (&json!(true), &json!(false)));
    let later = planner.get("/steps/p/result").send().await.expect(202);
    assert_eq!(
        (&later["status"], &planner.step("p").await["status"]),
        (&json!("in_progress"), &json!("in_progress"))
    );
    let draft = planner.get("/steps/p/result?partial=true").send().await.expect(200);
    assert_eq!((&draft["status"], &draft["metadata"]["final"]), (&json!("in_progress"), &json!(false)));
    planner.tell("/steps/p/cancel", json!({})).await;
    exchange.gone().await;
    ended(&planner, "p").await;
    assert_eq!(result(&planner, "p").await["metadata"]["final"], true);
}

#[tokio::test]
async fn a_reader_that_hangs_up_changes_nothing() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::Anthropic).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    let mut reader = Reader::of(planner.get("/steps/p/events?coalesce=never").sse().await).await;
    bring_all(&planner, "p").await;
    let mut exchange = server.next().await;
    let text = faithful(&exchange.asked);
    let (first, rest) = text.split_at(60);
    exchange.begin().await;
    exchange.say(first).await;
    reader.until(|events| !Page::of(events).texts.is_empty()).await;
    drop(reader);
    app.settled("readers", 0).await;
    exchange.say(rest).await;
    exchange.end().await;
    ended(&planner, "p").await;
    assert_written(&result(&planner, "p").await);
    let calls = server.calls();
    assert_eq!((calls.len(), calls[0].ended), (1, Some(Ended::Answered)));
}

#[tokio::test]
async fn hanging_up_on_a_synthesis_ends_the_call() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let request = app.post("/syntheses").json(&body(&json!({"mode": "llm"})));
    // As a stream, and as an answer that is waited for.
    let stream = request.clone().header("accept", "text/event-stream");
    let incoming = tokio::spawn(stream.open());
    let mut exchange = server.next().await;
    exchange.begin().await;
    drop(incoming.await.unwrap().unwrap());
    exchange.gone().await;

    let waiting = tokio::spawn(request.open());
    let mut exchange = server.next().await;
    exchange.begin().await;
    exchange.say("{\"findings\":[").await;
    waiting.abort();
    exchange.gone().await;
    assert_eq!(server.calls().len(), 2);
}

#[tokio::test]
async fn a_deadline_of_the_step_above_ends_the_call() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let planner = app.planner("s");
    let parent = json!({"plan_step_id": "root", "expected_children": ["p"], "deadline_ms": 4_000});
    planner.post(&parent).await.expect(201);
    let expected: Vec<_> = crate::scene::SAID.iter().map(|(key, ..)| json!({ "key": key })).collect();
    let child = json!({"plan_step_id": "p", "parent_step_id": "root", "query": crate::scene::QUERY,
        "expected_subagents": expected, "deadline_ms": 60_000, "synthesis": {"mode": "llm"}});
    planner.post(&child).await.expect(201);
    bring_all(&planner, "p").await;
    let mut exchange = server.next().await;
    exchange.begin().await;
    exchange.gone().await;
    let events = ended(&planner, "root").await;
    assert_eq!(of_type(&events, "plan_step_completed").len(), 1);
    let reason = assert_extracted(&result(&planner, "p").await);
    assert!(reason.contains("the step above"), "{reason}");
}
