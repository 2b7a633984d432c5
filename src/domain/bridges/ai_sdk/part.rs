//! Parts of the AI SDK's UI message stream, of those that versions 5, 6 and 7 have in common (npm `ai` 5.0.277, 6.0.326,
//! 7.0.173, `uiMessageChunkSchema`).
//!
//! A client refuses the whole message at a type that it doesn't know. Fields that are absent are left out.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::domain::bridges::parts::Source;
use crate::domain::bridges::write_event;

/// A part as it is written.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "the names are the protocol's")]
pub enum Part<'a> {
    Start {
        message_id: &'a str,
    },
    StartStep,
    TextStart {
        id: &'a str,
        provider_metadata: ProviderMetadata<'a>,
    },
    TextDelta {
        id: &'a str,
        delta: &'a str,
    },
    TextEnd {
        id: &'a str,
        provider_metadata: ProviderMetadata<'a>,
    },
    SourceUrl {
        source_id: &'a str,
        url: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<&'a str>,
        provider_metadata: ProviderMetadata<'a>,
    },
    SourceDocument {
        source_id: &'a str,
        media_type: &'static str,
        title: &'a str,
        provider_metadata: ProviderMetadata<'a>,
    },
    /// A subagent's state, in place.
    DataSubagent {
        id: &'a str,
        data: Subagent<'a>,
    },
    /// A decision of safety.
    DataPolicy {
        id: &'a str,
        data: &'a Value,
    },
    /// What came of the subagents' outputs, in place.
    DataAggregation {
        id: &'a str,
        data: &'a Value,
    },
    /// How far the planner is: for now, not for the message.
    DataProgress {
        data: &'a Value,
        transient: bool,
    },
    /// A piece of a draft: for now, not for the message, as it isn't proven yet.
    DataDraft {
        data: Piece<'a>,
        transient: bool,
    },
    FinishStep,
    Finish {
        finish_reason: &'static str,
        message_metadata: &'a Value,
    },
    Error {
        error_text: &'a str,
    },
    Abort,
}

/// What stays with a part in the message: its id doesn't.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ProviderMetadata<'a> {
    /// Ours.
    pub tributary: Whose<'a>,
}

/// Whose part it is.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Whose<'a> {
    /// The kind of subagent; absent: the step's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<&'a str>,
    /// Which of its outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_key: Option<&'a str>,
    /// How its output ended, where it was no success.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<&'a str>,
    /// The number by which the step's answer cites it; absent: a source that an output names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// Whether the text no longer holds: another part with the whole text follows, or none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
}

/// Where a subagent's output stands.
#[derive(Debug, Serialize)]
pub struct Subagent<'a> {
    /// `{stage, result_key, status, revision, attempt, reason?, error?, payload?}`; `expected` as the first status.
    #[serde(flatten)]
    pub standing: &'a Value,
    /// What it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<&'a str>,
    /// The log's event.
    pub sequence: u64,
    /// Its telemetry: `{trace_id, span_id, …}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub telemetry: Option<&'a RawValue>,
}

/// A piece of a draft (`synthesis_delta`).
#[derive(Debug, Serialize)]
pub struct Piece<'a> {
    /// Which text grows.
    pub path: &'a str,
    /// Where it begins, in bytes; 0 begins that text anew.
    pub offset: u64,
    /// The piece.
    pub text: &'a str,
}

impl Part<'_> {
    /// Adds the part to `out`, as one event of an event stream.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_event(out, self);
    }
}

/// Adds a source as a part.
pub fn write_source(source_id: &str, source: Source<'_>, whose: Whose<'_>, out: &mut Vec<u8>) {
    let provider_metadata = ProviderMetadata { tributary: whose };
    let part = match source {
        Source::Page { url, title } => Part::SourceUrl { source_id, url, title, provider_metadata },
        Source::Document { title } => {
            // What kind of document it is, nobody said.
            let media_type = "application/octet-stream";
            Part::SourceDocument { source_id, media_type, title, provider_metadata }
        }
    };
    part.write(out);
}

/// Adds what ends a stream.
pub fn write_done(out: &mut Vec<u8>) {
    out.extend_from_slice(b"data: [DONE]\n\n");
}
