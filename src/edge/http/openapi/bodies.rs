//! Bodies that are read or written piece by piece, and so have no type of their own.

#![expect(dead_code, reason = "the fields are read by the derive only")]

use utoipa::ToSchema;

use crate::domain::event::Envelope;
use crate::domain::position::Sequence;
use crate::domain::verdict::Code;

/// One event, or an array of them.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum EventsBody {
    /// One.
    One(Envelope<'static>),
    /// Several: decided one by one, in order.
    Many(Vec<Envelope<'static>>),
}

/// What became of one event.
#[derive(ToSchema)]
pub struct ItemResult {
    verdict: ItemVerdict,
    /// The sequence of its `planner_stream` event; of the original where it is a duplicate.
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<Sequence>,
    /// Why it is invalid, for a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Code>,
    /// Why it is invalid, for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

/// `accepted`: stored, ordered, shown. `duplicate`, `stale`: stored before, so done. `late`: its subagent or step had ended.
/// `conflict`: its revision was stored with other content. `invalid`: see `code`. `undecided`: send it again.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
enum ItemVerdict {
    Accepted,
    Duplicate,
    Stale,
    Late,
    Conflict,
    Invalid,
    Undecided,
}
