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
    if has_error(members) {
        return Some(CardState::Failed);
    }
    flag(members, "success", CardState::Done, CardState::Failed)
        .or_else(|| flag(members, "finished", CardState::Done, CardState::Executing))
        .or_else(|| agreed(members))
        .or_else(|| pressed(members))
}

/// The state of calls by what the answer around them says: that it failed, or that they were agreed to. That it is complete, or
/// a success, says nothing of what it asks for.
pub(super) fn around_calls(members: &[Member<'_>]) -> Option<CardState> {
    let failed = Some(CardState::Failed);
    let says_so = |name: &&str| find(members, name).and_then(of) == failed;
    let is_failed = has_error(members)
        || ["status", "phase", "execution_status"].iter().any(says_so)
        || flag(members, "success", CardState::Done, CardState::Failed) == failed;
    if is_failed { failed } else { agreed(members) }
}

fn has_error(members: &[Member<'_>]) -> bool {
    find(members, "error").is_some_and(|error| !matches!(error, "false" | "\"\"" | "{}" | "[]"))
}

fn flag(members: &[Member<'_>], name: &str, yes: CardState, no: CardState) -> Option<CardState> {
    find(members, name).and_then(boolean).map(|set| if set { yes } else { no })
}

/// Whether a person agreed.
fn agreed(members: &[Member<'_>]) -> Option<CardState> {
    flag(members, "approved", CardState::Confirmed, CardState::Failed)
        .or_else(|| flag(members, "confirmed", CardState::Confirmed, CardState::Proposed))
}

/// The button that was pressed in Slack: its value, or else its id.
fn pressed(members: &[Member<'_>]) -> Option<CardState> {
    let button = |name| below(find(members, "actions")?, &["0", name]).and_then(of);
    button("value").or_else(|| button("action_id"))
}
