//! `LanguageModel`: one request to a language model, answered while it is written.
//!
//! The contract of an implementation:
//!
//! 1. **One `ask` is one attempt.** Nothing is sent twice behind the caller's back but where the server refuses a
//!    parameter by its name, or names the longest answer that it gives: then again without it, or for no longer one,
//!    inside the same patience. Retries, fallbacks, breakers, budgets and
//!    caches are the caller's. Nothing is sent before the stream is first polled.
//! 2. **Done or an error, once, last.** The stream gives texts and then either [`ModelSaid::Done`] or an error, and
//!    nothing after that. An answer that ended without its protocol's mark is [`ModelError::Truncated`], never `Done`; the
//!    texts before an error are no answer.
//! 3. **Done isn't yet an answer.** A refusal, a filter and a limit that was reached are `Done` too, with their
//!    [`StopReason`]; so is an answer without any text.
//! 4. **Everything is bounded**: the whole call by [`ModelRequest::patience`], the answer in bytes, a silence in time.
//! 5. **Dropping ends it.** Whoever drops the stream ends the call at once; the server sees the connection close.
//! 6. **No secret in a text.** No error and no `Debug` shows a key, the request, or a server's prose, which may quote both.
//! 7. **Thinking isn't text**, nor are calls of tools and the words of a refusal.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::BoxStream;
use serde_json::value::RawValue;

pub use crate::domain::protocols::{ModelEnd, ModelUsage, StopReason};

#[cfg(test)]
mod tests;

/// What a model is asked.
#[derive(Clone)]
pub struct ModelRequest {
    /// What it is told to do; may be empty.
    pub system: String,
    /// What it is to do it with.
    pub user: String,
    /// The form of the answer, where it is to be JSON. Not every server keeps it, or keeps to it.
    pub schema: Option<ModelSchema>,
    /// How freely it writes: 0 to 2, by some models to 1. Models that take none are asked without it.
    pub temperature: f64,
    /// The longest answer, in the model's tokens, thinking and all.
    pub output_tokens_max: u32,
    /// How long the call may take up to the last byte of the answer.
    pub patience: Duration,
    /// The span that it belongs to, where one is told (W3C Trace Context): who stands between can go on with the trace.
    pub traceparent: Option<String>,
}

impl fmt::Debug for ModelRequest {
    /// How much; the texts may tell what nobody should read in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelRequest")
            .field("system_bytes", &self.system.len())
            .field("user_bytes", &self.user.len())
            .field("schema", &self.schema.as_ref().map(|schema| schema.name))
            .field("temperature", &self.temperature)
            .field("output_tokens_max", &self.output_tokens_max)
            .field("patience", &self.patience)
            .finish()
    }
}

/// A JSON Schema of the answer.
#[derive(Clone)]
pub struct ModelSchema {
    /// Its name: `[A-Za-z0-9_-]`, at most 64 characters.
    pub name: &'static str,
    /// The schema. Servers that keep it strictly want every object closed (`additionalProperties: false`) and all of its
    /// properties required.
    pub json: Arc<RawValue>,
}

impl fmt::Debug for ModelSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelSchema").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a model says, piece by piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelSaid {
    /// The text goes on with this: never empty.
    Text(String),
    /// That was all; nothing follows.
    Done(ModelEnd),
}

/// Why there is no answer. No text holds a key, the request or a server's prose.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Whoever configured the service has to do something: the host isn't allowed, the secret isn't there.
    #[error("the model can't be called: {0}")]
    NotConfigured(String),
    /// No connection, or not in time: nothing of the request can have come there.
    #[error("the model can't be reached: {0}")]
    Unreachable(String),
    /// It was connected and went away before an answer's head had come: the request may have come there.
    #[error("the model's server went away before it answered: {0}")]
    HungUp(String),
    /// It didn't answer, or go on answering, in time.
    #[error("the model didn't answer in time")]
    TimedOut,
    /// The key is missing, wrong or not good for this: 401, 403.
    #[error("the model's server refuses the key (status {status})")]
    Unauthorised {
        /// The status.
        status: u16,
    },
    /// The account's credit or quota is used up: waiting doesn't help.
    #[error("the account at the model's server is used up")]
    QuotaExhausted,
    /// The request, with what may be answered, is longer than the model's window.
    #[error("the request is longer than the model's window")]
    ContextExceeded,
    /// Another status outside 200 to 299, or a failure in the answer that stands for one (an `overloaded_error` is a 529).
    #[error("the model's server answered with status {status}{}", told(reason))]
    Status {
        /// The status.
        status: u16,
        /// The server's code, where it gives one: `[a-z][a-z0-9_]*`.
        reason: Option<String>,
        /// Its `Retry-After`, in milliseconds from now.
        retry_after_ms: Option<u64>,
    },
    /// The server says, in the answer, that it failed.
    #[error("the model's server failed amid the answer{}", told(reason))]
    Failed {
        /// The server's code, where it gives one: `[a-z][a-z0-9_]*`.
        reason: Option<String>,
        /// Whether another attempt may help.
        retryable: bool,
        /// How long to wait before it, where the answer says so.
        retry_after_ms: Option<u64>,
    },
    /// The answer ended, or broke off, before it was whole.
    #[error("the model's answer broke off")]
    Truncated,
    /// The answer isn't what the protocol says: mostly a proxy's page.
    #[error("the model's answer can't be read")]
    Malformed,
    /// The answer is too long.
    #[error("the model's answer is longer than {limit} bytes")]
    TooLarge {
        /// How many bytes may be.
        limit: usize,
    },
}

