//! `StepResults`: the result of a step, as it is or as it will be.
//!
//! A result is a function of the log: it is made again from the last events of the step's outputs whenever somebody asks,
//! the same bytes each time, and kept for a minute. So a draft costs nothing while nobody asks for it, and a result that
//! was told in the step's last events can be had as long as the log can be read.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::aggregate::step::{Basis, StepLog, basis, step_result};
use crate::domain::entry::Entry;
use crate::domain::ids::{ResultKey, SessionKey, StepId};
use crate::domain::position::Position;
use crate::domain::record::{Record, StepStatus};
use crate::domain::session::{SessionState, StepState};
use crate::engine::computing::off_thread_of;
use crate::engine::mux::changed;
use crate::engine::ports::result_cache::{Presence, ResultCache, StoreError, load_settled};
use crate::engine::recent::Recent;

/// Results that are kept, and for how long.
const KEPT: usize = 64;
const KEPT_FOR: Duration = Duration::from_secs(60);

/// What is asked of a step.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// What there is so far will do, where the step hasn't ended by then.
    pub partial: bool,
    /// How long to wait for the step's end.
    pub patience: Duration,
}

/// What there is.
#[derive(Debug, Clone)]
pub enum Found<T> {
    /// No directive was posted for the step.
    UnknownStep,
    /// The session's data has expired.
    Expired,
    /// The step goes on.
    NotYet(StepStatus),
    /// Here it is.
    Ready(T),
}

/// The result of a step, and what was asked.
#[derive(Debug, Clone)]
pub struct StepResult {
    /// The result.
    pub result: Arc<AggregatedResult>,
    /// What the user asked.
    pub query: Option<String>,
}

/// Makes results of steps.
pub struct StepResults {
    cache: Arc<dyn ResultCache>,
    recent: Recent<(SessionKey, StepId, Position), Arc<AggregatedResult>>,
}

impl StepResults {
    /// Results out of what a store holds.
    pub fn new(cache: Arc<dyn ResultCache>) -> Self {
        Self { cache, recent: Recent::new(KEPT, KEPT_FOR) }
    }

    /// The result of a step.
    ///
    /// # Errors
    /// Where the store doesn't answer.
    pub async fn result(
        &self,
        key: &SessionKey,
        id: &StepId,
        wanted: Wanted,
    ) -> Result<Found<StepResult>, StoreError> {
        let until = Instant::now() + wanted.patience;
        self.cache.settled().await;
        loop {
            let window = self.cache.refresh(key).await?;
            let seen = window.tail().version;
            let state = match load_settled(&*self.cache, key).await?.presence {
                Presence::Live(state) | Presence::Archived(state) => state,
                Presence::Expired(_) => return Ok(Found::Expired),
                Presence::Unknown => return Ok(Found::UnknownStep),
            };
            let Some(step) = state.step(id) else { return Ok(Found::UnknownStep) };
            let is_draft = wanted.partial && Instant::now() >= until;
            let made_at = step.ended.map(|end| end.position).or(is_draft.then_some(state.position));
            if let Some(position) = made_at {
                let result = self.make(key, &state, id, position).await?;
                return Ok(Found::Ready(StepResult { result, query: step.directive.query.clone() }));
            }
            let status = step.shown_status();
            if timeout_at(until, changed(&window, seen)).await.is_err() && !wanted.partial {
                return Ok(Found::NotYet(status));
            }
        }
    }

    /// What the result of a step was made of, with the state that it is read from; `None` where the step isn't known any
    /// more.
    ///
    /// # Errors
    /// Where the store doesn't answer.
    pub async fn basis(
        &self,
        key: &SessionKey,
        id: &StepId,
    ) -> Result<Option<(Arc<SessionState>, Basis)>, StoreError> {
        let presence = load_settled(&*self.cache, key).await?.presence;
        let (Presence::Live(state) | Presence::Archived(state)) = presence else {
            return Ok(None);
        };
        let log = self.log(key).await?;
        let (id, bytes) = (id.clone(), log.bytes());
        let make = move || {
            let basis = basis(&state, state.step(&id)?, &log);
            Some((state, basis))
        };
        Ok(off_thread_of(bytes, make).await)
    }

    /// The event that carries the full original of an output, as readers see it.
    ///
    /// # Errors
    /// Where the store doesn't answer.
    pub async fn original(
        &self,
        key: &SessionKey,
        id: &StepId,
        result_key: &ResultKey,
    ) -> Result<Found<Option<Entry>>, StoreError> {
        let state = match load_settled(&*self.cache, key).await?.presence {
            Presence::Live(state) | Presence::Archived(state) => state,
            Presence::Expired(_) => return Ok(Found::Expired),
            Presence::Unknown => return Ok(Found::UnknownStep),
        };
        let Some(step) = state.step(id) else { return Ok(Found::UnknownStep) };
        if let Some(entry) = self.last_said(key, step, result_key).await? {
            return Ok(Found::Ready(Some(entry)));
        }
        let log = self.log(key).await?;
        match log.payload_of(id, result_key) {
            Some(entry) => Ok(Found::Ready(Some(entry.clone()))),
            None if step.output(result_key).is_some() => Ok(Found::NotYet(step.shown_status())),
            None => Ok(Found::Ready(None)),
        }
    }

    /// What an output that is over has said at last, where the log holds that and it carries a payload: one entry is read for it, not
    /// the last of everything that the session holds.
    async fn last_said(
        &self,
        key: &SessionKey,
        step: &StepState,
        result_key: &ResultKey,
    ) -> Result<Option<Entry>, StoreError> {
        let over = step.output(result_key).filter(|output| output.status.is_terminal());
        let Some(at) = over.and_then(|output| output.sender).map(|mark| mark.sequence) else {
            return Ok(None);
        };
        let read = self.cache.read(key, at.previous(), 1).await?.entries();
        let is_its_end = |entry: &&Arc<Entry>| {
            entry.sequence == at
                && entry.carries_payload()
                && matches!(&entry.record, Record::Subagent { output, status, .. }
                    if status.is_terminal() && output.step == *step.id() && output.result_key == *result_key)
        };
        Ok(read.and_then(|entries| entries.first().filter(is_its_end).map(|entry| Entry::clone(entry))))
    }

    async fn make(
        &self,
        key: &SessionKey,
        state: &Arc<SessionState>,
        id: &StepId,
        position: Position,
    ) -> Result<Arc<AggregatedResult>, StoreError> {
        let wanted = (key.clone(), id.clone(), position);
        if let Some(known) = self.recent.get(&wanted) {
            return Ok(known);
        }
        let log = self.log(key).await?;
        let (state, step, bytes) = (state.clone(), id.clone(), log.bytes());
        let make = move || {
            let step = state.step(&step).expect("it was found there");
            Arc::new(step_result(&state, step, &log))
        };
        let result = off_thread_of(bytes, make).await;
        self.recent.put(wanted, result.clone());
        Ok(result)
    }

    async fn log(&self, key: &SessionKey) -> Result<StepLog, StoreError> {
        let mut log = StepLog::default();
        if let Some(snapshot) = self.cache.snapshot(key).await? {
            log.add_all(&snapshot.unless_away()?.entries);
        }
        Ok(log)
    }
}
