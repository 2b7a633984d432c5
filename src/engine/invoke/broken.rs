//! Why an attempt didn't succeed, and what that tells about its subagent.

use super::failure_to_call::failure_to_call;
use super::telling::Stopped;
use crate::domain::breaker::Outcome;
use crate::domain::protocols::Failure;
use crate::engine::ports::subagent::CallError;

/// Why an attempt came to no end of its own.
pub(super) enum Broken {
    /// It failed, and the log is to say so.
    Failed(Failed),
    /// Somebody else has the call, or the service stops: there is nothing to say.
    Stopped,
}

pub(super) struct Failed {
    pub(super) failure: Failure,
    /// What that tells about the subagent, if anything.
    pub(super) outcome: Option<Outcome>,
}

impl From<Stopped> for Broken {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::NotOurs => Self::Stopped,
            Stopped::Refused(failure) => Self::Failed(Failed { failure, outcome: Some(Outcome::Success) }),
        }
    }
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        // What would come again isn't an outage: it answers.
        let outcome = if failure.retryable { Outcome::Failure } else { Outcome::Success };
        Self::Failed(Failed { failure, outcome: Some(outcome) })
    }
}

impl From<CallError> for Broken {
    fn from(error: CallError) -> Self {
        let failure = failure_to_call(&error);
        match error {
            CallError::NotAllowed(_) | CallError::UnknownSecret(_) => {
                Self::Failed(Failed { failure, outcome: None })
            }
            CallError::Unreachable(_)
            | CallError::HungUp(_)
            | CallError::TimedOut
            | CallError::Status { .. }
            | CallError::Broken(_)
            | CallError::TooLarge { .. }
            | CallError::Compressed(_)
            | CallError::Redirected(_) => failure.into(),
        }
    }
}
