//! A real language model, small and often wrong, writes: whatever it does, every delivered result is proven.
//!
//! The model and its server are installed and built by `scripts/test --full`, which runs this (`test = false` in Cargo.toml). What
//! was delivered how often is printed; `cargo bench --bench synthesis -- --real` measures it over more questions.
//! README.md says where the questions are from.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod delivered;
#[path = "../harness/mod.rs"]
mod harness;
mod model;
mod questions;

use std::path::Path;

use serde_json::{Value, json};

use crate::delivered::{Tally, faults};
use crate::harness::{TestApp, events_of};
use crate::model::RealModel;
use crate::questions::{PATIENCE, own_questions, questions};

fn real_model() -> RealModel {
    let installed = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("real_model");
    RealModel::start(&installed).unwrap()
}

async fn service(model: &RealModel) -> TestApp {
    let setup = TestApp::new().env("BREAKER__MINIMUM_CALLS", 1_000_000);
    model.variables().into_iter().fold(setup, |setup, (name, value)| setup.env(name, value)).start().await
}

#[tokio::test]
async fn whatever_a_real_model_writes_every_delivered_result_is_proven() {
    let model = real_model();
    let app = service(&model).await;
    let url = format!("http://{}", app.client().address);
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    for question in questions(&own_questions()).unwrap() {
        let result = question.ask(&url).await.unwrap();
        tally.add(&question, &result);
        println!("{}: {}", question.id, result["metadata"]["synthesis"]);
        wrong.extend(faults(&question, &result));
    }
    println!("{}", tally.table());
    println!("tokens a second: {:.1}", model.tokens_per_second().await.unwrap());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(tally.results() > tally.extractive, "nothing that the model wrote was ever of use");
}

#[tokio::test]
async fn a_reader_sees_a_real_model_write_and_the_step_ends_once() {
    let model = real_model();
    let app = service(&model).await;
    let all = questions(&own_questions()).unwrap();
    let question = all.iter().find(|question| question.id == "pumps").unwrap();
    let planner = app.planner("s");
    let expected: Vec<Value> = question.reports.iter().map(|(key, _)| json!({ "key": key })).collect();
    let directive = json!({"plan_step_id": "p", "query": question.query, "expected_subagents": expected,
        "deadline_ms": 300_000, "synthesis": {"mode": "llm"}});
    planner.post(&directive).await.expect(201);
    let mut reader = app.sse(planner.events("p")).await;
    for (key, report) in &question.reports {
        let event = json!({"status": "success", "payload": {"content": report, "sources": []}});
        planner.subagent("p", key).post(&event).await.expect(200);
    }
    let mut types: Vec<String> = Vec::new();
    while !types.iter().any(|kind| kind == "plan_step_completed") {
        let frame = tokio::time::timeout(PATIENCE, reader.try_next()).await.unwrap().unwrap().unwrap();
        if frame.name != "heartbeat" {
            types.extend(events_of(&frame).iter().map(|event| event["type"].as_str().unwrap().to_owned()));
        }
    }
    let of = |wanted: &str| types.iter().filter(|kind| *kind == wanted).count();
    assert!(of("synthesis_delta") > 0, "{types:?}");
    assert_eq!((of("synthesis"), of("plan_step_completed")), (1, 1), "{types:?}");
    let result = planner.get("/steps/p/result").send().await.expect(200);
    assert_eq!(faults(question, &result), Vec::<String>::new());
}
