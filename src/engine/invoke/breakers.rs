//! The breakers of a replica, by tenant and subagent key.
//!
//! Which way a breaker goes is arithmetic ([`crate::domain::breaker`]); here are its lock, the token that replicas share
//! for a half-open one's probe, and the promise that whoever was let through reports once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dashmap::DashMap;
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::domain::breaker::{Breaker, BreakerSettings, BreakerView, Gate, Outcome, Ticket, Transition};
use crate::domain::ids::{SubagentKey, TenantId};
use crate::domain::session::CallGate;
use crate::domain::time::Timestamp;
use crate::engine::clock::StoreClock;
use crate::engine::ports::probe_tokens::ProbeTokens;
use crate::engine::telemetry::Meters;

type Name = (TenantId, SubagentKey);

/// Breakers that are kept; beyond it only those stay that hold calls back now. A closed one that is let go forgets no more
/// than a window, one whose time is over lets its next call through, which is what that was waiting for.
const KEPT: usize = 10_000;
/// What figures call all subagents that the configuration doesn't name.
const OTHERS: &str = "other";
const STATES: [&str; 3] = ["closed", "open", "half_open"];

pub(super) struct Breakers {
    settings: BreakerSettings,
    tokens: Option<Arc<dyn ProbeTokens>>,
    /// Runs on locally from what the coordinator last said: outcomes are reported outside its tasks.
    clock: StoreClock,
    breakers: DashMap<Name, Breaker>,
    /// Whom figures name.
    named: BTreeSet<SubagentKey>,
    meters: Arc<Meters>,
}

/// The right of one call to report what came of it. Dropped without a report it says nothing about the subagent.
pub struct Admission {
    breakers: Arc<Breakers>,
    name: Name,
    /// Taken by the first report.
    ticket: Mutex<Option<Ticket>>,
    /// Whether the token of a probe is to be given back yet.
    has_token: AtomicBool,
}

impl Breakers {
    pub(super) fn new(
        settings: BreakerSettings,
        tokens: Option<Arc<dyn ProbeTokens>>,
        named: BTreeSet<SubagentKey>,
        meters: Arc<Meters>,
    ) -> Self {
        let names = named.iter().map(SubagentKey::as_str).chain([OTHERS]);
        names.for_each(|name| meters.breaker_begins(name, STATES));
        Self { settings, tokens, clock: StoreClock::default(), breakers: DashMap::new(), named, meters }
    }

    /// A subagent as figures name it.
    fn figured<'k>(&self, subagent: &'k SubagentKey) -> &'k str {
        if self.named.contains(subagent) { subagent.as_str() } else { OTHERS }
    }

    /// Whether a subagent may be called.
    pub(super) async fn gate(
        self: &Arc<Self>,
        tenant: &TenantId,
        subagent: &SubagentKey,
        now: Timestamp,
    ) -> (CallGate, Option<Admission>) {
        self.clock.observe(now);
        let name = (tenant.clone(), subagent.clone());
        let since = match self.look(&name, now) {
            Gate::Closed(ticket) => return (CallGate::Open, Some(self.admission(name, ticket, false))),
            Gate::Open { since, .. } => since,
            Gate::ProbeDue { since } => {
                if let Some(ticket) = self.probe(&name, now).await {
                    return (CallGate::Open, Some(self.admission(name, ticket, true)));
                }
                since
            }
        };
        let view = self.breakers.get(&name).map(|breaker| breaker.view(now));
        let reason = view.and_then(|view| view.reason).unwrap_or_else(|| "it has been failing".to_owned());
        (CallGate::Degraded { reason, since }, None)
    }

    fn look(&self, name: &Name, now: Timestamp) -> Gate {
        if self.breakers.len() >= KEPT {
            self.breakers.retain(|_, breaker| matches!(breaker.gate(now), Gate::Open { .. }));
        }
        self.breakers.entry(name.clone()).or_default().gate(now)
    }

    /// The right to try, where no other call of any replica has it.
    async fn probe(&self, name: &Name, now: Timestamp) -> Option<Ticket> {
        if let Some(tokens) = &self.tokens {
            let time = Duration::from_millis(self.settings.probe_ms);
            match tokens.take(&token(name), time).await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    tracing::warn!(%error, subagent = %name.1, "a degraded subagent was not tried");
                    return None;
                }
            }
        }
        let ticket =
            self.breakers.get_mut(name).and_then(|mut breaker| breaker.probe_started(now, &self.settings));
        match &ticket {
            Some(_) => self.meters.breaker_changed(self.figured(&name.1), "half_open"),
            None => self.give_back(name).await,
        }
        ticket
    }

    async fn give_back(&self, name: &Name) {
        if let Some(tokens) = &self.tokens
            && let Err(error) = tokens.give_back(&token(name)).await
        {
            // It is free again when its time is over.
            tracing::debug!(%error, subagent = %name.1, "the right to try was not given back");
        }
    }

    fn admission(self: &Arc<Self>, name: Name, ticket: Ticket, is_probe: bool) -> Admission {
        let has_token = AtomicBool::new(is_probe);
        Admission { breakers: self.clone(), name, ticket: Mutex::new(Some(ticket)), has_token }
    }

    /// How many there are in each state; of those that figures name, none where there is none.
    pub(super) fn counts(&self) -> BTreeMap<(String, &'static str), usize> {
        let now = self.clock.now();
        let names = self.named.iter().map(SubagentKey::as_str).chain([OTHERS]);
        let none = |name: &str| STATES.map(|state| ((name.to_owned(), state), 0));
        let mut counts: BTreeMap<_, _> = names.flat_map(none).collect();
        for breaker in &self.breakers {
            let name = self.figured(&breaker.key().1).to_owned();
            *counts.entry((name, breaker.view(now).state.as_str())).or_default() += 1;
        }
        counts
    }

    pub(super) fn views(&self, tenant: &TenantId, now: Timestamp) -> Vec<(SubagentKey, BreakerView)> {
        let own = self.breakers.iter().filter(|breaker| breaker.key().0 == *tenant);
        let mut views: Vec<_> = own.map(|breaker| (breaker.key().1.clone(), breaker.view(now))).collect();
        views.sort_by(|(a, _), (b, _)| a.cmp(b));
        views
    }
}

