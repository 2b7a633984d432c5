//! A step's outputs as the tasks that are aggregated, and its result as its last events tell it.
//!
//! A step of a plan takes in the outputs of its own subagents and the results of the steps below it. What counts is the
//! log as it stood when the step ended: a step below that ended later is one that hadn't ended.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};

use super::input::{FailureStatus, InputStatus, TaskInput};
use super::options::Options;
use super::payload::{PayloadKind, Read, read_payload};
use super::result::{AggregatedResult, Method};
use super::tree::{self, Child, Node};
use super::{Place, Question};
use crate::domain::adapters::Adapter;
use crate::domain::directive::SynthesisMode;
use crate::domain::entry::Entry;
use crate::domain::event::{ArcJson, EventError};
use crate::domain::ids::{ResultKey, StepId};
use crate::domain::record::{Output, Record, SubagentStatus};
use crate::domain::session::{Combined, SessionState, Spent, StepState, SubagentState, Synthesised};
use crate::domain::synthesis::written::{Written, apply};
use object::object;
use refusals::Refusals;

mod object;
mod refusals;

/// The last partial and the terminal of each output of a session.
#[derive(Debug, Default, Clone)]
pub struct StepLog {
    heard: BTreeMap<(StepId, ResultKey), Heard>,
    /// What was written of steps.
    written: BTreeMap<StepId, ArcJson>,
    refusals: Refusals,
}

#[derive(Debug, Default, Clone)]
struct Heard {
    partial: Option<Entry>,
    terminal: Option<Entry>,
}

/// What of an event's text is needed.
#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow)]
    content: Said<'a>,
}

#[derive(Deserialize)]
struct Said<'a> {
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
    error: Option<EventError>,
    reason: Option<String>,
}

impl StepLog {
    /// Takes note of an entry. Of an output the later one counts.
    pub fn add(&mut self, entry: &Entry) {
        if let Record::Synthesised { step, written: Some(written), .. } = &entry.record {
            self.written.insert(step.clone(), written.clone());
        }
        if let Record::Policy { step, .. } = &entry.record {
            self.refusals.add(step.as_ref(), entry);
        }
        let Record::Subagent { output: Output { step, result_key, .. }, status, .. } = &entry.record else {
            return;
        };
        let place = if status.is_terminal() {
            |heard: &mut Heard, entry| heard.terminal = Some(entry)
        } else if *status == SubagentStatus::Partial {
            |heard: &mut Heard, entry| heard.partial = Some(entry)
        } else {
            return;
        };
        let heard = self.heard.entry((step.clone(), result_key.clone())).or_default();
        place(heard, entry.clone());
    }

    /// Takes note of entries, in their order.
    pub fn add_all<'a>(&mut self, entries: impl IntoIterator<Item = &'a Arc<Entry>>) {
        entries.into_iter().for_each(|entry| self.add(entry));
    }

    /// The bytes of what a step and those below it said; what combining them costs follows from it.
    pub fn bytes(&self) -> usize {
        let entries = self.heard.values().flat_map(|heard| heard.partial.iter().chain(&heard.terminal));
        entries.map(Entry::weight).sum()
    }

    /// What was written of a step; `None` too where a later version wrote it in another way: then it is extracted.
    fn written(&self, step: &StepId) -> Option<Written> {
        serde_json::from_str(self.written.get(step)?.0.get()).ok()
    }

    /// The event that carries an output's payload, whole or in part; where it ended without one, the event that says so.
    pub fn payload_of(&self, step: &StepId, result_key: &ResultKey) -> Option<&Entry> {
        let heard = self.heard.get(&(step.clone(), result_key.clone()))?;
        let terminal = heard.terminal.as_ref();
        let carries = |entry: &&Entry| {
            matches!(entry.record, Record::Subagent { status: SubagentStatus::Success, .. })
                || said(Some(*entry)).is_some_and(|said| said.payload.is_some())
        };
        terminal.filter(carries).or(heard.partial.as_ref()).or(terminal)
    }

    /// What an output brought; `None` for a safety decision, which is no result.
    fn task(&self, state: &SessionState, subagent: &SubagentState) -> Option<TaskInput> {
        let Output { step, stage, result_key } = &subagent.output;
        let heard = self.heard.get(&(step.clone(), result_key.clone()));
        // What a subagent that failed had said in part is kept; a payload that came with the failure goes before it.
        let end = said(heard.and_then(|heard| heard.terminal.as_ref()));
        let partial = || said(heard.and_then(|heard| heard.partial.as_ref()))?.payload;
        let payload = match (&end, subagent.status) {
            (Some(end), SubagentStatus::Success) => end.payload,
            (end, _) => end.as_ref().and_then(|end| end.payload).or_else(partial),
        };
        // What an unnamed adapter passed on is read by what its key says.
        let adapter = Some(subagent.adapter).filter(|adapter| *adapter != Adapter::Generic);
        let kind = PayloadKind::named(adapter.map_or_else(|| stage.as_str(), |adapter| adapter.name()));
        let read = match payload {
            Some(payload) => read_payload(kind, payload.get())?,
            None => Read::default(),
        };
        Some(TaskInput {
            task_id: result_key.to_string(),
            task: subagent.expected.task.clone(),
            subagent: stage.to_string(),
            status: input_status(subagent.status),
            content: read.content,
            error: end.and_then(reason_of),
            sources: read.sources,
            relevance: read.relevance,
            confidence: read.confidence,
            href: Some(format!("/planner/sessions/{}/steps/{step}/results/{result_key}", state.session)),
            notes: read.notes,
        })
    }
}

