//! Metrics: one set of instruments, read by a scrape and, where it was asked for, pushed now and then.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::data::ResourceMetrics;
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider, Temporality};
use prometheus::{Registry, TextEncoder};

use super::error::{Signal, TelemetryError};
use super::outage::Outage;

/// The type of what [`Telemetry::prometheus_text`](super::Telemetry::prometheus_text) writes
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format>).
pub const PROMETHEUS_CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Where instruments come from, and both their readers.
#[derive(Debug)]
pub(super) struct Meters {
    pub provider: SdkMeterProvider,
    registry: Registry,
}

impl Meters {
    /// Instruments for scrapes, and for an exporter, each in so long.
    pub fn start<E>(resource: Resource, push: Option<(E, Duration)>) -> Result<Self, TelemetryError>
    where
        E: PushMetricExporter,
    {
        let registry = Registry::new();
        // One service has one scope; on each series its labels would say nothing.
        let scrape = opentelemetry_prometheus::exporter()
            .with_registry(registry.clone())
            .scope_info_enabled(false)
            .build()
            .map_err(|error| TelemetryError::Scrape(error.to_string()))?;
        let mut provider = SdkMeterProvider::builder().with_resource(resource).with_reader(scrape);
        if let Some((exporter, interval)) = push {
            let (outage, failed) = (Outage::new(Signal::Metrics), AtomicU64::new(0));
            let reader = PeriodicReader::builder(Watched { exporter, outage, failed });
            provider = provider.with_reader(reader.with_interval(interval).build());
        }
        Ok(Self { provider: provider.build(), registry })
    }

    /// All metrics in Prometheus' text format 0.0.4, as they are now.
    pub fn prometheus_text(&self) -> Result<String, TelemetryError> {
        let text = TextEncoder::new().encode_to_string(&self.registry.gather());
        text.map_err(|error| TelemetryError::Scrape(error.to_string()))
    }
}

/// An exporter that speaks of failures itself. What a push loses, the next one makes up for where sums are cumulative.
struct Watched<E> {
    exporter: E,
    outage: Outage,
    failed: AtomicU64,
}

impl<E: PushMetricExporter> PushMetricExporter for Watched<E> {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        let result = Outage::quietly(self.exporter.export(metrics)).await;
        let failed = u64::from(result.is_err());
        self.outage.ended(&result, self.failed.fetch_add(failed, Ordering::Relaxed) + failed);
        Ok(())
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn shutdown(&self) -> OTelSdkResult {
        self.exporter.shutdown()
    }

    fn temporality(&self) -> Temporality {
        self.exporter.temporality()
    }
}
