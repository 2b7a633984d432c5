//! Answers that say that nothing came of it: an error and no text (`{"error": …}`, JSON-RPC's too), a tool's result with
//! `isError` (Model Context Protocol), a task that failed (Agent2Agent), a model that [declines](super::declined). Pushed or answered as an agent's output they would be
//! an empty success, or one that quotes an error message.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Failure;
use super::declined::declined;
use super::own_failure::{SUBAGENT_FAILED, names_an_error, told};
use super::part::{items, object, part, text, trimmed};
use crate::domain::adapters::Adapter;
use crate::domain::adapters::shape::members;
use crate::domain::event::RawJson;

/// What may stand beside an error that is all there is.
const BESIDE: &[&str] = &[
    "error",
    "type",
    "id",
    "jsonrpc",
    "request_id",
    "requestId",
    "status",
    "status_code",
    "statusCode",
    "code",
    "message",
    "detail",
    "title",
    "success",
    "ok",
    "path",
    "timestamp",
    "object",
    "retryable",
    "retry_after",
    "retry_after_ms",
    "event_id",
    "item_id",
    "content_index",
    "errorMessage",
    "errorType",
    "stackTrace",
    "trace",
    "__type",
    "instance",
    "body",
    "headers",
    "isBase64Encoded",
];
/// Words of an answer that failed.
const FAILED: &[&str] = &["error", "failed", "failure"];
/// States of a task in which nothing will come of it, as both versions of the protocol write them.
const ENDED: &[&str] = &["failed", "rejected", "canceled", "cancelled"];

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(rename = "isError")]
    is_error: Option<&'a RawValue>,
    status: Option<&'a RawValue>,
    success: Option<&'a RawValue>,
    ok: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Status<'a> {
    #[serde(borrow)]
    state: Option<&'a RawValue>,
}

/// The failure that a whole output is; `None` for an output. A safety check that fails follows a rule of its own.
pub fn failed_answer(adapter: Adapter, raw: &RawJson) -> Option<Failure> {
    if adapter == Adapter::Safety || !raw.get().starts_with('{') {
        return None;
    }
    let answer: Answer<'_> = serde_json::from_str(raw.get()).ok()?;
    if let Some(failure) = declined(raw) {
        return Some(failure);
    }
    let told_text = || text_of(raw).filter(|words| !words.is_empty());
    if part::<bool>(answer.is_error) == Some(true) {
        let message = told_text().unwrap_or_else(|| "the tool failed, and doesn't say why".to_owned());
        return Some(Failure::lasting(SUBAGENT_FAILED, message));
    }
    let state = object::<Status<'_>>(answer.status).and_then(|status| Some(text(status.state)?.into_owned()));
    let state = state.map(|state| state.to_ascii_lowercase().replace("task_state_", ""));
    if let Some(state) = state.filter(|state| ENDED.contains(&state.as_str())) {
        // What it had brought until then doesn't say why.
        let why = answer.status.and_then(|status| text_of(&status.to_owned().into()));
        let why = why.filter(|words| !words.is_empty()).or_else(|| told_text().filter(|_| !brings(raw)));
        let message = why.unwrap_or_else(|| format!("the agent's task was {state}"));
        return Some(Failure::lasting(SUBAGENT_FAILED, message));
    }
    // A task in the result of a call.
    if let Some(result) = answer.result.filter(|result| result.get().starts_with('{')) {
        let inner: RawJson = RawValue::from_string(result.get().to_owned()).ok()?.into();
        let is_rpc = only(raw.get(), &["jsonrpc", "id", "result"]);
        return is_rpc.then(|| failed_answer(adapter, &inner)).flatten();
    }
    let says_why = |error: &&RawValue| {
        error.get().starts_with('{') || text(Some(error)).is_some_and(|words| !words.trim().is_empty())
    };
    let has_failed = answer.error.as_ref().is_some_and(says_why)
        || [answer.success, answer.ok].into_iter().any(|flag| part::<bool>(flag) == Some(false))
        || text(answer.status).is_some_and(|status| FAILED.contains(&status.to_ascii_lowercase().as_str()))
        || names_an_error(raw.get());
    (has_failed && only(raw.get(), BESIDE)).then(|| told(raw.get()))
}

/// Whether an output that failed brings something besides why it did: the artifacts that a task had made until then.
pub fn brings(output: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct Task<'a> {
        #[serde(borrow)]
        artifacts: Option<&'a RawValue>,
        result: Option<&'a RawValue>,
    }
    let Some(task) = object::<Task<'_>>(Some(output)) else { return false };
    !items(task.artifacts).is_empty() || task.result.is_some_and(brings)
}

