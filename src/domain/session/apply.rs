//! The fold: what an entry changes in a session's state.

use std::sync::Arc;

use super::call::CallState;
use super::notice::Notice;
use super::state::{Answered, IDEMPOTENCY_KEYS, SenderMark, SessionState, StepEnd, StepState, SubagentState};
use super::writing::WritingState;
use crate::domain::adapters::Adapter;
use crate::domain::directive::{Directive, Invoke};
use crate::domain::entry::Entry;
use crate::domain::event::Digest;
use crate::domain::position::Position;
use crate::domain::record::{Output, Record, StepStatus, SubagentStatus};
use crate::domain::story::Grouping;
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::time::Timestamp;

impl SessionState {
    /// Folds the entry that follows the state's position.
    pub fn apply(&mut self, entry: &Entry) {
        debug_assert_eq!(entry.previous_chain, self.position.chain, "entries are folded in order");
        let before = self.position;
        self.position = entry.position(before.epoch);
        self.last_at = entry.at;
        self.bytes += entry.weight() as u64;
        match &entry.record {
            Record::StepStarted { directive, digest, context } => {
                self.start_step(entry.at, directive, *digest, context)
            }
            Record::SubagentStarted { output } => {
                let step = self.step_mut(&output.step);
                step.output_mut(&output.result_key).started_at = Some(entry.at);
            }
            Record::Subagent { .. } => self.apply_subagent(entry),
            Record::StepCompleted { step, status } => self.step_mut(step).status = *status,
            Record::StepEnded { step } => {
                let end = StepEnd { position: self.position, at: entry.at };
                self.step_mut(step).ended = Some(end);
            }
            Record::SessionClosed => {
                self.more_steps = false;
                self.closed = true;
            }
            Record::Answered { key, fingerprint, answers } => {
                self.remember(key, *fingerprint, answers, before)
            }
            Record::CallTaken { output, fence } => {
                let subagent = self.step_mut(&output.step).output_mut(&output.result_key);
                // Whoever calls again is told the story from its beginning.
                subagent.card = subagent.card.filter(|_| fence.number == 1);
                if let Some(call) = &mut subagent.call {
                    call.taken = fence.number;
                    call.fence = Some(*fence);
                }
            }
            Record::CallsRenewed { outputs, steps, until } => {
                for step in steps {
                    if let Some(writing) = self.writing_mut(step) {
                        writing.renew(*until);
                    }
                }
                for output in outputs {
                    let fence = self.call_mut(output).and_then(|call| call.fence.as_mut());
                    if let Some(fence) = fence {
                        fence.until = Some(*until);
                    }
                }
            }
            Record::CallsReleased { outputs, steps, notices } => {
                self.notices.release(notices);
                for step in steps {
                    if let Some(writing) = self.writing_mut(step) {
                        writing.release();
                    }
                }
                for output in outputs {
                    if let Some(call) = self.call_mut(output) {
                        call.fence = None;
                    }
                }
            }
            Record::CallLeftOpen { output } => {
                self.step_mut(&output.step).output_mut(&output.result_key).call = None;
            }
            Record::Policy { notify: true, .. } => self.notices.push(Notice::due(entry.sequence, entry.at)),
            Record::NoticeTaken { decision, fence } => self.notices.take(*decision, *fence),
            Record::NoticeTried { decision, retry_at } => self.notices.tried(*decision, *retry_at),
            Record::SubagentCompleted { .. }
            | Record::Progress { .. }
            | Record::Policy { notify: false, .. } => {}
            Record::Aggregated { step, writing, .. } => {
                let lane = self.free_lane();
                let step = self.step_mut(step);
                step.aggregated = Some(entry.sequence);
                step.writing = writing.map(|until| WritingState::due(entry.at, until, lane));
            }
            Record::WritingTaken { step, fence } => {
                if let Some(writing) = self.writing_mut(step) {
                    writing.take(*fence);
                }
            }
            Record::SynthesisDelta { step, .. } => {
                if let Some(writing) = self.writing_mut(step) {
                    writing.said += 1;
                }
            }
            Record::Synthesised { step, spent, .. } => {
                self.step_mut(step).writing = None;
                self.spent.add(*spent);
            }
        }
        if let Some(id) = entry.record.step() {
            self.step_mut(id).last = entry.sequence;
        }
    }

    /// Whether what a record speaks of is there. In a log that lost its beginning it may not be.
    pub fn knows(&self, record: &Record) -> bool {
        if matches!(record, Record::StepStarted { .. }) {
            return true;
        }
        if let Record::CallsRenewed { outputs, steps, .. } | Record::CallsReleased { outputs, steps, .. } =
            record
        {
            let known = |output: &Output| self.step(&output.step)?.output(&output.result_key);
            return outputs.iter().all(|output| known(output).is_some())
                && steps.iter().all(|step| self.step(step).is_some());
        }
        let Some(id) = record.step() else { return true };
        let Some(step) = self.step(id) else { return false };
        record.output().is_none_or(|output| step.output(&output.result_key).is_some())
    }

