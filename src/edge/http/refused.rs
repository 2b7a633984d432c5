//! The engine's errors as problem documents.

use super::extract::Ids;
use super::problem::Problem;
use crate::domain::ids::SessionKey;
use crate::domain::verdict::Code;
use crate::engine::computing::Full;
use crate::engine::coordinator::SubmitError;
use crate::engine::mux::OpenError;
use crate::engine::ports::archive::ArchiveError;
use crate::engine::ports::completion_cache::CacheError;
use crate::engine::ports::result_cache::StoreError;

/// What callers aren't told of an error is in the log. That a store is away is told there when that begins, and not again for each
/// call; that something is damaged is told each time.
fn note(error: &dyn std::error::Error, is_damage: bool) {
    if is_damage {
        tracing::warn!(%error, "a call is refused");
    } else {
        tracing::debug!(%error, "a call is refused");
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::Unavailable(_)
            | StoreError::TimedOut
            | StoreError::Corrupt(_)
            | StoreError::Newer(_) => Code::StoreUnavailable,
            StoreError::Full(_) => Code::OverCapacity,
            StoreError::Backlog(_) => Code::ArchiveBacklog,
        };
        note(&error, matches!(error, StoreError::Corrupt(_)));
        Problem::new(code, error.told())
    }
}

impl From<ArchiveError> for Problem {
    fn from(error: ArchiveError) -> Self {
        let code = match &error {
            ArchiveError::Unavailable(_) | ArchiveError::Behind(_) => Code::StoreUnavailable,
            ArchiveError::Corrupt(_) => Code::Internal,
        };
        note(&error, matches!(error, ArchiveError::Corrupt(_)));
        Problem::new(code, error.told())
    }
}

impl From<CacheError> for Problem {
    fn from(error: CacheError) -> Self {
        note(&error, false);
        Problem::new(Code::StoreUnavailable, "the store can't answer just now: try again in a moment")
    }
}

impl From<SubmitError> for Problem {
    fn from(error: SubmitError) -> Self {
        let code = match error {
            SubmitError::Store(error) => return error.into(),
            SubmitError::UnknownSession => Code::UnknownSession,
            SubmitError::SessionExpired => Code::SessionExpired,
            SubmitError::OutcomeUnknown => Code::OutcomeUnknown,
            SubmitError::Draining => Code::Draining,
        };
        Problem::new(code, error.to_string())
    }
}

impl From<OpenError> for Problem {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Store(error) => error.into(),
            OpenError::OverCapacity(_) => Problem::new(Code::OverCapacity, error.to_string()),
            OpenError::Draining => Problem::new(Code::Draining, error.to_string()),
        }
    }
}

impl From<Full> for Problem {
    fn from(_: Full) -> Self {
        Problem::new(Code::OverCapacity, "too many large texts are being combined already")
    }
}

/// A session without the step asked for: there was no directive for it, whether or not there is such a session.
pub fn in_step(error: SubmitError) -> Problem {
    if error == SubmitError::UnknownSession {
        return Problem::new(Code::UnknownStep, "no directive was posted for this step");
    }
    error.into()
}

/// There is no such step.
pub fn unknown_step(ids: &Ids) -> Problem {
    Problem::new(Code::UnknownStep, format!("no directive was posted for `{}`", ids.step()))
}

/// There is no such session.
pub fn unknown_session(key: &SessionKey) -> Problem {
    Problem::new(Code::UnknownSession, format!("there is no session `{}`", key.session))
}

/// The session was there.
pub fn expired(key: &SessionKey) -> Problem {
    let text = format!("the data of the session `{}` has expired", key.session);
    Problem::new(Code::SessionExpired, text)
}
