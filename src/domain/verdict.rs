//! What was decided of an input, and the stable codes by which it is refused.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::position::Sequence;

/// What became of one event of a subagent: `duplicate` and `stale` mean that it was stored before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Stored, ordered, shown.
    Accepted,
    /// The same revision with the same content was stored before: done, for the sender.
    Duplicate,
    /// A later revision was stored before: done, for the sender.
    Stale,
    /// The subagent or its step had ended: counted, never aggregated.
    Late,
    /// The same revision with other content was stored before: refused, never overwritten.
    Conflict,
}

impl Verdict {
    /// As the wire has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Duplicate => "duplicate",
            Self::Stale => "stale",
            Self::Late => "late",
            Self::Conflict => "conflict",
        }
    }
}

/// A verdict and, where there is one, the event it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Decided {
    /// What became of it.
    pub verdict: Verdict,
    /// The sequence of its `planner_stream` event; of the original where it is a duplicate.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sequence: Option<Sequence>,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal),+ $(,)?) => {
        /// The stable codes of problem documents. What each means is written where it arises and in docs/codes.md.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[$doc])* $name),+ }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$name),+];

            /// The code as the wire shows it.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text),+ }
            }
        }
    };
}

codes! {
    /// Not JSON, not UTF-8, nested too deeply, or a key given twice.
    InvalidJson = "invalid_json",
    /// A session, step, subagent or result key that breaks the rules for ids.
    InvalidId = "invalid_id",
    /// JSON, but not what the operation takes.
    InvalidEvent = "invalid_event",
    /// A cursor or another place to read from that can't be understood.
    InvalidCursor = "invalid_cursor",
    /// A field that the operation doesn't know.
    UnknownField = "unknown_field",
    /// No such path.
    NotFound = "not_found",
    /// No such session.
    UnknownSession = "unknown_session",
    /// No directive for that step.
    UnknownStep = "unknown_step",
    /// The step doesn't expect that subagent or result key.
    UnknownSubagent = "unknown_subagent",
    /// Another directive has that step's id.
    DirectiveConflict = "directive_conflict",
    /// Another event has that revision.
    RevisionConflict = "revision_conflict",
    /// Another request of the session had that `Idempotency-Key`.
    IdempotencyConflict = "idempotency_conflict",
    /// The step is over.
    StepEnded = "step_ended",
    /// The session's data has expired.
    SessionExpired = "session_expired",
    /// A body of a type that the operation doesn't take.
    UnsupportedMediaType = "unsupported_media_type",
    /// A path that exists, with another method.
    MethodNotAllowed = "method_not_allowed",
    /// The request's body is over its limit.
    BodyTooLarge = "body_too_large",
    /// One event is over its limit.
    EventTooLarge = "event_too_large",
    /// A count is over its limit.
    LimitReached = "limit_reached",
    /// Too many requests.
    RateLimited = "rate_limited",
    /// No or wrong credentials.
    Unauthorized = "unauthorized",
    /// The token's time is over.
    TokenExpired = "token_expired",
    /// The credentials don't allow this.
    Forbidden = "forbidden",
    /// An outbound call to a host that isn't configured.
    HostNotAllowed = "host_not_allowed",
    /// Switched off, or not part of this version.
    FeatureDisabled = "feature_disabled",
    /// The store can't be reached; nothing was stored.
    StoreUnavailable = "store_unavailable",
    /// The store may or may not have stored it.
    OutcomeUnknown = "outcome_unknown",
    /// The archive is too far behind.
    ArchiveBacklog = "archive_backlog",
    /// The service is stopping.
    Draining = "draining",
    /// No room for more readers, connections, sessions or bytes.
    OverCapacity = "over_capacity",
    /// A fault of the service.
    Internal = "internal",
}

/// One thing that is wrong with an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct InputIssue {
    /// Which item, in a request with several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// JSON Pointer (RFC 6901) to the place; empty for the whole item.
    pub pointer: String,
    /// What is wrong there, for a person.
    pub detail: String,
}

/// Longest pointer and longest detail, in characters: names that a sender chose stand in them, and those have no bound.
const POINTER_CHARS_MAX: usize = 1_000;
const DETAIL_CHARS_MAX: usize = 4_000;

impl InputIssue {
    /// What is wrong at a place; both are cut where they are too long.
    pub fn new(index: Option<usize>, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            index,
            pointer: cut(pointer.into(), POINTER_CHARS_MAX),
            detail: cut(detail.into(), DETAIL_CHARS_MAX),
        }
    }
}

fn cut(text: String, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Why an input was refused: a code and what is wrong, none of it applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Refusal {
    /// The stable code.
    pub code: Code,
    /// What is wrong, for a person.
    pub detail: String,
    /// Where exactly, for input errors.
    pub issues: Vec<InputIssue>,
}

impl Refusal {
    /// A refusal of the whole input.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: cut(detail.into(), DETAIL_CHARS_MAX), issues: Vec::new() }
    }

    /// A refusal because of one place in the input.
    pub fn at(code: Code, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let issue = InputIssue::new(None, pointer, detail);
        Self { code, detail: issue.detail.clone(), issues: vec![issue] }
    }

    /// The same refusal as that of the item at `index`.
    pub fn of_item(mut self, index: usize) -> Self {
        if self.issues.is_empty() {
            self.issues.push(InputIssue { index: None, pointer: String::new(), detail: self.detail.clone() });
        }
        for issue in &mut self.issues {
            issue.index = Some(index);
        }
        self
    }
}
