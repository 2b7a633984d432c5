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
    for (number, (rest, said, why)) in [
        ("/steps/p/cancel", json!({"reason": "enough"}), "the step was cancelled: enough"),
        ("/cancel", json!({}), "the step was cancelled by the planner"),
        ("/safety", refuse, "the step was refused: no"),
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
        assert_eq!(assert_extracted(&result(&planner, "p").await), why);
        assert_eq!(events.last().unwrap()["type"], "plan_step_completed", "nothing comes behind it");
    }
    assert_eq!(server.calls().len(), 3, "nobody asks again");
    assert!(server.calls().iter().all(|call| call.ended == Some(Ended::PeerGone)));
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
