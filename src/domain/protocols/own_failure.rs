//! What a peer says of its own failure.
//!
//! Peers say it in many shapes: `{"status": "error", "message": "…"}`, `{"error": "…"}`, `{"error": {"code", "type",
//! "message"}}` (OpenAI, Anthropic), `{"detail": "…"}` (FastAPI), `{"title", "detail", "status": 503}` (RFC 9457),
//! `{"errorMessage", "errorType"}` (AWS Lambda), `{"__type", "message"}` (AWS), `{"statusCode": 500, "body"}`. All of them are looked at, the object under `error` before what stands around it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Failure;
use super::part::{object, part, text, trimmed};
use crate::domain::event::EventError;
use crate::domain::requests::Object;

/// The code of a failure whose peer gives none.
pub(super) const SUBAGENT_FAILED: &str = "subagent_failed";
/// Longest wait that a peer may ask for: an hour, in milliseconds.
const RETRY_AFTER_MS_MAX: f64 = 3_600_000.0;
/// Parts of a code or type that tell a state that passes.
const PASSING: &[&str] = &[
    "rate_limit",
    "too_many_requests",
    "overloaded",
    "server_error",
    "api_error",
    "internal_error",
    "timeout",
    "unavailable",
    "throttl",
    "timedout",
];
/// Parts that tell one that doesn't, whatever else is said: used-up credit comes as a 429 too.
const LASTING: &[&str] = &["quota", "billing", "invalid"];

/// The fields that are looked for.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Told<'a> {
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    detail: Option<&'a RawValue>,
    reason: Option<&'a RawValue>,
    title: Option<&'a RawValue>,
    code: Option<&'a RawValue>,
    #[serde(rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(rename = "errorMessage")]
    error_message: Option<&'a RawValue>,
    #[serde(rename = "errorType")]
    error_type: Option<&'a RawValue>,
    #[serde(rename = "__type")]
    aws_type: Option<&'a RawValue>,
    status: Option<&'a RawValue>,
    #[serde(rename = "statusCode")]
    status_code: Option<&'a RawValue>,
    #[serde(rename = "status_code")]
    snake_status_code: Option<&'a RawValue>,
    body: Option<&'a RawValue>,
    retryable: Option<&'a RawValue>,
    retry_after_ms: Option<&'a RawValue>,
    retry_after: Option<&'a RawValue>,
}

impl Told<'_> {
    /// What it says as a status of HTTP that is an error's.
    fn statuses(&self) -> impl Iterator<Item = Option<String>> {
        let of_errors = |raw| part::<u64>(raw).filter(|status| (400..600).contains(status));
        [self.status, self.status_code, self.snake_status_code]
            .into_iter()
            .map(move |raw| of_errors(raw).map(|status| status.to_string()))
    }
}

/// Whether an object says by such a name that it is an error and nothing else.
pub(super) fn names_an_error(json: &str) -> bool {
    let Ok(Object(told)) = serde_json::from_str::<Object<Told<'_>>>(json) else { return false };
    let is_exception =
        |raw| text(raw).is_some_and(|kind| kind.ends_with("Exception") || kind.ends_with("Error"));
    text(told.error_message).is_some()
        || is_exception(told.aws_type)
        || told.statuses().any(|it| it.is_some())
}

/// The failure that `json` tells of; a text that isn't JSON is its message.
pub(super) fn told(json: &str) -> Failure {
    let own: Option<Told<'_>> = serde_json::from_str(json).ok().map(|Object(told)| told);
    let Some(own) = own else { return plain(json) };
    let inner: Told<'_> = object(own.error).unwrap_or_default();
    let both = [&inner, &own];
    let codes = [name(inner.code), name(inner.kind), name(own.code), name(own.kind)].into_iter();
    let codes = codes.chain([name(own.error_type), name(own.aws_type)]).chain(own.statuses());
    // An Anthropic error is `{"type": "error", …}`: that says nothing. Nor does the address of a problem's type.
    let says_something =
        |code: &String| code != "error" && !code.starts_with("about:") && !code.contains('/');
    let codes: Vec<String> = codes.flatten().filter(says_something).collect();
    let code = codes.first().cloned().unwrap_or_else(|| SUBAGENT_FAILED.to_owned());
    let message = both.iter().find_map(|told| words(told)).unwrap_or_else(unexplained);
    let mut failure = Failure::lasting(code, message);
    failure.retryable = is_passing(&codes);
    failure = failure.saying(both.iter().find_map(|told| part::<bool>(told.retryable)));
    failure.retry_after_ms = both.iter().find_map(|told| wait_ms(told));
    failure
}

