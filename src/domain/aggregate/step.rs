//! A step's outputs as the tasks that are aggregated, and its result as its last events tell it.
//!
//! A step of a plan takes in the outputs of its own subagents and the results of the steps below it. What counts is the
//! log as it stood when the step ended: a step below that ended later is one that hadn't ended, and what its outputs had
//! said by then counts as that.

use std::sync::Arc;

use serde_json::value::to_raw_value;

use super::input::{FailureStatus, TaskInput};
use super::options::Options;
use super::result::{AggregatedResult, Method};
use super::tree::{self, Child, Node};
use super::{LeftOut, Place, Question};
use crate::domain::contained::contained;
use crate::domain::directive::{Directive, OnDegraded, SynthesisMode};
use crate::domain::event::ArcJson;
use crate::domain::ids::StepId;
use crate::domain::position::Sequence;
use crate::domain::record::{Output, StepStatus, SubagentStatus};
use crate::domain::session::{Combined, SessionState, Spent, StepState, SubagentState, Synthesised};
use crate::domain::synthesis::compose::{as_draft, in_language_of};
use crate::domain::synthesis::written::{Written, apply};
use crate::domain::wire::cited;

mod log;
mod made;
mod object;
mod refusals;

use log::Seen;
pub use log::StepLog;
use made::{AsOf, Known};
use object::object;

/// The result of a step: of what there is of it so far, where it hasn't ended.
pub fn step_result(state: &SessionState, step: &StepState, log: &StepLog) -> AggregatedResult {
    log.made.begin();
    result_of(state, step, log)
}

fn result_of(state: &SessionState, step: &StepState, log: &StepLog) -> AggregatedResult {
    let mut result = whole(step, log, baseline(state, step, log, Seen::default()));
    // What its outputs came to isn't the result while a language model writes that.
    if step.writing().is_some() {
        result.status = step.shown_status().as_str().to_owned();
        result.metadata.is_final = false;
    }
    if !result.metadata.is_final && !result.synthesis.is_empty() {
        let directive = &step.directive;
        let question = directive.query.as_deref().or(directive.goal.as_deref()).unwrap_or_default();
        let options = in_language_of(question, &directive.synthesis);
        result.synthesis = as_draft(&result.synthesis, &result.findings, &options);
    }
    result
}

/// With what was written of it.
fn whole(step: &StepState, log: &StepLog, combined: AggregatedResult) -> AggregatedResult {
    match log.written(step.id()) {
        Some(written) => {
            let Directive { synthesis, task_type, length, .. } = &*step.directive;
            apply(combined, &written, &synthesis.of_task(*task_type, *length))
        }
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
    log.made.begin();
    Basis { baseline: baseline(state, step, log, Seen::default()), written: log.written(step.id()) }
}

fn baseline(state: &SessionState, step: &StepState, log: &StepLog, seen: Seen<'_>) -> AggregatedResult {
    joined(state, step, log, seen, lacking_child(step))
}

/// What a child that hasn't ended is for a step. A step that ends without it, and not by force, has come to its deadline.
fn lacking_child(step: &StepState) -> FailureStatus {
    let fails = |subagent: &Arc<SubagentState>| {
        subagent.status == SubagentStatus::Degraded && subagent.expected.on_degraded == OnDegraded::Fail
    };
    match step.status {
        StepStatus::Completed | StepStatus::PartialFailure => FailureStatus::Timeout,
        StepStatus::Failed if !step.subagents.iter().any(fails) => FailureStatus::Timeout,
        StepStatus::Cancelled => FailureStatus::Cancelled,
        StepStatus::Refused => FailureStatus::Refused,
        StepStatus::Failed | StepStatus::InProgress => FailureStatus::Pending,
    }
}

/// A step's result, where children that haven't ended are `lacking`.
fn joined(
    state: &SessionState,
    step: &StepState,
    log: &StepLog,
    seen: Seen<'_>,
    lacking: FailureStatus,
) -> AggregatedResult {
    let directive = &*step.directive;
    tree::combine(Node {
        question: Question { query: directive.query.clone(), goal: directive.goal.clone() },
        task_type: directive.task_type,
        length: directive.length,
        tasks: step.subagents.iter().filter_map(|subagent| task(state, subagent, log, seen)).collect(),
        children: children(state, step, log, seen.below(step, log), lacking),
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
            beyond_below: 0,
            left_out: LeftOut::default(),
        },
    })
}

/// What a subagent brought; that the service failed to read it, where it did.
fn task(state: &SessionState, subagent: &SubagentState, log: &StepLog, seen: Seen<'_>) -> Option<TaskInput> {
    contained(|| log.task(state, subagent, seen)).unwrap_or_else(|| {
        let Output { stage, result_key, .. } = &subagent.output;
        let mut unread = TaskInput {
            task_id: result_key.to_string(),
            subagent: stage.to_string(),
            href: Some(log::href(state, &subagent.output)),
            ..TaskInput::default()
        };
        unread.forget_unreadable();
        Some(unread)
    })
}

