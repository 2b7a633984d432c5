//! Spans and metrics out of the process, as the standard `OTEL_*` variables say: OTLP over HTTP or gRPC, and metrics for a
//! scrape in any case.
//!
//! Off where no endpoint is set: then there is no sink for spans, no thread and no client. A collector that is slow, away
//! or wrong costs spans, never the service's time or memory: the queue is bounded in spans and in bytes, what it has no
//! room for is dropped and counted, and the exporters wait on threads of their own.
//!
//! Every variable that is used is checked at the start (`environment`, `destination`), and a mistake is an error that
//! names it. The SDK's limits of spans are applied here (`limits`): spans are values that the SDK doesn't
//! make.

mod convert;
mod destination;
mod environment;
mod error;
mod exporters;
mod flow;
mod limits;
mod meters;
mod outage;
mod reach;
mod sampler;
mod sink;
#[cfg(test)]
mod tests;
mod variables;

use std::sync::Arc;
use std::time::Duration;

use opentelemetry::metrics::{Meter, MeterProvider};
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;

pub use self::error::{Signal, TelemetryError};
pub use self::meters::PROMETHEUS_CONTENT_TYPE;
pub use self::sampler::{Root, Sampler, SamplerMistake};

use self::environment::Settings;
pub use self::reach::{Reached, reach};

use self::flow::Totals;
use self::meters::Meters;
use self::sink::Sink;
use self::variables::Variables;
use crate::domain::telemetry_names::metric;
use crate::engine::ports::span_sink::SpanSink;
use crate::engine::telemetry::Propagators;

/// The name of the instrumentation, and of the service unless `OTEL_SERVICE_NAME` says otherwise.
const NAME: &str = "tributary";

/// What goes out of this process. Ended by [`shutdown`](Self::shutdown); without it, what waits is lost.
#[derive(Debug)]
pub struct Telemetry {
    sink: Option<Arc<Sink>>,
    meters: Meters,
    propagators: Propagators,
}

impl Telemetry {
    /// Starts what the environment asks for. `environment` gives a variable's text by its name; `instance` becomes
    /// `service.instance.id`, unless `OTEL_RESOURCE_ATTRIBUTES` has one.
    ///
    /// Blocks for the time it takes to read certificates. With gRPC it must be called inside the tokio runtime that the
    /// service runs on.
    pub fn start(
        environment: impl Fn(&str) -> Option<String>,
        instance: &str,
    ) -> Result<Self, TelemetryError> {
        let settings = Settings::read(&Variables::new(&environment))?;
        settings.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
        let resource = resource(settings.resource, instance);
        let push = match &settings.metrics {
            Some(asked) => Some((exporters::metrics(&asked.destination, asked.temporality)?, asked.interval)),
            None => None,
        };
        let sink = match &settings.spans {
            Some(asked) => {
                let exporter = exporters::spans(&asked.destination)?;
                Some(Arc::new(Sink::start(exporter, asked, scope(), &resource)))
            }
            None => None,
        };
        let meters = Meters::start(resource, push)?;
        let telemetry = Self { sink, meters, propagators: settings.propagators };
        telemetry.count_spans();
        Ok(telemetry)
    }

    /// Whether what the environment asks for can be started; gives what of it is ignored, a sentence each. Nothing is sent.
    pub fn check(environment: impl Fn(&str) -> Option<String>) -> Result<Vec<String>, TelemetryError> {
        let settings = Settings::read(&Variables::new(&environment))?;
        if let Some(asked) = &settings.metrics {
            exporters::metrics(&asked.destination, asked.temporality)?;
        }
        if let Some(asked) = &settings.spans {
            exporters::spans(&asked.destination)?;
        }
        Ok(settings.warnings)
    }

    /// Where spans go; none where nobody wants them.
    pub fn spans(&self) -> Option<Arc<dyn SpanSink>> {
        self.sink.clone().map(|sink| sink as Arc<dyn SpanSink>)
    }

    /// What carries traces in and out.
    pub fn propagators(&self) -> Propagators {
        self.propagators
    }

    /// Makes instruments. What they measure is in scrapes, and pushed where that is on.
    pub fn meter(&self) -> Meter {
        self.meters.provider.meter_with_scope(scope())
    }

