//! The heart: a session as an event-sourced state machine.
//!
//! ```text
//! Batch::decide(command) ── emits ──► Entry ── apply ──► SessionState
//! ```
//!
//! [`apply`](SessionState::apply) is the only thing that changes a state, and it reads nothing but entries: a state is
//! the fold of its log. A [`Batch`] decides commands one after the other on a scratch copy, so each sees what the ones
//! before it did, and hands out the entries of all of them for one append.
//!
//! The life of a subagent's output (each edge is an entry):
//!
//! ```text
//! pending ─► in_progress ─► partial ─┬─► success | error        by its sender
//!    ▲  any of these, in any order   ├─► retry ─► (next attempt) a retryable error, attempts left
//!    └───────────────────────────────┤
//!                                    ├─► timeout                its deadline or the step's
//!                                    ├─► cancelled              the planner
//!                                    ├─► refused                safety
//!                                    └─► degraded               it isn't asked at all
//! ```

mod again;
mod apply;
mod batch;
mod completion;
mod directive;
mod ending;
mod event;
mod fields;
mod state;
mod tree;

pub use again::commands_again;
pub use batch::{Batch, Command, IdempotencyKey, NewStep};
pub use fields::{CorruptState, Field};
pub use state::{Answered, SenderMark, SessionState, StepEnd, StepState, SubagentState};

use super::entry::Entry;
use super::limits::SessionLimits;
use super::position::AppendId;
use super::record::Answer;
use super::time::Timestamp;
use super::verdict::Refusal;

/// Decides one command: the entries it makes of `state`, and its answer.
///
/// # Errors
/// The refusal, where nothing was decided.
pub fn decide(
    state: &SessionState,
    limits: &SessionLimits,
    command: &Command,
    now: Timestamp,
    append_id: AppendId,
) -> Result<(Vec<Entry>, Answer), Refusal> {
    let mut batch = Batch::new(state, limits, now, append_id);
    let answer = batch.decide(command)?;
    Ok((batch.into_parts().0, answer))
}