/// What a step's children come to as far as it had them (`below`), where those that haven't ended are `lacking`.
fn children(
    state: &SessionState,
    step: &StepState,
    log: &StepLog,
    below: Seen<'_>,
    lacking: FailureStatus,
) -> Vec<Child> {
    let expects = |child: &StepState| step.directive.expected_children.contains(child.id());
    let began = |child: &&StepState| below.until.is_none_or(|until| child.started.sequence < until);
    let children = state.children(step).filter_map(|child| match child {
        Ok(child) if began(&child) => Some(child_had(state, child, log, below)),
        // Posted since: it was missing when the step ended.
        Ok(child) => expects(child).then(|| Child::missing(child.id().as_str())),
        Err(id) => Some(Child::missing(id.as_str())),
    });
    children.map(|child| child.lacking_as(lacking)).collect()
}

/// What a child comes to that had begun.
fn child_had(state: &SessionState, child: &StepState, log: &StepLog, below: Seen<'_>) -> Child {
    let (id, directive) = (child.id().as_str(), &child.directive);
    let mut had = if ended_before(child, below.until) {
        let Known { result, only_lacks } = log.made.ended(child.id(), || result_of(state, child, log));
        Child::ended(id, directive.goal.clone(), result).known_to_lack(only_lacks)
    } else {
        // What it lacks itself is said with it, whatever became of it since.
        let make = || joined(state, child, log, below, FailureStatus::Pending);
        let heard = below.until.map(|until| heard_before(state, child, log, until));
        let Known { result, only_lacks } = log.made.unfinished(AsOf::new(child.id(), heard, below), make);
        Child::unfinished(id, directive.goal.clone(), result).known_to_lack(only_lacks)
    };
    had.depends_on = directive.depends_on.iter().map(ToString::to_string).collect();
    had
}

/// The last place before `until` at which there is anything that what a step brought depends on: its own entries, those of its outputs,
/// what was decided about it, and the same of those below it.
fn heard_before(state: &SessionState, step: &StepState, log: &StepLog, until: Sequence) -> Sequence {
    log.made.heard(step.id(), until, || {
        let below = state.children(step).filter_map(Result::ok);
        let below = below.map(|child| heard_before(state, child, log, until));
        let own = [Some(step.started.sequence), step.ended.map(|end| end.position.sequence), step.aggregated];
        let said = step.subagents.iter().flat_map(|subagent| log.places_of(subagent));
        let all = own.into_iter().flatten().chain(said).filter(|at| *at < until).chain(below);
        all.chain(log.refusals.last_before(until)).max().unwrap_or_default()
    })
}

fn ended_before(child: &StepState, until: Option<Sequence>) -> bool {
    child.ended.is_some_and(|end| until.is_none_or(|until| end.position.sequence < until))
}

/// The result of a step that has just been completed, as its last events tell it; `why_extractive` where a language
/// model was asked for, and what that has `spent` on an answer that is given up.
pub fn combined(
    state: &SessionState,
    step: &StepId,
    log: &StepLog,
    (why_extractive, spent): (Option<&str>, Spent),
) -> Combined {
    log.made.begin();
    let step = state.step(step).expect("a step that is combined is known");
    let open = log.open_below(state, step);
    let seen = Seen { until: None, open: open.as_deref() };
    let mut result = whole(step, log, baseline(state, step, log, seen));
    let options = &step.directive.synthesis;
    let has_material = !result.results.is_empty();
    let why = why_extractive.or_else(|| (!has_material).then_some("there is nothing to write about"));
    result.metadata.is_final = why.is_some() || options.mode != SynthesisMode::Llm;
    let written = why.filter(|_| options.mode == SynthesisMode::Llm).map(Written::extractive);
    if let Some(written) = &written {
        let asked = options.of_task(step.directive.task_type, step.directive.length);
        result = apply(result, written, &asked);
    }
    let synthesis =
        (options.mode != SynthesisMode::None).then(|| synthesised(&result, written.as_ref(), spent));
    Combined {
        step: step.id().clone(),
        has_material,
        tokens: result.results.iter().map(|result| result.tokens).sum(),
        synthesis_length: result.synthesis.chars().count(),
        sources: cited(&result.summary, &result.sources),
        summary: result.summary,
        metadata: object(&result.metadata),
        synthesis,
        open,
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
    Synthesised {
        summary: result.summary.clone(),
        sources: cited(&result.summary, &result.sources),
        method,
        quality: object(&result.quality),
        written,
        spent,
    }
}
