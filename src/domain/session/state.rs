//! What is known of a session: the fold of its log.
//!
//! Everything below the session is behind an `Arc`, so a scratch copy costs a few counters, and a batch copies only
//! the steps and outputs that it changes.

use std::collections::VecDeque;
use std::sync::Arc;

use super::call::CallState;
use super::notice::Notices;
use super::writing::{Spent, WritingState};
use crate::domain::adapters::{Adapter, Card};
use crate::domain::directive::{Directive, ExpectedSubagent};
use crate::domain::event::{Digest, EventError};
use crate::domain::ids::{ResultKey, SessionId, StepId, SubagentKey};
use crate::domain::position::{Position, Sequence};
use crate::domain::record::{ItemAnswer, Output, StepStatus, SubagentStatus};
use crate::domain::story::Grouping;
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::time::Timestamp;

/// Requests whose `Idempotency-Key` is remembered, per session.
pub const IDEMPOTENCY_KEYS: usize = 256;

/// A session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionState {
    /// Its name.
    pub session: SessionId,
    /// The place after its last entry.
    pub position: Position,
    /// When its last entry was decided.
    pub last_at: Timestamp,
    /// Bytes of all its entries ever.
    pub bytes: u64,
    /// Its steps, in the order of their directives.
    pub steps: Vec<Arc<StepState>>,
    /// Whether the planner said that more steps follow.
    pub more_steps: bool,
    /// Whether the planner closed it, and posted no step since.
    pub closed: bool,
    /// What requests with an `Idempotency-Key` were answered, oldest first.
    pub answered: Arc<VecDeque<Answered>>,
    /// Safety decisions that are to be posted.
    pub notices: Notices,
    /// What language models have cost it.
    pub spent: Spent,
}

/// What a request with an `Idempotency-Key` was answered so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// How many requests were remembered before it.
    pub ordinal: u64,
    /// The key.
    pub key: Arc<str>,
    /// Digest of the request.
    pub fingerprint: Digest,
    /// What became of its items, by their places.
    pub answers: Vec<ItemAnswer>,
    /// The place after its last entry.
    pub cursor: Position,
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepState {
    /// What was asked.
    pub directive: Arc<Directive>,
    /// Digest of the directive.
    pub digest: Digest,
    /// Its place in its caller's trace.
    pub context: Arc<TelemetryContext>,
    /// What its spans are grouped by.
    pub grouping: Grouping,
    /// The place after its `step_started`.
    pub started: Position,
    /// When it started.
    pub started_at: Timestamp,
    /// When it ends by force.
    pub deadline: Timestamp,
    /// What it expects.
    pub subagents: Vec<Arc<SubagentState>>,
    /// Whether any of that is called: where not, nobody needs to look.
    pub invokes: bool,
    /// Its last entry so far.
    pub last: Sequence,
    /// How it ended, once all outputs are terminal.
    pub status: StepStatus,
    /// Its `aggregation`: what ended below it later is no part of its result.
    pub aggregated: Option<Sequence>,
    /// The writing of its answer, where a language model does that.
    pub(super) writing: Option<WritingState>,
    /// Its end, once its result is there and nothing follows.
    pub ended: Option<StepEnd>,
}

/// The end of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepEnd {
    /// The place after its `plan_step_completed`.
    pub position: Position,
    /// When.
    pub at: Timestamp,
}

/// What a sender said last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SenderMark {
    /// Its revision.
    pub revision: u64,
    /// The event that it became.
    pub sequence: Sequence,
    /// Digest of what it sent.
    pub digest: Digest,
}

/// An expected output and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct SubagentState {
    /// Whose.
    pub output: Output,
    /// What was asked.
    pub expected: Arc<ExpectedSubagent>,
    /// Who reads what it sends.
    pub adapter: Adapter,
    /// Its place in a trace, as its directive says it: that of every event which doesn't say its own.
    pub asked_context: Arc<TelemetryContext>,
    /// Its place in a trace, as it said it itself last.
    pub context: Arc<TelemetryContext>,
    /// Where it stands.
    pub status: SubagentStatus,
    /// Its last revision, 0 before the first.
    pub revision: u64,
    /// What its sender said last.
    pub sender: Option<SenderMark>,
    /// The attempt that runs.
    pub attempt: u32,
    /// When it begins, where it isn't the first.
    pub attempt_at: Option<Timestamp>,
    /// Why the attempt before failed, in short.
    pub failed: Option<Arc<EventError>>,
    /// When it times out.
    pub deadline: Timestamp,
    /// When it was first heard.
    pub started_at: Option<Timestamp>,
    /// From the step's start to its terminal, or what its sender reported.
    pub latency_ms: Option<u64>,
    /// Its call, where it is called and not left to push.
    pub(super) call: Option<CallState>,
    /// Where its confirmation card stands, where it shows one.
    pub card: Option<Card>,
}

