//! What a session's outputs said, as far as a step's result needs it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::made::Made;
use super::refusals::Refusals;
use crate::domain::adapters::Adapter;
use crate::domain::aggregate::input::{FailureStatus, InputStatus, TaskInput};
use crate::domain::aggregate::payload::{PayloadKind, Read, read_payload};
use crate::domain::entry::Entry;
use crate::domain::event::{ArcJson, EventError};
use crate::domain::ids::{ResultKey, StepId};
use crate::domain::position::Sequence;
use crate::domain::protocols::brings;
use crate::domain::record::{OpenPart, Output, Record, SubagentStatus};
use crate::domain::session::{FAILED_OUTPUT, SessionState, StepState, SubagentState};
use crate::domain::synthesis::written::Written;

mod places;

pub(super) use places::href;

/// Bytes of what the outputs of open steps said that are kept with the result of a step above them.
const OPEN_BYTES_MAX: usize = 1 << 20;

/// How much of the log counts for a step: all of it, or what there was when a step above it ended.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen<'a> {
    /// Only entries before this one.
    pub until: Option<Sequence>,
    /// What the outputs of open steps had said in part by then; `None` where that wasn't kept.
    pub open: Option<&'a [OpenPart]>,
}

impl<'a> Seen<'a> {
    /// How much of the log counts for the steps below `step`, of which this much counts.
    pub fn below(self, step: &StepState, log: &'a StepLog) -> Self {
        match step.aggregated.filter(|own| self.until.is_none_or(|until| *own < until)) {
            Some(own) => Self { until: Some(own), open: log.open.get(step.id()).map(|open| &**open) },
            None => self,
        }
    }

    fn partial(self, output: &Output) -> Option<&'a RawValue> {
        let is_its = |part: &&OpenPart| part.step == output.step && part.result_key == output.result_key;
        self.open?.iter().find(is_its).map(|part| &*part.payload.0)
    }
}

