//! Refusals as the wire shows them: problem documents (RFC 9457) with a stable `code`.
//!
//! The one place where a [`Code`] becomes a status. Every answer is `Cache-Control: no-store`, so that no proxy repeats a
//! refusal after its reason is gone; those worth trying again carry `Retry-After` (RFC 9110, 10.2.3), and those that a token
//! would end say so in `WWW-Authenticate` (RFC 9110, 11.6.1; RFC 6750, 3).

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::domain::verdict::{Code, InputIssue, Refusal};

/// The media type of a problem document.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// Seconds a client should wait where nothing better is known: longer than a failover or a restart usually takes.
pub(super) const RETRY_AFTER_SECONDS: u32 = 2;

/// A refusal on its way to the wire.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The stable code.
    pub code: Code,
    /// The HTTP status; that of the code unless the operation says otherwise.
    pub status: StatusCode,
    /// What is wrong, for a person.
    pub detail: String,
    /// Where exactly, for input errors.
    pub errors: Vec<InputIssue>,
    /// Seconds until another try makes sense.
    pub retry_after: Option<u32>,
    /// Whether a token was shown and opens nothing: then the challenge says so.
    pub is_of_a_token: bool,
    /// Further members, such as `results`.
    pub extra: Map<String, Value>,
}

impl Problem {
    /// A problem with the status and the `Retry-After` of its code. Whatever is wrong with an input has at least one place:
    /// its whole, where no other is known.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let (status, detail) = (meaning(code).0, detail.into());
        let retry_after = match status {
            StatusCode::SERVICE_UNAVAILABLE => Some(RETRY_AFTER_SECONDS),
            StatusCode::TOO_MANY_REQUESTS => Some(1),
            _ => None,
        };
        let errors = match status {
            StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNPROCESSABLE_ENTITY => {
                Refusal::at(code, "", detail.as_str()).issues
            }
            _ => Vec::new(),
        };
        Self { code, status, detail, errors, retry_after, is_of_a_token: false, extra: Map::new() }
    }

    /// The same for a field of a directive: a host or a feature that it asks for makes the directive wrong (422), not
    /// the caller (403) or the path (404).
    pub fn in_directive(mut self) -> Self {
        if matches!(self.code, Code::HostNotAllowed | Code::FeatureDisabled) {
            self.status = StatusCode::UNPROCESSABLE_ENTITY;
        }
        self
    }

    /// The same, of a token that was shown.
    pub fn of_a_token(mut self) -> Self {
        self.is_of_a_token = true;
        self
    }

    /// The same with another `Retry-After`.
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// The same with another member. Members of RFC 9457 can't be replaced.
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.extra.insert(name.to_owned(), value);
        self
    }

    /// The same with the members of an object.
    pub fn with_members(mut self, members: Value) -> Self {
        if let Value::Object(members) = members {
            self.extra.extend(members);
        }
        self
    }

    /// The same with another status.
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// What a caller without a token that holds is asked for. Whoever showed none is told of no error (RFC 6750, 3.1).
    fn challenge(&self) -> &'static str {
        if self.code == Code::TokenExpired {
            return r#"Bearer realm="tributary", error="invalid_token", error_description="the token has expired""#;
        }
        if self.is_of_a_token {
            return r#"Bearer realm="tributary", error="invalid_token", error_description="the token opens nothing""#;
        }
        r#"Bearer realm="tributary""#
    }

    /// The title that all problems of its code share.
    pub fn title(&self) -> &'static str {
        meaning(self.code).1
    }

    /// The document, in one line: also the `data` of an `error` event.
    pub fn to_json(&self) -> String {
        let document = Document {
            r#type: format!("urn:tributary:problem:{}", self.code.as_str()),
            title: self.title(),
            status: self.status.as_u16(),
            detail: &self.detail,
            code: self.code.as_str(),
            errors: &self.errors,
            retry_after: self.retry_after,
            extra: Extra(&self.extra),
        };
        serde_json::to_string(&document).expect("texts, numbers and JSON values always serialise")
    }
}

/// A problem document (RFC 9457). Some operations add members of their own.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(super) struct Document<'a> {
    /// `urn:tributary:problem:` and the code.
    #[schema(pattern = "^urn:tributary:problem:[a-z_]+$")]
    r#type: String,
    /// What all problems of the code share.
    title: &'static str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// What is wrong, for a person.
    detail: &'a str,
    #[schema(value_type = Code)]
    code: &'static str,
    /// Where exactly, for input errors.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(value_type = Vec<InputIssue>)]
    errors: &'a [InputIssue],
    /// Seconds until another try makes sense; also the header `Retry-After`.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u32>,
    #[serde(flatten)]
    #[schema(ignore)]
    extra: Extra<'a>,
}

