//! What a reader is told when its stream opens.

use std::sync::Arc;

use super::verdict::Reason;
use crate::domain::position::{Position, Sequence};
use crate::domain::session::StepState;
use crate::engine::ports::result_cache::Snapshot;

/// What the `open` event says, and what follows it.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Why the reader is given what it is given.
    pub reason: Reason,
    /// Whether it gets everything after where it was.
    pub recovered: bool,
    /// The place reading begins after; `None` where there is nothing yet.
    pub start: Option<Position>,
    /// What the first frame's `from` follows.
    pub from: Sequence,
    /// The session's last sequence.
    pub tail: Sequence,
    /// The session's oldest entry that can be read.
    pub oldest: Sequence,
    /// What is sent instead of history.
    pub snapshot: Option<Snapshot>,
    /// The end of the view's step, where it has ended.
    pub step_end: Option<Position>,
    /// Whether there is nothing left to read, now or later.
    pub finished: bool,
    /// Whether the data's time is over: what an archive has of it is all that there is, until another step begins.
    pub is_over: bool,
    /// The view's step; of a session, its last one.
    pub step: Option<Arc<StepState>>,
}

impl Opened {
    pub(super) fn unknown() -> Self {
        Self {
            reason: Reason::Unknown,
            recovered: false,
            start: None,
            from: Sequence(0),
            tail: Sequence(0),
            oldest: Sequence(0),
            snapshot: None,
            step_end: None,
            finished: false,
            is_over: false,
            step: None,
        }
    }

    /// The last sequence that a reader knows of when it has this.
    pub fn covered(&self) -> Sequence {
        self.snapshot.as_ref().map_or(self.from, |snapshot| snapshot.position.sequence)
    }
}
