//! Makes the exporters: OTLP as protobuf over HTTP with a blocking client, or over gRPC on the runtime around the call.
//!
//! The exporters run on threads of the SDK's own, where a blocking client may wait. Each client is made here rather than
//! by the crates: they read no certificate, follow redirects with the collector's key in hand, and let a connection that
//! never opens hang.

use std::path::Path;

use opentelemetry_otlp::{
    Compression, MetricExporter, Protocol as Otlp, SpanExporter, WithExportConfig, WithHttpConfig,
    WithTonicConfig,
};
use opentelemetry_sdk::metrics::Temporality;
use reqwest::blocking::Client;
use tonic::metadata::MetadataMap;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};

use super::destination::{Destination, Protocol};
use super::error::{Signal, TelemetryError, mistake};
use super::variables::Given;

/// An exporter of spans.
pub(super) fn spans(to: &Destination) -> Result<SpanExporter, TelemetryError> {
    match to.protocol {
        Protocol::HttpProtobuf => over_http(SpanExporter::builder().with_http(), to)?.build(),
        Protocol::Grpc => over_grpc(SpanExporter::builder().with_tonic(), to)?.build(),
    }
    .map_err(|error| failed(Signal::Traces, error))
}

/// An exporter of metrics.
pub(super) fn metrics(to: &Destination, temporality: Temporality) -> Result<MetricExporter, TelemetryError> {
    let builder = MetricExporter::builder().with_temporality(temporality);
    match to.protocol {
        Protocol::HttpProtobuf => over_http(builder.with_http(), to)?.build(),
        Protocol::Grpc => over_grpc(builder.with_tonic(), to)?.build(),
    }
    .map_err(|error| failed(Signal::Metrics, error))
}

fn failed(signal: Signal, error: impl std::fmt::Display) -> TelemetryError {
    TelemetryError::Exporter { signal, problem: error.to_string() }
}

fn over_http<B: WithExportConfig + WithHttpConfig>(
    builder: B,
    to: &Destination,
) -> Result<B, TelemetryError> {
    let builder = builder
        .with_endpoint(to.endpoint.as_str())
        .with_protocol(Otlp::HttpBinary)
        .with_timeout(to.timeout)
        .with_http_client(http_client(to)?);
    Ok(if to.gzip { WithHttpConfig::with_compression(builder, Compression::Gzip) } else { builder })
}

fn over_grpc<B: WithExportConfig + WithTonicConfig>(
    builder: B,
    to: &Destination,
) -> Result<B, TelemetryError> {
    let builder = builder
        .with_timeout(to.timeout)
        .with_metadata(MetadataMap::from_headers(to.headers.clone()))
        .with_channel(channel(to)?);
    Ok(if to.gzip { WithTonicConfig::with_compression(builder, Compression::Gzip) } else { builder })
}

fn http_client(to: &Destination) -> Result<Client, TelemetryError> {
    let mut builder = Client::builder()
        .timeout(to.timeout)
        .redirect(reqwest::redirect::Policy::none())
        .default_headers(to.headers.clone());
    if let Some(given) = &to.certificates.authority {
        let read = reqwest::Certificate::from_pem_bundle(&file(given)?);
        let authorities = read.ok().filter(|found| !found.is_empty()).ok_or_else(|| no_certificate(given))?;
        builder = builder.tls_certs_only(authorities);
    }
    if let Some((certificate, key)) = &to.certificates.client {
        let pem = [file(certificate)?, b"\n".to_vec(), file(key)?].concat();
        builder =
            builder.identity(reqwest::Identity::from_pem(&pem).map_err(|_| no_certificate(certificate))?);
    }
    // A blocking client can't be made on a thread that drives a runtime.
    let made = std::thread::scope(|scope| scope.spawn(|| builder.build()).join());
    match made {
        Ok(Ok(client)) => Ok(client),
        Ok(Err(error)) => Err(mistake(&to.variable, format!("can't be used: {}", with_causes(&error)))),
        Err(_) => Err(mistake(&to.variable, "can't be used: making a client panicked")),
    }
}

fn channel(to: &Destination) -> Result<Channel, TelemetryError> {
    if tokio::runtime::Handle::try_current().is_err() {
        return Err(TelemetryError::NoRuntime);
    }
    let wrong = |error: tonic::transport::Error| {
        mistake(&to.variable, format!("can't be used: {}", with_causes(&error)))
    };
    let mut endpoint = Endpoint::from_shared(to.endpoint.as_str().to_owned()).map_err(wrong)?;
    if to.endpoint.scheme() == "https" {
        endpoint = endpoint.tls_config(tls(to)?).map_err(wrong)?;
    }
    Ok(endpoint.timeout(to.timeout).connect_timeout(to.timeout).connect_lazy())
}

fn tls(to: &Destination) -> Result<ClientTlsConfig, TelemetryError> {
    let mut tls = ClientTlsConfig::new();
    tls = match &to.certificates.authority {
        Some(given) => {
            let pem = file(given)?;
            let read = reqwest::Certificate::from_pem_bundle(&pem);
            read.ok().filter(|found| !found.is_empty()).ok_or_else(|| no_certificate(given))?;
            tls.ca_certificate(Certificate::from_pem(pem))
        }
        None => tls.with_native_roots(),
    };
    Ok(match &to.certificates.client {
        Some((certificate, key)) => tls.identity(Identity::from_pem(file(certificate)?, file(key)?)),
        None => tls,
    })
}

fn file(given: &Given) -> Result<Vec<u8>, TelemetryError> {
    std::fs::read(Path::new(&given.text))
        .map_err(|error| mistake(&given.name, format!("names a file that can't be read: {error}")))
}

fn no_certificate(given: &Given) -> TelemetryError {
    mistake(&given.name, "names a file without what it is for, in PEM form")
}

/// An error with what led to it, on a line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
