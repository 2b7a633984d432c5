//! `ShadowComparer`: the monolith's answer to a step, compared with ours as soon as there are both.
//!
//! An answer may come before our step ends. It is stored first, then compared if that can be done, and otherwise looked
//! at again by [`ShadowComparer::run`] until the step has ended: nothing but the log remembers what waits, so a restart
//! costs nothing. Replicas that share a log may compare the same answer; one of them stores it, and logs it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use parking_lot::Mutex;
use tokio::time::{MissedTickBehavior, interval};

use crate::domain::aggregate::request::parse_legacy_response;
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::ids::SessionKey;
use crate::domain::session::IdempotencyKey;
use crate::domain::shadow::{Comparison, Kind, compare};
use crate::domain::time::Timestamp;
use crate::engine::computing::off_thread;
use crate::engine::ports::archive::ArchiveError;
use crate::engine::ports::result_cache::{Presence, ResultCache, StoreError};
use crate::engine::ports::shadow_log::{Noted, NotedResponse, ShadowLog, Waiting};
use crate::engine::results::{Found, StepResult, StepResults, Wanted};

/// How often answers that wait are looked at, and how many at once.
const LOOK_EVERY: Duration = Duration::from_secs(1);
const LOOK_AT: usize = 64;

/// Why an answer wasn't taken, or isn't compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShadowError {
    /// Our result can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log didn't do what it was asked.
    #[error(transparent)]
    Log(#[from] ArchiveError),
}

/// What an answer came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// Our step hadn't ended.
    Waiting,
    /// Both were compared, now or before.
    Compared(Box<Comparison>),
    /// The key was used for another request of the session.
    Conflict,
}

/// Compares the monolith's answers with ours.
pub struct ShadowComparer {
    cache: Arc<dyn ResultCache>,
    results: Arc<StepResults>,
    log: Arc<dyn ShadowLog>,
    /// The number of the last answer that was looked at: those after it are next.
    looked_at: Mutex<u64>,
}

impl ShadowComparer {
    /// Compares with the results of `cache`, and keeps what comes of it in `log`.
    pub fn new(cache: Arc<dyn ResultCache>, results: Arc<StepResults>, log: Arc<dyn ShadowLog>) -> Self {
        Self { cache, results, log, looked_at: Mutex::new(0) }
    }

    /// Where everything is kept.
    pub fn log(&self) -> &dyn ShadowLog {
        &*self.log
    }

    /// Takes an answer. It is stored when this returns, and compared if our step has ended.
    ///
    /// # Errors
    /// Where it wasn't stored. What fails after that is tried again later.
    pub async fn take(
        &self,
        response: &NotedResponse,
        once: Option<&IdempotencyKey>,
    ) -> Result<Answered, ArchiveError> {
        let waiting = match self.log.note(response, once).await? {
            Noted::Waiting(waiting) => waiting,
            Noted::Compared(comparison) => return Ok(Answered::Compared(comparison)),
            // As it was told then.
            Noted::Replaced => return Ok(Answered::Waiting),
            Noted::Conflict => return Ok(Answered::Conflict),
        };
        Ok(match self.look_at(&waiting).await {
            Ok(Some(comparison)) => Answered::Compared(Box::new(comparison)),
            Ok(None) => Answered::Waiting,
            Err(error) => {
                let (session, step) = (&response.key.session, &response.step);
                tracing::warn!(%session, %step, %error, "an answer will be compared later");
                Answered::Waiting
            }
        })
    }

    /// Compares what waits, again and again, until it is dropped.
    pub async fn run(&self) {
        let mut ticks = interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.look().await {
                tracing::debug!(%error, "answers that wait were not looked at");
            }
        }
    }

    /// Looks at some answers that wait, those first that wait longest since they were looked at.
    ///
    /// # Errors
    /// Where the log, or the store of a session, doesn't answer. The others had their turn.
    pub async fn look(&self) -> Result<(), ShadowError> {
        let after = *self.looked_at.lock();
        let waiting = self.log.waiting(after, LOOK_AT).await?;
        let last = waiting.last().filter(|_| waiting.len() == LOOK_AT).map_or(0, |waiting| waiting.id);
        *self.looked_at.lock() = last;
        let mut failed = Ok(());
        for waiting in &waiting {
            match AssertUnwindSafe(self.look_at(waiting)).catch_unwind().await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => failed = Err(error),
                Err(_) => self.drop_after_panic(waiting).await?,
            }
        }
        failed
    }

    /// An answer that is kept would end this service again and again.
    async fn drop_after_panic(&self, waiting: &Waiting) -> Result<(), ArchiveError> {
        let NotedResponse { key, step, .. } = &waiting.response;
        tracing::error!(session = %key.session, %step, "an answer can't be compared: it is dropped");
        self.log.give_up(waiting).await
    }

    /// Compares one answer, where our step has ended, and stores what comes of it.
    async fn look_at(&self, waiting: &Waiting) -> Result<Option<Comparison>, ShadowError> {
        let NotedResponse { key, step, body, .. } = &waiting.response;
        let at_once = Wanted { partial: false, patience: Duration::ZERO };
        let result = match self.results.result(key, step, at_once).await? {
            Found::Ready(StepResult { result, .. }) => result,
            Found::NotYet(_) => return Ok(None),
            Found::UnknownStep | Found::Expired => {
                self.log.give_up(waiting).await?;
                return Ok(None);
            }
        };
        let (latency_ms, now) = self.latency(key, waiting).await?;
        let Some(comparison) = made(body.clone(), result, latency_ms).await else {
            let session = &key.session;
            tracing::error!(%session, %step, "a stored answer of the monolith can't be read any more");
            self.log.give_up(waiting).await?;
            return Ok(None);
        };
        if self.log.settle(waiting, &comparison, now).await? {
            tell(waiting, &comparison);
        }
        Ok(Some(comparison))
    }

    /// From our step's start to its end, and the store's time.
    async fn latency(
        &self,
        key: &SessionKey,
        waiting: &Waiting,
    ) -> Result<(Option<u64>, Timestamp), StoreError> {
        let loaded = self.cache.load(key).await?;
        let state = match &loaded.presence {
            Presence::Live(state) | Presence::Archived(state) => Some(state),
            Presence::Unknown | Presence::Expired(_) => None,
        };
        let step = state.and_then(|state| state.step(&waiting.response.step));
        let latency = step.and_then(|step| Some(step.ended?.at.since_ms(step.started_at)));
        Ok((latency, loaded.now))
    }
}

/// The comparison, made where it keeps nobody waiting; `None` where the answer isn't one.
async fn made(body: Arc<str>, result: Arc<AggregatedResult>, latency_ms: Option<u64>) -> Option<Comparison> {
    let make = move || {
        let legacy = parse_legacy_response(&body).ok()?;
        Some(compare(&result, latency_ms, &legacy))
    };
    off_thread(make).await
}

fn tell(waiting: &Waiting, comparison: &Comparison) {
    let NotedResponse { key, step, .. } = &waiting.response;
    tracing::info!(
        session = %key.session,
        %step,
        verdict = comparison.verdict.as_str(),
        agreement = comparison.agreement,
        same = comparison.same.len(),
        missing = comparison.count(Kind::Missing),
        extra = comparison.count(Kind::Extra),
        different_numbers = comparison.count(Kind::DifferentNumbers),
        contradicted = comparison.count(Kind::Contradicted),
        citations_missing = comparison.count(Kind::CitationMissing),
        citations_extra = comparison.count(Kind::CitationExtra),
        "compared with the monolith's answer"
    );
}
