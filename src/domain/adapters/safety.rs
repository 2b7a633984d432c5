//! Safety decisions: `{decision: allow|refuse|escalate, policy, reason, severity, terminate, subagent?}`.
//!
//! | sent | becomes |
//! |---|---|
//! | an object with a `decision` that is understood | `decision` (another word for it is kept in `decision_reported`); `policy`, `policy_name`, `policy_id`, `rule`, `rule_name`, `rule_id`, `guardrail`, `category` or `violated_policy`; `reason`, `explanation`, `rationale`, `justification`, `actionReason`, `message` or `description`; `severity`, `severity_level`, `risk_level`, `risk` or `level` (a number becomes a text); `terminate`, `terminate_session`, `end_session` or `halt`; `subagent`, `subagent_key` or `stage`; then all other fields as sent, in order |
//! | another object | the same; what [`evidence`] finds in it decides, the strictest first |
//! | a text that holds such an object, fenced or not | as the object |
//! | `safe`, `unsafe\nS1,S10` (Llama Guard), `Safety: Unsafe\nCategories: …` (Qwen3Guard), or a word for a decision | that decision, the categories as `policy`, the text as `data` |
//! | a list of such objects | the strictest of them, the list as `data` |
//! | anything else | `escalate`, policy `unreadable`, severity `unknown`, `terminate: false`, all of it as `data` |
//!
//! What isn't understood is for a person: it never allows; whether anything goes on meanwhile is `safety.on_failure`'s. A `decision` in unknown words beside a flag that allows is
//! not understood; beside one that refuses it refuses. Missing: `policy` is what evidence names, else `unspecified`;
//! `reason` a sentence that says that there is none; `severity` is `none` for an allowance, else `unknown`;
//! `terminate` is true for a refusal that names no subagent. A known name with a value of another type (a `subagent`
//! that is no id, a blank `policy`) moves to `unread`; `null` is left out.

use evidence::{Evidence, decision_of};

use super::shape::{Field, ObjectText, Picked, finished, is_number, is_text, members, pick, quoted};
use super::values::{
    boolean, embedded, find, is_boolean, plain, reads_as_boolean, says_something, shortened,
};
use crate::domain::event::RawJson;
use crate::domain::ids::SubagentKey;
use crate::domain::policy::{PolicyDecision, PolicyOutcome};
use crate::domain::requests::{SENTENCE_CHARS_MAX, SEVERITY_CHARS_MAX};

mod evidence;
mod words;

/// The policy of a decision about what isn't understood.
const UNREADABLE: &str = "\"unreadable\"";

const FIELDS: [Field; 6] = [
    Field { name: "decision", aliases: &[], fits: |value| decision_of(value).is_some() },
    Field {
        name: "policy",
        aliases: &[
            "policy_name",
            "policy_id",
            "rule",
            "rule_name",
            "rule_id",
            "guardrail",
            "category",
            "violated_policy",
        ],
        fits: says_something,
    },
    Field {
        name: "reason",
        aliases: &["explanation", "rationale", "justification", "actionReason", "message", "description"],
        fits: says_something,
    },
    Field {
        name: "severity",
        aliases: &["severity_level", "risk_level", "risk", "level"],
        fits: |value| is_number(value) || says_something(value),
    },
    Field {
        name: "terminate",
        aliases: &["terminate_session", "end_session", "halt"],
        fits: reads_as_boolean,
    },
    Field { name: "subagent", aliases: &["subagent_key", "stage"], fits: |value| subagent(value).is_some() },
];

fn subagent(value: &str) -> Option<SubagentKey> {
    is_text(value).then(|| plain(value).parse().ok()).flatten()
}

