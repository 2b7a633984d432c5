//! The time from a breaker's opening to its closing: why it opened, how long it waits, and who probes.
//!
//! An outage is *waiting* (open), then *due* (half-open, nobody probes), then *probing* (half-open, one call is under way),
//! and from there waiting again for twice as long, or over.

use super::BreakerSettings;
use super::window::Counts;
use crate::domain::time::Timestamp;

/// A breaker that isn't closed.
#[derive(Debug, Clone)]
pub(super) struct Outage {
    /// When it opened first; failed probes don't change it.
    pub(super) since: Timestamp,
    /// What it opened for, and in a window of which length.
    evidence: Counts,
    window_ms: u64,
    failed_probes: u64,
    /// When the present wait began and how long it is.
    waiting_from: Timestamp,
    wait_ms: u64,
    probe: Option<Probe>,
}

/// A call that is to find out whether the subagent works again.
#[derive(Debug, Clone)]
struct Probe {
    started: Timestamp,
    /// After this time nobody waits for its outcome.
    lapse_ms: u64,
}

/// What may be done now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// No call before this time.
    Waiting { until: Timestamp },
    /// One call may find out.
    Due,
    /// One call is finding out; its place is free again at this time.
    Probing { until: Timestamp },
}

impl Outage {
    pub(super) fn new(evidence: Counts, now: Timestamp, settings: &BreakerSettings) -> Self {
        let wait_ms = settings.open_ms.min(settings.open_most_ms);
        Self {
            since: now,
            evidence,
            window_ms: settings.window_ms,
            failed_probes: 0,
            waiting_from: now,
            wait_ms,
            probe: None,
        }
    }

    pub(super) fn phase(&self, now: Timestamp) -> Phase {
        if let Some(Probe { started, lapse_ms }) = self.probe
            && !is_over(started, lapse_ms, now)
        {
            return Phase::Probing { until: started.plus_ms(lapse_ms) };
        }
        // A probe that lapsed had been due.
        if self.probe.is_some() || is_over(self.waiting_from, self.wait_ms, now) {
            Phase::Due
        } else {
            Phase::Waiting { until: self.retry_at() }
        }
    }

    /// When the present wait ends.
    pub(super) fn retry_at(&self) -> Timestamp {
        self.waiting_from.plus_ms(self.wait_ms)
    }

    pub(super) fn probe_started(&mut self, now: Timestamp, settings: &BreakerSettings) {
        // With 0 the place would be free while the call has just begun.
        self.probe = Some(Probe { started: now, lapse_ms: settings.probe_ms.max(1) });
    }

    /// The probe ended without saying anything about the subagent: the next call may try.
    pub(super) fn probe_abandoned(&mut self) {
        if let Some(probe) = &mut self.probe {
            probe.lapse_ms = 0;
        }
    }

    pub(super) fn probe_failed(&mut self, now: Timestamp, settings: &BreakerSettings) {
        self.probe = None;
        self.failed_probes = self.failed_probes.saturating_add(1);
        self.waiting_from = now;
        self.wait_ms = self.wait_ms.saturating_mul(2).min(settings.open_most_ms);
    }

    /// For people: `7 of 10 calls failed within 30 s`, and `; 2 probes failed since` where they did.
    pub(super) fn reason(&self) -> String {
        let Counts { calls, failures } = self.evidence;
        let within = match self.window_ms {
            ms if ms.is_multiple_of(1_000) => format!("{} s", ms / 1_000),
            ms => format!("{ms} ms"),
        };
        let since = match self.failed_probes {
            0 => String::new(),
            1 => "; 1 probe failed since".to_owned(),
            probes => format!("; {probes} probes failed since"),
        };
        format!("{failures} of {calls} calls failed within {within}{since}")
    }
}

/// Whether `ms` have passed since `from`. They have, too, where the clock was set back by more than that: a probe too early
/// costs one call, a wait for the old time to come again could cost hours.
fn is_over(from: Timestamp, ms: u64, now: Timestamp) -> bool {
    now.since_ms(from) >= ms || from.since_ms(now) > ms
}