    /// All metrics in Prometheus' text format, of type [`PROMETHEUS_CONTENT_TYPE`]. Calls the observable instruments'
    /// callbacks.
    pub fn prometheus_text(&self) -> Result<String, TelemetryError> {
        self.meters.prometheus_text()
    }

    /// Spans that there was no room for, since the start.
    pub fn dropped_spans(&self) -> u64 {
        self.sink.as_ref().map_or(0, |sink| sink.totals().dropped)
    }

    /// Sends what waits, and ends; within that time, whether the collector answers or not. Afterwards spans are dropped
    /// and scrapes are empty. A second call does nothing.
    pub async fn shutdown(&self, within: Duration) {
        let (sink, provider) = (self.sink.clone(), self.meters.provider.clone());
        let (spans_done, spans_over) = tokio::sync::oneshot::channel();
        let (metrics_done, metrics_over) = tokio::sync::oneshot::channel();
        // Threads of their own: the runtime would wait at its end for blocking tasks that hang.
        let flush = std::thread::Builder::new().name("telemetry-spans".into()).spawn(move || {
            let ended = sink.map(|sink| sink.shutdown(within));
            if let Some(Err(error)) = ended {
                tracing::debug!(%error, "spans were not flushed");
            }
            // Nobody waits any more when the time is over.
            let _ = spans_done.send(());
        });
        let push = std::thread::Builder::new().name("telemetry-metrics".into()).spawn(move || {
            end_metrics(&provider);
            let _ = metrics_done.send(());
        });
        if let Err(error) = flush.and(push) {
            tracing::warn!(%error, "telemetry ends without a flush: no thread");
        }
        let both = async { tokio::join!(spans_over, metrics_over) };
        if tokio::time::timeout(within, both).await.is_err() {
            tracing::warn!(?within, "telemetry ends without all that waited");
        }
    }

    /// Makes what becomes of spans visible.
    fn count_spans(&self) {
        let Some(sink) = &self.sink else { return };
        let meter = self.meter();
        let count = |name: &'static str, help: &'static str, read: fn(Totals) -> u64| {
            let sink = Arc::downgrade(sink);
            meter
                .u64_observable_counter(name)
                .with_description(help)
                .with_unit("{span}")
                .with_callback(move |seen| {
                    if let Some(sink) = sink.upgrade() {
                        seen.observe(read(sink.totals()), &[]);
                    }
                })
                .build();
        };
        count(metric::SPANS_EXPORTED, "Spans that the collector took.", |totals| totals.exported);
        count(metric::SPANS_FAILED, "Spans whose export failed.", |totals| totals.failed);
        count(metric::SPANS_DROPPED, "Spans that the queue had no room for.", |totals| totals.dropped);
    }
}

impl Drop for Telemetry {
    /// The provider's last handle waits for a push; that must not be the runtime's thread.
    fn drop(&mut self) {
        let provider = self.meters.provider.clone();
        let ending = std::thread::Builder::new().name("telemetry-end".into());
        if let Err(error) = ending.spawn(move || end_metrics(&provider)) {
            tracing::debug!(%error, "no thread to end metrics on");
        }
    }
}

fn end_metrics(provider: &SdkMeterProvider) {
    if let Err(error) = provider.shutdown() {
        tracing::debug!(%error, "metrics were not flushed");
    }
}

fn scope() -> InstrumentationScope {
    InstrumentationScope::builder(NAME).with_version(env!("CARGO_PKG_VERSION")).build()
}

/// What this process is: the SDK's own attributes, then ours, then what the environment says.
fn resource(asked: Vec<(String, String)>, instance: &str) -> Resource {
    let ours = [
        KeyValue::new("service.name", NAME),
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        KeyValue::new("service.instance.id", instance.to_owned()),
    ];
    let sdk = Box::new(opentelemetry_sdk::resource::TelemetryResourceDetector);
    Resource::builder_empty()
        .with_detector(sdk)
        .with_attributes(ours)
        .with_attributes(asked.into_iter().map(|(name, value)| KeyValue::new(name, value)))
        .build()
}
