//! A circuit breaker for one subagent (M. Nygard, *Release It!*, "Circuit Breaker"): whoever keeps failing isn't called for a
//! while, so that a step goes on without waiting for it, and it gets time to recover.
//!
//! Pure arithmetic: the caller says what time it is and what happened, and holds the breaker in a lock of its own.
//!
//! | from | when | to |
//! |---|---|---|
//! | closed | at least `minimum_calls` in the window and `failure_rate` of them failed | open for `open_ms` |
//! | open | the time is over | half-open |
//! | half-open | the probe succeeds | closed, with an empty window |
//! | half-open | the probe fails | open for twice as long as before, `open_most_ms` at most |
//! | half-open | the probe is abandoned, or says nothing for `probe_ms` | half-open, the next call is a probe |
//!
//! A call that is let through has a [`Ticket`] and reports with it. Every change of what is let through makes older tickets
//! worthless, so that a call which began before the breaker opened, or a probe that was given up and replaced, neither
//! closes nor opens anything. Calls which go ahead whatever the gate says (`on_degraded: try`) have no ticket and don't report.

use super::time::Timestamp;
pub use settings::BreakerSettings;
pub use view::{BreakerState, BreakerView};

use outage::{Outage, Phase};
use window::{Counts, Window};

mod outage;
mod settings;
mod view;
mod window;

#[cfg(test)]
mod tests;

/// How a call ended, as far as it says something about the subagent: a failure is one that another call could meet, too
/// (no connection, 5xx, a timeout), not a request that was wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The subagent answered.
    Success,
    /// It didn't, or not usefully.
    Failure,
}

/// The right of one call to report its outcome, once: it can't be copied.
#[derive(Debug, PartialEq, Eq)]
pub struct Ticket(u64);

/// Whether a call may go ahead.
#[derive(Debug, PartialEq, Eq)]
pub enum Gate {
    /// It may; it reports with this ticket.
    Closed(Ticket),
    /// It may not: the subagent has been failing since `since`, and `retry_at` is when the answer may differ (the end of the
    /// wait, or of the time that a running probe has).
    Open {
        /// When the breaker opened.
        since: Timestamp,
        /// The earliest time at which asking again makes sense, unless a probe closes the breaker before.
        retry_at: Timestamp,
    },
    /// It may as the one probe, if it gets a ticket from [`Breaker::probe_started`].
    ProbeDue {
        /// When the breaker opened.
        since: Timestamp,
    },
}

/// A change of state that an outcome caused, to be logged and counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transition {
    /// Closed → open, until `retry_at`.
    Opened {
        /// When the wait ends.
        retry_at: Timestamp,
    },
    /// Half-open → open: the probe failed.
    Reopened {
        /// When the longer wait ends.
        retry_at: Timestamp,
    },
    /// Half-open → closed: the probe succeeded.
    Closed {
        /// When the breaker had opened.
        since: Timestamp,
    },
}

/// The breaker of one subagent, less than 320 bytes whatever happens. The default is closed and has seen nothing.
#[derive(Debug, Clone, Default)]
pub struct Breaker {
    window: Option<Window>,
    outage: Option<Outage>,
    /// The number of the tickets that count; raised whenever older ones mustn't.
    epoch: u64,
}

impl Breaker {
    /// A closed breaker that has seen no call.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a call may go ahead at `now`. Asking changes nothing.
    pub fn gate(&self, now: Timestamp) -> Gate {
        let Some(outage) = &self.outage else { return Gate::Closed(Ticket(self.epoch)) };
        let since = outage.since;
        match outage.phase(now) {
            Phase::Waiting { until } | Phase::Probing { until } => Gate::Open { since, retry_at: until },
            Phase::Due => Gate::ProbeDue { since },
        }
    }

    /// Makes the caller's call the probe, which must report or be abandoned, or else it keeps the place for `probe_ms`. `None` where none is due, such as when another call has just taken the place.
    #[must_use]
    pub fn probe_started(&mut self, now: Timestamp, settings: &BreakerSettings) -> Option<Ticket> {
        let outage = self.outage.as_mut().filter(|outage| outage.phase(now) == Phase::Due)?;
        outage.probe_started(now, settings);
        Some(self.next_epoch())
    }

    /// Counts how a call ended that was let through with `ticket`. A ticket that no longer counts changes nothing.
    pub fn record(
        &mut self,
        ticket: Ticket,
        outcome: Outcome,
        now: Timestamp,
        settings: &BreakerSettings,
    ) -> Option<Transition> {
        if ticket.0 != self.epoch {
            return None;
        }
        match (self.outage.take(), outcome) {
            (None, outcome) => self.record_closed(outcome, now, settings),
            (Some(outage), Outcome::Success) => {
                self.window = None;
                self.next_epoch();
                Some(Transition::Closed { since: outage.since })
            }
            (Some(mut outage), Outcome::Failure) => {
                outage.probe_failed(now, settings);
                let retry_at = outage.retry_at();
                self.outage = Some(outage);
                self.next_epoch();
                Some(Transition::Reopened { retry_at })
            }
        }
    }

    /// A call with `ticket` ended without an outcome (it was cancelled, or never sent). A probe's place is free again.
    pub fn abandon(&mut self, ticket: Ticket) {
        if ticket.0 == self.epoch
            && let Some(outage) = &mut self.outage
        {
            outage.probe_abandoned();
            self.next_epoch();
        }
    }

    /// The breaker as it is shown, at `now`.
    pub fn view(&self, now: Timestamp) -> BreakerView {
        let counts = self.window.as_ref().map_or_else(Counts::default, |window| window.counts(now));
        BreakerView {
            state: match self.outage.as_ref().map(|outage| outage.phase(now)) {
                None => BreakerState::Closed,
                Some(Phase::Waiting { .. }) => BreakerState::Open,
                Some(Phase::Due | Phase::Probing { .. }) => BreakerState::HalfOpen,
            },
            since: self.outage.as_ref().map(|outage| outage.since),
            failure_rate: counts.failure_rate(),
            calls: counts.calls,
            reason: self.outage.as_ref().map(Outage::reason),
        }
    }

    /// An outcome while every call is let through. A success can open it, too, by being the last of `minimum_calls`.
    fn record_closed(
        &mut self,
        outcome: Outcome,
        now: Timestamp,
        settings: &BreakerSettings,
    ) -> Option<Transition> {
        let window = self.window.get_or_insert_with(|| Window::new(settings.window_ms, now));
        let counts = window.record(outcome == Outcome::Failure, settings.window_ms, now);
        let is_enough = counts.calls >= settings.minimum_calls && counts.failures > 0;
        if !is_enough || counts.failure_rate() < settings.failure_rate || settings.failure_rate.is_nan() {
            return None;
        }
        let outage = Outage::new(counts, now, settings);
        let retry_at = outage.retry_at();
        self.outage = Some(outage);
        self.next_epoch();
        Some(Transition::Opened { retry_at })
    }

    /// Makes all older tickets worthless. The counter can't come round within any breaker's life.
    fn next_epoch(&mut self) -> Ticket {
        self.epoch = self.epoch.wrapping_add(1);
        Ticket(self.epoch)
    }
}
