//! Events as readers see them (docs/reading.md, 2): encoded once, when they are decided.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

mod cited;
mod encode;

pub use cited::{CitedSource, SOURCES_MAX, cited};
pub use encode::encode;

use super::event::{ArcJson, EventError, SenderTelemetry};
use super::ids::{ResultKey, SessionId, StepId, SubagentKey};
use super::policy::PolicyDecision;
use super::position::Sequence;
use super::record::{EventType, StepStatus, SubagentStatus};
use super::telemetry_context::TelemetryContext;
use super::time::Timestamp;

/// An event's whole shape.
#[derive(Serialize, ToSchema)]
#[schema(as = EventEnvelope)]
pub struct WireEvent<'a> {
    /// What happened.
    pub r#type: EventType,
    /// In which session.
    pub session_id: &'a SessionId,
    /// In which step; absent for what concerns the whole session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_step_id: Option<&'a StepId>,
    /// Its number in the session.
    pub sequence: Sequence,
    /// When, RFC 3339.
    #[schema(format = DateTime)]
    pub timestamp: &'a str,
    /// What exactly.
    #[schema(value_type = Object)]
    pub content: Content<'a>,
    /// Where it belongs in a trace.
    pub telemetry: WireTelemetry<'a>,
}

/// What an event says, by its type. The titles are the names in `/openapi.json`.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum Content<'a> {
    /// A directive was accepted.
    #[schema(title = "StepStartedContent")]
    StepStarted {
        expected: Vec<Expected<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        query: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        goal: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        task_type: Option<super::directive::TaskType>,
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_step_id: Option<&'a StepId>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        expected_children: &'a [StepId],
        #[serde(serialize_with = "text_of")]
        #[schema(value_type = String, format = DateTime)]
        deadline: Timestamp,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Object>)]
        planner_context: Option<&'a ArcJson>,
    },
    /// A subagent is heard for the first time, or called.
    #[schema(title = "SubagentStartedContent")]
    SubagentStarted {
        stage: &'a SubagentKey,
        result_key: &'a ResultKey,
        attempt: u32,
        mode: &'static str,
    },
    /// An event of a subagent, or one that was made for it: by time, safety, the planner.
    #[schema(title = "PlannerStreamContent")]
    PlannerStream {
        stage: &'a SubagentKey,
        status: SubagentStatus,
        result_key: &'a ResultKey,
        revision: u64,
        attempt: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Object>)]
        payload: Option<&'a RawValue>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'a EventError>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
        /// Since when its breaker is open, where that is why it isn't called.
        #[serde(skip_serializing_if = "Option::is_none", serialize_with = "maybe_text_of")]
        #[schema(value_type = Option<String>, format = DateTime)]
        since: Option<Timestamp>,
    },
    /// Right after the terminal of every output.
    #[schema(title = "SubagentCompletedContent")]
    SubagentCompleted {
        stage: &'a SubagentKey,
        result_key: &'a ResultKey,
        status: SubagentStatus,
        revision: u64,
        attempts: u32,
        latency_ms: u64,
    },
    Progress(&'a super::requests::Progress),
    /// A safety decision.
    #[schema(title = "PolicyOutcomeContent")]
    Policy {
        decision: PolicyDecision,
        policy: &'a str,
        reason: &'a str,
        severity: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        stage: Option<&'a SubagentKey>,
        terminate: bool,
    },
    /// All outputs of the step are terminal.
    #[schema(title = "StepCompletedContent")]
    StepCompleted {
        status: StepStatus,
        counts: Counts,
    },
    /// The outputs of the step were combined.
    #[schema(title = "AggregationContent")]
    Aggregation {
        /// `false`: a language model writes the answer, and `synthesis` tells it.
        #[serde(rename = "final")]
        is_final: bool,
        summary: &'a str,
        /// What `summary` cites, by number, at most 50; absent in events that version 0.1 stored.
        #[schema(required = false)]
        sources: &'a [CitedSource],
        #[schema(value_type = Object)]
        metadata: &'a RawValue,
        href: &'a str,
    },
    /// A piece of the draft that a language model writes; the verified whole follows in `synthesis`.
    #[schema(title = "SynthesisDeltaContent")]
    SynthesisDelta {
        /// Which text grows: `summary`, `findings/0/content`, ….
        path: &'a str,
        /// Where in that text it begins, in bytes of UTF-8; 0 begins the text anew.
        offset: usize,
        text: &'a str,
    },
    /// The answer of the step was written.
    #[schema(title = "SynthesisContent")]
    Synthesis {
        summary: &'a str,
        /// What `summary` cites, by number, at most 50; absent in events that version 0.1 stored.
        #[schema(required = false)]
        sources: &'a [CitedSource],
        method: &'static str,
        #[schema(value_type = Object)]
        quality: &'a RawValue,
        href: &'a str,
    },
    /// The last event of the step, once.
    #[schema(title = "PlanStepCompletedContent")]
    PlanStepCompleted {
        status: StepStatus,
        href: String,
        more_steps: bool,
    },
}

/// One expected output, as `step_started` lists it.
#[derive(Serialize, ToSchema)]
#[schema(as = ExpectedOutput)]
#[allow(missing_docs)]
pub struct Expected<'a> {
    pub stage: &'a SubagentKey,
    pub result_key: &'a ResultKey,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<&'a str>,
    #[serde(serialize_with = "text_of")]
    #[schema(value_type = String, format = DateTime)]
    pub deadline: Timestamp,
}

/// How many outputs of a step ended how; `children` counts steps below it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = OutputCounts)]
#[allow(missing_docs)]
pub struct Counts {
    pub expected: usize,
    pub success: usize,
    pub error: usize,
    pub timeout: usize,
    pub degraded: usize,
    pub refused: usize,
    pub cancelled: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<ChildCounts>,
}

/// How many children of a step ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[allow(missing_docs)]
pub struct ChildCounts {
    pub expected: usize,
    pub completed: usize,
    pub partial_failure: usize,
    /// Failed, cancelled, refused, still running, or never posted.
    pub failed: usize,
}

/// An event's telemetry: what is known of its place in a trace, and what its sender measured.
#[derive(Serialize, Default, ToSchema)]
#[schema(as = EventTelemetry)]
#[allow(missing_docs)]
pub struct WireTelemetry<'a> {
    #[schema(pattern = "^[0-9a-f]{32}$")]
    pub trace_id: &'a str,
    #[schema(pattern = "^[0-9a-f]{16}$")]
    pub span_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9a-f]{16}$")]
    pub parent_span_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracestate: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metrics: Option<&'a ArcJson>,
}

impl<'a> WireTelemetry<'a> {
    /// The telemetry of an event in `context`, with the figures of its sender.
    pub fn new(context: &'a TelemetryContext, sender: Option<&'a SenderTelemetry>) -> Self {
        Self {
            trace_id: &context.trace_id,
            span_id: &context.span_id,
            parent_span_id: context.parent_span_id.as_deref(),
            tracestate: context.tracestate.as_deref(),
            correlation_id: context.correlation_id.as_deref(),
            latency_ms: sender.and_then(|s| s.latency_ms),
            metrics: sender.and_then(|s| s.metrics.as_ref()),
        }
    }
}

fn maybe_text_of<S: serde::Serializer>(at: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    match at {
        Some(at) => text_of(at, serializer),
        None => serializer.serialize_none(),
    }
}

fn text_of<S: serde::Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(at)
}