    fn call_mut(&mut self, output: &Output) -> Option<&mut CallState> {
        self.step_mut(&output.step).output_mut(&output.result_key).call.as_mut()
    }

    pub(super) fn start_step(
        &mut self,
        at: Timestamp,
        directive: &Arc<Directive>,
        digest: Digest,
        context: &Arc<TelemetryContext>,
    ) {
        let deadline = at.plus_ms(directive.deadline_ms);
        let subagents = directive.expected_subagents.iter().map(|expected| {
            let own = expected.deadline_ms.map_or(deadline, |ms| at.plus_ms(ms));
            let output = Output {
                step: directive.plan_step_id.clone(),
                stage: expected.key.clone(),
                result_key: expected.result_key().clone(),
            };
            let called = matches!(expected.invoke, Some(Invoke::Call(_)));
            let context: Arc<TelemetryContext> =
                context.child(output.result_key.as_str(), expected.telemetry.as_ref()).into();
            Arc::new(SubagentState {
                adapter: Adapter::choose(&expected.key, expected.adapter),
                asked_context: context.clone(),
                context,
                output,
                expected: expected.clone(),
                status: SubagentStatus::Pending,
                revision: 0,
                sender: None,
                attempt: 1,
                attempt_at: None,
                failed: None,
                deadline: own.min(deadline),
                started_at: None,
                latency_ms: None,
                call: called.then(|| CallState::due(at)),
                card: None,
            })
        });
        let subagents: Vec<_> = subagents.collect();
        self.steps.push(Arc::new(StepState {
            invokes: subagents.iter().any(|subagent| subagent.call.is_some()),
            subagents,
            directive: directive.clone(),
            digest,
            context: context.clone(),
            grouping: Grouping::default(),
            started: self.position,
            started_at: at,
            deadline,
            last: self.position.sequence,
            status: StepStatus::InProgress,
            aggregated: None,
            writing: None,
            ended: None,
        }));
        // What nobody sees doesn't change what everybody waits for.
        if !directive.shadow {
            self.more_steps = directive.more_steps;
            self.closed = false;
        }
    }

    fn apply_subagent(&mut self, entry: &Entry) {
        let Record::Subagent {
            output,
            status,
            revision,
            attempt,
            sender,
            context,
            latency_ms,
            card,
            sender_revision,
            retry_at,
            failed,
            original: _,
        } = &entry.record
        else {
            return;
        };
        let step = self.step_mut(&output.step);
        let started_at = step.started_at;
        let subagent = step.output_mut(&output.result_key);
        subagent.status = *status;
        subagent.revision = *revision;
        subagent.attempt = *attempt;
        if let Some(digest) = sender {
            subagent.sender = Some(SenderMark {
                revision: sender_revision.unwrap_or(*revision),
                sequence: entry.sequence,
                digest: *digest,
            });
        }
        if let Some(context) = context {
            subagent.context = context.clone();
        }
        subagent.card = card.or(subagent.card).filter(|_| *status != SubagentStatus::Retry);
        if *status == SubagentStatus::Retry {
            let next = retry_at.unwrap_or(entry.at);
            subagent.attempt_at = Some(next);
            subagent.failed = failed.clone();
            if let Some(call) = &mut subagent.call {
                call.fence = None;
                call.due_at = next;
            }
        }
        if status.is_terminal() {
            subagent.latency_ms = Some(latency_ms.unwrap_or_else(|| entry.at.since_ms(started_at)));
        }
    }

    fn remember(
        &mut self,
        key: &Arc<str>,
        fingerprint: Digest,
        new: &[crate::domain::record::ItemAnswer],
        cursor: Position,
    ) {
        let answered = Arc::make_mut(&mut self.answered);
        if let Some(known) = answered.iter_mut().rev().find(|answered| answered.key == *key) {
            known.answers.extend_from_slice(new);
            // An item that was refused at first has its answer behind those after it. What is in order is seen to be in one pass.
            known.answers.sort_by_key(|answer| answer.index);
            known.cursor = cursor;
            return;
        }
        if answered.len() == IDEMPOTENCY_KEYS {
            answered.pop_front();
        }
        let ordinal = answered.back().map_or(0, |last| last.ordinal + 1);
        answered.push_back(Answered {
            ordinal,
            key: key.clone(),
            fingerprint,
            answers: new.to_vec(),
            cursor,
        });
    }
}
