//! The completion that a language model streams, for whoever reads it while it is written.
//!
//! [`AnswerReader`](super::AnswerReader) makes a subagent's result of such an answer; [`CompletionReader`] gives the text
//! as it grows, and in the end why it stopped and what it cost. The dialects are the same; what differs:
//!
//! * An answer is whole only with its mark: a `finish_reason` (Chat Completions), `message_stop` (Messages), or a JSON text
//!   that is complete. `[DONE]` without a reason is no mark: gateways send it for a model that they lost.
//! * A refusal, and an answer that a filter held back, are ends of their own and no failures. The words of a refusal
//!   (`refusal` of Chat Completions) are no text of the answer.
//! * Thinking isn't text, whatever field it comes in.
//!
//! The calls of one answer:
//!
//! ```text
//! per chunk:  feed ─► new_text until None
//!             is_over: the rest of the body needn't be read; is_whole: it may add the usage, nothing else
//! at the end: finish ─► new_text until None (an answer that was no stream) ─► the ModelEnd
//! ```
//!
//! What is promised: bytes cut in another way say the same; no input panics; the text and one message are held, both
//! bounded; time is linear in the bytes.

use std::collections::VecDeque;

use super::anthropic::Anthropic;
use super::model::{ModelAnswer, ModelReader};
use super::openai::Openai;
use super::{Bounds, Failure, ReadAnswer};

#[cfg(test)]
mod tests;

/// How an answer ended that is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelEnd {
    /// Why the model stopped.
    pub stop: StopReason,
    /// What it cost, where the server says so.
    pub usage: Option<ModelUsage>,
    /// Which model answered, as the server calls it; at most 256 characters.
    pub model: Option<String>,
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// It had said all.
    End,
    /// It reached the limit of its output, or of its window: the text is cut off.
    Length,
    /// It refused. What text there is, is no answer.
    Refusal,
    /// A filter of the server held the answer back, or the question.
    Filtered,
    /// Another reason in the API's words, such as `tool_calls`: the text may be anything.
    Other(String),
}

/// Tokens, as the server counted them. The input holds what came out of the server's cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelUsage {
    /// Of the request.
    pub input_tokens: u64,
    /// Of the answer, thinking and all.
    pub output_tokens: u64,
}

/// Why an answer is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompletionFault {
    /// It ended without its mark, or was empty.
    Truncated,
    /// It isn't what the protocol says.
    Malformed,
    /// The text, or one message, is over its bound.
    TooLarge,
    /// The server says in the answer that it failed. Its message may quote the request.
    Said(Failure),
}

/// What a reader of completions asks of a dialect's reader.
pub(super) trait ReadCompletion: ReadAnswer {
    /// The answer so far.
    fn answer(&self) -> &ModelAnswer;
}

/// Reads the body of one completion. How it is used stands at the head of this module.
#[derive(Debug)]
pub struct CompletionReader {
    reader: Box<dyn ReadCompletion>,
    /// Bytes of the text that were given.
    given: usize,
    /// Whether bytes behind the mark were broken: nothing more is read.
    closed: bool,
}

impl CompletionReader {
    /// Reads what OpenAI's Chat Completions answer, and the servers that speak like them. With `is_json` the content type
    /// says that it is no stream; otherwise a `{` at the beginning does.
    pub fn openai(is_json: bool, bounds: Bounds) -> Self {
        Self { reader: Box::new(ModelReader::<Openai>::new(bounds, is_json)), given: 0, closed: false }
    }

    /// Reads what Anthropic's Messages answer; else as [`Self::openai`].
    pub fn anthropic(is_json: bool, bounds: Bounds) -> Self {
        Self { reader: Box::new(ModelReader::<Anthropic>::new(bounds, is_json)), given: 0, closed: false }
    }

    /// Takes the next bytes of the body. Once it [`Self::is_over`], bytes make no difference.
    ///
    /// # Errors
    ///
    /// [`CompletionFault::Malformed`] or [`CompletionFault::TooLarge`], unless the answer was whole before.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<(), CompletionFault> {
        if self.is_over() {
            return Ok(());
        }
        match self.reader.feed(chunk, &mut VecDeque::new()) {
            Ok(()) => Ok(()),
            Err(_) if self.reader.is_over() => Ok(()),
            Err(_) if self.reader.is_whole() => {
                self.closed = true;
                Ok(())
            }
            Err(failure) => Err(of_reading(failure)),
        }
    }

    /// What the text has gained since it was last asked for: never empty, never cut inside a character.
    pub fn new_text(&mut self) -> Option<&str> {
        let text = self.reader.answer().answered();
        let new = text.get(self.given..).filter(|new| !new.is_empty())?;
        self.given = text.len();
        Some(new)
    }

    /// Whether the mark of its end has come: if the body breaks off from here on, nothing but the usage is lost.
    pub fn is_whole(&self) -> bool {
        self.reader.is_whole() || self.reader.answer().held_back().is_some()
    }

    /// Whether all has been said, be it a failure: the rest of the body needn't be read.
    pub fn is_over(&self) -> bool {
        self.closed || self.reader.is_over()
    }

    /// The body ended, or broke off though the answer [`Self::is_whole`]; to be called once.
    ///
    /// # Errors
    ///
    /// Any [`CompletionFault`].
    pub fn finish(&mut self) -> Result<ModelEnd, CompletionFault> {
        let ended = self.reader.finish(&mut VecDeque::new());
        let answer = self.reader.answer();
        match ended {
            Ok(super::End::Failed(failure)) if answer.held_back().is_none() => {
                Err(CompletionFault::Said(failure))
            }
            _ if self.is_whole() => Ok(answer.completed()),
            Ok(_) => Err(CompletionFault::Truncated),
            Err(failure) => Err(of_reading(failure)),
        }
    }
}

/// A failure of reading, which has one of this module's codes.
fn of_reading(failure: Failure) -> CompletionFault {
    match failure.code.as_ref() {
        "answer_too_large" => CompletionFault::TooLarge,
        "truncated_answer" | "empty_answer" => CompletionFault::Truncated,
        _ => CompletionFault::Malformed,
    }
}
