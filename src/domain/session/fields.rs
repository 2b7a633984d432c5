//! A session's state as named fields, for stores that keep it beside the log.
//!
//! An append changes few of them, and writes only those: `session` always, what belongs to the steps, outputs and
//! requests that its entries name, and once per step what its directive said. None holds a payload.
//!
//! | field | holds |
//! |---|---|
//! | `session` | what belongs to no step |
//! | `directive <step>` | what was asked, written once |
//! | `step <step>` | where the step stands |
//! | `output <step> <result_key>` | where an output stands, and why its last attempt failed |
//! | `telemetry <step> <result_key>` | the output's place in a trace, where it isn't derived from the step's |
//! | `request <slot>` | what a request with an `Idempotency-Key` was answered; the oldest slot is used again |

mod encode;
mod restore;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::call::CallState;
use super::notice::Notices;
use super::state::{Answered, IDEMPOTENCY_KEYS, SessionState};
use super::writing::{Spent, WritingState};
use crate::domain::adapters::Card;
use crate::domain::directive::Directive;
use crate::domain::entry::Entry;
use crate::domain::event::{Digest, EventError};
use crate::domain::ids::{ResultKey, StepId};
use crate::domain::position::{Position, Sequence};
use crate::domain::record::{ItemAnswer, Output, Record, StepStatus, SubagentStatus};
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::time::Timestamp;

pub use restore::CorruptState;

/// Name and JSON text of a field.
pub type Field = (String, Vec<u8>);

#[derive(Serialize, Deserialize)]
struct SessionField {
    at: Timestamp,
    bytes: u64,
    more_steps: bool,
    closed: bool,
    #[serde(skip_serializing_if = "Notices::is_empty", default)]
    notices: Notices,
    #[serde(skip_serializing_if = "Spent::is_nothing", default)]
    spent: Spent,
}

#[derive(Serialize, Deserialize)]
struct DirectiveField {
    directive: Arc<Directive>,
    digest: Digest,
    context: Arc<TelemetryContext>,
    started: Position,
    at: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct StepField {
    last: Sequence,
    status: StepStatus,
    ended: Option<(Position, Timestamp)>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    writing: Option<WritingState>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    aggregated: Option<Sequence>,
}

#[derive(Serialize, Deserialize)]
struct OutputField {
    status: SubagentStatus,
    revision: u64,
    attempt: u32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    attempt_at: Option<Timestamp>,
    sender: Option<(u64, Sequence, Digest)>,
    started_at: Option<Timestamp>,
    latency_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    call: Option<CallState>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    card: Option<Card>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    failed: Option<Arc<EventError>>,
}

#[derive(Serialize, Deserialize)]
struct RequestField {
    ordinal: u64,
    key: Arc<str>,
    fingerprint: Digest,
    answers: Vec<ItemAnswer>,
    cursor: Position,
}

impl SessionState {
    /// The fields that `entries`, the last ones folded into this state, have changed.
    pub fn fields_changed_by<'a>(&self, entries: impl IntoIterator<Item = &'a Entry>) -> Vec<Field> {
        let mut changed = Changed::default();
        for entry in entries {
            changed.note(&entry.record);
        }
        let mut fields = Vec::with_capacity(1 + changed.steps.len() + 2 * changed.outputs.len());
        fields.push(("session".into(), encode::session(&self.session_field())));
        for step in &changed.started {
            fields.push(field(format!("directive {step}"), &self.directive_field(step)));
        }
        for step in &changed.steps {
            fields.extend(self.step_field(step).map(|field| (step_name(step), encode::step(&field))));
        }
        for output in &changed.outputs {
            let Some((value, context)) = self.output_field(output) else { continue };
            let Output { step, result_key, .. } = output;
            if changed.telemetry.contains(output) {
                fields.push(field(name_of("telemetry", step, result_key), context));
            }
            fields.push((name_of("output", step, result_key), encode::output(&value)));
        }
        let answered = self.answered.iter().filter(|answered| changed.requests.contains(&answered.key));
        fields.extend(answered.map(request_field));
        fields
    }

