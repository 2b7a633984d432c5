//! Safety decisions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ids::SubagentKey;
use super::requests::word::word;

/// What a safety check says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PolicyDecision {
    /// Go on.
    Allow,
    /// Don't.
    Refuse,
    /// A person has to look.
    Escalate,
}

/// A safety decision for a subagent, a step or a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyOutcome {
    /// What was decided.
    #[serde(deserialize_with = "word")]
    pub decision: PolicyDecision,
    /// By which rule.
    #[schema(min_length = 1, max_length = 4_096)]
    pub policy: String,
    /// Why, for a person.
    #[schema(min_length = 1, max_length = 4_096)]
    pub reason: String,
    /// How bad, in the sender's own words. Absent: `none` for an allowance, else `unknown`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(max_length = 64)]
    pub severity: Option<String>,
    /// Whom it is about; absent: the whole step or session.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub subagent: Option<SubagentKey>,
    /// Whether everything still open ends. Absent: a refusal of a step or session does, all else doesn't.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub terminate: Option<bool>,
}

impl PolicyDecision {
    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Refuse => "refuse",
            Self::Escalate => "escalate",
        }
    }

    /// How bad it is where nobody said so.
    pub fn usual_severity(self) -> &'static str {
        match self {
            Self::Allow => "none",
            Self::Refuse | Self::Escalate => "unknown",
        }
    }
}

impl PolicyOutcome {
    /// How bad it is.
    pub fn severity(&self) -> &str {
        self.severity.as_deref().unwrap_or(self.decision.usual_severity())
    }

    /// Whether the whole step (or session) ends by it.
    pub fn terminates(&self) -> bool {
        self.terminate.unwrap_or(self.decision == PolicyDecision::Refuse && self.subagent.is_none())
    }
}
