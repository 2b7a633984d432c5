//! A result in the forms of JSON that it can be asked for in.

#![expect(dead_code, reason = "the fields are read by the derive only")]

use serde_json::Value;
use utoipa::ToSchema;

use crate::domain::aggregate::result::AggregatedResult;

/// A result: as it is, or in the form that `format` names.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum RenderedResult {
    /// `json`.
    Json(Box<AggregatedResult>),
    /// `slack`.
    Slack(SlackMessage),
    /// `anthropic`.
    Anthropic(Vec<SearchResult>),
}

/// A Slack message.
#[derive(ToSchema)]
pub struct SlackMessage {
    /// For notifications.
    text: String,
    /// Block Kit, at most 50.
    #[schema(value_type = Vec<Object>, max_items = 50)]
    blocks: Vec<Value>,
}

/// Anthropic's `search_result` block.
#[derive(ToSchema)]
pub struct SearchResult {
    #[schema(pattern = "^search_result$")]
    r#type: String,
    /// Where it is from.
    source: String,
    title: String,
    #[schema(min_items = 1)]
    content: Vec<TextBlock>,
    citations: SearchResultCitations,
}

/// A passage.
#[derive(ToSchema)]
pub struct TextBlock {
    #[schema(pattern = "^text$")]
    r#type: String,
    #[schema(min_length = 1)]
    text: String,
}

/// Whether a model cites it by itself.
#[derive(ToSchema)]
pub struct SearchResultCitations {
    enabled: bool,
}
