//! `Subagents`: calls to agents (and webhooks) outside, over HTTP.
//!
//! The contract of an implementation:
//!
//! 1. **One call is one attempt.** Nothing is sent twice behind the caller's back but along an allowed redirect; retries,
//!    backoff and breakers are the caller's.
//! 2. **Only configured hosts** are called, at addresses that may be called; neither a name nor a redirect leads elsewhere.
//! 3. **Everything is bounded**: the whole call by [`OutboundCall::patience`], the answer in bytes, a silence in it in time.
//! 4. **Dropping ends it.** Whoever drops the future or the answer's body ends the call at once; the agent sees the
//!    connection close.
//! 5. **No secret in a text.** A header's value `secret:<name>` is replaced at the call; no error, no `Debug` shows what by.
//!    No text holds a URL's query either. An answer's body is without those that stand in it as they were sent; who puts a text
//!    together of it takes [`Answer::hidden`] out.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use url::Url;

use crate::domain::hidden_words::HiddenWords;

#[cfg(test)]
mod tests;

/// One call: a POST of `body` to `url` as it stands.
#[derive(Clone)]
pub struct OutboundCall {
    /// Where to: `http` or `https`, without user name and password.
    pub url: Url,
    /// Sent in this order. A value `secret:<name>` stands for the configured secret of that name, which is the whole value.
    /// `accept` and `content-length` are set by the implementation and not looked for here.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// What is sent; its `content-type` is among the headers.
    pub body: Bytes,
    /// The media types that can be read, as the `accept` header.
    pub accept: &'static str,
    /// How long the call may take up to the last byte of the answer: until the deadline.
    pub patience: Duration,
}

impl fmt::Debug for OutboundCall {
    /// Where to and how much; neither query nor headers nor body, which may tell what nobody should read in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutboundCall")
            .field("origin", &self.url.origin().ascii_serialization())
            .field("body_bytes", &self.body.len())
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}

/// What an agent answered: a status between 200 and 299, and a body that is still being read.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The `content-type`, as it came; `None` where it isn't printable ASCII.
    pub content_type: Option<String>,
    /// What the call was signed with, which mustn't be told of the answer.
    pub hidden: HiddenWords,
    /// The body as it arrives. After an error nothing more comes.
    pub body: BoxStream<'static, Result<Bytes, CallError>>,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("status", &self.status)
            .field("content_type", &self.content_type)
            .finish_non_exhaustive()
    }
}

/// Why a call gave no answer, or an answer ended early. No text holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The URL's host isn't configured, or it has a private address where those mustn't be called.
    #[error("this may not be called: {0}")]
    NotAllowed(String),
    /// No connection, or not in time: nothing of the call can have come there.
    #[error("it can't be reached: {0}")]
    Unreachable(String),
    /// It was connected and went away before an answer's head had come: the call may have come there.
    #[error("it went away before it answered: {0}")]
    HungUp(String),
    /// It didn't answer, or go on answering, in time: before the deadline, or after too long a silence.
    #[error("it didn't answer in time")]
    TimedOut,
    /// It answered with a status outside 200 to 299.
    #[error("it answered with status {status}")]
    Status {
        /// The status.
        status: u16,
        /// Its `Retry-After`, in milliseconds from now (RFC 9110, section 10.2.3).
        retry_after_ms: Option<u64>,
        /// The beginning of the answer's body: at most 512 bytes, printable. Empty where there was none.
        detail: String,
    },
    /// The answer broke off, or isn't HTTP.
    #[error("its answer broke off: {0}")]
    Broken(String),
    /// The answer, a success, is compressed, which nobody asked for: it can't be read, and the next one will be no other.
    #[error("its answer is compressed (`{0}`), which nobody asked for")]
    Compressed(String),
    /// The body of the answer, a success, is too long.
    #[error("its answer is longer than {limit} bytes")]
    TooLarge {
        /// How many bytes may be.
        limit: usize,
    },
    /// No secret of this name is configured, or it can't be sent as a header's value.
    #[error("the secret `{0}` isn't configured")]
    UnknownSecret(String),
    /// It sent us elsewhere, in a way that isn't followed.
    #[error("it redirects where it isn't followed: {0}")]
    Redirected(String),
}

impl CallError {
    /// Whether another attempt may go better. Statuses: 408, 425, 429, 500, 502, 503, 504 (RFC 9110, RFC 8470, RFC 6585) and
    /// 529, "overloaded" of some language models' services.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::HungUp(_) | Self::TimedOut | Self::Broken(_) => true,
            Self::Status { status, .. } => {
                matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504 | 529)
            }
            Self::NotAllowed(_)
            | Self::Compressed(_)
            | Self::TooLarge { .. }
            | Self::UnknownSecret(_)
            | Self::Redirected(_) => false,
        }
    }

    /// A short code that never changes, for events, logs and metrics. A rare status is told by its class, so that an agent
    /// can't make a thousand codes: `status_4xx`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAllowed(_) => "host_not_allowed",
            Self::Unreachable(_) | Self::HungUp(_) => "unreachable",
            Self::TimedOut => "timed_out",
            Self::Status { status, .. } => status_code(*status),
            Self::Broken(_) => "broken_answer",
            Self::Compressed(_) => "compressed_answer",
            Self::TooLarge { .. } => "answer_too_large",
            Self::UnknownSecret(_) => "unknown_secret",
            Self::Redirected(_) => "redirected",
        }
    }

    /// How long the agent asked us to wait, in milliseconds.
    pub fn retry_after_ms(&self) -> Option<u64> {
        match self {
            Self::Status { retry_after_ms, .. } => *retry_after_ms,
            Self::NotAllowed(_)
            | Self::Unreachable(_)
            | Self::HungUp(_)
            | Self::TimedOut
            | Self::Broken(_)
            | Self::Compressed(_)
            | Self::TooLarge { .. }
            | Self::UnknownSecret(_)
            | Self::Redirected(_) => None,
        }
    }
}

/// The code of a status that isn't a success.
fn status_code(status: u16) -> &'static str {
    match status {
        400 => "status_400",
        401 => "status_401",
        403 => "status_403",
        404 => "status_404",
        405 => "status_405",
        408 => "status_408",
        409 => "status_409",
        410 => "status_410",
        413 => "status_413",
        415 => "status_415",
        422 => "status_422",
        425 => "status_425",
        429 => "status_429",
        500 => "status_500",
        501 => "status_501",
        502 => "status_502",
        503 => "status_503",
        504 => "status_504",
        529 => "status_529",
        rare => match rare / 100 {
            4 => "status_4xx",
            5 => "status_5xx",
            _ => "status_other",
        },
    }
}

/// Where subagents are called. The module's text is the contract.
pub trait Subagents: Send + Sync + 'static {
    /// Calls once, up to the head of the answer. Never slower than [`OutboundCall::patience`].
    fn call(&self, call: OutboundCall) -> BoxFuture<'_, Result<Answer, CallError>>;
}