impl Failure {
    /// The failure that an event of an answer tells of. Where it doesn't say whether another attempt may help, its code does.
    pub fn of_event(error: EventError) -> Self {
        let EventError { code, message, retryable } = error;
        let is_passing = is_passing(code.as_slice());
        let code = code.filter(|code| !code.is_empty()).unwrap_or_else(|| SUBAGENT_FAILED.to_owned());
        let failure = Self::lasting(code, message.unwrap_or_else(unexplained));
        Self { retryable: is_passing, ..failure }.saying(retryable)
    }
}

/// What the body of an answer with an error's status says itself, or the object under `error`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SaidOfStatus {
    /// Its name for what went wrong; a number, or the address of a problem's type, is none.
    pub code: Option<String>,
    /// What went wrong, for a person.
    pub message: Option<String>,
    /// Whether another attempt may help.
    pub retryable: Option<bool>,
}

/// The same, of a body that may be anything: nothing where it isn't an object of JSON.
pub fn said_of_status(json: &str) -> SaidOfStatus {
    let own: Option<Told<'_>> = serde_json::from_str(json).ok().map(|Object(told)| told);
    let Some(own) = own else { return SaidOfStatus::default() };
    let inner: Told<'_> = object(own.error).unwrap_or_default();
    let both = [&inner, &own];
    let codes = [inner.code, inner.kind, own.code, own.kind].into_iter().filter_map(text);
    let is_name =
        |code: &Cow<'_, str>| !code.trim().is_empty() && code != "error" && !code.contains(['/', ':']);
    SaidOfStatus {
        code: codes.into_iter().find(is_name).map(Cow::into_owned),
        message: both.iter().find_map(|told| words(told)),
        retryable: both.iter().find_map(|told| part::<bool>(told.retryable)),
    }
}

fn plain(json: &str) -> Failure {
    let message = serde_json::from_str(json).unwrap_or_else(|_| trimmed(json).to_owned());
    Failure::lasting(SUBAGENT_FAILED, if message.is_empty() { unexplained() } else { message })
}

fn unexplained() -> String {
    "the subagent says that it failed, and not why".to_owned()
}

/// The first text that explains; else a detail of another type as it stands (FastAPI's is a list).
fn words(told: &Told<'_>) -> Option<String> {
    [told.message, told.error_message, told.error, told.detail, told.reason, told.title, told.body]
        .into_iter()
        .find_map(|raw| text(raw).filter(|words| !words.trim().is_empty()))
        .map(|words| words.into_owned())
        .or_else(|| told.detail.map(|raw| raw.get().to_owned()))
}

/// A code: a string, or a number as its digits.
fn name(raw: Option<&RawValue>) -> Option<String> {
    let name = text(raw).map(|text| text.into_owned());
    name.or_else(|| part::<u64>(raw).map(|number| number.to_string())).filter(|name| !name.is_empty())
}

fn is_passing(codes: &[String]) -> bool {
    let has = |parts: &[&str]| {
        codes
            .iter()
            .map(|code| code.to_ascii_lowercase())
            .any(|code| parts.iter().any(|part| code.contains(part)))
    };
    let is_passing_status =
        |code: &String| matches!(code.parse(), Ok(408 | 425 | 429 | 500 | 502..=504 | 520..=529_u16));
    !has(LASTING) && (has(PASSING) || codes.iter().any(is_passing_status))
}

/// `retry_after_ms`, or `retry_after` in seconds.
fn wait_ms(told: &Told<'_>) -> Option<u64> {
    let seconds = || part::<f64>(told.retry_after).map(|seconds| seconds * 1_000.0);
    let ms = part::<f64>(told.retry_after_ms).or_else(seconds)?;
    (ms >= 0.0).then(|| ms.min(RETRY_AFTER_MS_MAX).ceil() as u64)
}
