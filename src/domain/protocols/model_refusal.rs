//! Why a language model's server didn't take a request, read from the status and the beginning of its answer.
//!
//! Servers say it in prose, and each in its own; what is looked for are the fields' names and the phrases by which OpenAI,
//! Azure, Anthropic, vLLM, Ollama, llama.cpp, llama-cpp-python, Mistral and OpenRouter tell these few things. Nothing of
//! the prose goes further, since it may quote the request: only a code, if it looks like one.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::own_failure::{SUBAGENT_FAILED, told};
use super::part::{object, text};
use crate::domain::requests::Object;
use crate::domain::text::phrases::has_any;

mod output_limit;
#[cfg(test)]
mod tests;

pub use output_limit::output_limit_of;

/// Why a request was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelRefusal {
    /// What it comes to.
    pub refused: Refused,
    /// The server's code for it: `[a-z][a-z0-9_]*`, at most 64 characters.
    pub reason: Option<String>,
}

/// What a refusal comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The request, with what may be answered, is longer than the model's window.
    Context,
    /// A filter held the request back.
    Filtered,
    /// The account's credit or quota is used up: waiting doesn't help.
    Quota,
    /// The server, or the model, doesn't take a parameter.
    Parameter(Parameter),
    /// Something else; the status tells.
    Other,
}

/// A parameter that not every server takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// `response_format`, `output_config.format`.
    Format {
        /// Whether just this schema is refused: another one may do.
        only_this_schema: bool,
    },
    /// `max_tokens`, `max_completion_tokens`.
    OutputLimit,
    /// `temperature`.
    Temperature,
    /// `stream_options`.
    StreamOptions,
}

const CONTEXT: &[&str] = &[
    "context_length_exceeded",
    "context length",
    "context window",
    "context size",
    "context limit",
    "maximum context",
    "prompt is too long",
    "prompt too long",
    "longer than the maximum model length",
    "exceeds the maximum number of tokens",
    "string_above_max_length",
    "request_too_large",
];
const FILTERED: &[&str] = &["content_filter", "content_policy_violation", "content management policy"];
/// Not `billing` alone: where to pay for more stands in messages of limits that pass, too.
const QUOTA: &[&str] =
    &["insufficient_quota", "billing_error", "billing_hard_limit", "credit balance", "insufficient balance"];
const FORMAT: &[&str] = &[
    "response_format",
    "output_config",
    "output_format",
    "json_schema",
    "structured output",
    "schema",
    "grammar",
];
const ONLY_THIS_SCHEMA: &[&str] = &["invalid schema", "invalid_json_schema", "too complex", "compilation"];

/// The fields beside those that [`told`] reads.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Error<'a> {
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    param: Option<&'a RawValue>,
}

/// Reads a status outside 200 to 299 with the beginning of its body, which may be cut anywhere.
pub fn read_model_refusal(status: u16, detail: &str) -> ModelRefusal {
    let said = detail.to_ascii_lowercase();
    let has = |phrases: &[&str]| has_any(&said, phrases);
    let refused = match status {
        413 => Refused::Context,
        402 => Refused::Quota,
        403 | 429 if has(QUOTA) => Refused::Quota,
        400 | 422 if has(CONTEXT) => Refused::Context,
        400 | 403 | 422 if has(FILTERED) => Refused::Filtered,
        400 if has(QUOTA) => Refused::Quota,
        400 | 422 => parameter(&named(detail))
            .or_else(|| parameter(&said))
            .map_or(Refused::Other, |parameter| with_schema(parameter, has(ONLY_THIS_SCHEMA))),
        // llama-cpp-python and older llama.cpp don't check before they fail.
        500 | 501 if has(&["response_format", "json_schema"]) => {
            Refused::Parameter(Parameter::Format { only_this_schema: false })
        }
        _ => Refused::Other,
    };
    ModelRefusal { refused, reason: reason_of(&told(detail).code) }
}

/// A server's code, where it is one: prose may quote what was asked, and isn't told further.
pub fn reason_of(code: &str) -> Option<String> {
    let is_code = code.starts_with(|c: char| c.is_ascii_lowercase())
        && code.len() <= super::CODE_CHARS_MAX
        && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    (is_code && code != SUBAGENT_FAILED).then(|| code.to_owned())
}

/// The parameter that the error names in a field of its own.
fn named(detail: &str) -> String {
    let whole: Error<'_> = serde_json::from_str(detail).ok().map(|Object(error)| error).unwrap_or_default();
    let inner: Error<'_> = object(whole.error).unwrap_or_default();
    text(inner.param.or(whole.param)).unwrap_or_default().to_ascii_lowercase()
}

/// The parameter whose name stands in a text.
fn parameter(said: &str) -> Option<Parameter> {
    let has = |name: &str| said.contains(name);
    if has("stream_options") {
        Some(Parameter::StreamOptions)
    } else if has("max_tokens") || has("max_completion_tokens") {
        Some(Parameter::OutputLimit)
    } else if has("temperature") {
        Some(Parameter::Temperature)
    } else {
        FORMAT.iter().any(|name| has(name)).then_some(Parameter::Format { only_this_schema: false })
    }
}

fn with_schema(parameter: Parameter, only_this_schema: bool) -> Refused {
    Refused::Parameter(match parameter {
        Parameter::Format { .. } => Parameter::Format { only_this_schema },
        Parameter::OutputLimit | Parameter::Temperature | Parameter::StreamOptions => parameter,
    })
}
