//! What the service counts and times.
//!
//! Instruments are OpenTelemetry's, so one recording serves the scrape of Prometheus and the push by OTLP. What happens
//! for every event or frame is counted in plain atomics that are read only when somebody looks. Attributes come from
//! closed sets: never a session, a step, or the key of a subagent, which any directive may make up.

mod recording;

use std::sync::Arc;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter, MeterProvider as _};

use super::counts::{Count, Counts};
use crate::domain::telemetry_names::metric;

/// From 0.1 ms to 10 s: appends and deliveries, in memory and through Redis.
const FAST_SECONDS: [f64; 15] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
/// From 5 ms to 10 min: calls and steps.
const SLOW_SECONDS: [f64; 15] =
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 600.0];
/// The route of events.
const EVENTS: &str = "/planner/sessions/{session_id}/steps/{plan_step_id}/subagents/{key}/events";
const LAGS: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 50.0, 100.0, 256.0, 1_000.0, 5_000.0, 20_000.0];

/// Everything that is counted while the service works.
#[derive(Debug)]
pub struct Meters {
    /// Events of subagents, by what became of them.
    pub publishes: Counts<5>,
    /// Appends that were stored.
    pub appends: Count,
    /// Entries that were stored.
    pub appended: Count,
    /// Frames that were handed to readers' sockets.
    pub frames: Count,
    /// Frames that were put together.
    pub encodes: Count,
    /// Partials that readers who lag were spared.
    pub coalesced: Count,
    /// Entries that were read for readers behind the tail, by where they were.
    pub replayed: Counts<3>,
    /// Holes between published messages that were filled from the log.
    pub gaps: Count,
    /// Epochs that were begun because a log was forked or lost.
    pub epochs: Count,
    /// Entries that were put back into a store that had lost them.
    pub restored: Count,
    /// Outputs that came to an end, by how.
    pub outcomes: Counts<6>,
    /// Attempts that failed and were followed by another.
    pub retries: Count,
    /// Rows that the archive took.
    pub archived: Count,
    /// Rows that are kept beside the log, because it went on elsewhere.
    pub archive_left: Count,
    publish_duration: Histogram<f64>,
    append_duration: Histogram<f64>,
    delivery_duration: Histogram<f64>,
    reader_lag: Histogram<u64>,
    step_duration: Histogram<f64>,
    call_duration: Histogram<f64>,
    call_withdrawals: Counter<u64>,
    aggregation_duration: Histogram<f64>,
    append_failures: Counter<u64>,
    append_conflicts: Counter<u64>,
    resumes: Counter<u64>,
    reopens: Counter<u64>,
    breaker_transitions: Counter<u64>,
    notices: Counter<u64>,
    syntheses: Counter<u64>,
    model_calls: Counter<u64>,
    model_tokens: Counter<u64>,
    model_cost: Counter<f64>,
    model_first_token: Histogram<f64>,
    model_duration: Histogram<f64>,
    synthesis_items: Counter<u64>,
    http_duration: Histogram<f64>,
}

impl Meters {
    /// Instruments of `meter`.
    pub fn new(meter: &Meter) -> Arc<Self> {
        let seconds = |name: &'static str, bounds: &[f64], text: &'static str| {
            let histogram = meter.f64_histogram(name).with_unit("s").with_description(text);
            histogram.with_boundaries(bounds.to_vec()).build()
        };
        let counter =
            |name: &'static str, text: &'static str| meter.u64_counter(name).with_description(text).build();
        let meters = Arc::new(Self {
            publishes: Counts::new(["accepted", "duplicate", "stale", "late", "conflict"]),
            appends: Count::default(),
            appended: Count::default(),
            frames: Count::default(),
            encodes: Count::default(),
            coalesced: Count::default(),
            replayed: Counts::new(["ring", "cache", "archive"]),
            gaps: Count::default(),
            epochs: Count::default(),
            restored: Count::default(),
            outcomes: Counts::new(["success", "error", "timeout", "degraded", "refused", "cancelled"]),
            retries: Count::default(),
            archived: Count::default(),
            archive_left: Count::default(),
            publish_duration: seconds(
                metric::PUBLISH_DURATION,
                &FAST_SECONDS,
                "Time of a request whose events were stored",
            ),
            append_duration: seconds(
                metric::APPEND_DURATION,
                &FAST_SECONDS,
                "Time from an append's first attempt until it was stored",
            ),
            delivery_duration: seconds(
                metric::DELIVERY_DURATION,
                &FAST_SECONDS,
                "Time from an event's arrival until its frame was handed to a reader's socket",
            ),
            reader_lag: meter
                .u64_histogram(metric::READER_LAG)
                .with_unit("{entry}")
                .with_description("Entries that readers were behind the tail when frames were put together")
                .with_boundaries(LAGS.to_vec())
                .build(),
            step_duration: seconds(
                metric::STEP_DURATION,
                &SLOW_SECONDS,
                "Time from a directive to its step's end",
            ),
            call_duration: seconds(metric::CALL_DURATION, &SLOW_SECONDS, "Time of one call of a subagent"),
            call_withdrawals: counter(
                metric::CALL_WITHDRAWALS,
                "Requests to agents to cancel a task, by outcome",
            ),
            aggregation_duration: seconds(
                metric::AGGREGATION_DURATION,
                &FAST_SECONDS,
                "Time to combine a step's outputs",
            ),
            append_failures: counter(metric::APPEND_FAILURES, "Appends that the store did not take, by why"),
            append_conflicts: counter(
                metric::APPEND_CONFLICTS,
                "Appends that were decided again because another replica wrote",
            ),
            resumes: counter(metric::RESUMES, "Readers that were let in, by the verdict on their place"),
            reopens: counter(metric::REOPENS, "Readers that began anew on their connection, by the verdict"),
            breaker_transitions: counter(metric::BREAKER_TRANSITIONS, "Changes of circuit breakers"),
            notices: counter(metric::NOTICES, "Posts of safety decisions to the webhook, by outcome"),
            syntheses: counter(metric::SYNTHESES, "Answers of steps, by method and outcome"),
            model_calls: counter(
                metric::MODEL_CALLS,
                "Language models that were asked, by stage and outcome",
            ),
            model_tokens: counter(metric::MODEL_TOKENS, "Tokens of language models, by direction"),
            model_cost: meter
                .f64_counter(metric::MODEL_COST)
                .with_description("What language models cost, in the currency of the configured prices")
                .build(),
            model_first_token: seconds(
                metric::MODEL_FIRST_TOKEN,
                &SLOW_SECONDS,
                "Time from a question to a language model's first words",
            ),
            model_duration: seconds(
                metric::MODEL_DURATION,
                &SLOW_SECONDS,
                "Time from a question to a language model's last words",
            ),
            synthesis_items: counter(metric::SYNTHESIS_ITEMS, "Findings of drafts, by what became of them"),
            http_duration: seconds(metric::HTTP_DURATION, &FAST_SECONDS, "Time of one HTTP request"),
        });
        meters.begin_at_zero();
        meters.observe(meter);
        meters
    }

