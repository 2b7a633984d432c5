//! A language model's answer as it is put together, and the payload that it becomes.
//!
//! `{"content": text, "finish_reason"?, "usage"?, "model"?, "tool_calls"?}` and what [`Sources`] has: the reason and the usage
//! are the API's own; `tool_calls` are `[{"id", "name", "arguments"}]` with the arguments as the text that the model wrote.
//! An answer that is, or ends with, words by which its API says that the model refuses is a failure.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::empty;
use crate::domain::canonical_json::one_line;
use crate::domain::event::RawJson;
use crate::domain::protocols::declined::{held_back, refused};
use crate::domain::protocols::{End, Failure, GrowingText, StopReason};

mod calls;
mod completed;
mod sources;
use calls::ToolCalls;
pub(in crate::domain::protocols) use sources::Sources;

/// Longest name of a model and of a reason, in characters.
const NAME_CHARS_MAX: usize = 256;

/// An answer, as far as it is known.
#[derive(Debug)]
pub(in crate::domain::protocols) struct ModelAnswer {
    /// What the model said.
    pub text: GrowingText,
    /// Whether there was any message.
    pub begun: bool,
    /// Whether the API said that the answer is over.
    pub done: bool,
    /// What the API said of a failure.
    pub failed: Option<Failure>,
    /// Where in the text the model's refusal begins, in bytes, where there is one.
    refused_at: Option<usize>,
    /// The API's word for why it held the answer back, where it did.
    held_back: Option<String>,
    finish_reason: Option<String>,
    model: Option<String>,
    /// The last one, and before it the first: Anthropic splits it.
    usage: [Option<Box<RawValue>>; 2],
    /// The calls of tools.
    pub calls: ToolCalls,
    /// What the API names beside the text as what it rests on.
    pub sources: Sources,
}

/// The payload.
#[derive(Serialize)]
struct Payload<'a> {
    content: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    finish_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Usage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "ToolCalls::is_empty")]
    tool_calls: &'a ToolCalls,
    #[serde(flatten)]
    sources: &'a Sources,
}

/// Usage that came at once, or in two objects.
#[derive(Serialize)]
#[serde(untagged)]
enum Usage<'a> {
    One(&'a RawValue),
    Joined(BTreeMap<String, &'a RawValue>),
}

impl ModelAnswer {
    /// Nothing yet; the text, all calls of tools together, and all sources, may have `text_bytes` bytes each.
    pub(super) fn new(text_bytes: usize) -> Self {
        Self {
            text: GrowingText::new(text_bytes),
            begun: false,
            done: false,
            failed: None,
            refused_at: None,
            held_back: None,
            finish_reason: None,
            model: None,
            usage: [None, None],
            calls: ToolCalls::new(text_bytes),
            sources: Sources::new(text_bytes),
        }
    }

    /// Whether nothing more counts.
    pub(super) fn is_over(&self) -> bool {
        self.done || self.failed.is_some()
    }

    /// Why the model stopped, in the API's words.
    pub fn stopped(&mut self, reason: &str) {
        self.finish_reason = Some(reason.chars().take(NAME_CHARS_MAX).collect());
    }

    /// Whether a reason to stop was given.
    pub fn has_stopped(&self) -> bool {
        self.finish_reason.is_some()
    }

    /// Whether the model calls tools.
    pub fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Words by which the model refuses; what isn't empty is a part of the text too.
    pub fn refuse(&mut self, words: &str) -> Result<(), Failure> {
        let begins = self.text.as_str().len();
        if !words.is_empty() {
            self.refused_at.get_or_insert(begins);
        }
        self.text.push(words)
    }

    /// Whether there is a text or a call of a tool.
    pub fn has_content(&self) -> bool {
        !self.text.as_str().is_empty() || self.has_calls()
    }

    /// The API held the answer back: `content_filter`, which would come again.
    pub fn filtered(&mut self, reason: &str) {
        self.held_back = Some(reason.to_owned());
        self.failed = Some(held_back(reason));
    }

    /// The model's name; the last one counts.
    pub fn named(&mut self, model: &str) {
        if self.model.as_deref() != Some(model) {
            self.model = Some(model.chars().take(NAME_CHARS_MAX).collect());
        }
    }

    /// What the answer cost so far; the last one counts.
    pub fn used(&mut self, usage: &RawValue) {
        self.usage[1] = Some(one_line_of(usage));
    }

    /// What the answer cost at its beginning; later figures of the same name go before these.
    pub fn used_at_first(&mut self, usage: &RawValue) {
        self.usage[0] = Some(one_line_of(usage));
    }

    /// What the end of the body means.
    ///
    /// An answer is whole where its API said so, or (unless it `needs_done`) gave a reason to stop. One that was begun
    /// is `truncated_answer` else, and one without a message, or without a word and a call, `empty_answer`. That it is over but
    /// holds nothing, and for no reason, is what a gateway makes of a connection that it lost: truncated too.
    pub(super) fn end(&mut self, needs_done: bool) -> Result<End, Failure> {
        if let Some(failure) = self.failed.take() {
            return Ok(End::Failed(failure));
        }
        let has_content = self.has_content();
        if !self.begun && !self.done {
            return Err(empty());
        }
        if (self.has_stopped() && (self.done || !needs_done)) || (self.done && has_content) {
            if self.text.as_str().trim().is_empty() && !self.has_calls() {
                return Err(self.said_nothing());
            }
            if self.refused_at.is_some() {
                return Ok(End::Failed(self.refused()));
            }
            // What a limit cut is told as such.
            if self.stop() != StopReason::Length && !self.calls.are_whole() {
                return Err(Failure::malformed("the arguments of a call are no JSON"));
            }
            return self.payload().map(|payload| End::Success(Some(payload)));
        }
        Err(Failure::retryable("truncated_answer", "the model's answer broke off"))
    }

    fn said_nothing(&self) -> Failure {
        let why = self.finish_reason.as_deref().filter(|reason| *reason != "stop");
        let why = why.map(|reason| format!(" (`{reason}`)")).unwrap_or_default();
        Failure::retryable("empty_answer", format!("the model said nothing{why}"))
    }

    /// Its API says that these are no answer, in whatever language they are.
    fn refused(&mut self) -> Failure {
        self.held_back = Some("refusal".to_owned());
        let words = self.refused_at.and_then(|at| self.text.as_str().get(at..)).unwrap_or_default();
        refused(words)
    }

    fn payload(&self) -> Result<RawJson, Failure> {
        let payload = Payload {
            content: self.text.as_str(),
            finish_reason: self.finish_reason.as_deref(),
            usage: self.usage(),
            model: self.model.as_deref(),
            tool_calls: &self.calls,
            sources: &self.sources,
        };
        to_raw_value(&payload).map(Arc::from).map_err(|error| Failure::malformed(error.to_string()))
    }

    fn usage(&self) -> Option<Usage<'_>> {
        match &self.usage {
            [Some(first), Some(last)] => Some(match (members(first), members(last)) {
                (Some(first), Some(last)) => Usage::Joined(first.into_iter().chain(last).collect()),
                _ => Usage::One(last),
            }),
            [only, None] | [None, only] => only.as_deref().map(Usage::One),
        }
    }
}

fn members(object: &RawValue) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_str(object.get()).ok()
}

/// Copied without line breaks, because an event is one line.
fn one_line_of(raw: &RawValue) -> Box<RawValue> {
    RawValue::from_string(one_line(raw.get()).into_owned()).unwrap_or_else(|_| raw.to_owned())
}
