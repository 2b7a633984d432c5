//! What the `OTEL_*` variables ask for, read and checked once, before anything starts.
//!
//! The exporters read some of these variables of the process by themselves, and pass over mistakes; here each is read from
//! a value, refused where it is wrong, and handed to the builders.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::destination::Destination;
use super::error::{Signal, TelemetryError, mistake};
use super::limits::SpanLimits;
use super::sampler::{Sampler, SamplerMistake};
use super::variables::Variables;
use crate::engine::telemetry::Propagators;

/// A span in the queue takes a few hundred bytes; a queue of this length is made in one piece.
const QUEUE_MAX: u64 = 65_536;
const HOUR_MS: u64 = 3_600_000;

/// Everything that was asked for.
#[derive(Debug)]
pub(super) struct Settings {
    /// Where spans go; none where they don't.
    pub spans: Option<SpanSettings>,
    /// Where metrics are pushed; none where they aren't.
    pub metrics: Option<MetricSettings>,
    /// `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME`: what this process is.
    pub resource: Vec<(String, String)>,
    /// `OTEL_PROPAGATORS`.
    pub propagators: Propagators,
    /// What is ignored, a sentence each.
    pub warnings: Vec<String>,
}

/// How spans are exported.
#[derive(Debug)]
pub(super) struct SpanSettings {
    pub destination: Destination,
    pub sampler: Sampler,
    pub limits: SpanLimits,
    /// `OTEL_BSP_MAX_QUEUE_SIZE`: spans that wait at most.
    pub queue: NonZeroUsize,
    /// `OTEL_BSP_MAX_EXPORT_BATCH_SIZE`: spans a request at most.
    pub batch: usize,
    /// `OTEL_BSP_SCHEDULE_DELAY`: how long a span waits for others.
    pub delay: Duration,
}

/// How metrics are exported.
#[derive(Debug)]
pub(super) struct MetricSettings {
    pub destination: Destination,
    /// `OTEL_METRIC_EXPORT_INTERVAL`.
    pub interval: Duration,
    /// `OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE`.
    pub temporality: opentelemetry_sdk::metrics::Temporality,
}

impl Settings {
    /// Reads the environment.
    pub fn read(variables: &Variables<'_>) -> Result<Self, TelemetryError> {
        let mut warnings = unknown_switches(variables);
        let spans = destination(variables, Signal::Traces, &mut warnings)?;
        let spans = spans.map(|to| SpanSettings::read(variables, to));
        let metrics = destination(variables, Signal::Metrics, &mut warnings)?;
        let metrics = metrics.map(|to| MetricSettings::read(variables, to));
        Ok(Self {
            spans: spans.transpose()?,
            metrics: metrics.transpose()?,
            resource: resource(variables)?,
            propagators: propagators(variables, &mut warnings),
            warnings,
        })
    }
}

/// Switches that are neither on nor off. The specification: they are off, and that is warned of.
fn unknown_switches(variables: &Variables<'_>) -> Vec<String> {
    const SWITCHES: [&str; 4] = [
        "OTEL_SDK_DISABLED",
        "OTEL_EXPORTER_OTLP_INSECURE",
        "OTEL_EXPORTER_OTLP_TRACES_INSECURE",
        "OTEL_EXPORTER_OTLP_METRICS_INSECURE",
    ];
    let is_known = |text: &str| ["true", "false"].iter().any(|known| text.eq_ignore_ascii_case(known));
    let given = SWITCHES.iter().filter_map(|name| variables.get(name));
    let unknown = given.filter(|given| !is_known(&given.text));
    unknown
        .map(|given| format!("{} is taken for \"false\": it is \"true\" or \"false\"", given.name))
        .collect()
}

/// What carries traces; with exporters or without.
fn propagators(variables: &Variables<'_>, warnings: &mut Vec<String>) -> Propagators {
    let Some(given) = variables.get("OTEL_PROPAGATORS") else { return Propagators::default() };
    let mut asked = Propagators { trace_context: false, baggage: false };
    for name in given.text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match name {
            "tracecontext" => asked.trace_context = true,
            "baggage" => asked.baggage = true,
            "none" => {}
            // The specification: what isn't known is warned of and ignored.
            _ => warnings.push(format!(
                "{} has a propagator that is ignored: there are \"tracecontext\", \"baggage\" and \"none\"",
                given.name
            )),
        }
    }
    asked
}

