//! Why telemetry doesn't start. Each names the variable to look at and never its value: endpoints and headers carry secrets.

use std::fmt;

/// The service can't export as it was told to.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// A variable has a value that can't be used.
    #[error("{variable} {problem}")]
    Variable {
        /// Its name.
        variable: String,
        /// What is wrong with it, as the end of a sentence that begins with the name.
        problem: String,
    },
    /// An exporter couldn't be made from variables that look right.
    #[error("can't export {signal}: {problem}")]
    Exporter {
        /// Of what.
        signal: Signal,
        /// Why not.
        problem: String,
    },
    /// gRPC needs tokio's runtime around the call.
    #[error("OTLP over gRPC must be started inside a tokio runtime")]
    NoRuntime,
    /// The metrics can't be read for a scrape.
    #[error("can't write the metrics: {0}")]
    Scrape(String),
}

/// What is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Spans.
    Traces,
    /// Counters, gauges, histograms.
    Metrics,
}

impl Signal {
    /// Its part of a variable's name.
    pub(super) fn variable(self) -> &'static str {
        match self {
            Self::Traces => "TRACES",
            Self::Metrics => "METRICS",
        }
    }

    /// Its path below an endpoint that all signals share
    /// (<https://opentelemetry.io/docs/specs/otel/protocol/exporter/#endpoint-urls-for-otlphttp>).
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Traces => "/v1/traces",
            Self::Metrics => "/v1/metrics",
        }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Traces => "spans",
            Self::Metrics => "metrics",
        })
    }
}

/// A mistake in a variable.
pub(super) fn mistake(variable: impl Into<String>, problem: impl Into<String>) -> TelemetryError {
    TelemetryError::Variable { variable: variable.into(), problem: problem.into() }
}
