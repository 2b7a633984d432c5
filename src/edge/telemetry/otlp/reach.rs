//! Whether a collector takes what it would be sent: an export of nothing, which the protocol allows.

use std::time::Duration;

use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::data::ResourceMetrics;
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::trace::SpanExporter as _;

use super::destination::{Destination, Protocol};
use super::environment::Settings;
use super::exporters;
use super::variables::Variables;

/// How long a connection may take, where it is only looked why none can be made.
const CONNECT_TIME: Duration = Duration::from_secs(3);

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
    match sent {
        Ok(()) => Ok(()),
        Err(error) => Err(match unconnected(to).await {
            Some(why) => format!("{error}: {why}"),
            None => error.to_string(),
        }),
    }
}

/// Why no connection can be made: the exporter says `network error`, and no more.
async fn unconnected(to: &Destination) -> Option<String> {
    let host = to.endpoint.host_str()?.trim_matches(['[', ']']);
    let address = (host, to.endpoint.port_or_known_default()?);
    match tokio::time::timeout(CONNECT_TIME, tokio::net::TcpStream::connect(address)).await {
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some(format!("no connection in {} s", CONNECT_TIME.as_secs())),
    }
}