impl SessionState {
    /// A session without a step, before its first entry.
    pub fn new(session: SessionId, position: Position) -> Self {
        Self {
            session,
            position,
            last_at: Timestamp::default(),
            bytes: 0,
            steps: Vec::new(),
            more_steps: false,
            closed: false,
            answered: Arc::default(),
            notices: Notices::default(),
            spent: Spent::default(),
        }
    }

    /// The step of that name. Recent ones are found first.
    pub fn step(&self, id: &StepId) -> Option<&StepState> {
        self.steps.iter().rev().find(|step| step.id() == id).map(|step| &**step)
    }

    pub(super) fn step_mut(&mut self, id: &StepId) -> &mut StepState {
        let step = self.steps.iter_mut().rev().find(|step| step.id() == id);
        Arc::make_mut(step.expect("records name steps that were started"))
    }

    /// Whether nothing more is expected: every step that is shown is over, and no other was announced.
    pub fn is_ended(&self) -> bool {
        self.expects_no_step() && self.shown().all(|step| step.ended.is_some())
    }

    /// Whether the planner said that no other step comes.
    pub fn expects_no_step(&self) -> bool {
        !self.more_steps && (self.closed || self.shown().next().is_some())
    }

    pub(super) fn shown(&self) -> impl Iterator<Item = &StepState> {
        self.steps.iter().map(|step| &**step).filter(|step| !step.directive.shadow)
    }

    /// Whether a step is still running.
    pub fn has_open_step(&self) -> bool {
        self.steps.iter().any(|step| step.ended.is_none())
    }

    /// When something must be decided at the latest, if nobody says anything.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let running = self.steps.iter().filter(|step| step.is_running());
        let soonest = running
            .map(|step| step.open_subagents().map(|s| s.deadline).fold(step.deadline, Timestamp::min))
            .min();
        [soonest, self.next_writing_deadline()].into_iter().flatten().min()
    }

    /// The last deadline of a running step.
    pub fn last_deadline(&self) -> Option<Timestamp> {
        let open = self.steps.iter().filter(|step| step.ended.is_none());
        open.map(|step| step.writing().map_or(step.deadline, |writing| writing.until)).max()
    }

    /// What the request with that key was answered.
    pub fn answered(&self, key: &str) -> Option<&Answered> {
        self.answered.iter().rev().find(|answered| &*answered.key == key)
    }
}

impl StepState {
    /// Its name.
    pub fn id(&self) -> &StepId {
        &self.directive.plan_step_id
    }

    /// Whether something is still expected. Where not, its result may still be missing: until `ended`.
    pub fn is_running(&self) -> bool {
        self.status == StepStatus::InProgress
    }

    /// How it stands for whoever asks: what its outputs came to isn't its end while its answer is being written.
    pub fn shown_status(&self) -> StepStatus {
        if self.writing().is_some() { StepStatus::InProgress } else { self.status }
    }

    /// The place before its first entry.
    pub fn before(&self) -> Sequence {
        self.started.sequence.previous()
    }

    /// What isn't terminal yet.
    pub fn open_subagents(&self) -> impl Iterator<Item = &SubagentState> {
        self.subagents.iter().map(|s| &**s).filter(|s| !s.status.is_terminal())
    }

    /// The outputs of `key`.
    pub fn outputs_of<'a>(&'a self, key: &'a SubagentKey) -> impl Iterator<Item = &'a SubagentState> {
        self.subagents.iter().map(|s| &**s).filter(move |s| s.output.stage == *key)
    }

    /// The output of that name.
    pub fn output(&self, result_key: &ResultKey) -> Option<&SubagentState> {
        self.subagents.iter().find(|s| s.output.result_key == *result_key).map(|s| &**s)
    }

    pub(super) fn output_mut(&mut self, result_key: &ResultKey) -> &mut SubagentState {
        let found = self.subagents.iter_mut().find(|s| s.output.result_key == *result_key);
        Arc::make_mut(found.expect("records name outputs that a directive expects"))
    }
}