/// The further members, without those that would appear twice.
struct Extra<'a>(&'a Map<String, Value>);

impl Serialize for Extra<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const OURS: [&str; 7] = ["type", "title", "status", "detail", "code", "errors", "retry_after"];
        serializer.collect_map(self.0.iter().filter(|(name, _)| !OURS.contains(&name.as_str())))
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let mut problem = Self::new(refusal.code, refusal.detail);
        if !refusal.issues.is_empty() {
            problem.errors = refusal.issues;
        }
        problem
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.to_json()).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(self.challenge()));
        }
        response
    }
}

/// The status of a code, and the title that all problems of the code share (RFC 9457, 3.1.4).
fn meaning(code: Code) -> (StatusCode, &'static str) {
    match code {
        Code::InvalidJson => (StatusCode::BAD_REQUEST, "The body is not valid JSON"),
        Code::InvalidCursor => (StatusCode::BAD_REQUEST, "The place to read from can't be understood"),
        Code::Unauthorized => (StatusCode::UNAUTHORIZED, "Credentials are missing or wrong"),
        Code::TokenExpired => (StatusCode::UNAUTHORIZED, "The token has expired"),
        Code::Forbidden => (StatusCode::FORBIDDEN, "The credentials don't allow this"),
        Code::HostNotAllowed => (StatusCode::FORBIDDEN, "The host is not among the configured ones"),
        Code::NotFound => (StatusCode::NOT_FOUND, "There is nothing at this path"),
        Code::UnknownSession => (StatusCode::NOT_FOUND, "There is no such session"),
        Code::UnknownStep => (StatusCode::NOT_FOUND, "There is no directive for this step"),
        Code::UnknownSubagent => (StatusCode::NOT_FOUND, "The step doesn't expect this subagent"),
        Code::FeatureDisabled => (StatusCode::NOT_FOUND, "This is switched off, or not part of this version"),
        Code::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "The path doesn't take this method"),
        Code::DirectiveConflict => (StatusCode::CONFLICT, "The step has another directive"),
        Code::RevisionConflict => (StatusCode::CONFLICT, "The revision was used for other content"),
        Code::StepEnded => (StatusCode::CONFLICT, "The step has ended"),
        Code::SessionExpired => (StatusCode::GONE, "The session's data has expired"),
        Code::BodyTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "The body is too large"),
        Code::EventTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "The event is too large"),
        Code::UnsupportedMediaType => {
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body's type is not supported")
        }
        Code::InvalidId => (StatusCode::UNPROCESSABLE_ENTITY, "An id breaks the rules for ids"),
        Code::InvalidEvent => (StatusCode::UNPROCESSABLE_ENTITY, "The input is not what the operation takes"),
        Code::UnknownField => (StatusCode::UNPROCESSABLE_ENTITY, "The input has an unknown field"),
        Code::IdempotencyConflict => {
            (StatusCode::UNPROCESSABLE_ENTITY, "The Idempotency-Key was used for another request")
        }
        Code::LimitReached => (StatusCode::UNPROCESSABLE_ENTITY, "A limit is reached"),
        Code::RateLimited => (StatusCode::TOO_MANY_REQUESTS, "Too many requests"),
        Code::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "The service made a mistake"),
        Code::StoreUnavailable => (StatusCode::SERVICE_UNAVAILABLE, "The store can't be reached"),
        Code::OutcomeUnknown => (StatusCode::SERVICE_UNAVAILABLE, "It is unknown whether this was stored"),
        Code::ArchiveBacklog => (StatusCode::SERVICE_UNAVAILABLE, "The archive is too far behind"),
        Code::Draining => (StatusCode::SERVICE_UNAVAILABLE, "The service is stopping"),
        Code::OverCapacity => (StatusCode::SERVICE_UNAVAILABLE, "The service is at its capacity"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;
    use serde_json::json;

    async fn parts(problem: Problem) -> (http::response::Parts, Value) {
        let (parts, body) = problem.into_response().into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        (parts, serde_json::from_slice(&bytes).unwrap())
    }

    #[tokio::test]
    async fn refusal_of_an_item_is_a_whole_problem_document() {
        let refusal = Refusal::at(Code::InvalidEvent, "/status", "`done` is no status").of_item(2);
        let problem = Problem::from(refusal).with("results", json!([1])).with("status", json!("replaced"));
        let (parts, document) = parts(problem).await;
        assert_eq!(parts.status, 422);
        assert_eq!(parts.headers[CONTENT_TYPE], PROBLEM_JSON);
        assert_eq!(parts.headers[CACHE_CONTROL], "no-store");
        assert!(!parts.headers.contains_key(RETRY_AFTER));
        let expected = json!({
            "type": "urn:tributary:problem:invalid_event",
            "title": "The input is not what the operation takes",
            "status": 422,
            "detail": "`done` is no status",
            "code": "invalid_event",
            "errors": [{"index": 2, "pointer": "/status", "detail": "`done` is no status"}],
            "results": [1],
        });
        assert_eq!(document, expected);
    }

    #[tokio::test]
    async fn whatever_may_pass_says_when_to_try_again() {
        for code in Code::ALL.iter().copied() {
            let (parts, document) = parts(Problem::new(code, "x")).await;
            let passes = matches!(parts.status.as_u16(), 429 | 503);
            assert_eq!(parts.headers.contains_key(RETRY_AFTER), passes, "{code:?}");
            assert_eq!(document["retry_after"].is_u64(), passes, "{code:?}");
            assert_eq!(parts.headers.contains_key(WWW_AUTHENTICATE), parts.status == 401, "{code:?}");
            assert_eq!(document["status"], parts.status.as_u16(), "{code:?}");
            assert!(parts.status.is_client_error() || parts.status.is_server_error(), "{code:?}");
        }
        let (parts, _) = parts(Problem::new(Code::Draining, "x").retry_after(7)).await;
        assert_eq!(parts.headers[RETRY_AFTER], "7");
    }

    #[test]
    fn every_input_error_says_where() {
        for code in Code::ALL.iter().copied() {
            let is_input = matches!(Problem::new(code, "x").status.as_u16(), 400 | 413 | 422);
            for problem in [Problem::new(code, "x"), Problem::from(Refusal::new(code, "x"))] {
                let whole = Refusal::at(code, "", "x").issues;
                assert_eq!(problem.errors, if is_input { whole } else { Vec::new() }, "{code:?}");
            }
            let placed = Problem::from(Refusal::at(code, "/a", "x"));
            assert_eq!((placed.errors.len(), &*placed.errors[0].pointer), (1, "/a"), "{code:?}");
        }
    }

    #[test]
    fn statuses_are_those_of_the_wire_document() {
        let table = [
            (400, vec![Code::InvalidJson, Code::InvalidCursor]),
            (401, vec![Code::Unauthorized, Code::TokenExpired]),
            (403, vec![Code::Forbidden, Code::HostNotAllowed]),
            (404, vec![Code::NotFound, Code::UnknownSession, Code::UnknownStep, Code::UnknownSubagent]),
            (404, vec![Code::FeatureDisabled]),
            (405, vec![Code::MethodNotAllowed]),
            (409, vec![Code::DirectiveConflict, Code::RevisionConflict, Code::StepEnded]),
            (410, vec![Code::SessionExpired]),
            (413, vec![Code::BodyTooLarge, Code::EventTooLarge]),
            (415, vec![Code::UnsupportedMediaType]),
            (422, vec![Code::InvalidId, Code::InvalidEvent, Code::UnknownField, Code::IdempotencyConflict]),
            (422, vec![Code::LimitReached]),
            (429, vec![Code::RateLimited]),
            (500, vec![Code::Internal]),
            (503, vec![Code::StoreUnavailable, Code::OutcomeUnknown, Code::ArchiveBacklog, Code::Draining]),
            (503, vec![Code::OverCapacity]),
        ];
        let codes = table.iter().map(|(_, codes)| codes.len()).sum::<usize>();
        assert_eq!(codes, Code::ALL.len());
        for (status, codes) in table {
            for code in codes {
                assert_eq!(Problem::new(code, "x").status, status, "{code:?}");
            }
        }
    }

    #[test]
    fn what_a_directive_asks_for_makes_the_directive_wrong() {
        for code in Code::ALL.iter().copied() {
            let (plain, within) = (Problem::new(code, "x"), Problem::new(code, "x").in_directive());
            let differs = matches!(code, Code::HostNotAllowed | Code::FeatureDisabled);
            assert_eq!(within.status, if differs { StatusCode::UNPROCESSABLE_ENTITY } else { plain.status });
        }
    }
}
