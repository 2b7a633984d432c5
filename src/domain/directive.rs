//! A directive: what a planner expects of a step, from whom, and by when.
//!
//! These types are the wire's shape of `POST …/steps` and what the log keeps of it. Parsing and checking is in
//! [`parse`]; inside, a directive is valid.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::adapters::Adapter;
use super::event::{ArcJson, SenderTelemetry};
use super::ids::{ResultKey, SessionId, StepId, SubagentKey};
use super::requests::null::{or_count, or_default, or_none};
use super::requests::{Object, word};

mod asked;
mod invoke;
mod options;
mod parse;
pub use invoke::CallRules;
pub use options::{
    AggregationOptions, Budget, OnLowQuality, SynthesisFormat, SynthesisMode, SynthesisOptions,
};
pub use parse::{DirectiveRules, check_prompt, parse};

/// Time for a step, in milliseconds, where its directive doesn't say.
const DEADLINE_MS: u32 = 120_000;
/// Attempts for an output where its directive doesn't say.
const ATTEMPTS: u32 = 3;

/// What a planner posts for a step. An optional member that is `null` is absent, here and below.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Directive {
    /// Must agree with the path where present; not kept.
    #[serde(skip_serializing_if = "not_kept", default)]
    pub session_id: Option<SessionId>,
    /// The step, unique in its session.
    pub plan_step_id: StepId,
    /// Who is expected to deliver; may be empty where `expected_children` isn't.
    #[serde(default, deserialize_with = "subagents")]
    #[schema(value_type = Vec<ExpectedSubagent>)]
    pub expected_subagents: Vec<Arc<ExpectedSubagent>>,
    /// The planner's own context, kept and shown as it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<Object>)]
    pub planner_context: Option<ArcJson>,
    /// What the user asked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(max_length = 32768)]
    pub query: Option<String>,
    /// What the step is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(max_length = 32768)]
    pub goal: Option<String>,
    /// How the result should be made.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(max_length = 32768)]
    pub instructions: Option<String>,
    /// The document that the result becomes a part of.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(max_length = 262144)]
    pub document_context: Option<String>,
    /// How results of this step are combined.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "word::or_none")]
    pub task_type: Option<TaskType>,
    /// Wanted length of the result, in words.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "or_none")]
    #[schema(minimum = 1, maximum = 100_000)]
    pub length: Option<u32>,
    /// The step that this one is a part of.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent_step_id: Option<StepId>,
    /// Steps that must end before this one can.
    #[serde(skip_serializing_if = "Vec::is_empty", default, deserialize_with = "or_default")]
    #[schema(value_type = BTreeSet<StepId>)]
    pub expected_children: Vec<StepId>,
    /// Steps whose results come before this one's where they are combined.
    #[serde(skip_serializing_if = "Vec::is_empty", default, deserialize_with = "or_default")]
    #[schema(value_type = BTreeSet<StepId>)]
    pub depends_on: Vec<StepId>,
    /// Time for the whole step, in milliseconds from its acceptance; at most what is configured as `limits.deadline_ms`.
    #[serde(default = "default_deadline_ms", deserialize_with = "or_count::<_, _, DEADLINE_MS>")]
    #[schema(minimum = 1, maximum = 604_800_000, default = default_deadline_ms)]
    pub deadline_ms: u64,
    /// Whether the planner will post more steps.
    #[serde(default, deserialize_with = "or_default")]
    #[schema(default = false)]
    pub more_steps: bool,
    /// Run and store, but show to nobody.
    #[serde(default, deserialize_with = "or_default")]
    #[schema(default = false)]
    pub shadow: bool,
    /// How results are combined.
    #[serde(default, deserialize_with = "object_or_default")]
    pub aggregation: AggregationOptions,
    /// How the answer is written.
    #[serde(default, deserialize_with = "object_or_default")]
    pub synthesis: SynthesisOptions,
}

// Objects are read as such: derived structs would take an array of their members' values, too.