/// Where a signal goes; none where it is off.
fn destination(
    variables: &Variables<'_>,
    signal: Signal,
    warnings: &mut Vec<String>,
) -> Result<Option<Destination>, TelemetryError> {
    if variables.is_true("OTEL_SDK_DISABLED") {
        return Ok(None);
    }
    let exporter = variables.get(&format!("OTEL_{}_EXPORTER", signal.variable()));
    match exporter.as_ref().map(|given| given.text.as_str()) {
        None | Some("otlp") => Destination::read(variables, signal),
        // Metrics can be scraped in any case.
        Some("none" | "prometheus") => Ok(None),
        Some(_) => {
            // The specification: what isn't known is warned of and ignored.
            let variable = format!("OTEL_{}_EXPORTER", signal.variable());
            warnings.push(format!("{variable} is ignored: it is \"otlp\" or \"none\""));
            Destination::read(variables, signal)
        }
    }
}

impl SpanSettings {
    fn read(variables: &Variables<'_>, mut destination: Destination) -> Result<Self, TelemetryError> {
        let queue = variables.number("OTEL_BSP_MAX_QUEUE_SIZE", 1..=QUEUE_MAX, 2_048)?;
        let batch = variables.number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 1..=QUEUE_MAX, 512)?;
        // The processor has a thread of its own and doesn't read this time itself.
        let limit = variables.millis("OTEL_BSP_EXPORT_TIMEOUT", 1..=HOUR_MS, 30_000)?;
        destination.timeout = destination.timeout.min(limit);
        Ok(Self {
            destination,
            sampler: sampler(variables)?,
            limits: SpanLimits::read(variables)?,
            queue: usize::try_from(queue).ok().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MIN),
            batch: usize::try_from(batch.min(queue)).unwrap_or(1),
            delay: variables.millis("OTEL_BSP_SCHEDULE_DELAY", 1..=HOUR_MS, 5_000)?,
        })
    }
}

impl MetricSettings {
    fn read(variables: &Variables<'_>, mut destination: Destination) -> Result<Self, TelemetryError> {
        // The reader doesn't know this time.
        let limit = variables.millis("OTEL_METRIC_EXPORT_TIMEOUT", 1..=HOUR_MS, 30_000)?;
        destination.timeout = destination.timeout.min(limit);
        let preference = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";
        let temporality = variables.get(preference).map(|given| given.text.parse());
        Ok(Self {
            destination,
            interval: variables.millis("OTEL_METRIC_EXPORT_INTERVAL", 1..=24 * HOUR_MS, 60_000)?,
            temporality: temporality
                .transpose()
                .map_err(|_| mistake(preference, "must be \"cumulative\", \"delta\" or \"lowmemory\""))?
                .unwrap_or_default(),
        })
    }
}

fn sampler(variables: &Variables<'_>) -> Result<Sampler, TelemetryError> {
    let Some(name) = variables.get("OTEL_TRACES_SAMPLER") else { return Ok(Sampler::default()) };
    let argument = variables.get("OTEL_TRACES_SAMPLER_ARG").map(|given| given.text);
    Sampler::parse(&name.text, argument.as_deref()).map_err(|mistaken| match mistaken {
        SamplerMistake::Name => mistake(
            name.name,
            "must be \"always_on\", \"always_off\" or \"traceidratio\", with or without \"parentbased_\" before it",
        ),
        SamplerMistake::Argument => mistake("OTEL_TRACES_SAMPLER_ARG", "must be a number from 0 to 1"),
    })
}

fn resource(variables: &Variables<'_>) -> Result<Vec<(String, String)>, TelemetryError> {
    let mut pairs = match variables.get("OTEL_RESOURCE_ATTRIBUTES") {
        Some(given) => given.pairs()?,
        None => Vec::new(),
    };
    // After the others: the last of a name counts.
    pairs.extend(variables.get("OTEL_SERVICE_NAME").map(|given| ("service.name".to_owned(), given.text)));
    Ok(pairs)
}
