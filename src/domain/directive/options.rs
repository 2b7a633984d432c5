//! How a directive wants its results combined and its answer written.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::domain::directive::TaskType;
use crate::domain::requests::null::{or_count, or_default, or_none, or_true};
use crate::domain::requests::{Object, word};

/// Results of a step where its directive doesn't say how many.
const RESULTS: u32 = 20;
/// Tokens of one result where a directive doesn't say how many.
const RESULT_TOKENS: u32 = 2_000;

/// Options of the aggregation of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AggregationOptions {
    /// Results below this relevance (0 to 1) are left out.
    #[serde(deserialize_with = "or_default")]
    #[schema(minimum = 0, maximum = 1)]
    pub min_relevance: f64,
    /// Results at most.
    #[serde(deserialize_with = "or_count::<_, _, RESULTS>")]
    #[schema(minimum = 1, maximum = 1_000)]
    pub max_results: u32,
    /// Whether exact and near duplicates are merged.
    #[serde(deserialize_with = "or_true")]
    pub deduplicate: bool,
    /// Tokens of one result at most.
    #[serde(deserialize_with = "or_count::<_, _, RESULT_TOKENS>")]
    #[schema(minimum = 1, maximum = 100_000)]
    pub max_result_tokens: u32,
}

impl Default for AggregationOptions {
    fn default() -> Self {
        Self { min_relevance: 0.0, max_results: RESULTS, deduplicate: true, max_result_tokens: RESULT_TOKENS }
    }
}

/// Options of the synthesis of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs)]
pub struct SynthesisOptions {
    #[serde(deserialize_with = "word::or_usual")]
    pub mode: SynthesisMode,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 64)]
    pub language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "or_none")]
    #[schema(minimum = 1, maximum = 100_000)]
    pub target_length: Option<u32>,
    #[serde(deserialize_with = "word::or_usual")]
    pub format: SynthesisFormat,
    #[serde(deserialize_with = "or_true")]
    pub include_contradictions: bool,
    #[serde(deserialize_with = "or_true")]
    pub include_gaps: bool,
    #[serde(deserialize_with = "or_default")]
    #[schema(minimum = 0, maximum = 1)]
    pub min_quality: f64,
    #[serde(deserialize_with = "word::or_usual")]
    pub on_low_quality: OnLowQuality,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "budget")]
    pub budget: Option<Budget>,
}

/// An object: never an array of its members' values.
fn budget<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Budget>, D::Error> {
    Ok(Option::<Object<Budget>>::deserialize(deserializer)?.map(|Object(budget)| budget))
}

impl SynthesisOptions {
    /// As a task asks for them: its own length where they name none. Prose has one form.
    #[must_use]
    pub fn of_task(&self, task_type: Option<TaskType>, length: Option<u32>) -> Self {
        let format = match task_type {
            Some(TaskType::Composition) => SynthesisFormat::Structured,
            Some(TaskType::Retrieval | TaskType::Reasoning) | None => self.format,
        };
        Self { target_length: self.target_length.or(length), format, ..self.clone() }
    }
}

impl Default for SynthesisOptions {
    fn default() -> Self {
        Self {
            mode: SynthesisMode::default(),
            prompt: None,
            language: None,
            target_length: None,
            format: SynthesisFormat::default(),
            include_contradictions: true,
            include_gaps: true,
            min_quality: 0.0,
            on_low_quality: OnLowQuality::default(),
            budget: None,
        }
    }
}

/// Who writes the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum SynthesisMode {
    None,
    #[default]
    Extractive,
    Llm,
}

/// The answer's form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum SynthesisFormat {
    #[default]
    Structured,
    Narrative,
}

/// What happens below `min_quality`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum OnLowQuality {
    #[default]
    Warn,
    Block,
}

/// What a synthesis may cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Tokens in and out.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "or_none")]
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991i64)]
    pub tokens: Option<u64>,
    /// Calls of a model.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "or_none")]
    pub calls: Option<u32>,
    /// Money, in the currency that the service's prices are configured in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    pub cost: Option<f64>,
    /// Time, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "or_none")]
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991i64)]
    pub time_ms: Option<u64>,
}
