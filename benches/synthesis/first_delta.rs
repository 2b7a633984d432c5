//! From the model's first token to the first delta at a reader of the step, over HTTP on both sides.
//!
//! The model says the beginning of a finding in one piece, at a moment that this process knows; the reader's clock is the same.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tokio::time::timeout;

use crate::figure::{Context, Figure, Target};
use crate::model_server::ModelServer;
use crate::percentile;
use crate::service::Service;

const ROUNDS: usize = 300;
const ROUNDS_QUICK: usize = 20;
/// What is slow isn't waited for longer.
const PATIENCE: Duration = Duration::from_secs(10);
const SAID: &str = "The standard warranty covers every pump for 24 months after delivery [1].";
/// The first token that has something for a reader.
const FIRST: &str = "{\"findings\":[{\"topic\":\"Warranty";

pub fn run(context: &Context, quick: bool) -> Result<Vec<Figure>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let model = ModelServer::start().await;
        let service = Service::written_by(&context.folder, &model, &[])?;
        let rounds = if quick { ROUNDS_QUICK } else { ROUNDS };
        let mut times = Vec::with_capacity(rounds);
        for number in 0..rounds {
            let took = timeout(PATIENCE, round(&service, &model, number)).await;
            times.push(took.context("no delta in time")??.as_secs_f64() * 1e3);
        }
        let (p50, p99) = (percentile(&mut times, 0.5), percentile(&mut times, 0.99));
        Ok(vec![figure("after the model's first token, p50", p50), figure("the same, p99", p99)])
    })
}

fn figure(measure: &'static str, ours: f64) -> Figure {
    let target = Some(Target::AtMost(15.0));
    Figure { row: "first-delta", measure, unit: "ms", ours, peers: Vec::new(), target }
}

async fn round(service: &Service, model: &ModelServer, number: usize) -> Result<Duration> {
    let session = format!("/planner/sessions/first-{number}");
    let directive = json!({"plan_step_id": "p", "query": "How long is the warranty?",
        "expected_subagents": [{"key": "docs"}], "synthesis": {"mode": "llm"}});
    service.post(&format!("{session}/steps"), &directive).await?;
    let mut reader = service.stream(&format!("{session}/steps/p/events"), None).await?;
    let sources = json!(["https://docs.example.org/warranty"]);
    let event = json!({"status": "success", "payload": {"content": SAID, "sources": sources}});
    service.post(&format!("{session}/steps/p/subagents/docs/events"), &event).await?;
    let mut exchange = model.next().await;
    exchange.begin().await;
    let said = Instant::now();
    exchange.say(FIRST).await;
    let mut tail = Vec::new();
    loop {
        let chunk = reader.chunk().await?.context("the stream ended")?;
        tail.extend_from_slice(&chunk);
        if memchr::memmem::find(&tail, b"synthesis_delta").is_some() {
            break;
        }
    }
    let took = said.elapsed();
    exchange.say("\",\"content\":\"").await;
    exchange.say(SAID).await;
    exchange.say("\",\"source_ids\":[1],\"confidence\":\"high\"}],\"contradictions\":[],\"gaps\":[],\"summary\":\"\"}").await;
    exchange.end().await;
    while let Some(chunk) = reader.chunk().await? {
        tail.extend_from_slice(&chunk);
    }
    ensure!(memchr::memmem::find(&tail, b"plan_step_completed").is_some(), "the step didn't end");
    Ok(took)
}
