//! Calls of subagents: taken, answered, failed, left open, renewed, given back.

use super::batch::Batch;
use super::call::{CallFailure, CallGate, CallTicket, Fence, ReplicaId};
use super::completion::Made;
use super::event::Origin;
use super::state::SubagentState;
use crate::domain::directive::OnDegraded;
use crate::domain::event::SubagentEvent;
use crate::domain::ids::{ResultKey, StepId};
use crate::domain::record::{Answer, Output, Record, StepStatus, SubagentStatus};
use crate::domain::time::Timestamp;
use crate::domain::verdict::{Decided, Refusal, Verdict};

/// A command that comes too late changes nothing.
const NOTHING: Answer = Answer::Done(None);

impl Batch<'_> {
    /// Takes the call of an output, if it is due for that replica and its breaker allows it.
    pub(super) fn take_call(
        &mut self,
        step: &StepId,
        result_key: &ResultKey,
        (replica, lease_ms): (ReplicaId, Option<u64>),
        gate: &CallGate,
    ) -> Answer {
        let Some(subagent) = self.due_call(step, result_key, replica) else { return NOTHING };
        let (reason, since) = match gate {
            CallGate::Open => (None, None),
            CallGate::Degraded { reason, since } => match subagent.expected.on_degraded {
                OnDegraded::Try => (Some(reason.as_str()), Some(*since)),
                OnDegraded::Skip | OnDegraded::Fail => return self.degraded(&subagent, reason, *since),
            },
        };
        let number = subagent.call().map_or(0, |call| call.taken) + 1;
        let until = lease_ms.map(|ms| self.now.plus_ms(ms));
        let fence = Fence { number, replica, until };
        self.emit_hidden(Record::CallTaken { output: subagent.output.clone(), fence });
        self.emit_started(&subagent, Origin::Call);
        self.emit_begun(&subagent, reason, since);
        NOTHING
    }

    fn due_call(&self, step: &StepId, result_key: &ResultKey, replica: ReplicaId) -> Option<SubagentState> {
        let step = self.state.step(step).filter(|step| step.is_running())?;
        let subagent = step.output(result_key)?;
        let due = subagent.call()?.due_for(replica)?;
        (due <= self.now).then(|| subagent.clone())
    }

    /// `in_progress`, once an attempt: who takes a call over says nothing new.
    fn emit_begun(&mut self, subagent: &SubagentState, reason: Option<&str>, since: Option<Timestamp>) {
        if !matches!(subagent.status, SubagentStatus::Pending | SubagentStatus::Retry) {
            return;
        }
        self.make(subagent, Made { reason, since, ..Made::of(subagent, SubagentStatus::InProgress) });
    }

    /// The end of an output whose subagent isn't called, and where the directive wants that, of its step.
    fn degraded(&mut self, subagent: &SubagentState, reason: &str, since: Timestamp) -> Answer {
        let step = &subagent.output.step;
        let plain = Made::of(subagent, SubagentStatus::Degraded);
        self.make(subagent, Made { reason: Some(reason), since: Some(since), ..plain });
        self.heed_safety(subagent, SubagentStatus::Degraded, None);
        match subagent.expected.on_degraded {
            OnDegraded::Fail => self.fail_degraded(subagent, reason),
            OnDegraded::Skip | OnDegraded::Try => self.finish_if_done(step),
        }
        NOTHING
    }

    /// The end of a step that isn't to go on without this output.
    pub(super) fn fail_degraded(&mut self, subagent: &SubagentState, reason: &str) {
        let step = std::slice::from_ref(&subagent.output.step);
        let why = format!("`{}` is degraded: {reason}", subagent.output.result_key);
        self.end_by_force(step, StepStatus::Failed, SubagentStatus::Cancelled, &why);
    }

    /// The output of a ticket, while its fence stands. What is over is told apart: that was an answer, only too late.
    fn held(&self, ticket: &CallTicket) -> Held {
        let step = self.state.step(&ticket.step);
        let Some(subagent) = step.and_then(|step| step.output(&ticket.result_key)) else { return Held::No };
        let Some(fence) = subagent.call.and_then(|call| call.fence) else { return Held::No };
        let is_its = (fence.number, fence.replica) == (ticket.number, ticket.replica);
        if !is_its && !mutant!("old-fence-counts") {
            return Held::No;
        }
        let over = subagent.status.is_terminal() || !step.is_some_and(|step| step.is_running());
        if over { Held::Over } else { Held::Yes(Box::new(subagent.clone())) }
    }

    pub(super) fn call_said(
        &mut self,
        ticket: &CallTicket,
        event: &SubagentEvent,
    ) -> Result<Answer, Refusal> {
        let subagent = match self.held(ticket) {
            Held::No => return Ok(NOTHING),
            Held::Over => return Ok(Answer::Event(Decided { verdict: Verdict::Late, sequence: None })),
            Held::Yes(subagent) => subagent,
        };
        let sequence = self.accept(&subagent, event, Origin::Call)?;
        Ok(Answer::Event(Decided { verdict: Verdict::Accepted, sequence: Some(sequence) }))
    }

    pub(super) fn call_failed(&mut self, ticket: &CallTicket, failure: &CallFailure) -> Answer {
        let Held::Yes(subagent) = self.held(ticket) else { return NOTHING };
        let CallFailure { error, retry_at } = failure;
        let again = retry_at.filter(|_| subagent.attempt < subagent.expected.max_attempts);
        let (status, attempt) = match again {
            Some(_) => (SubagentStatus::Retry, subagent.attempt + 1),
            None => (SubagentStatus::Error, subagent.attempt),
        };
        let made = Made { attempt, error: Some(error), retry_at: again, ..Made::of(&subagent, status) };
        let sequence = self.make(&subagent, made);
        if status.is_terminal() {
            self.heed_safety(&subagent, status, None);
            self.finish_if_done(&subagent.output.step);
        }
        Answer::Event(Decided { verdict: Verdict::Accepted, sequence: Some(sequence) })
    }

    pub(super) fn call_left_open(&mut self, ticket: &CallTicket) -> Answer {
        let Held::Yes(subagent) = self.held(ticket) else { return NOTHING };
        Answer::Done(Some(self.emit_hidden(Record::CallLeftOpen { output: subagent.output })))
    }

    pub(super) fn renew_calls(&mut self, replica: ReplicaId, lease_ms: u64) -> Answer {
        let (outputs, steps) = (self.outputs_called_by(replica), self.steps_written_by(replica));
        if !outputs.is_empty() || !steps.is_empty() {
            let until = self.now.plus_ms(lease_ms);
            self.emit_hidden(Record::CallsRenewed { outputs, steps, until });
        }
        NOTHING
    }

    pub(super) fn release_calls(&mut self, replica: ReplicaId) -> Answer {
        let (outputs, steps) = (self.outputs_called_by(replica), self.steps_written_by(replica));
        let notices = self.state.notices.decisions_of(replica);
        if !outputs.is_empty() || !steps.is_empty() || !notices.is_empty() {
            self.emit_hidden(Record::CallsReleased { outputs, steps, notices });
        }
        NOTHING
    }

    fn steps_written_by(&self, replica: ReplicaId) -> Vec<StepId> {
        self.state.writings_of(replica).map(|(ticket, _)| ticket.step).collect()
    }

    fn outputs_called_by(&self, replica: ReplicaId) -> Vec<Output> {
        let held = self.state.calls().filter(|(_, call)| call.fence.is_some_and(|f| f.replica == replica));
        held.map(|(subagent, _)| subagent.output.clone()).collect()
    }
}

/// Whether a ticket's fence stands.
enum Held {
    /// It doesn't: somebody else makes the call, or nobody.
    No,
    /// It does, but the output or its step is over.
    Over,
    /// It does.
    Yes(Box<SubagentState>),
}
