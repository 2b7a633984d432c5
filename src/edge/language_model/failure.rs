//! What went wrong, in the port's words. A server's prose ends here.

use crate::domain::protocols::{
    CompletionFault, Failure, ModelRefusal, Refused, read_model_refusal, reason_of,
};
use crate::engine::ports::language_model::ModelError;
use crate::engine::ports::subagent::CallError;

/// Why a call gave no answer; a status has been looked at before.
pub(super) fn of_call(error: CallError) -> ModelError {
    match error {
        CallError::NotAllowed(_) | CallError::UnknownSecret(_) | CallError::Redirected(_) => {
            ModelError::NotConfigured(error.to_string())
        }
        CallError::Unreachable(why) => ModelError::Unreachable(why),
        CallError::HungUp(why) => ModelError::HungUp(why),
        CallError::TimedOut => ModelError::TimedOut,
        CallError::Status { status, retry_after_ms, detail } => {
            of_status(status, read_model_refusal(status, &detail), retry_after_ms)
        }
        CallError::Broken(_) | CallError::Compressed(_) => ModelError::Malformed,
        CallError::TooLarge { limit } => ModelError::TooLarge { limit },
    }
}

/// Why an answer's body didn't go on.
pub(super) fn of_body(error: CallError) -> ModelError {
    match error {
        CallError::Broken(_) | CallError::Unreachable(_) | CallError::HungUp(_) => ModelError::Truncated,
        CallError::NotAllowed(_)
        | CallError::TimedOut
        | CallError::Status { .. }
        | CallError::Compressed(_)
        | CallError::TooLarge { .. }
        | CallError::UnknownSecret(_)
        | CallError::Redirected(_) => of_call(error),
    }
}

/// A status outside 200 to 299.
pub(super) fn of_status(status: u16, refusal: ModelRefusal, retry_after_ms: Option<u64>) -> ModelError {
    match refusal.refused {
        Refused::Context => ModelError::ContextExceeded,
        Refused::Quota => ModelError::QuotaExhausted,
        Refused::Filtered | Refused::Parameter(_) | Refused::Other => match status {
            401 | 403 => ModelError::Unauthorised { status },
            _ => ModelError::Status { status, reason: refusal.reason, retry_after_ms },
        },
    }
}

/// An answer that is none.
pub(super) fn of_answer(fault: CompletionFault, text_bytes_max: usize) -> ModelError {
    match fault {
        CompletionFault::Truncated => ModelError::Truncated,
        CompletionFault::Malformed => ModelError::Malformed,
        CompletionFault::TooLarge => ModelError::TooLarge { limit: text_bytes_max },
        CompletionFault::Said(failure) => of_said(&failure),
    }
}

/// A failure that stands in an answer: the head had been sent, and with it the chance to give a status.
fn of_said(failure: &Failure) -> ModelError {
    let said = format!("{} {}", failure.code, failure.message);
    let refused = read_model_refusal(400, &said).refused;
    let status = match (failure.code.as_ref(), refused) {
        (_, Refused::Context) => return ModelError::ContextExceeded,
        (_, Refused::Quota) => return ModelError::QuotaExhausted,
        ("authentication_error" | "permission_error" | "invalid_api_key" | "401" | "403", _) => {
            return ModelError::Unauthorised { status: 401 };
        }
        ("overloaded_error" | "engine_overloaded" | "529", _) => 529,
        ("rate_limit_error" | "rate_limit_exceeded" | "429", _) => 429,
        (_, Refused::Filtered | Refused::Parameter(_) | Refused::Other) => {
            return ModelError::Failed {
                reason: reason_of(&failure.code),
                retryable: failure.retryable,
                retry_after_ms: failure.retry_after_ms,
            };
        }
    };
    let retry_after_ms = failure.retry_after_ms;
    ModelError::Status { status, reason: reason_of(&failure.code), retry_after_ms }
}