fn told(reason: &Option<String>) -> String {
    reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default()
}

impl ModelError {
    /// A short code that never changes, for events, logs and metrics.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotConfigured(_) => "not_configured",
            Self::Unreachable(_) | Self::HungUp(_) => "unreachable",
            Self::TimedOut => "timeout",
            Self::Unauthorised { .. } => "unauthorised",
            Self::QuotaExhausted => "quota_exhausted",
            Self::ContextExceeded => "context_length_exceeded",
            Self::Status { status: 429, .. } => "rate_limited",
            Self::Status { status: 503 | 529, .. } => "overloaded",
            Self::Status { status: 500.., .. } => "server_error",
            Self::Status { .. } => "request_refused",
            Self::Failed { .. } => "model_failed",
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
            Self::TooLarge { .. } => "too_large",
        }
    }

    /// Whether the same request may go better at the same model. Statuses: 408, 425, 429 and 5xx but 501 and 505.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::HungUp(_) | Self::TimedOut | Self::Truncated | Self::Malformed => {
                true
            }
            Self::Status { status, .. } => match status {
                501 | 505 => false,
                408 | 425 | 429 | 500..=599 => true,
                _ => false,
            },
            Self::Failed { retryable, .. } => *retryable,
            Self::NotConfigured(_)
            | Self::Unauthorised { .. }
            | Self::QuotaExhausted
            | Self::ContextExceeded
            | Self::TooLarge { .. } => false,
        }
    }

    /// Whether the server may have worked on the request, and wants to be paid for it. It hasn't where it wasn't reached or
    /// refused; a status is a refusal, but for those by which whoever stands between says that it waited in vain.
    pub fn may_cost(&self) -> bool {
        match self {
            Self::HungUp(_)
            | Self::TimedOut
            | Self::Truncated
            | Self::Malformed
            | Self::TooLarge { .. }
            | Self::Failed { .. } => true,
            Self::Status { status, .. } => matches!(status, 408 | 504 | 524),
            Self::NotConfigured(_)
            | Self::Unreachable(_)
            | Self::Unauthorised { .. }
            | Self::QuotaExhausted
            | Self::ContextExceeded => false,
        }
    }

    /// How long the server asked us to wait, in milliseconds.
    pub fn retry_after_ms(&self) -> Option<u64> {
        match self {
            Self::Status { retry_after_ms, .. } | Self::Failed { retry_after_ms, .. } => *retry_after_ms,
            Self::NotConfigured(_)
            | Self::Unreachable(_)
            | Self::HungUp(_)
            | Self::TimedOut
            | Self::Unauthorised { .. }
            | Self::QuotaExhausted
            | Self::ContextExceeded
            | Self::Truncated
            | Self::Malformed
            | Self::TooLarge { .. } => None,
        }
    }
}

/// One model of one provider. The module's text is the contract.
pub trait LanguageModel: Send + Sync + 'static {
    /// The model's name, as the provider is asked for it.
    fn model(&self) -> &str;
    /// The kind of the provider: `openai`, `anthropic`.
    fn provider(&self) -> &'static str;
    /// The longest answer that its server was found to give, in tokens; `None` where it never said so.
    fn output_tokens_max(&self) -> Option<u32> {
        None
    }
    /// Asks once.
    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Result<ModelSaid, ModelError>>;
}
