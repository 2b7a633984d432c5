//! Recording what happened.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::Histogram;

use super::{EVENTS, Meters, request};
use crate::domain::story::WRITING;

/// Records what happens for every event.
fn record<T>(histogram: &Histogram<T>, value: T) {
    if !cfg!(feature = "without-metrics") {
        histogram.record(value, &[]);
    }
}

impl Meters {
    /// An append was stored.
    pub fn stored(&self, entries: usize, took: Duration) {
        self.appends.add(1);
        self.appended.add(entries as u64);
        record(&self.append_duration, took.as_secs_f64());
    }

    /// An append was not stored, or not even decided, for the store's sake; `why` is a short name.
    pub fn not_stored(&self, why: &'static str) {
        self.append_failures.add(1, &[KeyValue::new("error.type", why)]);
    }

    /// Another replica wrote before an append.
    pub fn conflict(&self) {
        self.append_conflicts.add(1, &[]);
    }

    /// A frame was handed to a reader so long after its first event had come.
    pub fn delivered(&self, after: Duration) {
        record(&self.delivery_duration, after.as_secs_f64());
    }

    /// Frames were put together for a reader that was so many entries behind.
    pub fn encoded(&self, frames: u64, coalesced: u64, behind: u64) {
        self.encodes.add(frames);
        self.coalesced.add(coalesced);
        record(&self.reader_lag, behind);
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

    /// An agent was told that nobody waits for its task any more.
    pub fn withdrew(&self, outcome: &'static str) {
        self.call_withdrawals.add(1, &[KeyValue::new("outcome", outcome)]);
    }

    /// A step's outputs were combined, and its answer written or not.
    pub fn combined(&self, method: &'static str, outcome: &'static str, took: Duration) {
        self.aggregation_duration.record(took.as_secs_f64(), &[]);
        // What a language model writes is counted when it is there.
        if outcome != WRITING {
            self.synthesised(method, outcome);
        }
    }

    /// A language model was asked. `stage` is a span's name, `outcome` `ok`, `cached` or a short name of what failed.
    pub fn model_asked(&self, stage: &'static str, outcome: &'static str) {
        self.model_calls.add(1, &[KeyValue::new("stage", stage), KeyValue::new("outcome", outcome)]);
    }

    /// A call of a language model is over, however it ended. The cost is in millionths of the currency.
    pub fn model_spent(&self, (input, output): (u64, u64), cost: u64) {
        self.model_tokens.add(input, &[KeyValue::new("direction", "input")]);
        self.model_tokens.add(output, &[KeyValue::new("direction", "output")]);
        self.model_cost.add(cost as f64 / 1e6, &[]);
    }

    /// A language model answered. Times are in milliseconds.
    pub fn model_answered(&self, first_ms: Option<u64>, took_ms: u64) {
        if let Some(first_ms) = first_ms {
            self.model_first_token.record(first_ms as f64 / 1e3, &[]);
        }
        self.model_took(took_ms);
    }

    /// A language model was asked for so long, and answered or was given up. In milliseconds.
    pub fn model_took(&self, took_ms: u64) {
        self.model_duration.record(took_ms as f64 / 1e3, &[]);
    }

    /// An answer was written, or given up for the extractive one.
    pub fn synthesised(&self, method: &'static str, outcome: &'static str) {
        self.syntheses.add(1, &[KeyValue::new("method", method), KeyValue::new("outcome", outcome)]);
    }

    /// So many findings of a draft came to that.
    pub fn synthesis_items(&self, became: &'static str, count: u64) {
        self.synthesis_items.add(count, &[KeyValue::new("became", became)]);
    }

    /// A subagent's circuit breaker changed. The name is one of few.
    pub fn breaker_changed(&self, subagent: &str, to: &'static str) {
        let name = KeyValue::new("subagent", subagent.to_owned());
        self.breaker_transitions.add(1, &[name, KeyValue::new("to", to)]);
    }

    /// A subagent's circuit breaker may change to these.
    pub fn breaker_begins(&self, subagent: &str, states: [&'static str; 3]) {
        for to in states {
            let name = KeyValue::new("subagent", subagent.to_owned());
            self.breaker_transitions.add(0, &[name, KeyValue::new("to", to)]);
        }
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
            record(&self.publish_duration, took.as_secs_f64());
        } else {
            self.answered("POST", EVENTS, status, took);
        }
    }

    /// What seldom happens is there from the beginning: who looks how much a count has risen needs where it began.
    pub(super) fn begin_at_zero(&self) {
        self.append_conflicts.add(0, &[]);
        for why in [
            "unavailable",
            "timed_out",
            "full",
            "corrupt",
            "newer_format",
            "archive_backlog",
            "outcome_unknown",
        ] {
            self.append_failures.add(0, &[KeyValue::new("error.type", why)]);
        }
        for direction in ["input", "output"] {
            self.model_tokens.add(0, &[KeyValue::new("direction", direction)]);
        }
        self.model_cost.add(0.0, &[]);
        for became in ["kept", "repaired", "twin", "dropped"] {
            self.synthesis_items.add(0, &[KeyValue::new("became", became)]);
        }
        for outcome in ["delivered", "retried", "given_up"] {
            self.notices.add(0, &[KeyValue::new("outcome", outcome)]);
        }
        for outcome in ["withdrawn", "refused", "failed"] {
            self.call_withdrawals.add(0, &[KeyValue::new("outcome", outcome)]);
        }
        for verdict in
            ["new", "ok", "trimmed", "epoch_changed", "ahead", "diverged", "expired", "unknown", "closed"]
        {
            self.resumes.add(0, &[KeyValue::new("verdict", verdict)]);
            self.reopens.add(0, &[KeyValue::new("verdict", verdict)]);
        }
    }
}
