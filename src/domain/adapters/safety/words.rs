//! The words of safety checks, as a decision each. All in the form of [`word`](super::super::values::word).

use crate::domain::policy::PolicyDecision;

const ALLOW: &[&str] = &[
    "accept",
    "accepted",
    "allow",
    "allowed",
    "approve",
    "approved",
    "benign",
    "clean",
    "compliant",
    "continue",
    "no_match_found",
    "no_violation",
    "none",
    "not_flagged",
    "ok",
    "okay",
    "pass",
    "passed",
    "permit",
    "permitted",
    "proceed",
    "safe",
];

const REFUSE: &[&str] = &[
    "abort",
    "attack",
    "block",
    "blocked",
    "content_filter",
    "content_filtered",
    "denied",
    "deny",
    "disallow",
    "disallowed",
    "fail",
    "failed",
    "filtered",
    "flagged",
    "forbid",
    "forbidden",
    "guardrail_intervened",
    "harmful",
    "intervened",
    "jailbreak",
    "match_found",
    "noncompliant",
    "prohibited",
    "refuse",
    "refused",
    "refuse_to_respond",
    "refusal",
    "reject",
    "rejected",
    "terminate",
    "toxic",
    "unsafe",
    "violated",
    "violation",
];

const ESCALATE: &[&str] = &[
    "controversial",
    "escalate",
    "escalated",
    "flag",
    "flag_for_review",
    "human",
    "human_review",
    "manual_review",
    "needs_human",
    "needs_review",
    "pending_review",
    "require_review",
    "requires_review",
    "review",
    "uncertain",
    "unsure",
    "warn",
    "warning",
];

/// Flags that are true where something is wrong.
const BAD: &[&str] = &[
    "attackDetected",
    "blocked",
    "denied",
    "detected",
    "filtered",
    "flagged",
    "harmful",
    "has_violation",
    "intervened",
    "is_harmful",
    "is_unsafe",
    "is_violation",
    "jailbreak_detected",
    "rejected",
    "toxic",
    "unsafe",
    "violated",
    "violation",
];

/// Flags that are true where nothing is.
const GOOD: &[&str] = &[
    "allow",
    "allowed",
    "approved",
    "compliant",
    "is_allowed",
    "is_compliant",
    "is_safe",
    "passed",
    "permitted",
    "safe",
    "validation_passed",
];

/// Flags that are true where a person has to look; false says nothing.
const REVIEW: &[&str] = &[
    "escalate",
    "escalated",
    "human_review",
    "needs_human",
    "needs_review",
    "requires_human_review",
    "requires_review",
    "review",
];

/// The decision that `word` stands for.
pub(super) fn decision(word: &str) -> Option<PolicyDecision> {
    match word {
        word if ALLOW.contains(&word) => Some(PolicyDecision::Allow),
        word if REFUSE.contains(&word) => Some(PolicyDecision::Refuse),
        word if ESCALATE.contains(&word) => Some(PolicyDecision::Escalate),
        _ => None,
    }
}

/// What a flag of that name says where it is `set`.
pub(super) fn flag(name: &str, set: bool) -> Option<PolicyDecision> {
    let refused = |is| if is { PolicyDecision::Refuse } else { PolicyDecision::Allow };
    match name {
        name if BAD.contains(&name) => Some(refused(set)),
        name if GOOD.contains(&name) => Some(refused(!set)),
        name if set && REVIEW.contains(&name) => Some(PolicyDecision::Escalate),
        _ => None,
    }
}
