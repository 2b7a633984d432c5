//! Two hundred syntheses at once: what they take of memory and time, and that all of them end.
//!
//! Each is of eight results of 2,000 tokens, and all are written at the same time: the model takes a second for an answer. A second
//! and a third wave show whether what the first took is used again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::cases::eight_tasks;
use crate::drafts::faithful;
use crate::figure::{Context, Figure, Target};
use crate::model_server::{Exchange, ModelServer};
use crate::service::{Service, body_of};

const SYNTHESES: usize = 200;
const SYNTHESES_QUICK: usize = 20;
/// How long the model writes, and in how many pieces.
const WRITES: Duration = Duration::from_secs(1);
const PIECES: usize = 20;
const MIB: f64 = (1 << 20) as f64;

pub fn run(context: &Context, quick: bool) -> Result<Vec<Figure>> {
    let count = if quick { SYNTHESES_QUICK } else { SYNTHESES };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let model = Arc::new(ModelServer::start().await);
        let more =
            [("SYNTHESIS__CALLS_MAX", count.to_string()), ("SYNTHESIS__TIMEOUT_MS", "120000".to_owned())];
        let service = Arc::new(Service::written_by(&context.folder, &model, &more)?);
        let writer = tokio::spawn({
            let model = model.clone();
            async move {
                loop {
                    tokio::spawn(write(model.next().await));
                }
            }
        });
        let body: Arc<str> = body_of(&eight_tasks()).to_string().into();
        // What is made once isn't what a synthesis takes.
        wave(&service, &body, 2).await?;
        let before = service.process.memory_bytes()?;
        let first = wave(&service, &body, count).await?;
        let second = wave(&service, &body, count).await?;
        // What a second wave takes more may be what its allocator holds; what is lost grows with each.
        let third = wave(&service, &body, count).await?;
        writer.abort();
        let more_than = |now: u64, then: u64| now.saturating_sub(then) as f64 / MIB;
        Ok(vec![
            figure(
                "of 200 at once, delivered as written, share",
                "",
                first.share,
                Some(Target::AtLeast(1.0)),
            ),
            figure("until all have ended", "s", first.took.as_secs_f64(), None),
            figure("CPU of the service", "s", first.cpu_s, None),
            figure("memory more, at most", "MiB", more_than(first.peak, before), Some(Target::AtMost(256.0))),
            figure(
                "a second wave: memory more than the first",
                "MiB",
                more_than(second.peak, first.peak),
                Some(Target::AtMost(32.0)),
            ),
            figure(
                "a third wave: memory more than the most of both",
                "MiB",
                more_than(third.peak, first.peak.max(second.peak)),
                Some(Target::AtMost(32.0)),
            ),
            figure(
                "the second and the third: delivered as written, share",
                "",
                second.share.min(third.share),
                Some(Target::AtLeast(1.0)),
            ),
        ])
    })
}

fn figure(measure: &'static str, unit: &'static str, ours: f64, target: Option<Target>) -> Figure {
    Figure { row: "many", measure, unit, ours, peers: Vec::new(), target }
}

/// Everything of the material as it stands there, over a second.
async fn write(mut exchange: Exchange) {
    let text: Vec<char> = faithful(&exchange.asked).chars().collect();
    exchange.begin().await;
    for piece in text.chunks(text.len().div_ceil(PIECES)) {
        exchange.say(&piece.iter().collect::<String>()).await;
        tokio::time::sleep(WRITES / PIECES as u32).await;
    }
    exchange.end().await;
}

/// What a wave came to.
struct Wave {
    /// Those whose answer the model wrote.
    share: f64,
    took: Duration,
    cpu_s: f64,
    /// The service's memory at most, in bytes.
    peak: u64,
}

async fn wave(service: &Arc<Service>, body: &Arc<str>, count: usize) -> Result<Wave> {
    let over = Arc::new(AtomicBool::new(false));
    let watch = tokio::task::spawn_blocking({
        let (service, over) = (service.clone(), over.clone());
        move || {
            let mut peak = 0;
            while !over.load(Ordering::Relaxed) {
                peak = peak.max(service.process.memory_bytes().unwrap_or_default());
                std::thread::sleep(Duration::from_millis(50));
            }
            peak
        }
    });
    let (begun, cpu) = (Instant::now(), service.process.cpu()?);
    let tasks: Vec<_> = (0..count).map(|_| tokio::spawn(one(service.clone(), body.clone()))).collect();
    let mut written = 0;
    for task in tasks {
        written += usize::from(task.await??);
    }
    let (took, used) = (begun.elapsed(), service.process.cpu()?.since(&cpu));
    over.store(true, Ordering::Relaxed);
    let peak = watch.await.context("the memory isn't known")?;
    Ok(Wave { share: written as f64 / count as f64, took, cpu_s: used as f64 / 1e9, peak })
}

/// One synthesis, to its end; whether the model wrote it.
async fn one(service: Arc<Service>, body: Arc<str>) -> Result<bool> {
    let mut answer = service.stream("/syntheses", Some(&body)).await?;
    let mut text = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        text.extend_from_slice(&chunk);
    }
    let has = |wanted: &[u8]| memchr::memmem::find(&text, wanted).is_some();
    Ok(has(b"event: end\n") && has(b"\"method\":\"llm\""))
}