impl Admission {
    /// How the call ended; nothing where that was reported before. Whoever waits for what comes back knows that another
    /// replica may try, where this was the one call that might.
    pub fn report(&self, outcome: Outcome) -> Option<JoinHandle<()>> {
        let ticket = self.ticket.lock().take()?;
        self.count(ticket, outcome);
        self.give_back()
    }

    fn count(&self, ticket: Ticket, outcome: Outcome) {
        let now = self.breakers.clock.now();
        let Some(mut breaker) = self.breakers.breakers.get_mut(&self.name) else { return };
        let changed = breaker.record(ticket, outcome, now, &self.breakers.settings);
        drop(breaker);
        let subagent = &self.name.1;
        let to = changed.map(|changed| match changed {
            Transition::Opened { .. } | Transition::Reopened { .. } => "open",
            Transition::Closed { .. } => "closed",
        });
        let name = self.breakers.figured(subagent);
        to.into_iter().for_each(|to| self.breakers.meters.breaker_changed(name, to));
        match changed {
            Some(Transition::Opened { retry_at }) => {
                tracing::warn!(%subagent, %retry_at, "a subagent keeps failing: it isn't called for a while");
            }
            Some(Transition::Reopened { retry_at }) => {
                tracing::warn!(%subagent, %retry_at, "a degraded subagent still fails");
            }
            Some(Transition::Closed { since }) => {
                tracing::info!(%subagent, %since, "a degraded subagent has recovered");
            }
            None => {}
        }
    }

    /// Once, and to the end: a task that is ended meanwhile doesn't leave the token where it is.
    fn give_back(&self) -> Option<JoinHandle<()>> {
        if !self.has_token.swap(false, Ordering::AcqRel) {
            return None;
        }
        let (breakers, name) = (self.breakers.clone(), self.name.clone());
        let runtime = Handle::try_current().ok()?;
        Some(runtime.spawn(async move { breakers.give_back(&name).await }))
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket.get_mut().take()
            && let Some(mut breaker) = self.breakers.breakers.get_mut(&self.name)
        {
            breaker.abandon(ticket);
        }
        drop(self.give_back());
    }
}

fn token((tenant, subagent): &Name) -> String {
    format!("{tenant}/{subagent}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::telemetry::Telemetry;

    #[tokio::test]
    async fn breakers_whose_time_is_over_go_where_there_are_too_many() {
        let settings = BreakerSettings { minimum_calls: 1, ..BreakerSettings::default() };
        let breakers = Arc::new(Breakers::new(settings, None, BTreeSet::new(), Telemetry::off().meters));
        let (tenant, now) = (TenantId::default_tenant(), Timestamp(1_000_000));
        for made_up in 0..KEPT {
            let key = format!("made-up-{made_up}").parse().unwrap();
            let (_, admission) = breakers.gate(&tenant, &key, now).await;
            admission.unwrap().report(Outcome::Failure);
        }
        let other: SubagentKey = "other".parse().unwrap();
        breakers.gate(&tenant, &other, now).await;
        assert_eq!(breakers.breakers.len(), KEPT + 1, "all of them hold calls back");
        breakers.gate(&tenant, &other, now.plus_ms(2 * settings.open_ms)).await;
        assert_eq!(breakers.breakers.len(), 1);
    }
}