    /// Meters that nobody reads.
    pub fn unread() -> Arc<Self> {
        Self::new(&opentelemetry::metrics::noop::NoopMeterProvider::new().meter("unread"))
    }

    /// Lets `meter` read the plain counts.
    fn observe(self: &Arc<Self>, meter: &Meter) {
        let one = |name: &'static str, unit: &'static str, text: &'static str, of: fn(&Self) -> &Count| {
            let meters = self.clone();
            meter
                .u64_observable_counter(name)
                .with_unit(unit)
                .with_description(text)
                .with_callback(move |seen| seen.observe(of(&meters).get(), &[]))
                .build();
        };
        one(metric::APPENDS, "", "Appends that were stored", |m| &m.appends);
        one(metric::APPENDED_ENTRIES, "", "Entries that were stored", |m| &m.appended);
        one(metric::FRAMES, "", "Frames that were handed to readers' sockets", |m| &m.frames);
        one(metric::ENCODES, "", "Frames that were put together", |m| &m.encodes);
        one(metric::COALESCED, "", "Partials that lagging readers were spared", |m| &m.coalesced);
        one(metric::GAPS, "", "Holes between published messages, filled from the log", |m| &m.gaps);
        one(metric::EPOCHS, "", "Epochs begun because a log was forked or lost", |m| &m.epochs);
        one(metric::RESTORED, "", "Entries put back into a store that had lost them", |m| &m.restored);
        one(metric::RETRIES, "", "Attempts that failed and were followed by another", |m| &m.retries);
        one(metric::ARCHIVED, "", "Entries that the archive took", |m| &m.archived);
        one(metric::ARCHIVE_LEFT, "", "Archived entries that their logs have left, kept beside them", |m| {
            &m.archive_left
        });
        self.observe_each(meter, metric::PUBLISHES, "Events of subagents, by verdict", "verdict", |m| {
            &m.publishes
        });
        self.observe_each(
            meter,
            metric::REPLAYED,
            "Entries read for readers behind the tail, by where they were",
            "source",
            |m| &m.replayed,
        );
        self.observe_each(
            meter,
            metric::OUTCOMES,
            "Outputs of subagents that came to an end, by how",
            "status",
            |m| &m.outcomes,
        );
    }

    fn observe_each<const N: usize>(
        self: &Arc<Self>,
        meter: &Meter,
        name: &'static str,
        text: &'static str,
        attribute: &'static str,
        of: fn(&Self) -> &Counts<N>,
    ) {
        let meters = self.clone();
        let attributes = of(self).names.map(|value| [KeyValue::new(attribute, value)]);
        let observed = meter.u64_observable_counter(name).with_description(text);
        let counter = observed.with_callback(move |seen| {
            for (count, attributes) in of(&meters).counts.iter().zip(&attributes) {
                seen.observe(count.get(), attributes);
            }
        });
        counter.build();
    }
}

fn request(method: &'static str, route: &str, status: u16) -> [KeyValue; 3] {
    [
        KeyValue::new("http.request.method", method),
        KeyValue::new("http.route", route.to_owned()),
        KeyValue::new("http.response.status_code", i64::from(status)),
    ]
}
