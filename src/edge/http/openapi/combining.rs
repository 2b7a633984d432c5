//! The bodies of what is combined without a plan. They are read by hand, member by member, and `null` counts as absent, so
//! they are described here (`domain::aggregate::request` reads them).

#![expect(dead_code, reason = "the fields are read by the derive only")]

use serde_json::Value;
use utoipa::ToSchema;

use super::given::{CombiningOptions, GivenError, GivenId, GivenSource, Scalar, Share, WritingOptions};
use crate::domain::directive::TaskType;

/// Results to be combined.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AggregationRequest {
    /// What was asked.
    #[schema(max_length = 32_768)]
    query: Option<String>,
    /// What the tasks brought.
    #[schema(max_items = 1_000)]
    results: Vec<GivenResult>,
    options: Option<CombiningOptions>,
}

/// What is to be written about: results, or what was made of them.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum SynthesisRequest {
    /// Results.
    OfResults(SynthesisOfResults),
    /// An aggregated result.
    OfAggregation(SynthesisOfAggregation),
}

/// A synthesis of results.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SynthesisOfResults {
    /// What was asked.
    #[schema(max_length = 32_768)]
    query: Option<String>,
    /// What the tasks brought.
    #[schema(max_items = 1_000)]
    results: Vec<GivenResult>,
    options: Option<WritingOptions>,
}

/// A synthesis of an aggregated result.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SynthesisOfAggregation {
    /// What was asked.
    #[schema(max_length = 32_768)]
    query: Option<String>,
    aggregation: GivenAggregation,
    options: Option<WritingOptions>,
}

/// What one task brought.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenResult {
    /// The task; not blank, and there once in a request.
    #[schema(max_length = 256, pattern = r"\S")]
    task_id: String,
    /// What it was asked.
    #[schema(max_length = 8_192)]
    task: Option<String>,
    /// Who did it; not blank.
    #[schema(max_length = 256, pattern = r"\S")]
    subagent: String,
    success: bool,
    /// Markdown, or any other JSON: the payload of a generic subagent.
    content: Option<Value>,
    error: Option<GivenError>,
    /// In the order of the numbers by which the content cites them, where it has no reference section of its own. At most
    /// 10,000 in all results.
    #[schema(max_items = 1_000)]
    sources: Option<Vec<GivenSource>>,
    relevance: Option<Share>,
    confidence: Option<Share>,
}

/// An aggregated result as the service gave it out. What isn't named here is made anew.
#[derive(ToSchema)]
pub struct GivenAggregation {
    #[schema(max_items = 1_000)]
    results: Vec<AggregatedTask>,
    #[schema(value_type = Option<Vec<Value>>, max_items = 10_000)]
    sources: Option<Vec<String>>,
    #[schema(max_items = 1_000)]
    failures: Option<Vec<AggregatedFailure>>,
}

/// A result of an aggregated result.
#[derive(ToSchema)]
pub struct AggregatedTask {
    #[schema(max_length = 256, pattern = r"\S")]
    task_id: String,
    #[schema(max_length = 8_192)]
    task: Option<String>,
    #[schema(max_length = 256, pattern = r"\S")]
    subagent: String,
    content: Option<Value>,
    /// Numbers of sources: each the `id` of one of `sources`.
    #[schema(max_items = 10_000)]
    sources: Option<Vec<u32>>,
    partial: Option<bool>,
    /// What the aggregation came to. Its reported part (`relevance_detail.reported`, else this) is blended with the question
    /// again.
    relevance: Option<Share>,
    #[schema(value_type = Option<Value>)]
    relevance_detail: Option<Value>,
    confidence: Option<Share>,
    #[schema(max_length = 8_192)]
    href: Option<String>,
    #[schema(value_type = Option<Vec<Value>>, max_items = 32)]
    notes: Option<Vec<String>>,
}

/// A failure of an aggregated result.
#[derive(ToSchema)]
pub struct AggregatedFailure {
    #[schema(max_length = 256, pattern = r"\S")]
    task_id: String,
    #[schema(max_length = 8_192)]
    task: Option<String>,
    #[schema(max_length = 256)]
    subagent: Option<String>,
    #[schema(max_length = 256)]
    status: Option<String>,
    error: Option<GivenError>,
}

/// What is known about an objective.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerRequest {
    /// What has to be answered; not blank.
    #[schema(max_length = 32_768, pattern = r"\S")]
    objective: String,
    sheet: ContextSheet,
    options: Option<WritingOptions>,
}

/// A context sheet.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextSheet {
    /// How the work on it ended: `completed`, `aborted` or any other word.
    #[schema(max_length = 256, pattern = r"\S")]
    status: String,
    /// What was found, in order.
    #[schema(max_items = 1_000)]
    entries: Vec<SheetFinding>,
    /// The sources.
    #[schema(max_items = 10_000)]
    citations: Option<Vec<SheetSource>>,
}

/// One thing that was found.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SheetFinding {
    /// Markdown.
    content: String,
    /// Ids of its citations.
    #[schema(max_items = 10_000)]
    citations: Option<Vec<GivenId>>,
}

/// A source of a sheet. Other members are passed over.
#[derive(ToSchema)]
pub struct SheetSource {
    id: GivenId,
    #[schema(max_length = 8_192)]
    title: Option<String>,
    #[schema(max_length = 8_192)]
    url: Option<String>,
    quality: Option<Scalar>,
}

/// The root of a tree of tasks.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeRequest {
    /// Unique in the tree; not blank.
    #[schema(max_length = 256, pattern = r"\S")]
    id: String,
    /// What it is for; not blank.
    #[schema(max_length = 32_768, pattern = r"\S")]
    goal: String,
    task_type: TaskType,
    /// How long its text should be, in words.
    #[schema(minimum = 1, maximum = 100_000)]
    length: Option<u32>,
    /// What it says itself, as that of a result.
    content: Option<Value>,
    /// Only nodes with siblings can come after others.
    #[schema(max_items = 0)]
    depends_on: Option<Vec<String>>,
    /// At most 10,000 nodes in all, on 64 levels; their contents, each counted as often as its level, have at most 16 MiB.
    children: Option<Vec<TreeTask>>,
    options: Option<WritingOptions>,
}

/// A task of a tree.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeTask {
    /// Unique in the tree; not blank.
    #[schema(max_length = 256, pattern = r"\S")]
    id: String,
    /// What it is for; not blank.
    #[schema(max_length = 32_768, pattern = r"\S")]
    goal: String,
    task_type: TaskType,
    /// How long its text should be, in words.
    #[schema(minimum = 1, maximum = 100_000)]
    length: Option<u32>,
    /// What it says itself, as that of a result.
    content: Option<Value>,
    /// Ids of the siblings that come before it.
    #[schema(max_items = 10_000)]
    depends_on: Option<Vec<String>>,
    #[schema(no_recursion)]
    children: Option<Vec<TreeTask>>,
}
