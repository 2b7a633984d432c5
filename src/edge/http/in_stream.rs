//! Refusals for readers of event streams.
//!
//! An `EventSource` gives up for good on any status but 200. So a refusal that is over in a while reaches it as an event
//! stream: when to come back, an `error` event with the problem document, the end.

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use http::{HeaderMap, HeaderValue, Method};

use super::accept::preferred;
use super::problem::{PROBLEM_JSON, Problem};

/// Whether a caller would rather have an event stream than any other form that its answer can have, as its weights say. Who
/// sends something is told by the status, whatever it takes: 200 is what tells a sender that it was stored.
pub fn is_taken_by(method: &Method, headers: &HeaderMap) -> bool {
    let offered = [
        ("application/json", false),
        (PROBLEM_JSON, false),
        ("text/event-stream", true),
        ("application/x-ndjson", false),
    ];
    method == Method::GET && preferred(headers, &offered).unwrap_or(false)
}

/// The refusal, for an `EventSource` that should come back in `wait_ms` or later.
pub fn refusal(problem: &Problem, wait_ms: u64) -> Response {
    let events = format!("retry: {wait_ms}\n\nevent: error\ndata: {}\n\n", problem.to_json());
    let content_type = (CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    let cache = (CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    ([content_type, cache, (VARY, HeaderValue::from_static("accept"))], events).into_response()
}

/// A wait of at least `ms` and at most twice that, so that those who were turned away together don't come back together.
pub fn spread(ms: u64) -> u64 {
    let ms = ms.max(1);
    ms.saturating_add(fastrand::u64(0..=ms))
}

#[cfg(test)]
mod tests {
    use http::header::ACCEPT;

    use super::*;

    #[test]
    fn event_stream_goes_to_who_prefers_it() {
        for (accept, expected) in [
            ("text/event-stream", true),
            ("application/json;q=0.1, Text/Event-Stream;q=0.2", true),
            ("text/event-stream, */*;q=0.1", true),
            ("text/event-stream, application/json", true),
            ("text/html, text/event-stream;q=0.5", true),
            ("text/*", true),
            ("application/json, text/event-stream;q=0.1", false),
            ("application/json, text/event-stream", false),
            ("application/problem+json, text/event-stream;q=0.9", false),
            ("application/x-ndjson, text/event-stream;q=0.9", false),
            ("*/*", false),
            ("text/event-stream;q=0, */*", false),
            ("text/*, text/event-stream;q=0", false),
            ("application/json", false),
            ("text/html", false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(is_taken_by(&Method::GET, &headers), expected, "{accept}");
            assert!(!is_taken_by(&Method::POST, &headers), "{accept}");
        }
        assert!(!is_taken_by(&Method::GET, &HeaderMap::new()));
    }
}
