//! Refusals for readers of event streams.
//!
//! An `EventSource` gives up for good on any status but 200. So a refusal that is over in a while reaches it as an event
//! stream: when to come back, an `error` event with the problem document, the end.

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};

use super::accept;
use super::problem::Problem;

/// Whether a caller takes an event stream for an answer.
pub fn is_taken_by(headers: &HeaderMap) -> bool {
    accept::names(headers, "text/event-stream")
}

/// The refusal, for an `EventSource` that should come back in `wait_ms` or later.
pub fn refusal(problem: &Problem, wait_ms: u64) -> Response {
    let events = format!("retry: {wait_ms}\n\nevent: error\ndata: {}\n\n", problem.to_json());
    let content_type = (CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    let cache = (CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    ([content_type, cache], events).into_response()
}

/// A wait of at least `ms` and at most twice that, so that those who were turned away together don't come back together.
pub fn spread(ms: u64) -> u64 {
    let ms = ms.max(1);
    ms.saturating_add(fastrand::u64(0..=ms))
}
