//! Reads single variables by the rules that all of them share: an empty one isn't set, a signal's own goes before the one
//! for all signals, a mistake names the variable
//! (<https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/>).

use std::ops::RangeInclusive;
use std::time::Duration;

use percent_encoding::percent_decode_str;

use super::error::{Signal, TelemetryError, mistake};

/// The environment as a value: a variable's text by its name.
pub(super) struct Variables<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
}

/// A variable that is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Given {
    /// Its name.
    pub name: String,
    /// Its text, not empty, without space around it.
    pub text: String,
}

impl<'a> Variables<'a> {
    pub fn new(read: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { read }
    }

    /// A variable's text, where it is set and not empty.
    pub fn get(&self, name: &str) -> Option<Given> {
        let text = (self.read)(name)?.trim().to_owned();
        (!text.is_empty()).then(|| Given { name: name.to_owned(), text })
    }

    /// A signal's own `OTEL_EXPORTER_OTLP_<SIGNAL>_<END>`, else `OTEL_EXPORTER_OTLP_<END>`.
    pub fn of_signal(&self, signal: Signal, end: &str) -> Option<Given> {
        let own = self.get(&format!("OTEL_EXPORTER_OTLP_{}_{end}", signal.variable()));
        own.or_else(|| self.get(&format!("OTEL_EXPORTER_OTLP_{end}")))
    }

    /// Whether a switch is on: only `true` is.
    pub fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(|given| given.text.eq_ignore_ascii_case("true"))
    }

    /// A whole number in a range, or the default.
    pub fn number(
        &self,
        name: &str,
        range: RangeInclusive<u64>,
        default: u64,
    ) -> Result<u64, TelemetryError> {
        self.get(name).map_or(Ok(default), |given| given.number(range))
    }

    /// A time in milliseconds in a range, or the default.
    pub fn millis(
        &self,
        name: &str,
        range: RangeInclusive<u64>,
        default: u64,
    ) -> Result<Duration, TelemetryError> {
        self.number(name, range, default).map(Duration::from_millis)
    }
}

impl Given {
    /// This text as a whole number in a range.
    pub fn number(&self, range: RangeInclusive<u64>) -> Result<u64, TelemetryError> {
        let number = self.text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            mistake(&self.name, format!("must be a whole number from {} to {}", range.start(), range.end()))
        })
    }

    /// This text as `name=value` pairs with commas between them, values percent-encoded, as in W3C baggage.
    pub fn pairs(&self) -> Result<Vec<(String, String)>, TelemetryError> {
        let pairs = self.text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
        pairs.map(|pair| self.pair(pair)).collect()
    }

    fn pair(&self, pair: &str) -> Result<(String, String), TelemetryError> {
        let (name, value) = pair
            .split_once('=')
            .filter(|(name, _)| !name.trim().is_empty())
            .ok_or_else(|| mistake(&self.name, "must be name=value pairs with commas between them"))?;
        let value = percent_decode_str(value.trim()).decode_utf8();
        let value = value.map_err(|_| mistake(&self.name, "has percent-encoded bytes that aren't UTF-8"))?;
        Ok((name.trim().to_owned(), value.into_owned()))
    }
}
