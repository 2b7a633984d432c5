//! What a server takes of what not all take.
//!
//! A request begins with what most servers understand. What one refuses by name is left out or said in the other way, and
//! where that went well it is so from the beginning next time, until the process ends.
//!
//! The limit of the output is `max_tokens`, since no server ignores it: Ollama, llama-cpp-python and older llama.cpp take
//! `max_completion_tokens` without a word and write on for ever (ollama#7125, llama-cpp-python#1907, llama.cpp#13700),
//! while OpenAI's newer models refuse `max_tokens` loudly. A wrong first guess that is refused costs one round trip; one
//! that is ignored costs the whole window. OpenAI's and Azure's own hosts are asked with `max_completion_tokens` at once.
//! A server that says how long an answer may be at most is asked for no longer one, once in a request: which model takes how
//! much nobody else tells.

use url::Url;

use super::options::{Provider, SchemaMode};
use crate::domain::protocols::Parameter;

/// How a request is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Habits {
    pub format: Format,
    pub limit: Limit,
    /// The longest answer that the server gives, where it said so.
    pub output_tokens_max: Option<u32>,
    pub temperature: bool,
    /// `stream_options`, by which the usage comes.
    pub usage: bool,
}

/// How the form of the answer is told; a later one asks less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// By the schema.
    Schema,
    /// As a JSON object, with the schema beside it: what llama-cpp-python takes for a schema. Other servers ignore it there.
    ObjectOfSchema,
    /// As a JSON object.
    Object,
    /// Not at all.
    Free,
}

/// What the limit of the output is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    MaxTokens,
    MaxCompletionTokens,
}

impl Habits {
    /// What is tried first.
    pub fn of(provider: Provider, schema: SchemaMode, endpoint: &Url) -> Self {
        let host = endpoint.host_str().unwrap_or_default();
        let is_openai = host == "api.openai.com" || host.ends_with(".openai.azure.com");
        let format = match (schema, provider) {
            (SchemaMode::Auto | SchemaMode::JsonSchema, _) => Format::Schema,
            (SchemaMode::JsonObject, Provider::OpenAi) => Format::Object,
            (SchemaMode::JsonObject, Provider::Anthropic) | (SchemaMode::None, _) => Format::Free,
        };
        let limit = if is_openai { Limit::MaxCompletionTokens } else { Limit::MaxTokens };
        Self { format, limit, output_tokens_max: None, temperature: true, usage: true }
    }

    /// How long an answer is asked for where one of `wanted` tokens is.
    pub fn output_tokens(&self, wanted: u32) -> u32 {
        self.output_tokens_max.map_or(wanted, |most| wanted.min(most))
    }
}

/// The habits of one request while it is tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trial {
    /// How it is written now.
    pub habits: Habits,
    /// What is to be remembered if it goes well.
    pub lasting: Habits,
    provider: Provider,
    may_drop_schema: bool,
    is_limit_changed: bool,
    is_shortened: bool,
}

impl Trial {
    /// Begins with what is known. `may_drop_schema`: there is one, and it may be left out.
    pub fn new(known: Habits, provider: Provider, may_drop_schema: bool) -> Self {
        let (is_limit_changed, is_shortened) = (false, false);
        Self { habits: known, lasting: known, provider, may_drop_schema, is_limit_changed, is_shortened }
    }

    /// Asks for an answer of `most` tokens, because the server gives no longer one; `false`: it was asked for less already.
    pub fn no_longer_than(&mut self, most: u32) -> bool {
        if self.is_shortened {
            return false;
        }
        self.is_shortened = true;
        self.habits.output_tokens_max = Some(most);
        self.lasting.output_tokens_max = Some(most);
        true
    }

    /// Writes the request in another way, because the server refused `parameter`; `false`: there is no other way.
    pub fn without(&mut self, parameter: Parameter) -> bool {
        let mut next = self.habits;
        match parameter {
            Parameter::Format { .. } if self.may_drop_schema => next.format = self.less_format(),
            Parameter::Temperature => next.temperature = false,
            Parameter::StreamOptions => next.usage = false,
            Parameter::OutputLimit if self.provider == Provider::OpenAi && !self.is_limit_changed => {
                self.is_limit_changed = true;
                next.limit = match self.habits.limit {
                    Limit::MaxTokens => Limit::MaxCompletionTokens,
                    Limit::MaxCompletionTokens => Limit::MaxTokens,
                };
            }
            Parameter::Format { .. } | Parameter::OutputLimit => {}
        }
        let is_other = next != self.habits;
        let only_this_time = matches!(parameter, Parameter::Format { only_this_schema: true });
        let format = if only_this_time { self.lasting.format } else { next.format };
        self.habits = next;
        self.lasting = Habits { format, ..next };
        is_other
    }

    fn less_format(&self) -> Format {
        match (self.habits.format, self.provider) {
            (Format::Schema, Provider::OpenAi) => Format::ObjectOfSchema,
            (Format::Schema, Provider::Anthropic)
            | (Format::ObjectOfSchema | Format::Object | Format::Free, _) => Format::Free,
        }
    }
}
