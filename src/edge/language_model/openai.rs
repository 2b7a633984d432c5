//! A request of Chat Completions.
//!
//! Sources: OpenAI's API reference, "Create chat completion"; the references of vLLM, Ollama, llama.cpp and
//! llama-cpp-python for what they take of it.

use serde::Serialize;
use serde_json::value::RawValue;

use super::habits::{Format, Habits, Limit};
use crate::engine::ports::language_model::{ModelRequest, ModelSchema};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonSchema {
        json_schema: JsonSchema<'a>,
    },
    JsonObject {
        #[serde(skip_serializing_if = "Option::is_none")]
        schema: Option<&'a RawValue>,
    },
}

#[derive(Serialize)]
struct JsonSchema<'a> {
    name: &'static str,
    strict: bool,
    schema: &'a RawValue,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// The body for `model`.
pub(super) fn body(model: &str, request: &ModelRequest, habits: Habits) -> serde_json::Result<Vec<u8>> {
    let messages = [("system", request.system.as_str()), ("user", request.user.as_str())];
    let output_tokens = habits.output_tokens(request.output_tokens_max);
    let limit = |name| (habits.limit == name).then_some(output_tokens);
    serde_json::to_vec(&Body {
        model,
        messages: messages
            .into_iter()
            .filter(|(role, content)| *role == "user" || !content.is_empty())
            .map(|(role, content)| Message { role, content })
            .collect(),
        max_tokens: limit(Limit::MaxTokens),
        max_completion_tokens: limit(Limit::MaxCompletionTokens),
        temperature: habits
            .temperature
            .then(|| request.temperature.clamp(0.0, 2.0))
            .filter(|t| t.is_finite()),
        response_format: request.schema.as_ref().and_then(|schema| response_format(schema, habits.format)),
        stream: true,
        stream_options: habits.usage.then_some(StreamOptions { include_usage: true }),
    })
}

fn response_format(schema: &ModelSchema, format: Format) -> Option<ResponseFormat<'_>> {
    match format {
        Format::Schema => {
            let json_schema = JsonSchema { name: schema.name, strict: true, schema: &schema.json };
            Some(ResponseFormat::JsonSchema { json_schema })
        }
        Format::ObjectOfSchema => Some(ResponseFormat::JsonObject { schema: Some(&schema.json) }),
        Format::Object => Some(ResponseFormat::JsonObject { schema: None }),
        Format::Free => None,
    }
}
