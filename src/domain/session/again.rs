//! Commands out of entries: what was decided on a branch of the log that doesn't go on is decided again on the other.
//!
//! Only what somebody outside said is a command. What followed from it (summaries, ends, timeouts) follows again; a
//! subagent that was called is called again, under the same idempotency key.

use std::sync::Arc;

use serde::Deserialize;

use super::command::{Command, NewStep};
use super::directive::DISABLED;
use super::event::FAILED_OUTPUT;
use crate::domain::entry::Entry;
use crate::domain::event::{EventError, RawJson, SenderStatus, SenderTelemetry, SubagentEvent};
use crate::domain::ids::{StepId, SubagentKey};
use crate::domain::policy::{PolicyDecision, PolicyOutcome};
use crate::domain::record::{Record, StepStatus, SubagentStatus};
use crate::domain::requests::Progress;

/// What of an event's text is needed.
#[derive(Deserialize)]
struct Wire<C> {
    content: C,
    telemetry: Option<Box<SenderTelemetry>>,
}

#[derive(Deserialize)]
struct Said {
    payload: Option<RawJson>,
    error: Option<EventError>,
    reason: Option<String>,
}

#[derive(Deserialize)]
struct PolicySaid {
    decision: PolicyDecision,
    policy: String,
    reason: String,
    severity: Option<String>,
    stage: Option<SubagentKey>,
    terminate: bool,
}

/// The commands that these entries, in their order, came from.
pub fn commands_again(entries: &[Arc<Entry>]) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut reason = None;
    for entry in entries {
        if let Record::Subagent { status: SubagentStatus::Cancelled, .. } = &entry.record {
            reason = read::<Said>(entry).and_then(|wire| wire.content.reason);
        }
        let disabled = if let Record::StepStarted { directive, .. } = &entry.record {
            disabled(entries, &directive.plan_step_id)
        } else {
            Vec::new()
        };
        commands.extend(command_of(entry, disabled, reason.as_ref()));
    }
    commands
}

/// The subagents of a step that configuration had switched off when it began.
fn disabled(entries: &[Arc<Entry>], step: &StepId) -> Vec<SubagentKey> {
    let of_it = |entry: &&Arc<Entry>| matches!(&entry.record, Record::Subagent { output, status: SubagentStatus::Degraded, .. } if output.step == *step);
    let key = |entry: &Arc<Entry>| {
        let reason = read::<Said>(entry)?.content.reason?;
        (reason == DISABLED).then(|| entry.record.output().map(|output| output.stage.clone()))?
    };
    entries.iter().filter(of_it).filter_map(key).collect()
}

fn command_of(
    entry: &Entry,
    disabled: Vec<SubagentKey>,
    cancelled_because: Option<&String>,
) -> Option<Command> {
    match &entry.record {
        Record::StepStarted { directive, digest, context } => {
            let (directive, context) = (directive.clone(), context.clone());
            let new = NewStep { directive, digest: *digest, context, disabled };
            Some(Command::StartStep(Box::new(new)))
        }
        Record::Subagent {
            output,
            status,
            revision,
            sender: Some(digest),
            sender_revision,
            original,
            ..
        } => {
            let Wire { content, telemetry } = read::<Said>(entry)?;
            let is_raw = content.reason.as_deref() == Some(FAILED_OUTPUT);
            let event = SubagentEvent {
                result_key: Some(output.result_key.clone()),
                status: said(*status)?,
                revision: Some(sender_revision.unwrap_or(*revision)),
                payload: original.as_ref().map(|original| original.0.clone()).or(content.payload),
                error: content.error,
                telemetry,
                digest: *digest,
                is_raw,
            };
            Some(Command::Event { step: output.step.clone(), key: output.stage.clone(), event })
        }
        Record::Progress { step } => {
            let progress = read::<Progress>(entry)?.content;
            Some(Command::Progress { step: step.clone(), progress })
        }
        Record::Policy { step, followed: false, .. } => {
            Some(safety(step.clone(), read::<PolicySaid>(entry)?.content))
        }
        Record::StepCompleted { step, status: StepStatus::Cancelled } => {
            Some(Command::Cancel { step: Some(step.clone()), reason: cancelled_because.cloned() })
        }
        Record::SessionClosed => Some(Command::Close),
        Record::Subagent { sender: None, .. }
        | Record::Policy { followed: true, .. }
        | Record::SubagentStarted { .. }
        | Record::SubagentCompleted { .. }
        | Record::StepCompleted { .. }
        | Record::Aggregated { .. }
        | Record::WritingTaken { .. }
        | Record::SynthesisDelta { .. }
        | Record::Synthesised { .. }
        | Record::CallTaken { .. }
        | Record::CallsRenewed { .. }
        | Record::CallsReleased { .. }
        | Record::CallLeftOpen { .. }
        | Record::NoticeTaken { .. }
        | Record::NoticeTried { .. }
        | Record::StepEnded { .. }
        | Record::Answered { .. } => None,
    }
}

fn safety(step: Option<StepId>, said: PolicySaid) -> Command {
    let PolicySaid { decision, policy, reason, severity, stage, terminate } = said;
    let outcome =
        PolicyOutcome { decision, policy, reason, severity, subagent: stage, terminate: Some(terminate) };
    Command::Safety { step, outcome }
}

/// What a sender must have said for an output to stand there.
fn said(status: SubagentStatus) -> Option<SenderStatus> {
    match status {
        SubagentStatus::Pending => Some(SenderStatus::Pending),
        SubagentStatus::InProgress => Some(SenderStatus::InProgress),
        SubagentStatus::Partial => Some(SenderStatus::Partial),
        SubagentStatus::Success => Some(SenderStatus::Success),
        SubagentStatus::Error | SubagentStatus::Retry => Some(SenderStatus::Error),
        SubagentStatus::Timeout
        | SubagentStatus::Degraded
        | SubagentStatus::Refused
        | SubagentStatus::Cancelled => None,
    }
}

fn read<C: for<'de> Deserialize<'de>>(entry: &Entry) -> Option<Wire<C>> {
    let text = std::str::from_utf8(entry.wire()?).ok()?;
    serde_json::from_str(text).ok()
}
