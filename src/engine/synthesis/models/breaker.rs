//! The breakers of models, one for each provider and model, and who may ask.
//!
//! Which way a breaker goes is arithmetic ([`crate::domain::breaker`]); here are its lock and the promise that whoever was
//! let through reports once, or gives its ticket back.

use std::sync::Arc;

use parking_lot::Mutex;

use super::ModelSlot;
use super::clock::Clock;
use crate::domain::breaker::{Breaker, BreakerSettings, BreakerView, Gate, Outcome, Ticket, Transition};
use crate::engine::ports::language_model::ModelError;

/// A model as it is known to its breaker.
#[derive(Debug)]
struct Named {
    provider: &'static str,
    model: String,
    breaker: Mutex<Breaker>,
}

pub(super) struct Breakers {
    settings: BreakerSettings,
    clock: Clock,
    /// By the place in the chain; models that are there twice share one.
    of_chain: Vec<Arc<Named>>,
}

/// The right of one call to say what came of it. Dropped without it says nothing about the model.
pub(super) struct Admission<'a> {
    breakers: &'a Breakers,
    named: &'a Named,
    ticket: Option<Ticket>,
}

impl Breakers {
    pub(super) fn new(chain: &[ModelSlot], settings: BreakerSettings, clock: Clock) -> Self {
        let mut of_chain: Vec<Arc<Named>> = Vec::with_capacity(chain.len());
        for slot in chain {
            let (provider, model) = (slot.model.provider(), slot.model.model());
            let known = of_chain.iter().find(|named| named.provider == provider && named.model == model);
            let named = known.cloned().unwrap_or_else(|| {
                Arc::new(Named { provider, model: model.to_owned(), breaker: Mutex::default() })
            });
            of_chain.push(named);
        }
        Self { settings, clock, of_chain }
    }

    pub(super) fn views(&self) -> Vec<(&'static str, String, BreakerView)> {
        let now = self.clock.now();
        let view = |named: &Arc<Named>| (named.provider, named.model.clone(), named.breaker.lock().view(now));
        self.of_chain.iter().map(view).collect()
    }

    /// Whether it is worth waiting for a place. Takes nothing.
    pub(super) fn is_open(&self, at: usize) -> bool {
        let gate = |named: &Arc<Named>| named.breaker.lock().gate(self.clock.now());
        self.of_chain.get(at).is_none_or(|named| matches!(gate(named), Gate::Open { .. }))
    }

    /// The right to ask the model at this place of the chain; `None` while its breaker is open.
    pub(super) fn admit(&self, at: usize) -> Option<Admission<'_>> {
        let named = &**self.of_chain.get(at)?;
        let now = self.clock.now();
        let mut breaker = named.breaker.lock();
        let ticket = match breaker.gate(now) {
            Gate::Closed(ticket) => Some(ticket),
            Gate::Open { .. } => None,
            Gate::ProbeDue { .. } => breaker.probe_started(now, &self.settings),
        };
        drop(breaker);
        ticket.map(|ticket| Admission { breakers: self, named, ticket: Some(ticket) })
    }
}

impl Admission<'_> {
    /// How the call ended.
    pub(super) fn report(mut self, outcome: Outcome) {
        let Some(ticket) = self.ticket.take() else { return };
        let now = self.breakers.clock.now();
        let changed = self.named.breaker.lock().record(ticket, outcome, now, &self.breakers.settings);
        let Named { provider, model, .. } = self.named;
        match changed {
            Some(Transition::Opened { retry_at }) => {
                tracing::warn!(provider, model, %retry_at, "a language model keeps failing: it isn't asked for a while");
            }
            Some(Transition::Reopened { retry_at }) => {
                tracing::warn!(provider, model, %retry_at, "a degraded language model still fails");
            }
            Some(Transition::Closed { since }) => {
                tracing::info!(provider, model, %since, "a degraded language model has recovered");
            }
            None => {}
        }
    }
}

impl Drop for Admission<'_> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            self.named.breaker.lock().abandon(ticket);
        }
    }
}

/// Whether a server was only asked too often. That says how busy we are, and nothing about the model.
pub(super) fn is_rate_limit(error: &ModelError) -> bool {
    matches!(error, ModelError::Status { status: 429, .. })
}

/// What an error says about the model: nothing where the request was wrong or came too often, or where somebody has to pay
/// or to configure.
pub(super) fn verdict(error: &ModelError) -> Option<Outcome> {
    let is_failure = match error {
        ModelError::Unreachable(_)
        | ModelError::HungUp(_)
        | ModelError::TimedOut
        | ModelError::Truncated
        | ModelError::Malformed => true,
        ModelError::Status { .. } | ModelError::Failed { .. } => {
            error.is_retryable() && !is_rate_limit(error)
        }
        ModelError::NotConfigured(_)
        | ModelError::Unauthorised { .. }
        | ModelError::QuotaExhausted
        | ModelError::ContextExceeded
        | ModelError::TooLarge { .. } => false,
    };
    is_failure.then_some(Outcome::Failure)
}
