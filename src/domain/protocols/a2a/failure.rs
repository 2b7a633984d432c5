//! Which failures an agent's answer stands for, and whether another attempt may help.
//!
//! A task that ended badly is the agent's word: it isn't asked again, unless it says so itself in the metadata of its
//! status (`retryable`, `retry_after_ms` or `retryAfterMs`: names of our own, since the protocol has none). JSON-RPC
//! errors are judged by their code: a fault of the peer may pass, a fault of the request will not.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::shapes::{Message, State};
use crate::domain::canonical_json::Text;
use crate::domain::protocols::Failure;

/// Longest wait that an answer may ask for: a day.
const WAIT_MS_MAX: f64 = 86_400_000.0;

/// What a task that ended in `state` failed by; `None`: it didn't fail. `metadata`: of the update or the task.
pub(super) fn of_state(
    state: State,
    message: Option<&Message<'_>>,
    metadata: Option<&RawValue>,
) -> Option<Failure> {
    let (code, otherwise) = match state {
        State::Failed => ("task_failed", "the agent's task failed"),
        State::Rejected => ("rejected", "the agent rejected the task"),
        State::Canceled => ("cancelled", "the agent's task was cancelled"),
        State::InputRequired => ("input_required", "the agent asks for more input"),
        State::AuthRequired => ("auth_required", "the agent asks for a sign-in"),
        State::Unknown | State::Submitted | State::Working | State::Completed => return None,
    };
    let said = message.map(text_of).filter(|said| !said.is_empty());
    let mut failure = Failure::lasting(code, said.unwrap_or_else(|| otherwise.to_owned()));
    if state == State::Failed {
        let own = message.and_then(|message| message.metadata);
        for retry in [own, metadata].into_iter().flatten().filter_map(Retry::read) {
            let said = retry.retryable.filter(|_| failure.said_retryable != Some(true));
            failure = failure.saying(said);
            let wait = retry.after_ms.filter(|wait| (0.0..=WAIT_MS_MAX).contains(wait));
            failure.retry_after_ms = failure.retry_after_ms.or(wait.map(|wait| wait as u64));
        }
    }
    Some(failure)
}

/// What a message says: its text parts, a line break between them.
pub(super) fn text_of(message: &Message<'_>) -> String {
    let texts = message.parts.iter().filter_map(|part| part.text.as_ref());
    let texts: Vec<&str> = texts.map(|Text(text)| &**text).filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

/// What the metadata of a failed task says of another attempt.
#[derive(Deserialize)]
struct Retry {
    retryable: Option<bool>,
    // Agents in Python send every number of metadata as a double.
    #[serde(rename = "retry_after_ms", alias = "retryAfterMs")]
    after_ms: Option<f64>,
}

impl Retry {
    /// Metadata is open: where these names stand for something else, it says nothing.
    fn read(metadata: &RawValue) -> Option<Self> {
        serde_json::from_str(metadata.get()).ok()
    }
}

/// A JSON-RPC error, or the error of the HTTP+JSON binding, whose code is an HTTP status.
#[derive(Deserialize)]
struct RpcError<'a> {
    code: Option<f64>,
    #[serde(borrow)]
    message: Option<Text<'a>>,
}

/// The failure that an `error` member stands for.
pub(super) fn of_error(error: &RawValue) -> Failure {
    let read: Option<RpcError<'_>> = serde_json::from_str(error.get()).ok();
    let Some(RpcError { code: Some(code), message }) = read else {
        return Failure::lasting("rpc_error", format!("the agent gave an error: {}", error.get()));
    };
    let message = message.map_or_else(String::new, |Text(message)| message.into_owned());
    let (name, retryable) = by_code(code as i64);
    let message = if message.is_empty() { format!("error {code}") } else { format!("{message} ({code})") };
    match retryable {
        true => Failure::retryable(name, message),
        false => Failure::lasting(name, message),
    }
}

/// Codes of JSON-RPC 2.0 (section 5.1), Agent2Agent 1.0 (section 5.4) and HTTP: the name, and whether to try again.
fn by_code(code: i64) -> (&'static str, bool) {
    match code {
        -32700 => ("rpc_parse_error", false),
        -32600 => ("rpc_invalid_request", false),
        -32601 => ("rpc_method_not_found", false),
        -32602 => ("rpc_invalid_params", false),
        -32603 => ("rpc_internal_error", true),
        -32001 => ("task_not_found", false),
        -32002 => ("task_not_cancelable", false),
        -32003 => ("push_notification_not_supported", false),
        -32004 => ("unsupported_operation", false),
        -32005 => ("content_type_not_supported", false),
        // The agent's own code answered nonsense, which models do now and then.
        -32006 => ("invalid_agent_response", true),
        -32007 => ("extended_card_not_configured", false),
        -32008 => ("extension_support_required", false),
        -32009 => ("version_not_supported", false),
        -32099..=-32000 => ("rpc_server_error", true),
        408 | 429 | 500..=599 => ("rpc_server_error", true),
        _ => ("rpc_error", false),
    }
}
