//! What is tried again, and what errors are called.

use super::*;

fn status(status: u16) -> CallError {
    CallError::Status { status, retry_after_ms: Some(3), detail: String::new() }
}

#[test]
fn only_what_may_get_better_is_tried_again() {
    for again in [408, 425, 429, 500, 502, 503, 504, 529] {
        assert!(status(again).is_retryable(), "{again}");
    }
    for never in [300, 304, 400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 418, 422, 451, 501, 505, 600] {
        assert!(!status(never).is_retryable(), "{never}");
    }
    let text = String::new;
    let (lost, hung_up) = (CallError::Unreachable(text()), CallError::HungUp(text()));
    for again in [lost, hung_up, CallError::TimedOut, CallError::Broken(text())] {
        assert!(again.is_retryable(), "{again}");
    }
    let never = [
        CallError::NotAllowed(text()),
        CallError::TooLarge { limit: 1 },
        CallError::UnknownSecret(text()),
        CallError::Redirected(text()),
        CallError::Compressed(text()),
    ];
    for never in never {
        assert!(!never.is_retryable(), "{never}");
    }
}

#[test]
fn a_code_is_that_of_the_status_or_of_its_class() {
    for known in
        [400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 425, 429, 500, 501, 502, 503, 504, 529]
    {
        assert_eq!(status(known).code(), format!("status_{known}"));
    }
    for (rare, code) in
        [(418, "status_4xx"), (599, "status_5xx"), (304, "status_other"), (999, "status_other")]
    {
        assert_eq!(status(rare).code(), code);
    }
    assert_eq!(CallError::NotAllowed(String::new()).code(), "host_not_allowed");
    assert_eq!(status(503).retry_after_ms(), Some(3));
    assert_eq!(CallError::TimedOut.retry_after_ms(), None);
}

#[test]
fn a_call_shows_neither_query_nor_headers_nor_body() {
    let call = OutboundCall {
        url: "https://crm.test/a?key=hidden".parse().unwrap(),
        headers: vec![(http::header::AUTHORIZATION, HeaderValue::from_static("hidden"))],
        body: Bytes::from_static(b"hidden"),
        accept: "*/*",
        patience: Duration::from_secs(1),
    };
    let shown = format!("{call:?}");
    assert!(!shown.contains("hidden") && shown.contains("https://crm.test"), "{shown}");
}
