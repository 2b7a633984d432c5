//! How one call is answered: the fields of a query string and of a script's entries.
//!
//! Both are read by the same code, so each field has one name, one type and one bound. Unknown fields are refused: a typing
//! error in a test would otherwise be a test of nothing. Every duration and size has a bound, so that no caller can make
//! the simulator hold more than it should.

use serde::Deserialize;
use serde::de::value::{Error as ValueError, MapDeserializer};

mod given;
#[cfg(test)]
mod tests;

use given::{number, text, truth, usage, word};

/// Longest of each wait: an hour.
const WAIT_MS_MAX: u64 = 3_600_000;
/// Most pieces of an answer.
const CHUNKS_MAX: u64 = 10_000;
/// Longest text, in bytes.
const TEXT_BYTES_MAX: u64 = 16 << 20;
/// Longest endless answer, in bytes.
const HUGE_BYTES_MAX: u64 = 1 << 40;
/// Longest text of a field, in bytes.
const FIELD_BYTES_MAX: usize = 2_048;

/// How a call is answered. What isn't set is as an ordinary subagent does it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Behaviour {
    /// Wait before the head of the answer, in milliseconds.
    #[serde(deserialize_with = "number")]
    pub latency_ms: Option<u64>,
    /// Wait between the head and the first byte of the body, in milliseconds.
    #[serde(deserialize_with = "number")]
    pub first_byte_ms: Option<u64>,
    /// Wait before each further piece, in milliseconds.
    #[serde(deserialize_with = "number")]
    pub chunk_ms: Option<u64>,
    /// In how many pieces the output comes: outputs that grow, deltas, or cuts of one document.
    #[serde(deserialize_with = "number")]
    pub chunks: Option<u64>,
    /// The HTTP status.
    #[serde(deserialize_with = "number")]
    pub status: Option<u64>,
    /// `Retry-After` of a failure: seconds or a date.
    #[serde(deserialize_with = "text")]
    pub retry_after: Option<String>,
    /// That many first calls of a name fail.
    #[serde(deserialize_with = "number")]
    pub fail: Option<u64>,
    /// Where the answer stops, until the peer goes.
    #[serde(deserialize_with = "word")]
    pub hang: Option<Hang>,
    /// What stands in place of an answer.
    #[serde(deserialize_with = "word")]
    pub garbage: Option<Garbage>,
    /// How long `garbage=huge` and `garbage=binary` are, in bytes.
    #[serde(deserialize_with = "number")]
    pub bytes: Option<u64>,
    /// That many events at once; what follows is paced.
    #[serde(deserialize_with = "number")]
    pub burst: Option<u64>,
    /// What a safety subagent decides.
    #[serde(deserialize_with = "word")]
    pub decision: Option<Decision>,
    /// Whom a safety subagent's decision is about.
    #[serde(deserialize_with = "text")]
    pub subagent: Option<String>,
    /// Whether a safety subagent asks for the step to end.
    #[serde(deserialize_with = "truth")]
    pub terminate: Option<bool>,
    /// Explicit events in place of raw outputs, and how the last of them ends.
    #[serde(deserialize_with = "word")]
    pub status_event: Option<StatusEvent>,
    /// Whether an explicit error can get better, or a failing status.
    #[serde(deserialize_with = "truth")]
    pub retryable: Option<bool>,
    /// Length of the text of a model's answer, in bytes.
    #[serde(deserialize_with = "number")]
    pub text_bytes: Option<u64>,
    /// Whether a model says how many tokens it took.
    #[serde(deserialize_with = "usage")]
    pub usage: Option<Usage>,
    /// `Location` of a redirect.
    #[serde(deserialize_with = "text")]
    pub redirect: Option<String>,
    /// The redirect's status; 307 where it isn't set.
    #[serde(deserialize_with = "number")]
    pub redirect_status: Option<u64>,
    /// Chooses among the outputs that the same request may give.
    #[serde(deserialize_with = "number")]
    pub seed: Option<u64>,
    /// Which A2A the answer speaks, whatever the caller asked for: `0.3` or `1.0`.
    #[serde(deserialize_with = "text")]
    pub version: Option<String>,
}

/// Where a call that never ends stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hang {
    /// Before the head.
    Head,
    /// In the middle of the body.
    Body,
}

