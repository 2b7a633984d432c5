//! What is told outside: the exporters, and gauges over parts that are running.

use std::sync::Arc;

use anyhow::Context;
use opentelemetry::KeyValue;
use opentelemetry::metrics::Meter;
use tokio_util::sync::CancellationToken;

use super::archive::RunningArchive;
use super::store::StoreKind;
use crate::config::{Config, Secret};
use crate::domain::telemetry_names::metric;
use crate::edge::http::app::Scrape;
use crate::edge::telemetry::otlp::{self, PROMETHEUS_CONTENT_TYPE, Reached, Telemetry as Exporters};
use crate::edge::telemetry::process;
use crate::engine::coordinator::AggregationCoordinator;
use crate::engine::invoke::Invoker;
use crate::engine::mux::StreamMux;
use crate::engine::telemetry::{Meters, Telemetry};

/// Exporters as the environment asks for them, and what the engine tells them.
pub(super) struct RunningTelemetry {
    pub(super) exporters: Arc<Exporters>,
    pub(super) engine: Telemetry,
}

/// Starts what the `OTEL_*` variables ask for.
///
/// # Errors
/// Where one of them is wrong; the text names it.
pub(super) fn start(config: &Config) -> anyhow::Result<RunningTelemetry> {
    let instance = format!("{:016x}", fastrand::u64(..));
    let variables = |name: &str| variable(config, name);
    // Certificates are read and clients made: a moment once, before anything is served.
    let exporters = Exporters::start(variables, &instance).context("telemetry can't be exported as asked")?;
    let mut engine = Telemetry::new(Meters::new(&exporters.meter()), exporters.spans());
    engine.content = config.telemetry.capture_content;
    engine.propagators = exporters.propagators();
    Ok(RunningTelemetry { exporters: Arc::new(exporters), engine })
}

fn variable(config: &Config, name: &str) -> Option<String> {
    config.otel_variables.get(name).map(Secret::expose).map(str::to_owned)
}

/// The metrics as Prometheus reads them.
pub(super) fn scrape(exporters: Arc<Exporters>) -> Scrape {
    let write = move || exporters.prometheus_text().map_err(|error| error.to_string());
    Scrape { content_type: PROMETHEUS_CONTENT_TYPE, write: Box::new(write) }
}

/// Whether telemetry can be started as asked; gives what is ignored. Nothing is sent. With gRPC it needs the runtime.
///
/// # Errors
/// Where one of the variables is wrong; the text names it.
pub fn check(config: &Config) -> anyhow::Result<Vec<String>> {
    Exporters::check(|name| variable(config, name)).context("telemetry can't be exported as asked")
}

/// Reaches the collectors.
pub(crate) async fn reach(config: &Config) -> Vec<Reached> {
    otlp::reach(|name| variable(config, name)).await
}

/// What is looked at when somebody asks.
pub(super) struct Watched {
    pub(super) coordinator: AggregationCoordinator,
    pub(super) mux: StreamMux,
    pub(super) invoker: Invoker,
    pub(super) draining: CancellationToken,
    pub(super) readers_max: usize,
}

/// Gauges over the parts.
pub(super) fn watch(meter: &Meter, parts: Watched, store: &StoreKind, archive: Option<&RunningArchive>) {
    let Watched { coordinator, mux, invoker, draining, readers_max } = parts;
    gauge(meter, metric::READERS, "", "Open event streams", move || mux.readers());
    gauge(meter, metric::READERS_LIMIT, "", "Event streams that may be open at once", move || readers_max);
    let active = coordinator.clone();
    gauge(meter, metric::SESSIONS_ACTIVE, "", "Sessions in memory", move || active.active());
    let store_up = "Whether the store of sessions answers: 1 or 0";
    gauge(meter, metric::STORE_UP, "", store_up, move || usize::from(coordinator.store_health().is_ok()));
    let stopping = "Whether the service is stopping: 1 or 0";
    gauge(meter, metric::DRAINING, "", stopping, move || usize::from(draining.is_cancelled()));
    breakers(meter, invoker);
    process::watch(meter);
    let bytes = "Bytes of sessions in this process";
    match store {
        StoreKind::Memory(cache) => {
            let cache = cache.clone();
            gauge(meter, metric::STORE_BYTES, "By", bytes, move || cache.bytes());
        }
        StoreKind::Redis(cache) => {
            let held = cache.clone();
            gauge(meter, metric::STORE_BYTES, "By", bytes, move || held.bytes());
            redis(meter, cache.clone());
        }
    }
    let Some(archive) = archive.map(RunningArchive::parts) else { return };
    let (backlog, oldest) = (archive.backlog.clone(), archive.backlog);
    let archive = archive.archive;
    let archive_up = "Whether the archive answers: 1 or 0";
    gauge(meter, metric::ARCHIVE_UP, "", archive_up, move || usize::from(archive.health().is_ok()));
    let waiting = "Sessions with entries that the archive hasn't got yet";
    gauge(meter, metric::ARCHIVE_WAITING, "", waiting, move || backlog.sessions());
    meter
        .f64_observable_gauge(metric::ARCHIVE_LAG)
        .with_unit("s")
        .with_description("How long the session that waits longest for the archive has waited")
        .with_callback(move |seen| seen.observe(oldest.lag().as_secs_f64(), &[]))
        .build();
}

fn gauge(
    meter: &Meter,
    name: &'static str,
    unit: &'static str,
    text: &'static str,
    look: impl Fn() -> usize + Send + Sync + 'static,
) {
    let gauge = meter.u64_observable_gauge(name).with_unit(unit).with_description(text);
    gauge.with_callback(move |seen| seen.observe(look() as u64, &[])).build();
}

fn breakers(meter: &Meter, invoker: Invoker) {
    let gauge = meter
        .u64_observable_gauge(metric::BREAKERS)
        .with_description("Circuit breakers of subagents that were called here, by subagent and state");
    let look = move |seen: &dyn opentelemetry::metrics::AsyncInstrument<u64>| {
        for ((subagent, state), count) in invoker.breaker_counts() {
            seen.observe(count as u64, &[KeyValue::new("subagent", subagent), KeyValue::new("state", state)]);
        }
    };
    gauge.with_callback(look).build();
}

fn redis(meter: &Meter, cache: crate::edge::cache::RedisCache) {
    let gauge = meter
        .u64_observable_gauge(metric::REDIS_CONNECTIONS)
        .with_description("Connections to Redis that are up, by use; of a cluster commands have one a node");
    let look = move |seen: &dyn opentelemetry::metrics::AsyncInstrument<u64>| {
        for (kind, up) in cache.connections() {
            seen.observe(u64::from(up), &[KeyValue::new("kind", kind)]);
        }
    };
    gauge.with_callback(look).build();
}
