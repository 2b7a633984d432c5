//! Calls of subagents as work that one replica does at a time.
//!
//! ```text
//! due ──TakeCall──► taken (fence) ──┬─► said, said, …, terminal       the output is over, and the call with it
//!  ▲                    │ ▲         ├─► failed, attempts left ─► due at a later time, next attempt
//!  │                    │ └─renewed─┤
//!  │                    │           └─► left open                    it was accepted; its subagent will push
//!  └──── released ◄─────┴──────────────► the fence's time is over: whoever takes it then goes on with the same attempt
//! ```
//!
//! A call is taken by a fence in the log, so a race has one winner. What comes out of a call carries the number of its
//! fence, and is dropped where that isn't the last one: a replica that was frozen and wakes up changes nothing.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::state::{SessionState, StepState, SubagentState};
use crate::domain::directive::{Invoke, InvokeCall};
use crate::domain::event::EventError;
use crate::domain::ids::{ResultKey, StepId};
use crate::domain::time::Timestamp;

/// A process that does work, by a random number of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReplicaId(pub u64);

/// Who does a piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fence {
    /// How often this work was taken, this time counted.
    pub number: u64,
    /// By whom.
    pub replica: ReplicaId,
    /// Until when others leave it alone; absent where there is only one process, so that another is its successor.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub until: Option<Timestamp>,
}

/// Where the call of an output stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallState {
    /// Not to be begun before.
    pub due_at: Timestamp,
    /// How often it was taken.
    pub taken: u64,
    /// Who makes it now.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fence: Option<Fence>,
}

impl CallState {
    /// A call that nobody makes yet.
    pub(super) fn due(at: Timestamp) -> Self {
        Self { due_at: at, taken: 0, fence: None }
    }

    /// When `replica` may take it; `None` while that makes it itself.
    pub fn due_for(&self, replica: ReplicaId) -> Option<Timestamp> {
        due_for(self.fence, self.due_at, replica)
    }

    /// When somebody else has to look after it.
    fn due_for_others(&self) -> Option<Timestamp> {
        self.fence.map_or(Some(self.due_at), |fence| fence.until)
    }
}

/// When `replica` may take work that is due at `due_at` and has that fence; `None` while it does it itself.
pub(super) fn due_for(fence: Option<Fence>, due_at: Timestamp, replica: ReplicaId) -> Option<Timestamp> {
    match fence {
        None => Some(due_at),
        Some(fence) if fence.replica == replica => None,
        Some(fence) => Some(fence.until.unwrap_or(due_at)),
    }
}

/// A call that was taken: what comes out of it is valid only while this fence stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallTicket {
    /// Of which step.
    pub step: StepId,
    /// Of which output.
    pub result_key: ResultKey,
    /// The number of its fence.
    pub number: u64,
    /// Whose that is: a store that lost the end of a log hands the same number out again.
    pub replica: ReplicaId,
}

/// Whether a subagent is to be called, by its circuit breaker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallGate {
    /// It is.
    Open,
    /// Its breaker is open.
    Degraded {
        /// Why, for a person.
        reason: String,
        /// Since when.
        since: Timestamp,
    },
}

/// Why a call failed, and when there may be another.
#[derive(Debug, Clone, PartialEq)]
pub struct CallFailure {
    /// What failed.
    pub error: EventError,
    /// When the next attempt begins; `None`: there is none.
    pub retry_at: Option<Timestamp>,
}

impl SubagentState {
    /// How it is called, where it is.
    pub fn invocation(&self) -> Option<&InvokeCall> {
        match &self.expected.invoke {
            Some(Invoke::Call(call)) => Some(call),
            Some(Invoke::Configured(_) | Invoke::With(_)) | None => None,
        }
    }

    /// Its call, while there is one to make.
    pub fn call(&self) -> Option<&CallState> {
        self.call.as_ref().filter(|_| !self.status.is_terminal())
    }
}

impl StepState {
    /// The call of one of its outputs that `replica` makes.
    pub fn call_of(&self, subagent: &SubagentState, replica: ReplicaId) -> Option<CallTicket> {
        let call = subagent.call().filter(|_| self.is_running())?;
        let fence = call.fence.filter(|fence| fence.replica == replica)?;
        let (step, result_key) = (subagent.output.step.clone(), subagent.output.result_key.clone());
        Some(CallTicket { step, result_key, number: fence.number, replica })
    }

    /// Its outputs whose copies aren't those of `before`; all of them where it has ended since.
    fn changed_since<'s>(&'s self, before: Option<&'s Self>) -> impl Iterator<Item = &'s Arc<SubagentState>> {
        let before = before.filter(|before| before.is_running() == self.is_running());
        let known = before.map_or(&[][..], |before| &before.subagents);
        let is_known = move |(at, subagent): &(usize, &Arc<SubagentState>)| {
            known.get(*at).is_some_and(|known| Arc::ptr_eq(known, subagent))
        };
        self.subagents.iter().enumerate().filter(move |place| !is_known(place)).map(|(_, subagent)| subagent)
    }

    fn calls(&self) -> impl Iterator<Item = (&SubagentState, &CallState)> {
        let running = self.invokes && self.is_running();
        let subagents = self.subagents.iter().filter(move |_| running);
        subagents.filter_map(|subagent| Some((&**subagent, subagent.call()?)))
    }
}

impl SessionState {
    /// The outputs, of steps that call, whose calls may have begun or ended since `before`: those whose copies aren't the
    /// same any more. Nobody changes a copy while another holds it, so this is told without a look into them.
    pub fn called_since<'s>(
        &'s self,
        before: Option<&'s Self>,
    ) -> impl Iterator<Item = (&'s Arc<StepState>, &'s Arc<SubagentState>)> {
        let known = before.map_or(&[][..], |before| &before.steps);
        let calling = self.steps.iter().enumerate().filter(|(_, step)| step.invokes);
        let changed = calling.map(move |(at, step)| (step, known.get(at)));
        let changed = changed.filter(|(step, known)| !known.is_some_and(|known| Arc::ptr_eq(known, step)));
        changed.flat_map(|(step, known)| {
            step.changed_since(known.map(|known| &**known)).map(move |subagent| (step, subagent))
        })
    }

    /// The calls that aren't over, with their outputs.
    pub fn calls(&self) -> impl Iterator<Item = (&SubagentState, &CallState)> {
        self.steps.iter().flat_map(|step| step.calls())
    }

    /// The calls that `replica` makes, and until when they are its own.
    pub fn calls_of(&self, replica: ReplicaId) -> impl Iterator<Item = (CallTicket, Option<Timestamp>)> {
        self.calls().filter_map(move |(subagent, call)| {
            let fence = call.fence.filter(|fence| fence.replica == replica)?;
            let (step, result_key) = (subagent.output.step.clone(), subagent.output.result_key.clone());
            Some((CallTicket { step, result_key, number: fence.number, replica }, fence.until))
        })
    }

    /// When `replica` has a call to take.
    pub fn next_call(&self, replica: ReplicaId) -> Option<Timestamp> {
        self.calls().filter_map(|(_, call)| call.due_for(replica)).min()
    }

    /// When somebody must look at the session at the latest, if whoever runs it dies.
    pub fn next_wake(&self) -> Option<Timestamp> {
        let calls = self.calls().filter_map(|(_, call)| call.due_for_others()).min();
        let others = [calls, self.notices.due_for_others(), self.writing_due_for_others()];
        others.into_iter().chain([self.next_deadline()]).flatten().min()
    }
}
