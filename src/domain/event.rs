//! A subagent's event as its sender meant it, parsed and checked at the door.
//!
//! The types are here; how they are read from JSON is in `parse`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::ids::ResultKey;
use super::requests::null::or_none;

mod parse;
mod telemetry;
pub use parse::{Envelope, parse_event, raw_output, raw_text};
pub(in crate::domain) use telemetry::check_telemetry;

/// A JSON text on one line, kept as it was sent.
pub type RawJson = Arc<RawValue>;

/// 128-bit digest (XXH3-128) of the canonical JSON (RFC 8785) of what identifies a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "[u64; 2]", into = "[u64; 2]")]
pub struct Digest(pub u128);

impl From<[u64; 2]> for Digest {
    fn from([high, low]: [u64; 2]) -> Self {
        Self((u128::from(high) << 64) | u128::from(low))
    }
}

impl From<Digest> for [u64; 2] {
    fn from(digest: Digest) -> Self {
        [(digest.0 >> 64) as u64, digest.0 as u64]
    }
}

/// The statuses that a sender may give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SenderStatus {
    /// Accepted the task, hasn't begun.
    Pending,
    /// Works on it.
    InProgress,
    /// A part of the result, replaced by the next revision.
    Partial,
    /// The whole result.
    Success,
    /// It failed; with `retryable`, another attempt may follow.
    Error,
}

/// Characters of an error's code that are kept while another attempt is waited for.
const CODE_CHARS_KEPT: usize = 100;
/// Characters of its message.
const MESSAGE_CHARS_KEPT: usize = 500;

/// What a failed subagent says of its failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventError {
    /// A short name of the sender's own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<String>,
    /// What happened, for a person.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<String>,
    /// Whether another attempt may help; where it isn't said, it may not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retryable: Option<bool>,
}

impl EventError {
    /// Whether another attempt may help.
    pub fn is_retryable(&self) -> bool {
        self.retryable.unwrap_or(false)
    }

    /// What is kept of it while another attempt is waited for: enough to name it, should none come.
    pub fn in_short(&self) -> Self {
        let cut = |text: &String, most: usize| match text.char_indices().nth(most) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.clone(),
        };
        let (code, message) = (self.code.as_ref(), self.message.as_ref());
        Self {
            code: code.map(|code| cut(code, CODE_CHARS_KEPT)),
            message: message.map(|message| cut(message, MESSAGE_CHARS_KEPT)),
            retryable: None,
        }
    }
}

/// Telemetry that a sender gives with an event, or a planner with an expected subagent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SenderTelemetry {
    /// W3C trace id, 32 lowercase hex digits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{32}$")]
    pub trace_id: Option<Arc<str>>,
    /// W3C span id, 16 lowercase hex digits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{16}$")]
    pub span_id: Option<Arc<str>>,
    /// The span's parent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{16}$")]
    pub parent_span_id: Option<Arc<str>>,
    /// W3C `tracestate`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<String>, max_length = 512)]
    pub tracestate: Option<Arc<str>>,
    /// An id of the caller's own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub correlation_id: Option<Arc<str>>,
    /// How long the subagent took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "or_none")]
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991i64)]
    pub latency_ms: Option<u64>,
    /// Figures of the sender's own: an object, kept as sent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<Object>)]
    pub metrics: Option<ArcJson>,
}

/// [`RawJson`] with the comparison that derives need: by text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArcJson(pub RawJson);

impl PartialEq for ArcJson {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

/// One event of a subagent, ready to be decided.
#[derive(Debug, Clone)]
pub struct SubagentEvent {
    /// Which expected output; absent where the key is expected once.
    pub result_key: Option<ResultKey>,
    /// What the sender says of it.
    pub status: SenderStatus,
    /// The sender's own count; absent: the next one.
    pub revision: Option<u64>,
    /// The raw output, on one line, before any adapter.
    pub payload: Option<RawJson>,
    /// What failed.
    pub error: Option<EventError>,
    /// The sender's own telemetry.
    pub telemetry: Option<Box<SenderTelemetry>>,
    /// Digest of `{status, payload, error}` as sent, without telemetry.
    pub digest: Digest,
    /// Whether it was sent as raw output: its `success` is implied, and its adapter may know better.
    pub is_raw: bool,
}
