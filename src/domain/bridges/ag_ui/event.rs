//! AG-UI 1.0's events, those that a step makes (<https://docs.ag-ui.com>; npm `@ag-ui/core` 1.0.0, `schemas`).
//!
//! Optional fields are left out: `null` is refused. There are no fields besides those of the protocol; whatever is ours
//! stands in `metadata`, which is open.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::domain::bridges::write_event;

/// The version of the protocol that is spoken.
pub const PROTOCOL_VERSION: &str = "1.0";

/// An event as it is written.
#[derive(Debug, Serialize)]
pub struct Line<'a> {
    /// What happened.
    #[serde(flatten)]
    pub event: AgEvent<'a>,
    /// When, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<u64>,
    /// What the protocol has no field for.
    #[serde(skip_serializing_if = "Metadata::is_nothing")]
    pub metadata: Metadata<'a>,
}

impl Line<'_> {
    /// Adds the event to `out`, as one event of an event stream. Only line feeds end lines there, as the client's parser
    /// knows nothing else.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_event(out, self);
    }
}

/// Where an event comes from, and what else is known of it.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Metadata<'a> {
    /// The sequence of the log's event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
    /// Its telemetry: `{trace_id, span_id, …}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub telemetry: Option<&'a RawValue>,
    /// The output's revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
    /// The output's attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u64>,
    /// Which output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_key: Option<&'a str>,
    /// Whether the message is a draft.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub draft: bool,
    /// Whether the message no longer holds: another one with the whole text follows, or none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
}

impl Metadata<'_> {
    fn is_nothing(&self) -> bool {
        self.sequence.is_none() && self.result_key.is_none() && !self.draft && !self.replaced
    }
}

/// An event of the protocol.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub enum AgEvent<'a> {
    RunStarted {
        thread_id: &'a str,
        run_id: &'a str,
        protocol_version: &'static str,
    },
    RunFinished {
        thread_id: &'a str,
        run_id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<&'a Value>,
        outcome: Outcome,
    },
    RunError {
        message: &'a str,
        code: &'a str,
    },
    StepStarted {
        step_name: &'a str,
    },
    StepFinished {
        step_name: &'a str,
    },
    SubagentStarted {
        subagent_run_id: &'a str,
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
    },
    SubagentFinished {
        subagent_run_id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<&'a Value>,
        outcome: Outcome,
    },
    SubagentError {
        subagent_run_id: &'a str,
        message: &'a str,
        code: &'a str,
    },
    TextMessageStart {
        message_id: &'a str,
        role: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        subagent_run_id: Option<&'a str>,
    },
    TextMessageContent {
        message_id: &'a str,
        delta: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        subagent_run_id: Option<&'a str>,
    },
    TextMessageEnd {
        message_id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        subagent_run_id: Option<&'a str>,
    },
    ActivitySnapshot {
        message_id: &'a str,
        activity_type: &'static str,
        content: &'a Value,
        #[serde(skip_serializing_if = "Option::is_none")]
        subagent_run_id: Option<&'a str>,
    },
    Custom {
        name: &'static str,
        value: &'a Value,
    },
}

/// Why a run or a subagent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub enum Outcome {
    Success,
    Cancelled,
}