fn said(entry: Option<&Entry>) -> Option<Said<'_>> {
    let wire: Wire<'_> = serde_json::from_slice(entry?.wire()?).ok()?;
    Some(wire.content)
}

fn reason_of(end: Said<'_>) -> Option<String> {
    let said = end.error.map(|error| match (error.code, error.message) {
        (Some(code), Some(message)) => format!("{message} ({code})"),
        (code, message) => message.or(code).unwrap_or_default(),
    });
    said.filter(|said| !said.is_empty()).or(end.reason)
}

fn input_status(status: SubagentStatus) -> InputStatus {
    match status {
        SubagentStatus::Success => InputStatus::Success,
        SubagentStatus::Pending
        | SubagentStatus::InProgress
        | SubagentStatus::Partial
        | SubagentStatus::Retry => InputStatus::Partial,
        SubagentStatus::Error
        | SubagentStatus::Timeout
        | SubagentStatus::Degraded
        | SubagentStatus::Refused
        | SubagentStatus::Cancelled => InputStatus::Failed(FailureStatus::named(status.as_str())),
    }
}

/// The result of a step: of what there is of it so far, where it hasn't ended.
pub fn step_result(state: &SessionState, step: &StepState, log: &StepLog) -> AggregatedResult {
    let combined = baseline(state, step, log);
    match log.written(step.id()) {
        Some(written) => apply(combined, &written, &step.directive.synthesis),
        None => combined,
    }
}

/// What a step's result was made of.
#[derive(Debug, Clone)]
pub struct Basis {
    /// The extractive result.
    pub baseline: AggregatedResult,
    /// What a language model's answer came to.
    pub written: Option<Written>,
}

/// What the result of a step was made of, as far as the log tells.
pub fn basis(state: &SessionState, step: &StepState, log: &StepLog) -> Basis {
    Basis { baseline: baseline(state, step, log), written: log.written(step.id()) }
}

fn baseline(state: &SessionState, step: &StepState, log: &StepLog) -> AggregatedResult {
    let directive = &*step.directive;
    let children = state.children(step).map(|child| match child {
        Ok(child) if ended_before(child, step) => {
            Child::ended(child.id().as_str(), child.directive.goal.clone(), step_result(state, child, log))
        }
        Ok(child) => Child::open(child.id().as_str(), child.directive.goal.clone()),
        Err(id) => Child::missing(id.as_str()),
    });
    let depends_on = |id: &str| {
        let child = state.steps.iter().find(|step| step.id().as_str() == id);
        let ids = child.into_iter().flat_map(|child| &child.directive.depends_on);
        ids.map(|id| id.to_string()).collect()
    };
    let mut children: Vec<Child> = children.collect();
    for child in &mut children {
        child.depends_on = depends_on(&child.id);
    }
    tree::combine(Node {
        question: Question { query: directive.query.clone(), goal: directive.goal.clone() },
        task_type: directive.task_type,
        length: directive.length,
        tasks: step.subagents.iter().filter_map(|subagent| log.task(state, subagent)).collect(),
        children,
        options: Options {
            aggregation: directive.aggregation.clone(),
            synthesis: directive.synthesis.clone(),
        },
        place: Place {
            session_id: Some(state.session.to_string()),
            plan_step_id: Some(step.id().to_string()),
            status: Some(step.status.as_str().to_owned()),
            trace_id: Some(step.context.trace_id.to_string()),
            is_final: !step.is_running(),
            refused: log.refusals.of(step),
        },
    })
}

fn ended_before(child: &StepState, parent: &StepState) -> bool {
    match (child.ended.map(|end| end.position.sequence), parent.aggregated) {
        (Some(child), Some(parent)) => child < parent,
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// The result of a step that has just been completed, as its last events tell it; `why_extractive` where a language
/// model was asked for.
pub fn combined(
    state: &SessionState,
    step: &StepId,
    log: &StepLog,
    why_extractive: Option<&str>,
) -> Combined {
    let step = state.step(step).expect("a step that is combined is known");
    let mut result = step_result(state, step, log);
    let options = &step.directive.synthesis;
    let has_material = !result.results.is_empty();
    let why = why_extractive.or_else(|| (!has_material).then_some("there is nothing to write about"));
    let written = why.filter(|_| options.mode == SynthesisMode::Llm).map(Written::extractive);
    if let Some(written) = &written {
        result = apply(result, written, options);
    }
    let spent = step.writing().map_or_else(Spent::default, |writing| writing.given_up(log.bytes()));
    let synthesis =
        (options.mode != SynthesisMode::None).then(|| synthesised(&result, written.as_ref(), spent));
    Combined {
        step: step.id().clone(),
        has_material,
        tokens: result.results.iter().map(|result| result.tokens).sum(),
        synthesis_length: result.synthesis.chars().count(),
        summary: result.summary,
        metadata: object(&result.metadata),
        synthesis,
    }
}

/// The answer as the step's last events tell it, and what is kept to make the result again.
pub fn synthesised(result: &AggregatedResult, written: Option<&Written>, spent: Spent) -> Synthesised {
    let method = match result.metadata.method {
        Method::Extractive => "extractive",
        Method::Llm => "llm",
    };
    let written =
        written.map(|written| ArcJson(to_raw_value(written).expect("figures and texts are JSON").into()));
    Synthesised { summary: result.summary.clone(), method, quality: object(&result.quality), written, spent }
}
