//! Who is asked, how often, for how much: one completion by the first model of a chain that gives one.
//!
//! ```text
//! for each model of the chain:  its request ─► cache ─► window ─► breaker ─► place ─► budget ─► call
//!                                                 │                  ▲                          │
//!                                                 ▼                  └──── backoff ◄─ retryable ┤
//!                                             Completed ◄──────────── End, Length, Other ───────┤
//!                               the next model ◄── Refusal, Filtered, empty, any other error ───┘
//! ```
//!
//! - A **429 is never a verdict**: it is waited for inside the time there is, and tells the breaker nothing. One that says
//!   for how long spends no attempt with the last model of the chain, after which nobody is left to ask; one before it is asked
//!   again then, where the others gave no answer.
//! - A **refusal** or a filtered answer goes to the next model; the same one would say the same again.
//! - An answer that was **cut** (`Length`) is a completion. Only whole ones are kept, and only once the caller says that
//!   they are of use.
//! - A call that **hangs**, breaks off or is given up costs what was read and what was written until then: its server may
//!   have worked on it. One that was refused, or never came there, costs nothing.
//! - **Places** bound calls at once, first come, first served. Waiting for one counts against the time. While a call waits
//!   for its next attempt it has none.
//! - **Dropping** the future ends a call at once. Its place, its right to probe and what it had reserved are given back.
//!
//! What a model says is given on as it comes, by a plain function and not by a channel: it is at most
//! [`ModelSettings::answer_bytes_max`] and held here anyway, so whoever listens may hold it, too, and a slow listener must
//! not keep a place and a server's connection. No telemetry: what came of it says enough to be counted.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::domain::backoff::BackoffSettings;
use crate::domain::breaker::{BreakerSettings, BreakerView};
use crate::domain::ids::SessionKey;
use crate::domain::synthesis::budget::Price;
use crate::domain::text::tokens::Tokenizer;
use crate::domain::time::Timestamp;
use crate::engine::ports::completion_cache::{CacheError, CacheKey, CompletionCache, KeptAnswer};
use crate::engine::ports::language_model::{LanguageModel, ModelRequest};
use crate::engine::synthesis::purse::Purse;
use breaker::Breakers;
use chain::Run;
use clock::Clock;
pub use outcome::{Completed, NoRequest, NotCompleted, TextSaid, Tried};

mod answer;
mod attempts;
mod breaker;
mod cache;
mod chain;
mod clock;
mod outcome;
mod reserved;
mod tally;
#[cfg(test)]
mod tests;

/// A model of the chain.
#[derive(Clone)]
pub struct ModelSlot {
    /// How it is asked.
    pub model: Arc<dyn LanguageModel>,
    /// How its tokens are counted.
    pub tokenizer: Tokenizer,
    /// The tokens that its input and its output may be together.
    pub context_tokens: u32,
    /// What it costs.
    pub price: Price,
}

/// Settings of calls. Every field is a key of the configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelSettings {
    /// Calls of this process at once; more wait while their time runs.
    pub calls_max: usize,
    /// How often one model is asked for one completion.
    pub attempts: u32,
    /// How long to wait before the next attempt.
    pub backoff: BackoffSettings,
    /// When a model isn't asked for a while.
    pub breaker: BreakerSettings,
    /// How long whole answers are kept.
    pub cache_age: Duration,
    /// How long the cache may take; then it is gone on without it.
    pub cache_patience: Duration,
    /// Bytes of one answer; what is longer is cut there, as if the model had been.
    pub answer_bytes_max: usize,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            calls_max: 16,
            attempts: 3,
            backoff: BackoffSettings::default(),
            breaker: BreakerSettings::default(),
            cache_age: Duration::from_secs(3_600),
            cache_patience: Duration::from_millis(200),
            answer_bytes_max: 1024 * 1024,
        }
    }
}

/// Builds the request for a model: windows differ. Called once for each model that is come to.
pub type Ask<'a> = &'a (dyn Fn(&ModelSlot) -> Result<ModelRequest, NoRequest> + Sync);

/// Is told what a model says, at once and in order. Must not block.
pub type OnText<'a> = &'a mut (dyn FnMut(TextSaid<'_>) + Send);

/// The models of the configuration, in the order in which they are asked. Cheap to clone.
#[derive(Clone)]
pub struct Models {
    shared: Arc<Shared>,
    /// The place of the one that is asked first.
    first: usize,
}

struct Shared {
    chain: Vec<ModelSlot>,
    cache: Option<Arc<dyn CompletionCache>>,
    settings: ModelSettings,
    breakers: Breakers,
    places: Semaphore,
    clock: Clock,
}

impl Models {
    /// Asks the models of `chain`, first the first. An empty chain completes nothing.
    pub fn new(
        chain: Vec<ModelSlot>,
        cache: Option<Arc<dyn CompletionCache>>,
        settings: ModelSettings,
    ) -> Self {
        let clock = Clock::default();
        let breakers = Breakers::new(&chain, settings.breaker, clock.clone());
        let places = Semaphore::new(settings.calls_max.clamp(1, Semaphore::MAX_PERMITS));
        Self { shared: Arc::new(Shared { chain, cache, settings, breakers, places, clock }), first: 0 }
    }

    /// The chain.
    pub fn chain(&self) -> &[ModelSlot] {
        &self.shared.chain[self.first..]
    }

    /// Those behind the one that gave an answer, where there are any: what it said was of no use.
    pub fn behind(&self, completed: &Completed) -> Option<Self> {
        let first = completed.at + 1;
        (first < self.shared.chain.len()).then(|| Self { shared: self.shared.clone(), first })
    }

    /// The time that budgets' ends are by: monotonic, and near the wall clock's.
    pub fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    /// The breakers, in the chain's order: provider, model, state.
    pub fn breakers(&self) -> Vec<(&'static str, String, BreakerView)> {
        self.shared.breakers.views()
    }

    /// One completion. `purse` is shared with other calls of the same request; no lock is held while anything is waited
    /// for. `key` stands for all that makes the answer what it is, but for the model, the schema, the temperature and the
    /// output limit, which are added here. What was said to `on_text` counts only if this returns [`Completed`].
    ///
    /// # Errors
    /// Where no model gave an answer, why, and what each said.
    pub async fn complete(
        &self,
        ask: Ask<'_>,
        purse: &Purse,
        key: CacheKey,
        on_text: OnText<'_>,
    ) -> Result<Completed, NotCompleted> {
        Run::new(&self.shared, ask, purse, key, on_text).complete(self.first).await
    }

    /// Keeps an answer that was of use: one that is whole but can't be read would be as useless the next time. Of a session it is
    /// kept until that is deleted.
    pub async fn keep(&self, completed: &Completed, of: Option<&SessionKey>) {
        if let Some(key) = completed.kept_as {
            let (text, answered_by) = (completed.text.clone(), completed.answered_by.clone());
            cache::keep(&self.shared, key, KeptAnswer { text, answered_by }, of).await;
        }
    }

    /// A session is deleted: lets go of the answers that are kept of it, by all models that share what keeps them.
    ///
    /// # Errors
    /// Where that isn't known.
    pub async fn forget(&self, session: &SessionKey) -> Result<(), CacheError> {
        match &self.shared.cache {
            Some(cache) => cache.forget(session).await,
            None => Ok(()),
        }
    }
}
