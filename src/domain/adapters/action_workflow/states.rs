//! Words and flags for the state of an action.

use super::super::card::CardState;
use super::super::shape::Member;
use super::super::values::{below, boolean, find, word};

const PROPOSED: &[&str] = &[
    "awaiting_approval",
    "awaiting_confirmation",
    "created",
    "draft",
    "needs_approval",
    "needs_confirmation",
    "new",
    "paused",
    "pending",
    "pending_approval",
    "planned",
    "proposed",
    "requires_action",
    "requires_approval",
    "requires_confirmation",
    "suggested",
    "waiting",
];

const CONFIRMED: &[&str] =
    &["accept", "accepted", "approve", "approved", "confirm", "confirmed", "queued", "ready", "scheduled"];

const EXECUTING: &[&str] = &[
    "active",
    "continued_as_new",
    "executing",
    "in_progress",
    "processing",
    "retrying",
    "running",
    "started",
];

const DONE: &[&str] =
    &["complete", "completed", "done", "executed", "finished", "ok", "succeeded", "success", "successful"];

const FAILED: &[&str] = &[
    "aborted",
    "canceled",
    "cancelled",
    "crashed",
    "declined",
    "denied",
    "deny",
    "error",
    "errored",
    "expired",
    "fail",
    "failed",
    "failure",
    "reject",
    "rejected",
    "skipped",
    "terminated",
    "timed_out",
    "timeout",
];

/// The state that a word stands for.
pub(super) fn of(value: &str) -> Option<CardState> {
    let word = word(value)?;
    let word = word.strip_prefix("workflow_execution_status_").unwrap_or(&word);
    match word {
        word if PROPOSED.contains(&word) => Some(CardState::Proposed),
        word if CONFIRMED.contains(&word) => Some(CardState::Confirmed),
        word if EXECUTING.contains(&word) => Some(CardState::Executing),
        word if DONE.contains(&word) => Some(CardState::Done),
        word if FAILED.contains(&word) => Some(CardState::Failed),
        _ => None,
    }
}

/// The state that flags stand for, where no word says it.
pub(super) fn flagged(members: &[Member<'_>]) -> Option<CardState> {
    if find(members, "error").is_some_and(|error| !matches!(error, "false" | "\"\"" | "{}" | "[]")) {
        return Some(CardState::Failed);
    }
    let flag = |name: &str| find(members, name).and_then(boolean);
    let or = |name: &str, yes, no| flag(name).map(|set| if set { yes } else { no });
    or("success", CardState::Done, CardState::Failed)
        .or_else(|| or("finished", CardState::Done, CardState::Executing))
        .or_else(|| or("approved", CardState::Confirmed, CardState::Failed))
        .or_else(|| or("confirmed", CardState::Confirmed, CardState::Proposed))
        .or_else(|| pressed(members))
}

/// The button that was pressed in Slack: its value, or else its id.
fn pressed(members: &[Member<'_>]) -> Option<CardState> {
    let button = |name| below(find(members, "actions")?, &["0", name]).and_then(of);
    button("value").or_else(|| button("action_id"))
}
