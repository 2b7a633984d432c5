//! What lines of the log say of a safety decision, read out of its event: its entry keeps no more than what follows from it.

use serde::Deserialize;

use crate::domain::ids::SessionId;
use crate::domain::policy::PolicyDecision;

/// A decision as its event tells it. Nothing of it is there where the event can't be read.
#[derive(Debug, Default, Deserialize)]
pub(in crate::engine) struct Decided {
    plan_step_id: Option<String>,
    #[serde(default)]
    content: Said,
    #[serde(default)]
    telemetry: Traced,
}

#[derive(Debug, Default, Deserialize)]
struct Said {
    decision: Option<PolicyDecision>,
    policy: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Traced {
    trace_id: Option<String>,
}

impl Decided {
    /// Out of an event's JSON.
    pub(in crate::engine) fn read(event: &[u8]) -> Self {
        serde_json::from_slice(event).unwrap_or_default()
    }

    /// Of which step; absent: of the session.
    pub(in crate::engine) fn step(&self) -> Option<&str> {
        self.plan_step_id.as_deref()
    }

    /// In which trace.
    pub(in crate::engine) fn trace_id(&self) -> Option<&str> {
        self.telemetry.trace_id.as_deref()
    }

    /// `allow`, `refuse` or `escalate`.
    pub(in crate::engine) fn decision(&self) -> Option<&'static str> {
        self.content.decision.map(PolicyDecision::as_str)
    }

    /// By which rule, where it is a name: a sentence would be something that was said, which no log has.
    pub(in crate::engine) fn policy(&self) -> Option<&str> {
        self.content.policy.as_deref().filter(|policy| policy.parse::<SessionId>().is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_named_and_nothing_that_was_said_is_told() {
        let event = |policy: &str| {
            let content = serde_json::json!({ "decision": "refuse", "policy": policy, "reason": "r" });
            serde_json::json!({ "plan_step_id": "p", "content": content, "telemetry": { "trace_id": "t" } })
        };
        let read = |policy: &str| Decided::read(event(policy).to_string().as_bytes());
        let decided = read("no-secrets");
        assert_eq!((decided.step(), decided.trace_id()), (Some("p"), Some("t")));
        assert_eq!((decided.decision(), decided.policy()), (Some("refuse"), Some("no-secrets")));
        assert_eq!(read("they asked for a password").policy(), None);
        assert_eq!(Decided::read(b"").decision(), None);
    }
}
