//! Takes spans on one side, gives them to the exporter on the other, with the SDK's batch processor in between.
//!
//! The processor has a queue and a thread of its own. What the queue has no room for is dropped before it is converted, so
//! a collector that hangs costs the service less than one that works.

use std::sync::Arc;
use std::time::Duration;

use opentelemetry::InstrumentationScope;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, SpanData, SpanExporter, SpanProcessor,
};

use super::convert::{bytes, span_data};
use super::environment::SpanSettings;
use super::error::Signal;
use super::flow::{Flow, Totals};
use super::limits::SpanLimits;
use super::outage::Outage;
use super::sampler::Sampler;
use crate::domain::span::{Span, TraceId};
use crate::engine::ports::span_sink::SpanSink;

/// Spans on their way out.
#[derive(Debug)]
pub(super) struct Sink {
    processor: BatchSpanProcessor,
    sampler: Sampler,
    limits: SpanLimits,
    scope: InstrumentationScope,
    flow: Arc<Flow>,
}

impl Sink {
    /// Starts the processor's thread.
    pub fn start<E>(
        exporter: E,
        settings: &SpanSettings,
        scope: InstrumentationScope,
        resource: &Resource,
    ) -> Self
    where
        E: SpanExporter + 'static,
    {
        let flow = Arc::new(Flow::new(settings.queue.get()));
        let config = BatchConfigBuilder::default()
            .with_max_queue_size(settings.queue.get())
            .with_max_export_batch_size(settings.batch)
            .with_scheduled_delay(settings.delay)
            .build();
        let watched = Watched { exporter, flow: Arc::clone(&flow), outage: Outage::new(Signal::Traces) };
        let mut processor = BatchSpanProcessor::new(watched, config);
        processor.set_resource(resource);
        Self { processor, sampler: settings.sampler, limits: settings.limits, scope, flow }
    }

    /// What became of spans until now.
    pub fn totals(&self) -> Totals {
        self.flow.totals()
    }

    /// Exports what waits, and ends. Blocks for that long at most.
    pub fn shutdown(&self, within: Duration) -> OTelSdkResult {
        self.flow.close();
        let ended = self.processor.shutdown_with_timeout(within);
        let Totals { exported, failed, dropped } = self.totals();
        if failed + dropped > 0 {
            tracing::warn!(exported, failed, dropped, "not all spans reached the collector");
        }
        ended
    }
}

impl SpanSink for Sink {
    fn samples(&self, trace: TraceId, parent_sampled: Option<bool>) -> bool {
        self.sampler.samples(trace, parent_sampled)
    }

    fn has_room(&self) -> bool {
        self.flow.has_room()
    }

    fn end(&self, span: Span) {
        if self.flow.enter() {
            let mut data = span_data(span, &self.scope);
            self.limits.apply(&mut data);
            self.flow.weigh(bytes(&data));
            self.processor.on_end(data);
        }
    }
}

/// An exporter that counts what becomes of spans, and speaks of failures itself.
#[derive(Debug)]
struct Watched<E> {
    exporter: E,
    flow: Arc<Flow>,
    outage: Outage,
}

impl<E: SpanExporter> SpanExporter for Watched<E> {
    /// Always ends well: a failure is counted and logged here, the processor would only log it again.
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        self.flow.left(spans, batch.iter().map(bytes).sum());
        let result = Outage::quietly(self.exporter.export(batch)).await;
        self.flow.ended(spans, result.is_ok());
        let Totals { failed, dropped, exported: _ } = self.flow.totals();
        self.outage.ended(&result, failed + dropped);
        Ok(())
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn shutdown(&self) -> OTelSdkResult {
        self.exporter.shutdown()
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}
