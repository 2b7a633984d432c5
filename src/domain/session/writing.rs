//! The answer of a step that a language model writes: work that one replica does at a time, like a call.
//!
//! ```text
//! aggregation ──► due ──TakeWriting──► taken (fence) ──┬─► said, said, …      the draft, as readers see it grow
//!                  ▲                       │ ▲         ├─► written            `synthesis`, and the step ends
//!                  │                       │ └─renewed─┘
//!                  └─────── released ◄─────┴─► the fence's time is over: whoever takes it then begins a new draft
//! ```
//!
//! A step whose answer is being written has its aggregation but no end. Whatever takes its time away (its own bound, the
//! deadline of a step above it, a cancel, a refusal) ends it at once with the extractive answer, which says why. A cancel and
//! a refusal give it their status, too.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::call::{CallState, Fence, ReplicaId, due_for};
use super::state::{SessionState, StepState};
use crate::domain::ids::StepId;
use crate::domain::synthesis::budget::{self, Price, Tokens};
use crate::domain::time::Timestamp;

/// Where the writing of a step's answer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WritingState {
    /// When it must be over.
    pub until: Timestamp,
    /// Whose work it is.
    pub(super) work: CallState,
    /// Pieces of the draft that were said since it was taken.
    pub(super) said: u32,
    /// Its place among the answers that are written at once: snapshots keep one draft for each.
    pub(super) lane: u32,
}

/// A writing that was taken: what comes out of it is valid only while this fence stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WritingTicket {
    /// Of which step.
    pub step: StepId,
    /// The number of its fence.
    pub number: u64,
    /// Whose that is.
    pub replica: ReplicaId,
}

/// What language models have cost a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Tokens in and out.
    pub tokens: u64,
    /// Calls.
    pub calls: u32,
    /// Money, in millionths of the currency that prices are configured in.
    pub micros: u64,
}

impl Spent {
    /// Adds what was spent later.
    pub fn add(&mut self, more: Self) {
        self.tokens = self.tokens.saturating_add(more.tokens);
        self.calls = self.calls.saturating_add(more.calls);
        self.micros = self.micros.saturating_add(more.micros);
    }

    /// Whether nothing was spent.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// The log counts tokens together, read and written.
impl From<budget::Spent> for Spent {
    fn from(spent: budget::Spent) -> Self {
        let calls = u32::try_from(spent.calls).unwrap_or(u32::MAX);
        Self { tokens: spent.tokens.sum(), calls, micros: spent.micros }
    }
}

impl WritingState {
    pub(super) fn due(at: Timestamp, until: Timestamp, lane: u32) -> Self {
        Self { until, work: CallState::due(at), said: 0, lane }
    }

    /// When `replica` may take it; `None` while that does it itself.
    pub fn due_for(&self, replica: ReplicaId) -> Option<Timestamp> {
        due_for(self.work.fence, self.work.due_at, replica)
    }

    /// Since when there is something to write.
    pub fn since(&self) -> Timestamp {
        self.work.due_at
    }

    /// How often it was taken.
    pub(super) fn taken(&self) -> u64 {
        self.work.taken
    }

    /// Whose it is now.
    pub fn fence(&self) -> Option<Fence> {
        self.work.fence
    }

    /// What a writing that is given up has cost: by `own`, the count of whoever writes it now, where that is known. Of
    /// those that nobody counts any more it is told about: a call each time that it was taken, a token for four bytes of
    /// what was read, and those of the pieces, at `price`.
    pub fn given_up(&self, read_bytes: usize, price: Price, own: Option<Spent>) -> Spent {
        const TOKENS_A_PIECE: u64 = 8;
        let guessed = self.work.taken.saturating_sub(u64::from(own.is_some()));
        let pieces = if own.is_some() { 0 } else { u64::from(self.said) };
        let tokens = Tokens { input: guessed * (read_bytes as u64 / 4), output: pieces * TOKENS_A_PIECE };
        let mut spent = Spent::from(budget::Spent { tokens, calls: guessed, micros: price.of(tokens) });
        spent.add(own.unwrap_or_default());
        spent
    }

    pub(super) fn take(&mut self, fence: Fence) {
        self.work.taken = fence.number;
        self.work.fence = Some(fence);
        self.said = 0;
    }

    pub(super) fn renew(&mut self, until: Timestamp) {
        if let Some(fence) = &mut self.work.fence {
            fence.until = Some(until);
        }
    }

    pub(super) fn release(&mut self) {
        self.work.fence = None;
    }

    fn due_for_others(&self) -> Option<Timestamp> {
        self.work.fence.map_or(Some(self.work.due_at), |fence| fence.until)
    }
}

impl StepState {
    /// Where the writing of its answer stands, while there is something to write.
    pub fn writing(&self) -> Option<&WritingState> {
        self.writing.as_ref().filter(|_| self.ended.is_none())
    }
}

impl SessionState {
    /// The answers that are being written, or wait for somebody to write them.
    pub fn writings(&self) -> impl Iterator<Item = (&StepState, &WritingState)> {
        self.steps.iter().filter_map(|step| Some((&**step, step.writing()?)))
    }

    /// Those that `replica` writes, and until when they are its own.
    pub fn writings_of(
        &self,
        replica: ReplicaId,
    ) -> impl Iterator<Item = (WritingTicket, Option<Timestamp>)> {
        self.writings().filter_map(move |(step, writing)| {
            let fence = writing.fence().filter(|fence| fence.replica == replica)?;
            Some((WritingTicket { step: step.id().clone(), number: fence.number, replica }, fence.until))
        })
    }

    /// When `replica` has an answer to write.
    pub fn next_writing(&self, replica: ReplicaId) -> Option<Timestamp> {
        self.writings().filter_map(|(_, writing)| writing.due_for(replica)).min()
    }

    /// The first place that no answer is written in.
    pub(super) fn free_lane(&self) -> u32 {
        let taken: BTreeSet<u32> = self.writings().map(|(_, writing)| writing.lane).collect();
        (0..).find(|lane| !taken.contains(lane)).unwrap_or_default()
    }

    /// When a writing must be over.
    pub(super) fn next_writing_deadline(&self) -> Option<Timestamp> {
        self.writings().map(|(_, writing)| writing.until).min()
    }

    /// When somebody else has to look after a writing.
    pub(super) fn writing_due_for_others(&self) -> Option<Timestamp> {
        self.writings().filter_map(|(_, writing)| writing.due_for_others()).min()
    }

    pub(super) fn writing_mut(&mut self, step: &StepId) -> Option<&mut WritingState> {
        self.step_mut(step).writing.as_mut()
    }
}
