//! Recording what happened.

use std::time::Duration;

use opentelemetry::KeyValue;

use super::{EVENTS, Meters, request};

impl Meters {
    /// An append was stored.
    pub fn stored(&self, entries: usize, took: Duration) {
        self.appends.add(1);
        self.appended.add(entries as u64);
        self.append_duration.record(took.as_secs_f64(), &[]);
    }

    /// An append was not stored; `why` is a short name.
    pub fn not_stored(&self, why: &'static str) {
        self.append_failures.add(1, &[KeyValue::new("error.type", why)]);
    }

    /// Another replica wrote before an append.
    pub fn conflict(&self) {
        self.append_conflicts.add(1, &[]);
    }

    /// A frame was handed to a reader so long after its first event had come.
    pub fn delivered(&self, after: Duration) {
        self.delivery_duration.record(after.as_secs_f64(), &[]);
    }

    /// Frames were put together for a reader that was so many entries behind.
    pub fn encoded(&self, frames: u64, coalesced: u64, behind: u64) {
        self.encodes.add(frames);
        self.coalesced.add(coalesced);
        self.reader_lag.record(behind, &[]);
    }

    /// A reader was let in with that verdict.
    pub fn resumed(&self, verdict: &'static str) {
        self.resumes.add(1, &[KeyValue::new("verdict", verdict)]);
    }

    /// A reader began anew on its connection, with that verdict.
    pub fn reopened(&self, verdict: &'static str) {
        self.reopens.add(1, &[KeyValue::new("verdict", verdict)]);
    }

    /// A step ended.
    pub fn step_ended(&self, status: &'static str, took: Duration) {
        self.step_duration.record(took.as_secs_f64(), &[KeyValue::new("status", status)]);
    }

    /// A call of a subagent ended.
    pub fn called(&self, protocol: &'static str, outcome: &'static str, took: Duration) {
        let attributes = [KeyValue::new("protocol", protocol), KeyValue::new("outcome", outcome)];
        self.call_duration.record(took.as_secs_f64(), &attributes);
    }

    /// A step's outputs were combined, and its answer written or not.
    pub fn combined(&self, method: &'static str, outcome: &'static str, took: Duration) {
        self.aggregation_duration.record(took.as_secs_f64(), &[]);
        let attributes = [KeyValue::new("method", method), KeyValue::new("outcome", outcome)];
        self.syntheses.add(1, &attributes);
    }

    /// A circuit breaker changed.
    pub fn breaker_changed(&self, to: &'static str) {
        self.breaker_transitions.add(1, &[KeyValue::new("to", to)]);
    }

    /// A safety decision was posted.
    pub fn noticed(&self, outcome: &'static str) {
        self.notices.add(1, &[KeyValue::new("outcome", outcome)]);
    }

    /// An HTTP request was answered. The route is a pattern, not a path.
    pub fn answered(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        self.http_duration.record(took.as_secs_f64(), &request(method, route, status));
    }

    /// Events that were posted past the router were answered. Those that were taken have a figure of their own: to look
    /// up three attributes for each costs three hundredths of all that it takes to store an event.
    pub fn answered_events(&self, status: u16, took: Duration) {
        if status == 200 {
            self.publish_duration.record(took.as_secs_f64(), &[]);
        } else {
            self.answered("POST", EVENTS, status, took);
        }
    }

    /// What seldom happens is there from the beginning: who looks how much a count has risen needs where it began.
    pub(super) fn begin_at_zero(&self) {
        self.append_conflicts.add(0, &[]);
        for why in ["unavailable", "timed_out", "full", "corrupt", "archive_backlog", "outcome_unknown"] {
            self.append_failures.add(0, &[KeyValue::new("error.type", why)]);
        }
        for to in ["open", "closed"] {
            self.breaker_transitions.add(0, &[KeyValue::new("to", to)]);
        }
        for outcome in ["delivered", "retried", "given_up"] {
            self.notices.add(0, &[KeyValue::new("outcome", outcome)]);
        }
        for verdict in
            ["new", "ok", "trimmed", "epoch_changed", "ahead", "diverged", "expired", "unknown", "closed"]
        {
            self.resumes.add(0, &[KeyValue::new("verdict", verdict)]);
            self.reopens.add(0, &[KeyValue::new("verdict", verdict)]);
        }
    }
}
