//! What a synthesis may spend, and what it has.

use std::sync::Arc;

use tokio::time::Instant;

use super::models::Models;
use super::outcome::Stage;
use super::purse::{Purse, SharedBudget};
use super::write::{Synthesiser, Write};
use crate::domain::directive;
use crate::domain::ids::SessionKey;
use crate::domain::session::Spent;
use crate::domain::synthesis::budget::{Allowance, Budget, Price, Spent as Amounts, Tokens};
use crate::domain::synthesis::written::Usage;
use crate::engine::clock::millis;

/// What may be spent; `None` is no bound.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spending {
    /// Tokens in and out.
    pub tokens: Option<u64>,
    /// Calls.
    pub calls: Option<u32>,
    /// Money, in millionths of the currency.
    pub micros: Option<u64>,
}

impl Synthesiser {
    /// What one answer may cost, of what its session has left: `spent` is what the session's log says, and what is written
    /// of it here meanwhile is taken off. Without a session nothing is shared.
    pub(super) fn purse(
        &self,
        models: &Models,
        (session, spent): (Option<&SessionKey>, Spent),
        own: Option<&directive::Budget>,
        until: Instant,
    ) -> SharedBudget {
        let parts = &self.parts;
        let meters = parts.telemetry.meters.clone();
        let end = models.now().plus_ms(millis(until.saturating_duration_since(Instant::now())));
        let (request, limit) = (allowance(narrower(own, parts.request)), allowance(parts.session));
        let Some(session) = session else {
            return Arc::new(Purse::new(Budget::new(request, limit, end)).counted_by(meters));
        };
        let logged = Amounts {
            tokens: Tokens { input: spent.tokens, output: 0 },
            calls: spent.calls.into(),
            micros: spent.micros,
        };
        let budget = Budget::new(request, Allowance::default(), end);
        Arc::new(self.accounts.purse(session, limit, logged, budget).counted_by(meters))
    }
}

impl Synthesiser {
    /// What pays for an answer that has nothing to share.
    pub(super) fn purse_of(&self, models: &Models, write: &Write) -> SharedBudget {
        let session = write.of_step.as_ref().map(|(session, _)| session);
        self.purse(models, (session, write.spent), write.options.budget.as_ref(), write.until)
    }

    /// The price of the model that is asked first.
    pub(super) fn price(&self) -> Price {
        let first = self.parts.models.as_ref().and_then(|models| models.chain().first());
        first.map_or_else(Price::default, |slot| slot.price)
    }
}

impl Usage {
    /// Of all models that answered.
    pub(super) fn of(stages: &[Stage], calls: u32) -> Self {
        let answered = stages.iter().filter(|stage| stage.failed.is_none());
        let tokens = answered.filter_map(|stage| stage.call.as_ref()).map(|call| call.tokens);
        let Tokens { input, output } = tokens.fold(Tokens::default(), Tokens::plus);
        Self { input_tokens: input, output_tokens: output, calls }
    }
}

/// The narrower of two bounds.
fn narrower(own: Option<&directive::Budget>, service: Spending) -> Spending {
    let of = |one: Option<u64>, other: Option<u64>| [one, other].into_iter().flatten().min();
    let own_micros = own.and_then(|own| own.cost).map(|cost| (cost.max(0.0) * 1e6) as u64);
    let calls = of(own.and_then(|own| own.calls).map(u64::from), service.calls.map(u64::from));
    Spending {
        tokens: of(own.and_then(|own| own.tokens), service.tokens),
        calls: calls.and_then(|calls| u32::try_from(calls).ok()),
        micros: of(own_micros, service.micros),
    }
}

/// The bounds of a budget.
fn allowance(spending: Spending) -> Allowance {
    let unbounded = Allowance::default();
    Allowance {
        tokens: spending.tokens.unwrap_or(unbounded.tokens),
        calls: spending.calls.map_or(unbounded.calls, u64::from),
        micros: spending.micros.unwrap_or(unbounded.micros),
    }
}