/// The last partial with a payload and the terminal of each output of a session.
#[derive(Debug, Default, Clone)]
pub struct StepLog {
    heard: BTreeMap<(StepId, ResultKey), Heard>,
    /// What was written of steps.
    written: BTreeMap<StepId, ArcJson>,
    /// What the outputs of open steps had said when the step above them ended.
    open: BTreeMap<StepId, Vec<OpenPart>>,
    pub(super) refusals: Refusals,
    /// What steps came to, for those above them.
    pub(super) made: Made,
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
        entry.record.step().iter().for_each(|step| self.made.forget(step));
        if let Record::Synthesised { step, written: Some(written), .. } = &entry.record {
            self.written.insert(step.clone(), written.clone());
        }
        if let Record::Aggregated { step, open: Some(open), .. } = &entry.record {
            self.open.insert(step.clone(), open.clone());
        }
        if let Record::Policy { step, .. } = &entry.record {
            self.refusals.add(step.as_ref(), entry);
        }
        let Record::Subagent { output: Output { step, result_key, .. }, status, .. } = &entry.record else {
            return;
        };
        let place = if status.is_terminal() {
            |heard: &mut Heard, entry| heard.terminal = Some(entry)
        } else if *status == SubagentStatus::Partial && entry.carries_payload() {
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
    pub(super) fn written(&self, step: &StepId) -> Option<Written> {
        serde_json::from_str(self.written.get(step)?.0.get()).ok()
    }

    /// The event that carries an output's payload, whole or in part; where it ended without one, the event that says so.
    pub fn payload_of(&self, step: &StepId, result_key: &ResultKey) -> Option<&Entry> {
        let heard = self.heard.get(&(step.clone(), result_key.clone()))?;
        let terminal = heard.terminal.as_ref();
        let carries = |entry: &&Entry| entry.carries_payload();
        terminal.filter(carries).or(heard.partial.as_ref()).or(terminal)
    }

    /// What the outputs of steps below `step` that haven't ended said in part; `None` where there is no such thing.
    ///
    /// Later partials replace it in the log, so it is kept with the result that was made of it. Beyond
    /// [`OPEN_BYTES_MAX`] it doesn't count.
    pub(super) fn open_below(&self, state: &SessionState, step: &StepState) -> Option<Vec<OpenPart>> {
        let (mut parts, mut found, mut left) = (Vec::new(), false, OPEN_BYTES_MAX);
        let (mut known, mut steps) = (BTreeSet::from([step.id()]), vec![step]);
        while let Some(step) = steps.pop() {
            let open = state.children(step).filter_map(Result::ok).filter(|child| child.ended.is_none());
            let open: Vec<&StepState> = open.filter(|child| known.insert(child.id())).collect();
            let outputs = open.iter().flat_map(|child| &child.subagents);
            for Output { step, result_key, .. } in outputs.map(|subagent| &subagent.output) {
                let heard = self.heard.get(&(step.clone(), result_key.clone()));
                let partial =
                    heard.filter(|heard| heard.terminal.is_none()).and_then(|heard| heard.partial.as_ref());
                let Some(payload) = said(partial).and_then(|said| said.payload) else { continue };
                found = true;
                if let Some(rest) = left.checked_sub(payload.get().len()) {
                    left = rest;
                    let payload = ArcJson(payload.to_owned().into());
                    parts.push(OpenPart { step: step.clone(), result_key: result_key.clone(), payload });
                }
            }
            steps.extend(open);
        }
        found.then_some(parts)
    }

    /// What an output brought; `None` for a safety decision, which is no result.
    pub(super) fn task(
        &self,
        state: &SessionState,
        subagent: &SubagentState,
        seen: Seen<'_>,
    ) -> Option<TaskInput> {
        let Output { step, stage, result_key } = &subagent.output;
        let heard = self.heard.get(&(step.clone(), result_key.clone()));
        let counts = |entry: &&Entry| seen.until.is_none_or(|until| entry.sequence < until);
        let terminal = heard.and_then(|heard| heard.terminal.as_ref()).filter(counts);
        let partial = || heard.and_then(|heard| heard.partial.as_ref()).filter(counts);
        let part = || match (terminal, seen.open) {
            (None, Some(_)) => seen.partial(&subagent.output),
            (Some(_), _) | (None, None) => said(partial())?.payload,
        };
        let status = match (seen.until, terminal.map(|entry| &entry.record)) {
            (None, _) => subagent.status,
            (Some(_), Some(Record::Subagent { status, .. })) => *status,
            (Some(_), _) => SubagentStatus::Partial,
        };
        // Acknowledged, and in no log and no archive any more: an empty result would be blamed on who sent it.
        let ended_at = subagent.sender.map_or(Sequence(0), |mark| mark.sequence);
        let is_lost = subagent.status == SubagentStatus::Success
            && heard.is_none_or(|heard| heard.terminal.is_none())
            && seen.until.is_none_or(|until| ended_at < until);
        if is_lost && subagent.adapter == Adapter::Safety {
            return None;
        }
        // What a subagent had said before it failed, or before a success that says nothing, is kept; a payload at its end that says
        // something goes before it.
        let end = said(terminal);
        let has_failed = end.as_ref().is_some_and(is_failed_output) && status == SubagentStatus::Success;
        let read_of = |payload: &RawValue| read_payload(kind_of(subagent), payload.get());
        // That an output that failed says why is no result.
        let is_result = |payload: &&RawValue| !has_failed || brings(payload);
        let mut read = match end.as_ref().and_then(|end| end.payload).filter(is_result) {
            Some(payload) => read_of(payload)?,
            None => Read::default(),
        };
        let why = || end.as_ref().and_then(|end| end.error.as_ref()?.message.as_deref());
        if has_failed && why() == Some(read.content.trim()) {
            read = Read::default();
        }
        // What an attempt said that failed is none of the next one's.
        let attempt = |entry: Option<&Entry>| {
            let Record::Subagent { attempt, .. } = &entry?.record else { return None };
            Some(*attempt)
        };
        let is_of_before =
            status == SubagentStatus::Success && terminal.is_some() && attempt(partial()) < attempt(terminal);
        if read.is_silent()
            && !is_of_before
            && let Some(before) = part().and_then(read_of).filter(|before| !before.is_silent())
        {
            read = before;
            if status == SubagentStatus::Success {
                read.notes
                    .push("silent: it ended without saying anything; this is what it said before".to_owned());
            }
        }
        // What safety refused by name isn't told, whole or in part; that it was refused is.
        let refused = state.step(step).and_then(|step| self.refusals.of_subagent(step, stage, seen.until));
        if refused.is_some() {
            read = Read::default();
        }
        Some(TaskInput {
            task_id: result_key.to_string(),
            task: subagent.expected.task.clone(),
            subagent: stage.to_string(),
            status: match (refused.is_some(), is_lost, has_failed) {
                (true, _, _) => InputStatus::Failed(FailureStatus::Refused),
                (false, true, _) => InputStatus::Failed(FailureStatus::Lost),
                (false, false, true) => InputStatus::Failed(FailureStatus::Error),
                (false, false, false) => input_status(status),
            },
            content: read.content,
            error: refused.or_else(|| end.and_then(|end| reason_of(end, status))),
            sources: read.sources,
            relevance: read.relevance,
            confidence: read.confidence,
            href: Some(href(state, &subagent.output)),
            notes: read.notes,
            subagents: None,
            place: 0,
        })
    }
}

/// Who reads a payload. What an unnamed adapter passed on is read by what its key says.
fn kind_of(subagent: &SubagentState) -> PayloadKind {
    let adapter = Some(subagent.adapter).filter(|adapter| *adapter != Adapter::Generic);
    PayloadKind::named(adapter.map_or_else(|| subagent.output.stage.as_str(), |adapter| adapter.name()))
}

fn said(entry: Option<&Entry>) -> Option<Said<'_>> {
    let wire: Wire<'_> = serde_json::from_slice(entry?.wire()?).ok()?;
    Some(wire.content)
}

/// Whether an output that was sent as it came, and so is a success, says that it failed.
fn is_failed_output(end: &Said<'_>) -> bool {
    end.reason.as_deref() == Some(FAILED_OUTPUT)
}

/// Why an output failed, in words. One that timed out while another attempt was waited for says why the last one failed, too.
fn reason_of(end: Said<'_>, status: SubagentStatus) -> Option<String> {
    let said = end.error.map(|error| match (error.code, error.message) {
        (Some(code), Some(message)) => format!("{message} ({code})"),
        (code, message) => message.or(code).unwrap_or_default(),
    });
    match (said.filter(|said| !said.is_empty()), end.reason) {
        (Some(said), Some(reason)) if status == SubagentStatus::Timeout => {
            Some(format!("{reason}, after: {said}"))
        }
        (said, reason) => said.or(reason),
    }
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
