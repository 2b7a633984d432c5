//! A model that does as its script says, and remembers how it was asked.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::{BoxStream, unfold};
use parking_lot::Mutex;
use tokio::time::{Instant, sleep};

use crate::domain::backoff::BackoffSettings;
use crate::domain::synthesis::budget::{Allowance, Budget, Price};
use crate::domain::text::tokens::Tokenizer;
use crate::engine::ports::completion_cache::{CacheKey, CompletionCache};
use crate::engine::ports::language_model::*;
use crate::engine::synthesis::Purse;
use crate::engine::synthesis::models::*;

/// What a model does next.
#[derive(Clone, Debug)]
pub(super) enum Does {
    Waits(u64),
    Says(&'static str),
    Stops(StopReason, Option<(u64, u64)>),
    Fails(ModelError),
    Hangs,
    /// Ends the stream as the contract forbids.
    Vanishes,
}
pub(super) use Does::*;

pub(super) fn answers(text: &'static str) -> Vec<Does> {
    vec![Waits(10), Says(text), Stops(StopReason::End, Some((100, 20)))]
}

pub(super) fn status(status: u16, retry_after_ms: Option<u64>) -> Vec<Does> {
    vec![Waits(1), Fails(ModelError::Status { status, reason: None, retry_after_ms })]
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) at: Instant,
    pub(super) request: ModelRequest,
}

pub(super) struct Scripted {
    name: String,
    scripts: Mutex<VecDeque<Vec<Does>>>,
    /// What it does when the scripts are used up.
    then: Vec<Does>,
    pub(super) calls: Mutex<Vec<Call>>,
    running: Arc<AtomicUsize>,
    pub(super) most_running: AtomicUsize,
}

/// Counts a call for as long as its stream lives.
struct Running(Arc<AtomicUsize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Scripted {
    pub(super) fn new(name: &str, scripts: Vec<Vec<Does>>, then: Vec<Does>) -> Arc<Self> {
        let scripts = Mutex::new(scripts.into());
        let (running, calls, most_running) = Default::default();
        Arc::new(Self { name: name.to_owned(), scripts, then, calls, running, most_running })
    }

    pub(super) fn running(&self) -> usize {
        self.running.load(Ordering::SeqCst)
    }

    pub(super) fn asked(&self) -> usize {
        self.calls.lock().len()
    }

    /// Milliseconds between each call and the one before.
    pub(super) fn gaps(&self) -> Vec<u64> {
        let calls = self.calls.lock();
        calls.windows(2).map(|pair| (pair[1].at - pair[0].at).as_millis() as u64).collect()
    }
}

impl LanguageModel for Scripted {
    fn model(&self) -> &str {
        &self.name
    }

    fn provider(&self) -> &'static str {
        "scripted"
    }

    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Result<ModelSaid, ModelError>> {
        self.calls.lock().push(Call { at: Instant::now(), request });
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_running.fetch_max(running, Ordering::SeqCst);
        let script = self.scripts.lock().pop_front().unwrap_or_else(|| self.then.clone());
        let state = (VecDeque::from(script), Running(self.running.clone()));
        unfold(state, |(mut script, running)| async move {
            loop {
                let said = match script.pop_front()? {
                    Waits(ms) => {
                        sleep(Duration::from_millis(ms)).await;
                        continue;
                    }
                    Says(text) => Ok(ModelSaid::Text(text.to_owned())),
                    Stops(stop, usage) => {
                        let usage = usage
                            .map(|(input_tokens, output_tokens)| ModelUsage { input_tokens, output_tokens });
                        Ok(ModelSaid::Done(ModelEnd { stop, usage, model: Some("dated".into()) }))
                    }
                    Fails(error) => Err(error),
                    Hangs => std::future::pending().await,
                    Vanishes => return None,
                };
                return Some((said, (script, running)));
            }
        })
        .boxed()
    }
}

pub(super) const PRICE: Price = Price { input_micros: 3_000_000, output_micros: 15_000_000 };

pub(super) fn slot(model: &Arc<Scripted>) -> ModelSlot {
    ModelSlot { model: model.clone(), tokenizer: Tokenizer::o200k(), context_tokens: 8_000, price: PRICE }
}

pub(super) fn settings() -> ModelSettings {
    ModelSettings {
        attempts: 3,
        backoff: BackoffSettings { base_ms: 100, most_ms: 1_000 },
        ..ModelSettings::default()
    }
}

pub(super) fn models(chain: &[&Arc<Scripted>], settings: ModelSettings) -> Models {
    Models::new(chain.iter().map(|model| slot(model)).collect(), None, settings)
}

pub(super) fn models_with(chain: &[&Arc<Scripted>], cache: Arc<dyn CompletionCache>) -> Models {
    Models::new(chain.iter().map(|model| slot(model)).collect(), Some(cache), settings())
}

pub(super) fn budget(models: &Models, ms: u64) -> Purse {
    budget_of(models, ms, Allowance::default())
}

pub(super) fn budget_of(models: &Models, ms: u64, request: Allowance) -> Purse {
    Purse::new(Budget::new(request, Allowance::default(), models.now().plus_ms(ms)))
}

pub(super) fn request(_: &ModelSlot) -> Result<ModelRequest, NoRequest> {
    Ok(ModelRequest {
        system: "You are terse.".into(),
        user: "What is it?".into(),
        schema: None,
        temperature: 0.3,
        output_tokens_max: 1_000,
        patience: Duration::from_secs(60),
        traceparent: None,
    })
}

pub(super) fn key() -> CacheKey {
    CacheKey::of([&b"key"[..]])
}

/// A completion that is of use, and what was heard meanwhile: `⟲` stands for a restart.
pub(super) async fn heard(models: &Models, budget: &Purse) -> (Result<Completed, NotCompleted>, Vec<String>) {
    let mut said = Vec::new();
    let mut on_text = |text: TextSaid<'_>| match text {
        TextSaid::Restart => said.push("⟲".to_owned()),
        TextSaid::Text(text) => said.push(text.to_owned()),
    };
    let completed = models.complete(&request, budget, key(), &mut on_text).await;
    if let Ok(completed) = &completed {
        models.keep(completed, None).await;
    }
    (completed, said)
}

/// A completion with a minute of time.
pub(super) async fn complete(models: &Models) -> Result<Completed, NotCompleted> {
    heard(models, &budget(models, 60_000)).await.0
}

pub(super) fn codes(tried: &[Tried]) -> Vec<(&str, &str, u32)> {
    tried.iter().map(|tried| (&*tried.model, tried.code, tried.times)).collect()
}
