//! Whether a collector takes what it would be sent: an export of nothing, which the protocol allows.

use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::data::ResourceMetrics;
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::trace::SpanExporter as _;

use super::destination::{Destination, Protocol};
use super::environment::Settings;
use super::exporters;
use super::variables::Variables;

/// A signal's name, and why its collector doesn't take it.
pub type Reached = (&'static str, Result<String, String>);

/// Sends nothing to each collector that the environment names.
pub async fn reach(environment: impl Fn(&str) -> Option<String>) -> Vec<Reached> {
    let settings = match Settings::read(&Variables::new(&environment)) {
        Ok(settings) => settings,
        Err(error) => return vec![("telemetry", Err(error.to_string()))],
    };
    let mut reached = Vec::new();
    if let Some(to) = settings.spans.map(|spans| spans.destination) {
        let sent = match exporters::spans(&to) {
            Ok(exporter) => sent(&to, async move { exporter.export(Vec::new()).await }).await,
            Err(error) => Err(error.to_string()),
        };
        reached.push(("traces", sent.map(|()| found(&to))));
    }
    if let Some(asked) = settings.metrics {
        let to = asked.destination;
        let sent = match exporters::metrics(&to, asked.temporality) {
            Ok(exporter) => {
                sent(&to, async move { exporter.export(&ResourceMetrics::default()).await }).await
            }
            Err(error) => Err(error.to_string()),
        };
        reached.push(("metrics", sent.map(|()| found(&to))));
    }
    reached
}

fn found(to: &Destination) -> String {
    format!("reachable, {}", to.endpoint.host_str().unwrap_or_default())
}

/// Over HTTP the client blocks, and may not do so on a thread of the runtime.
async fn sent(
    to: &Destination,
    export: impl Future<Output = OTelSdkResult> + Send + 'static,
) -> Result<(), String> {
    let sent = match to.protocol {
        Protocol::Grpc => export.await,
        Protocol::HttpProtobuf => {
            let (done, over) = tokio::sync::oneshot::channel();
            std::thread::spawn(move || {
                // Whoever asked may have gone.
                let _ = done.send(futures::executor::block_on(export));
            });
            over.await.map_err(|_| "the exporter panicked".to_owned())?
        }
    };
    sent.map_err(|error| error.to_string())
}
