//! Why a call failed before its answer could be read: in the agent's own words, where there are such.

use crate::domain::protocols::{Failure, said_of_status};
use crate::engine::ports::subagent::CallError;

/// The failure of a call. What an agent says beside an error's status goes before what the status says: its message, what another
/// attempt would bring, and its code where the status is a rare one.
pub(super) fn failure_to_call(error: &CallError) -> Failure {
    let known = |message: String| Failure {
        retryable: error.is_retryable(),
        retry_after_ms: error.retry_after_ms(),
        ..Failure::lasting(error.code(), message)
    };
    let CallError::Status { status, detail, .. } = error else { return known(error.to_string()) };
    let said = said_of_status(detail);
    let is_rare = matches!(error.code(), "status_4xx" | "status_5xx" | "status_other");
    let failure = match (said.code.filter(|_| is_rare), said.message) {
        (Some(code), Some(message)) => {
            Failure { code: code.into(), ..known(format!("{message} (status {status})")) }
        }
        (Some(code), None) => Failure { code: code.into(), ..known(error.to_string()) },
        (None, Some(message)) => known(format!("{error}: {message}")),
        (None, None) if detail.is_empty() => known(error.to_string()),
        (None, None) => known(format!("{error}: {detail}")),
    };
    failure.bounded().saying(said.retryable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_says_goes_before_its_status() {
        for (status, detail, expected) in [
            (
                402,
                r#"{"error":{"code":"quota","message":"no more money","retryable":false}}"#,
                ("quota", "no more money (status 402)", false),
            ),
            (
                503,
                r#"{"error":"overloaded"}"#,
                ("status_503", "it answered with status 503: overloaded", true),
            ),
            (
                400,
                r#"{"type":"about:blank","title":"Bad","detail":"no index","status":400}"#,
                ("status_400", "it answered with status 400: no index", false),
            ),
            (
                500,
                r#"{"code":17,"retryable":false}"#,
                ("status_500", r#"it answered with status 500: {"code":17,"retryable":false}"#, false),
            ),
            (502, "<html>", ("status_502", "it answered with status 502: <html>", true)),
            (404, "", ("status_404", "it answered with status 404", false)),
        ] {
            let error = CallError::Status { status, retry_after_ms: None, detail: detail.to_owned() };
            let failure = failure_to_call(&error);
            assert_eq!((&*failure.code, &*failure.message, failure.retryable), expected, "{detail}");
        }
    }
}
