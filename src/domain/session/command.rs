//! What a session can be told, parsed and checked as far as that goes without its state.

use std::sync::Arc;

use super::call::{CallFailure, CallGate, CallTicket, ReplicaId};
use super::combining::Synthesised;
use super::notice::NoticeTicket;
use super::writing::WritingTicket;
use crate::domain::directive::Directive;
use crate::domain::event::{Digest, SubagentEvent};
use crate::domain::ids::{ResultKey, StepId, SubagentKey};
use crate::domain::policy::PolicyOutcome;
use crate::domain::position::Sequence;
use crate::domain::requests::Progress;
use crate::domain::synthesis::draft::Delta;
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::time::Timestamp;

/// What a session can be told.
#[derive(Debug, Clone)]
pub enum Command {
    /// A directive for a step.
    StartStep(Box<NewStep>),
    /// A subagent's event.
    Event {
        /// Of which step.
        step: StepId,
        /// From whom.
        key: SubagentKey,
        /// What it says.
        event: SubagentEvent,
    },
    /// The planner's own progress in a step.
    Progress {
        /// Which step.
        step: StepId,
        /// What it says.
        progress: Progress,
    },
    /// A safety decision about a step, or without one about the session.
    Safety {
        /// Which step.
        step: Option<StepId>,
        /// What was decided.
        outcome: PolicyOutcome,
    },
    /// The planner ends a step, or without one all that run.
    Cancel {
        /// Which step.
        step: Option<StepId>,
        /// Why.
        reason: Option<String>,
    },
    /// The planner posts no more steps.
    Close,
    /// Time has passed: whatever is overdue by `now` ends. A spurious one changes nothing.
    Deadlines,
    /// A replica makes the call of an output, or its breaker says that it isn't called. Nothing, where it isn't due.
    TakeCall {
        /// Of which step.
        step: StepId,
        /// Of which output.
        result_key: ResultKey,
        /// By whom.
        replica: ReplicaId,
        /// For how long others leave it alone, in milliseconds; absent where there are no others.
        lease_ms: Option<u64>,
        /// Whether it is called.
        gate: CallGate,
    },
    /// A call says something. Dropped where its fence isn't the last one.
    CallSaid {
        /// Which call.
        ticket: CallTicket,
        /// What it says; its revision is the next one, whatever the subagent counts.
        event: SubagentEvent,
    },
    /// An attempt failed. Dropped where its fence isn't the last one.
    CallFailed {
        /// Which call.
        ticket: CallTicket,
        /// Why, and what follows.
        failure: CallFailure,
    },
    /// A call is over and its subagent will push. Dropped where its fence isn't the last one.
    CallLeftOpen {
        /// Which call.
        ticket: CallTicket,
    },
    /// A replica has a language model write the answer of a step. Nothing, where it isn't due.
    TakeWriting {
        /// Of which step.
        step: StepId,
        /// By whom.
        replica: ReplicaId,
        /// For how long others leave it alone, in milliseconds; absent where there are no others.
        lease_ms: Option<u64>,
    },
    /// The next pieces of a draft. Dropped where its fence isn't the last one.
    WritingSaid {
        /// Which writing.
        ticket: WritingTicket,
        /// What was said.
        deltas: Vec<Delta>,
    },
    /// An answer is written, or given up for the extractive one. Dropped where its fence isn't the last one.
    Written {
        /// Which writing.
        ticket: WritingTicket,
        /// The answer.
        synthesised: Box<Synthesised>,
    },
    /// A replica posts a safety decision to the orchestrator. Nothing, where it isn't due.
    TakeNotice {
        /// The decision's event.
        decision: Sequence,
        /// By whom.
        replica: ReplicaId,
        /// For how long others leave it alone, in milliseconds; absent where there are no others.
        lease_ms: Option<u64>,
    },
    /// It was posted, or not. Dropped where its fence isn't the last one.
    NoticeTried {
        /// Which one.
        ticket: NoticeTicket,
        /// When it is tried again; `None`: it was delivered, or is given up.
        retry_at: Option<Timestamp>,
    },
    /// A replica goes on with its calls and writings.
    RenewCalls {
        /// Who.
        replica: ReplicaId,
        /// For how long, in milliseconds.
        lease_ms: u64,
    },
    /// A replica gives its calls and writings back.
    ReleaseCalls {
        /// Who.
        replica: ReplicaId,
    },
}

impl Command {
    /// Whether it ends something, where there is something to end. An output's own end isn't meant: it says more than that.
    pub fn may_end(&self) -> bool {
        match self {
            Self::Safety { .. }
            | Self::Cancel { .. }
            | Self::Close
            | Self::Deadlines
            | Self::CallFailed { .. }
            | Self::Written { .. }
            | Self::ReleaseCalls { .. } => true,
            Self::StartStep(_)
            | Self::Event { .. }
            | Self::Progress { .. }
            | Self::TakeCall { .. }
            | Self::CallSaid { .. }
            | Self::CallLeftOpen { .. }
            | Self::TakeWriting { .. }
            | Self::WritingSaid { .. }
            | Self::TakeNotice { .. }
            | Self::NoticeTried { .. }
            | Self::RenewCalls { .. } => false,
        }
    }

    /// Digest of what an event of a subagent says, 0 for all else: those are known by their request's own digest.
    pub(super) fn digest(&self) -> u64 {
        let Self::Event { event, .. } = self else { return 0 };
        let named = event.result_key.as_ref().map_or("", |result_key| result_key.as_str());
        let seed = event.revision.unwrap_or(0) ^ event.digest.0 as u64;
        xxhash_rust::xxh3::xxh3_64_with_seed(named.as_bytes(), seed)
    }

    /// Digest of what a request says that is a directive, whatever bytes it says it in.
    pub(super) fn said(&self) -> Option<u64> {
        let Self::StartStep(new) = self else { return None };
        Some(new.digest.0 as u64)
    }
}

/// A directive that was parsed, with what the service adds.
#[derive(Debug, Clone)]
pub struct NewStep {
    /// What was asked.
    pub directive: Arc<Directive>,
    /// Digest of the directive.
    pub digest: Digest,
    /// The step's place in its caller's trace.
    pub context: Arc<TelemetryContext>,
    /// Subagents that configuration switched off.
    pub disabled: Vec<SubagentKey>,
}

/// An `Idempotency-Key` and what it was given for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The key as sent.
    pub key: Arc<str>,
    /// Digest of the request, so that the key's use for another is noticed.
    pub fingerprint: Digest,
}
