//! Codes of failures, and what a request shows of itself.

use super::*;

fn status(status: u16) -> ModelError {
    ModelError::Status { status, reason: Some("some_code".into()), retry_after_ms: Some(7) }
}

#[test]
fn statuses_know_their_code_and_whether_to_try_again() {
    for (of, code, retryable) in [
        (400, "request_refused", false),
        (404, "request_refused", false),
        (408, "request_refused", true),
        (409, "request_refused", false),
        (425, "request_refused", true),
        (429, "rate_limited", true),
        (500, "server_error", true),
        (501, "server_error", false),
        (503, "overloaded", true),
        (520, "server_error", true),
        (529, "overloaded", true),
        (600, "server_error", false),
        (304, "request_refused", false),
    ] {
        let error = status(of);
        assert_eq!((error.code(), error.is_retryable()), (code, retryable), "{of}");
        assert_eq!(error.retry_after_ms(), Some(7));
    }
}

#[test]
fn an_error_tells_the_status_and_the_code_of_the_server() {
    assert_eq!(status(418).to_string(), "the model's server answered with status 418 (some_code)");
    let failed = ModelError::Failed { reason: None, retryable: false, retry_after_ms: Some(3) };
    assert_eq!(failed.to_string(), "the model's server failed amid the answer");
    assert_eq!(
        (failed.code(), failed.is_retryable(), failed.retry_after_ms()),
        ("model_failed", false, Some(3))
    );
}

#[test]
fn a_request_shows_no_text() {
    let schema =
        ModelSchema { name: "draft", json: RawValue::from_string("{\"a\":1}".into()).unwrap().into() };
    let request = ModelRequest {
        system: "hush".into(),
        user: "hush!".into(),
        schema: Some(schema),
        temperature: 0.5,
        output_tokens_max: 9,
        patience: Duration::from_secs(1),
        traceparent: None,
    };
    let shown = format!("{request:?}");
    assert!(!shown.contains("hush") && !shown.contains("\"a\""), "{shown}");
    assert!(shown.contains("user_bytes: 5") && shown.contains("draft"), "{shown}");
}