/// What stands in place of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Garbage {
    /// What says that it is JSON and isn't.
    Json,
    /// A page for people, with status 200.
    Html,
    /// Bytes that are no text.
    Binary,
    /// An answer whose connection closes in the middle of a chunk.
    Truncated,
    /// An answer that is well-formed and far too long.
    Huge,
}

/// What a safety subagent decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Nothing is wrong.
    #[default]
    Allow,
    /// It must not be.
    Refuse,
    /// A person must look.
    Escalate,
}

/// How an answer of explicit events ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatusEvent {
    /// With a success.
    Success,
    /// With an error.
    Error,
    /// Not at all: there are partial events only.
    Partial,
}

/// What a model says of the tokens it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// Nothing.
    Silent,
    /// About a token for four bytes.
    Counted,
    /// This many for its output.
    Tokens(u64),
}

/// Why a behaviour can't be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BehaviourError(String);

impl Behaviour {
    /// Reads a query string (without `?`); `name` is left to the caller.
    ///
    /// # Errors
    /// Unknown parameters, values of the wrong kind, values out of bounds.
    pub fn from_query(query: &str) -> Result<Self, BehaviourError> {
        let pairs: Vec<_> =
            url::form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "name").collect();
        let given = MapDeserializer::<_, ValueError>::new(pairs.into_iter());
        let behaviour: Self =
            serde_path_to_error::deserialize(given).map_err(|error| BehaviourError(error.to_string()))?;
        behaviour.check()?;
        Ok(behaviour)
    }

    /// Whether every field is within its bounds.
    ///
    /// # Errors
    /// The first that isn't.
    pub fn check(&self) -> Result<(), BehaviourError> {
        let numbers = [
            ("latency_ms", self.latency_ms, 0, WAIT_MS_MAX),
            ("first_byte_ms", self.first_byte_ms, 0, WAIT_MS_MAX),
            ("chunk_ms", self.chunk_ms, 0, WAIT_MS_MAX),
            ("chunks", self.chunks, 1, CHUNKS_MAX),
            ("burst", self.burst, 1, CHUNKS_MAX),
            ("status", self.status, 200, 599),
            ("redirect_status", self.redirect_status, 300, 399),
            ("bytes", self.bytes, 0, HUGE_BYTES_MAX),
            ("text_bytes", self.text_bytes, 0, TEXT_BYTES_MAX),
        ];
        for (name, value, least, most) in numbers {
            if value.is_some_and(|value| !(least..=most).contains(&value)) {
                return Err(BehaviourError(format!("`{name}` is from {least} to {most}")));
            }
        }
        for (name, value) in
            [("retry_after", &self.retry_after), ("redirect", &self.redirect), ("subagent", &self.subagent)]
        {
            if let Some(value) = value
                && (value.len() > FIELD_BYTES_MAX || http::HeaderValue::from_str(value).is_err())
            {
                return Err(BehaviourError(format!("`{name}` can't be the value of a header")));
            }
        }
        match self.version.as_deref() {
            None | Some("0.3" | "1.0") => Ok(()),
            Some(other) => Err(BehaviourError(format!("`version` is 0.3 or 1.0, not {other:?}"))),
        }
    }

    /// What `self` says, and where it says nothing, what `below` says.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        Self {
            latency_ms: self.latency_ms.or(below.latency_ms),
            first_byte_ms: self.first_byte_ms.or(below.first_byte_ms),
            chunk_ms: self.chunk_ms.or(below.chunk_ms),
            chunks: self.chunks.or(below.chunks),
            status: self.status.or(below.status),
            retry_after: self.retry_after.or(below.retry_after),
            fail: self.fail.or(below.fail),
            hang: self.hang.or(below.hang),
            garbage: self.garbage.or(below.garbage),
            bytes: self.bytes.or(below.bytes),
            burst: self.burst.or(below.burst),
            decision: self.decision.or(below.decision),
            subagent: self.subagent.or(below.subagent),
            terminate: self.terminate.or(below.terminate),
            status_event: self.status_event.or(below.status_event),
            retryable: self.retryable.or(below.retryable),
            text_bytes: self.text_bytes.or(below.text_bytes),
            usage: self.usage.or(below.usage),
            redirect: self.redirect.or(below.redirect),
            redirect_status: self.redirect_status.or(below.redirect_status),
            seed: self.seed.or(below.seed),
            version: self.version.or(below.version),
        }
    }
}