fn subagents<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Arc<ExpectedSubagent>>, D::Error> {
    let expected = Option::<Vec<Object<ExpectedSubagent>>>::deserialize(deserializer)?;
    Ok(expected.unwrap_or_default().into_iter().map(|Object(expected)| Arc::new(expected)).collect())
}

fn object_or_none<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.map(|Object(object)| object))
}

fn object_or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(object_or_none(deserializer)?.unwrap_or_default())
}

fn not_kept(_: &Option<SessionId>) -> bool {
    true
}

fn default_deadline_ms() -> u64 {
    DEADLINE_MS.into()
}

/// One output that a step waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectedSubagent {
    /// The kind of subagent.
    pub key: SubagentKey,
    /// The name of its output, unique in the step; the key where absent.
    pub result_key: Option<ResultKey>,
    /// Which adapter reads its output; absent: by key, else generic.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "word::or_none")]
    pub adapter: Option<Adapter>,
    /// What it was asked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(max_length = 8192)]
    pub task: Option<String>,
    /// Time for this output, in milliseconds from the step's acceptance; absent: the step's.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "or_none")]
    #[schema(minimum = 1, maximum = 604_800_000)]
    pub deadline_ms: Option<u64>,
    /// Attempts in all, the first counted.
    #[serde(default = "default_max_attempts", deserialize_with = "or_count::<_, _, ATTEMPTS>")]
    #[schema(minimum = 1, maximum = 100, default = default_max_attempts)]
    pub max_attempts: u32,
    /// What to do while its breaker is open.
    #[serde(default, deserialize_with = "word::or_usual")]
    pub on_degraded: OnDegraded,
    /// How it is called; absent or `true`: as configured for its key; `false`: it pushes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub invoke: Option<Invoke>,
    /// Its place in the caller's trace.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "object_or_none")]
    pub telemetry: Option<SenderTelemetry>,
}

impl ExpectedSubagent {
    /// The name of its output.
    ///
    /// [`parse`] fills it in, so it is always there inside.
    pub fn result_key(&self) -> &ResultKey {
        self.result_key.as_ref().expect("a parsed directive has every result key")
    }
}

fn default_max_attempts() -> u32 {
    ATTEMPTS
}

/// What to do for a subagent whose breaker is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnDegraded {
    /// Go on without it.
    #[default]
    Skip,
    /// Call it all the same.
    Try,
    /// Fail the step.
    Fail,
}

/// How a subagent is called.
///
/// Read by a visitor of its own (`invoke`): serde's untagged enums can't hold raw JSON, nor say what is wrong inside.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(
    description = "How a subagent is called: `true` or absent: as configured for its key, or not at all; `false`: it pushes; with a `body` alone: as configured, but for that."
)]
pub enum Invoke {
    /// As configured, or not at all.
    Configured(bool),
    /// As configured, with another body.
    With(InvokeBody),
    /// As the directive says.
    Call(InvokeCall),
}

/// What to send to a subagent that is called as configured.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvokeBody {
    /// What to send.
    #[schema(value_type = Value)]
    pub body: ArcJson,
}

/// An outbound call: a `POST` of `body` to `url` as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvokeCall {
    /// Absolute `http` or `https` URL of a configured host.
    pub url: String,
    /// How its answer is read.
    #[serde(default, deserialize_with = "word::or_usual")]
    pub protocol: Protocol,
    /// Headers to send; credentials are names of configured secrets (`secret:name`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default, deserialize_with = "or_default")]
    pub headers: BTreeMap<String, String>,
    /// What to send.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<Value>)]
    pub body: Option<ArcJson>,
}

/// How the answer of an invoked subagent is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Protocol {
    #[default]
    Json,
    Ndjson,
    Sse,
    Openai,
    Anthropic,
    A2a,
}

impl Protocol {
    /// As the wire has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Sse => "sse",
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::A2a => "a2a",
        }
    }
}

/// How results of a step are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum TaskType {
    Retrieval,
    Reasoning,
    Composition,
}