/// The regular form of `raw`.
pub(super) fn normalise(raw: &RawJson) -> RawJson {
    let held = embedded(raw.get());
    let text = held.as_deref().unwrap_or(raw.get());
    let object = members(text);
    let is_data = object.is_none();
    let picked = pick(object.unwrap_or_default(), &FIELDS);
    if held.is_none() && is_regular(&picked) && !contradicts_itself(&picked, None) {
        return raw.clone();
    }
    let evidence = Evidence::of(text);
    let own = picked.values[0].and_then(decision_of);
    let Some(decision) = own.or(evidence.decision()) else { return unreadable(&picked, None, raw) };
    if contradicts_itself(&picked, Some(decision)) {
        return unreadable(&picked, Some(CONTRADICTION), raw);
    }
    let [reported, policy, reason, severity, terminate, about] = picked.values;
    let mut object = ObjectText::new(text.len() + 160);
    let wire = decision.as_str();
    object.member("decision", &quoted(wire));
    object.member("policy", &policy.map_or_else(|| quoted(&evidence.policy()), str::to_owned));
    object.member("reason", &reason.map_or_else(|| quoted(&evidence.reason(decision)), str::to_owned));
    let severity =
        severity.map(|severity| if is_text(severity) { severity.to_owned() } else { quoted(severity) });
    object.member("severity", &severity.unwrap_or_else(|| quoted(&evidence.severity(decision))));
    let ends = decision == PolicyDecision::Refuse && about.is_none();
    let ends = terminate.and_then(boolean).unwrap_or(ends);
    object.member("terminate", if ends { "true" } else { "false" });
    if let Some(about) = about {
        object.member("subagent", about);
    }
    object.members(&picked.rest);
    if let Some(reported) = reported.filter(|reported| plain(reported) != wire) {
        object.beside("decision_reported", reported, &picked.rest);
    }
    if is_data {
        object.member("data", text);
    }
    object.unread(&picked.unread, &picked.rest);
    finished(object.finish(), raw)
}

/// Whether it allows what it ends, by its own word or by `evidence`. A call that says so is refused.
fn contradicts_itself(picked: &Picked<'_, 6>, evidence: Option<PolicyDecision>) -> bool {
    let [own, _, _, _, terminate, _] = picked.values;
    let decision = own.and_then(decision_of).or(evidence);
    decision == Some(PolicyDecision::Allow) && terminate.and_then(boolean) == Some(true)
}

fn is_regular(picked: &Picked<'_, 6>) -> bool {
    let [decision, policy, reason, severity, terminate, _] = picked.values;
    picked.as_named
        && decision
            .is_some_and(|value| decision_of(value).is_some_and(|known| known.as_str() == plain(value)))
        && policy.is_some()
        && reason.is_some()
        && severity.is_some_and(is_text)
        && terminate.is_some_and(is_boolean)
}

/// Whether an output is an object with a decision of its own: not a text, which may go on.
pub(super) fn says_decision(raw: &RawJson) -> bool {
    let own = members(raw.get()).and_then(|members| find(&members, "decision").and_then(decision_of));
    own.is_some()
}

/// Whether a regular output says that nothing could be read.
pub(super) fn is_unread(normalised: &RawJson) -> bool {
    members(normalised.get()).is_some_and(|members| find(&members, "policy") == Some(UNREADABLE))
}

/// Whether a decision is the one for an output that nobody could read.
pub fn is_unreadable(outcome: &PolicyOutcome) -> bool {
    outcome.decision == PolicyDecision::Escalate && quoted(&outcome.policy) == UNREADABLE
}

const NOT_UNDERSTOOD: &str = "\"The safety check's output could not be understood.\"";
const CONTRADICTION: &str = "\"The safety check allowed the step and asked for its end, which contradict each other.\"";

/// The decision for what isn't understood: a person looks at it. Without a `reason` for that it is the output's own.
fn unreadable(picked: &Picked<'_, 6>, reason: Option<&str>, raw: &RawJson) -> RawJson {
    let mut object = ObjectText::new(raw.get().len() + 160);
    object.member("decision", "\"escalate\"");
    object.member("policy", UNREADABLE);
    object.member("reason", reason.or(picked.values[2]).unwrap_or(NOT_UNDERSTOOD));
    object.member("severity", "\"unknown\"");
    object.member("terminate", "false");
    if let Some(about) = picked.values[5] {
        object.member("subagent", about);
    }
    object.member("data", raw.get());
    finished(object.finish(), raw)
}

/// The decision that a payload of this adapter stands for; `None` for a payload of another one. Texts are cut to what
/// a decision may hold.
pub fn policy_outcome(normalised: &RawJson) -> Option<PolicyOutcome> {
    let members = members(normalised.get())?;
    let text = |name: &str, chars_max: usize| {
        let text = find(&members, name).filter(|value| says_something(value)).map(plain)?;
        Some(shortened(&text, chars_max).unwrap_or_else(|| text.into_owned()))
    };
    let decision = find(&members, "decision").and_then(decision_of)?;
    Some(PolicyOutcome {
        decision,
        policy: text("policy", SENTENCE_CHARS_MAX)?,
        reason: text("reason", SENTENCE_CHARS_MAX)?,
        severity: text("severity", SEVERITY_CHARS_MAX),
        subagent: find(&members, "subagent").and_then(subagent),
        terminate: find(&members, "terminate").and_then(boolean),
    })
}

#[cfg(test)]
mod tests;
