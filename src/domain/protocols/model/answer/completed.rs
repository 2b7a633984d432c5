//! A language model's answer in this service's own words: why it stopped, what it cost, who wrote it.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::ModelAnswer;
use crate::domain::protocols::completion::{ModelEnd, ModelUsage, StopReason};
use crate::domain::protocols::part::{object, part};

/// The counts of tokens by the names of all APIs.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Counts<'a> {
    #[serde(borrow)]
    prompt_tokens: Option<&'a RawValue>,
    completion_tokens: Option<&'a RawValue>,
    input_tokens: Option<&'a RawValue>,
    output_tokens: Option<&'a RawValue>,
    cache_creation_input_tokens: Option<&'a RawValue>,
    cache_read_input_tokens: Option<&'a RawValue>,
}

impl ModelAnswer {
    /// How the answer ended, once it is whole.
    pub fn completed(&self) -> ModelEnd {
        ModelEnd { stop: self.stop(), usage: self.counted(), model: self.model.clone() }
    }

    /// Why the API held the answer back, in its words.
    pub fn held_back(&self) -> Option<&str> {
        self.held_back.as_deref()
    }

    /// The text up to where a refusal begins.
    pub fn answered(&self) -> &str {
        let text = self.text.as_str();
        self.refused_at.and_then(|end| text.get(..end)).unwrap_or(text)
    }

    pub(super) fn stop(&self) -> StopReason {
        match self.held_back() {
            Some("refusal") => return StopReason::Refusal,
            Some(_) => return StopReason::Filtered,
            None => {}
        }
        if self.refused_at.is_some() {
            return StopReason::Refusal;
        }
        match self.finish_reason.as_deref() {
            // Whole JSON texts and a few servers say no reason where there is nothing special.
            None | Some("stop" | "end_turn" | "stop_sequence" | "eos" | "eos_token") => StopReason::End,
            Some(
                "length"
                | "max_tokens"
                | "max_output_tokens"
                | "model_length"
                | "model_context_window_exceeded",
            ) => StopReason::Length,
            Some("safety" | "recitation") => StopReason::Filtered,
            Some(other) => StopReason::Other(other.to_owned()),
        }
    }

    /// Both counts, or nothing: a half of them would pass for the whole cost.
    fn counted(&self) -> Option<ModelUsage> {
        let [first, last] = &self.usage;
        let counts =
            |raw: &Option<Box<RawValue>>| object::<Counts<'_>>(raw.as_deref()).unwrap_or_default().read();
        let (first, last) = (counts(first), counts(last));
        let input = last.0.or(first.0)?;
        let cached = last.2.or(first.2).unwrap_or(0).saturating_add(last.3.or(first.3).unwrap_or(0));
        let output_tokens = last.1.or(first.1)?;
        Some(ModelUsage { input_tokens: input.saturating_add(cached), output_tokens })
    }
}

/// Input, output, and what Anthropic counts beside its input: written to and read from a cache of prompts.
type Read = (Option<u64>, Option<u64>, Option<u64>, Option<u64>);

impl Counts<'_> {
    fn read(&self) -> Read {
        let count = |raw: Option<&RawValue>| part::<u64>(raw);
        (
            count(self.input_tokens).or_else(|| count(self.prompt_tokens)),
            count(self.output_tokens).or_else(|| count(self.completion_tokens)),
            count(self.cache_creation_input_tokens),
            count(self.cache_read_input_tokens),
        )
    }
}
