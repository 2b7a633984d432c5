//! What an invoked subagent answers, read while it arrives.
//!
//! [`AnswerReader`] takes the bytes of one answer's body as they come, in pieces of any size, and gives what the answer
//! says: events, raw output, the text so far of a language model, and in the end whether it was whole. Nothing waits
//! here and nothing is sent: statuses of HTTP (202, 429, …), deadlines and retries are the caller's.
//!
//! The calls of one answer:
//!
//! ```text
//! per chunk:  feed ─► next_said until None ─► text_so_far, as often as the caller wants to show it
//!             is_over: the rest of the body needn't be read; is_whole: it may add what the answer cost, nothing else
//! at the end: finish ─► next_said until None (what the last bytes said) ─► the End
//! ```
//!
//! What is promised: bytes cut in another way say the same; no input panics; no more is held than [`Bounds`] allow and
//! one chunk adds; time is linear in the bytes.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;

use super::event::{RawJson, SubagentEvent};

mod a2a;
mod anthropic;
mod completion;
mod declined;
mod failed_answer;
mod form;
mod growing_text;
mod hidden;
mod item;
mod json;
mod lines;
mod model;
mod model_refusal;
mod ndjson;
mod openai;
mod own_failure;
mod part;
mod pieces;
mod reader;
mod sse;
mod sse_decoder;
mod tally;
#[cfg(test)]
mod tests;
pub use a2a::{
    A2aChoice, A2aIds, A2aManner, A2aRequest, A2aTried, A2aVersion, a2a_inquiry, a2a_request, a2a_withdrawal,
    read_refusal, read_withdrawal,
};
pub use anthropic::ANTHROPIC_VERSION;
pub use completion::{CompletionFault, CompletionReader, ModelEnd, ModelUsage, StopReason};
pub use failed_answer::{brings, failed_answer};
pub use growing_text::GrowingText;
pub use model_refusal::{ModelRefusal, Parameter, Refused, output_limit_of, read_model_refusal, reason_of};
pub use own_failure::{SaidOfStatus, said_of_status};
pub use reader::AnswerReader;
pub use sse::is_sign_of_life;
pub use sse_decoder::{SseDecoder, SseEvent};

/// What an answer says, piece by piece.
#[derive(Debug, Clone)]
pub enum Said {
    /// An object whose `status` is an event's.
    Event(SubagentEvent),
    /// Raw output so far; a later one replaces it.
    Output(RawJson),
}

/// How an answer ended, at a clean end of its body.
#[derive(Debug, Clone)]
pub enum End {
    /// The raw output that becomes the success; `None`: a terminal event was said already.
    Success(Option<RawJson>),
    /// The task is accepted, and the subagent will push what becomes of it.
    LeftOpen,
    /// The answer itself says that it failed.
    Failed(Failure),
}

/// Why an answer is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// A short name: one of this module's, or the peer's own (at most [`CODE_CHARS_MAX`] characters).
    pub code: Cow<'static, str>,
    /// What happened, for a person; at most [`MESSAGE_CHARS_MAX`] characters.
    pub message: String,
    /// Whether another attempt may help.
    pub retryable: bool,
    /// What the peer itself says of that, if anything.
    pub said_retryable: Option<bool>,
    /// How long to wait before it, in milliseconds, where the answer says so.
    pub retry_after_ms: Option<u64>,
}

/// Longest code of a [`Failure`], in characters.
pub const CODE_CHARS_MAX: usize = 64;
/// Longest message of a [`Failure`], in characters.
pub const MESSAGE_CHARS_MAX: usize = 1_024;

impl Failure {
    /// A failure that another attempt may mend. Code and message are cut to what is allowed.
    pub fn retryable(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { retryable: true, ..Self::lasting(code, message) }
    }

    /// A failure that would come again. Code and message are cut to what is allowed.
    pub fn lasting(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        let (code, message) = (code.into(), message.into());
        Self { code, message, retryable: false, said_retryable: None, retry_after_ms: None }.bounded()
    }

    /// The same with its code and message cut to what is allowed.
    pub fn bounded(mut self) -> Self {
        if let Some((at, _)) = self.code.char_indices().nth(CODE_CHARS_MAX) {
            self.code = Cow::Owned(self.code[..at].to_owned());
        }
        if let Some((at, _)) = self.message.char_indices().nth(MESSAGE_CHARS_MAX) {
            self.message.truncate(at);
        }
        self
    }

    /// The same with what the peer says of another attempt, which goes before what is known by the rest.
    pub fn saying(self, said_retryable: Option<bool>) -> Self {
        let retryable = said_retryable.unwrap_or(self.retryable);
        Self { retryable, said_retryable: said_retryable.or(self.said_retryable), ..self }
    }

    /// What readers are told of another attempt: that it may help, or that the peer says it won't.
    pub fn told_retryable(&self) -> Option<bool> {
        self.retryable.then_some(true).or(self.said_retryable)
    }

    /// `malformed_answer`: not what the protocol says. Retryable: most often a proxy's page or a broken line.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::retryable("malformed_answer", message)
    }

    /// `answer_too_large`: over a bound, of `bytes_max` bytes. Not retryable.
    pub fn too_large(what: &str, bytes_max: usize) -> Self {
        Self::lasting("answer_too_large", format!("{what} of over {bytes_max} bytes"))
    }
}

/// How much of an answer is held at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of one event or raw output: a line, the data of an SSE event, a JSON body.
    pub event_bytes: usize,
    /// Bytes of the text that a language model or an agent gives in deltas.
    pub text_bytes: usize,
}

/// The way of one protocol; [`AnswerReader`] holds one. `said` is what was read, in order.
pub(in crate::domain) trait ReadAnswer: fmt::Debug + Send {
    /// Takes the next bytes of the body.
    fn feed(&mut self, chunk: &[u8], said: &mut VecDeque<Said>) -> Result<(), Failure>;
    /// Whether all has been said: the rest of the body makes no difference.
    fn is_over(&self) -> bool;
    /// Whether the mark of the end has come: whatever happens to the rest of the body takes nothing from the answer.
    fn is_whole(&self) -> bool {
        false
    }
    /// The body ended cleanly.
    fn finish(&mut self, said: &mut VecDeque<Said>) -> Result<End, Failure>;
    /// The raw output so far, in protocols where it grows by deltas, where it changed since it was last taken.
    fn output_so_far(&mut self) -> Option<RawJson> {
        None
    }
    /// Bytes of the text in it.
    fn text_len(&self) -> usize {
        0
    }
    /// The id of the peer's task that is still open, in protocols that have tasks.
    fn open_task(&self) -> Option<&str> {
        None
    }
}
