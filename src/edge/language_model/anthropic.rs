//! A request of Messages.
//!
//! Sources: Anthropic's API reference, "Create a message", and its guide "Structured outputs": the schema goes into
//! `output_config.format`, and the answer is a text of that form. (The earlier `output_format` with its beta header is
//! deprecated; a forced tool would give the answer as a call's arguments, and some models take none while they think.)

use serde::Serialize;
use serde_json::value::RawValue;

use super::habits::{Format, Habits};
use crate::engine::ports::language_model::ModelRequest;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    system: &'a str,
    messages: [Message<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
    stream: bool,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
struct OutputConfig<'a> {
    format: OutputFormat<'a>,
}

#[derive(Serialize)]
struct OutputFormat<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: &'a RawValue,
}

/// A schema without the one count that ours has: Messages refuses `maxItems`.
fn uncounted(schema: &RawValue) -> serde_json::Result<Box<RawValue>> {
    RawValue::from_string(schema.get().replace(r#","maxItems":0"#, ""))
}

/// The body for `model`.
pub(super) fn body(model: &str, request: &ModelRequest, habits: Habits) -> serde_json::Result<Vec<u8>> {
    let schema = request.schema.as_ref().filter(|_| habits.format == Format::Schema);
    let schema = schema.map(|schema| uncounted(&schema.json)).transpose()?;
    serde_json::to_vec(&Body {
        model,
        max_tokens: habits.output_tokens(request.output_tokens_max),
        system: &request.system,
        messages: [Message { role: "user", content: &request.user }],
        temperature: habits
            .temperature
            .then(|| request.temperature.clamp(0.0, 1.0))
            .filter(|t| t.is_finite()),
        output_config: schema
            .as_deref()
            .map(|schema| OutputConfig { format: OutputFormat { kind: "json_schema", schema } }),
        stream: true,
    })
}