/// The text of an answer, as an adapter reads it.
fn text_of(raw: &RawJson) -> Option<String> {
    #[derive(Deserialize)]
    struct Content<'a> {
        #[serde(borrow)]
        content: Option<&'a RawValue>,
    }
    let regular = Adapter::Generic.normalise(raw);
    let content: Content<'_> = serde_json::from_str(regular.get()).ok()?;
    text(content.content).map(|words| trimmed(&words).to_owned())
}

/// Whether an object has no other members than some.
fn only(json: &str, listed: &[&str]) -> bool {
    let members = members(json).unwrap_or_default();
    !members.is_empty() && members.iter().all(|member| listed.contains(&member.key.0.as_ref()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_that_are_failures_are_told_from_outputs() {
        for (answer, expected) in [
            (
                json!({"error": {"message": "Rate limit reached", "type": "tokens", "code": "rate_limit_exceeded"}}),
                Some(("rate_limit_exceeded", "Rate limit reached", true)),
            ),
            (json!({"error": "no such index"}), Some(("subagent_failed", "no such index", false))),
            (
                json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "boom"}}),
                Some(("subagent_failed", "boom", false)),
            ),
            (
                json!({"content": [{"type": "text", "text": "no such file"}], "isError": true}),
                Some(("subagent_failed", "no such file", false)),
            ),
            (
                json!({"kind": "task", "status": {"state": "failed", "message": {"parts": [{"text": "it is down"}]}}}),
                Some(("subagent_failed", "it is down", false)),
            ),
            (
                json!({"status": {"state": "failed", "message": {"parts": [{"text": "it is down"}]}}, "artifacts":
                    [{"parts": [{"text": "42"}]}]}),
                Some(("subagent_failed", "it is down", false)),
            ),
            (
                json!({"status": {"state": "failed"}, "artifacts": [{"parts": [{"text": "42"}]}]}),
                Some(("subagent_failed", "the agent's task was failed", false)),
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "result": {"status": {"state": "TASK_STATE_REJECTED"}}}),
                Some(("subagent_failed", "the agent's task was rejected", false)),
            ),
            (
                json!({"status": "error", "message": "it is down"}),
                Some(("subagent_failed", "it is down", false)),
            ),
            (
                json!({"type": "conversation.item.input_audio_transcription.failed", "event_id": "e", "item_id": "i",
                    "content_index": 0, "error": {"code": "audio_unintelligible", "message": "too loud"}}),
                Some(("audio_unintelligible", "too loud", false)),
            ),
            (json!({"success": false, "detail": "no index"}), Some(("subagent_failed", "no index", false))),
            (
                json!({"errorMessage": "Task timed out", "errorType": "Sandbox.Timedout"}),
                Some(("Sandbox.Timedout", "Task timed out", true)),
            ),
            (
                json!({"type": "about:blank", "title": "Away", "detail": "it is down", "status": 503}),
                Some(("503", "it is down", true)),
            ),
            (
                json!({"__type": "ThrottlingException", "message": "Rate exceeded"}),
                Some(("ThrottlingException", "Rate exceeded", true)),
            ),
            (
                json!({"status_code": 500, "message": "Internal Server Error"}),
                Some(("500", "Internal Server Error", true)),
            ),
            (json!({"statusCode": 404, "body": "no such page"}), Some(("404", "no such page", false))),
            (json!({"statusCode": 200, "body": "42"}), None),
            (json!({"status": 404, "answer": "42"}), None),
            (json!({"ok": false, "answer": "42"}), None),
            (json!({"ok": true, "message": "42"}), None),
            (json!({"status": "ok", "message": "42"}), None),
            (json!({"error": null, "answer": "42"}), None),
            (json!({"error": "one page was missing", "answer": "42"}), None),
            (json!({"error": "", "id": 1}), None),
            (json!({"content": [{"type": "text", "text": "42"}], "isError": false}), None),
            (json!({"status": {"state": "completed"}, "parts": []}), None),
            (json!("error"), None),
        ] {
            let raw: RawJson = RawValue::from_string(answer.to_string()).unwrap().into();
            let failure = failed_answer(Adapter::Generic, &raw);
            let found =
                failure.as_ref().map(|failure| (&*failure.code, &*failure.message, failure.retryable));
            assert_eq!(found, expected, "{answer}");
            assert_eq!(failed_answer(Adapter::Safety, &raw), None);
        }
    }
}