    /// All fields.
    pub fn fields(&self) -> Vec<Field> {
        let mut fields = vec![("session".into(), encode::session(&self.session_field()))];
        for step in &self.steps {
            let id = step.id();
            fields.push(field(format!("directive {id}"), &self.directive_field(id)));
            fields.extend(self.step_field(id).map(|field| (step_name(id), encode::step(&field))));
            for subagent in &step.subagents {
                let result_key = &subagent.output.result_key;
                if let Some((value, context)) = self.output_field(&subagent.output) {
                    fields.push((name_of("output", id, result_key), encode::output(&value)));
                    fields.push(field(name_of("telemetry", id, result_key), context));
                }
            }
        }
        fields.extend(self.answered.iter().map(request_field));
        fields
    }

    fn session_field(&self) -> SessionField {
        let Self { last_at: at, bytes, more_steps, closed, spent, .. } = *self;
        SessionField { at, bytes, more_steps, closed, notices: self.notices.clone(), spent }
    }

    fn directive_field(&self, id: &StepId) -> Option<DirectiveField> {
        let step = self.step(id)?;
        Some(DirectiveField {
            directive: step.directive.clone(),
            digest: step.digest,
            context: step.context.clone(),
            started: step.started,
            at: step.started_at,
        })
    }

    fn step_field(&self, id: &StepId) -> Option<StepField> {
        let step = self.step(id)?;
        let ended = step.ended.map(|end| (end.position, end.at));
        let (status, writing, aggregated) = (step.status, step.writing, step.aggregated);
        Some(StepField { last: step.last, status, ended, writing, aggregated })
    }

    fn output_field(&self, output: &Output) -> Option<(OutputField, &Arc<TelemetryContext>)> {
        let subagent = self.step(&output.step)?.output(&output.result_key)?;
        let field = OutputField {
            status: subagent.status,
            revision: subagent.revision,
            attempt: subagent.attempt,
            attempt_at: subagent.attempt_at,
            sender: subagent.sender.map(|mark| (mark.revision, mark.sequence, mark.digest)),
            started_at: subagent.started_at,
            latency_ms: subagent.latency_ms,
            call: subagent.call,
            card: subagent.card,
            failed: subagent.failed.clone(),
        };
        Some((field, &subagent.context))
    }
}

/// What the records of an append touch.
#[derive(Default)]
struct Changed<'a> {
    started: BTreeSet<&'a StepId>,
    steps: BTreeSet<&'a StepId>,
    outputs: BTreeSet<&'a Output>,
    telemetry: Vec<&'a Output>,
    requests: BTreeSet<&'a Arc<str>>,
}

impl<'a> Changed<'a> {
    fn note(&mut self, record: &'a Record) {
        if let Record::StepStarted { directive, .. } = record {
            self.started.insert(&directive.plan_step_id);
        }
        if let Record::Subagent { output, context: Some(_), .. } = record {
            self.telemetry.push(output);
        }
        if let Record::Answered { key, .. } = record {
            self.requests.insert(key);
        }
        self.steps.extend(record.step());
        if let Record::CallsRenewed { steps, .. } | Record::CallsReleased { steps, .. } = record {
            self.steps.extend(steps);
        }
        self.outputs.extend(record.outputs());
    }
}

fn request_field(answered: &Answered) -> Field {
    let Answered { ordinal, key, fingerprint, answers, cursor } = answered.clone();
    let slot = ordinal % IDEMPOTENCY_KEYS as u64;
    field(format!("request {slot}"), &RequestField { ordinal, key, fingerprint, answers, cursor })
}

fn field(name: String, value: &impl Serialize) -> Field {
    (name, serde_json::to_vec(value).expect("a state is plain data with text keys"))
}

fn step_name(step: &StepId) -> String {
    ["step ", step.as_str()].concat()
}

/// The name of what is kept of an output, as a field here or a slot of a snapshot; made in one piece, since each append has some.
pub fn name_of(what: &str, step: &StepId, result_key: &ResultKey) -> String {
    [what, " ", step.as_str(), " ", result_key.as_str()].concat()
}
