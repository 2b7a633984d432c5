//! The heart: a session as an event-sourced state machine.
//!
//! ```text
//! Batch::decide(command) ── emits ──► Entry ── apply ──► SessionState
//! ```
//!
//! [`apply`](SessionState::apply) is the only thing that changes a state, and it reads nothing but entries: a state is
//! the fold of its log. A [`Batch`] decides commands one after the other on a scratch copy, so each sees what the ones
//! before it did, and hands out the entries of all of them for one append. A step that a command completes gets its
//! result in the same batch ([`Batch::to_combine`], [`Batch::combine`]).
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
mod call;
mod calling;
mod combining;
mod command;
mod completion;
mod directive;
mod drafting;
mod ending;
mod event;
mod fields;
mod notice;
mod safety;
mod standing;
mod state;
mod tree;
mod writing;

pub use again::commands_again;
pub use batch::Batch;
pub use call::{CallFailure, CallGate, CallState, CallTicket, Fence, ReplicaId};
pub use combining::{Combined, Synthesised};
pub use command::{Command, IdempotencyKey, NewStep};
pub(in crate::domain) use event::FAILED_OUTPUT;
pub use fields::{CorruptState, Field, name_of as name_of_output};
pub use notice::{Notice, NoticeTicket, Notices};
pub use state::{Answered, SenderMark, SessionState, StepEnd, StepState, SubagentState};
pub use writing::{Spent, WritingState, WritingTicket};
