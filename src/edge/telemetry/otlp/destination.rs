//! Where a signal's exporter connects to, and how: `OTEL_EXPORTER_OTLP_*`
//! (<https://opentelemetry.io/docs/specs/otel/protocol/exporter/>).

use std::fmt;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use super::error::{Signal, TelemetryError, mistake};
use super::variables::{Given, Variables};

/// A collector, as one signal's exporter sees it.
pub(super) struct Destination {
    /// The variable that the endpoint is from, for messages.
    pub variable: String,
    /// The whole address, with its path where the protocol has one.
    pub endpoint: Url,
    pub protocol: Protocol,
    pub headers: HeaderMap,
    /// How long an export may take, with its retries.
    pub timeout: Duration,
    pub gzip: bool,
    pub certificates: Certificates,
}

/// How the messages travel. `http/json` isn't offered: some collectors refuse it, none needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    HttpProtobuf,
    Grpc,
}

/// Files in PEM form for TLS.
#[derive(Debug, Default)]
pub(super) struct Certificates {
    /// Who signs the collector; the system's authorities where it isn't set.
    pub authority: Option<Given>,
    /// This client's certificate and its key, for collectors that ask.
    pub client: Option<(Given, Given)>,
}

impl Destination {
    /// Reads a signal's variables; none where no endpoint is set.
    pub fn read(variables: &Variables<'_>, signal: Signal) -> Result<Option<Self>, TelemetryError> {
        let Some(given) = variables.of_signal(signal, "ENDPOINT") else { return Ok(None) };
        let shared = given.name == "OTEL_EXPORTER_OTLP_ENDPOINT";
        let protocol = protocol(variables, signal)?;
        let mut endpoint = match protocol {
            Protocol::HttpProtobuf => parse(&given, &given.text)?,
            Protocol::Grpc => parse(&given, &with_scheme(variables, signal, &given.text))?,
        };
        if shared && protocol == Protocol::HttpProtobuf {
            let path = format!("{}{}", endpoint.path().trim_end_matches('/'), signal.path());
            endpoint.set_path(&path);
        }
        Ok(Some(Self {
            variable: given.name,
            endpoint,
            protocol,
            headers: headers(variables, signal)?,
            timeout: timeout(variables, signal)?,
            gzip: gzip(variables, signal)?,
            certificates: certificates(variables, signal)?,
        }))
    }
}

impl fmt::Debug for Destination {
    /// Without what may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Destination").field("variable", &self.variable).finish_non_exhaustive()
    }
}

fn protocol(variables: &Variables<'_>, signal: Signal) -> Result<Protocol, TelemetryError> {
    let Some(given) = variables.of_signal(signal, "PROTOCOL") else { return Ok(Protocol::HttpProtobuf) };
    match given.text.as_str() {
        "http/protobuf" => Ok(Protocol::HttpProtobuf),
        "grpc" => Ok(Protocol::Grpc),
        "http/json" => Err(mistake(
            given.name,
            "names \"http/json\", which isn't offered: use \"http/protobuf\" or \"grpc\"",
        )),
        _ => Err(mistake(given.name, "must be \"http/protobuf\" or \"grpc\"")),
    }
}

fn parse(given: &Given, text: &str) -> Result<Url, TelemetryError> {
    let wrong = |why: &str| mistake(&given.name, format!("must be an http:// or https:// address: {why}"));
    let url = Url::parse(text).map_err(|error| wrong(&error.to_string()))?;
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(url),
        _ => Err(wrong("it has another scheme")),
    }
}

/// A gRPC endpoint may be `host:port` alone, with TLS unless `…_INSECURE` says otherwise.
fn with_scheme(variables: &Variables<'_>, signal: Signal, text: &str) -> String {
    if text.contains("://") {
        return text.to_owned();
    }
    let insecure = variables.of_signal(signal, "INSECURE");
    let plain = insecure.is_some_and(|given| given.text.eq_ignore_ascii_case("true"));
    format!("{}://{text}", if plain { "http" } else { "https" })
}

fn headers(variables: &Variables<'_>, signal: Signal) -> Result<HeaderMap, TelemetryError> {
    let mut headers = HeaderMap::new();
    let Some(given) = variables.of_signal(signal, "HEADERS") else { return Ok(headers) };
    for (name, value) in given.pairs()? {
        let name = HeaderName::try_from(name)
            .map_err(|_| mistake(&given.name, "has a name that no header can have"))?;
        let mut value = HeaderValue::try_from(value)
            .map_err(|_| mistake(&given.name, format!("has a value for {name} that no header can have")))?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

fn timeout(variables: &Variables<'_>, signal: Signal) -> Result<Duration, TelemetryError> {
    let given = variables.of_signal(signal, "TIMEOUT");
    let millis = given.map_or(Ok(10_000), |given| given.number(1..=600_000));
    millis.map(Duration::from_millis)
}

fn gzip(variables: &Variables<'_>, signal: Signal) -> Result<bool, TelemetryError> {
    let Some(given) = variables.of_signal(signal, "COMPRESSION") else { return Ok(false) };
    match given.text.as_str() {
        "gzip" => Ok(true),
        "none" => Ok(false),
        _ => Err(mistake(given.name, "must be \"gzip\" or \"none\"")),
    }
}

fn certificates(variables: &Variables<'_>, signal: Signal) -> Result<Certificates, TelemetryError> {
    let certificate = variables.of_signal(signal, "CLIENT_CERTIFICATE");
    let key = variables.of_signal(signal, "CLIENT_KEY");
    let client = match (certificate, key) {
        (Some(certificate), Some(key)) => Some((certificate, key)),
        (None, None) => None,
        (Some(given), None) => return Err(mistake(given.name, "needs the client's key as well")),
        (None, Some(given)) => return Err(mistake(given.name, "needs the client's certificate as well")),
    };
    Ok(Certificates { authority: variables.of_signal(signal, "CERTIFICATE"), client })
}
