//! Who wrote a synthesis, and what became of a language model's draft, finding by finding.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who wrote the synthesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Quotations only.
    Extractive,
    /// A language model, verified.
    Llm,
}

/// Counts of a draft's findings, and what was done about those that didn't stand verification.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SynthesisCounts {
    /// Findings of the draft.
    pub drafted: usize,
    /// Those that stood verification as they were drafted, their citations corrected where needed.
    pub kept: usize,
    /// Those that stood it after one repair.
    pub repaired: usize,
    /// Those that a quotation stands in for.
    pub twins: usize,
    /// Those that were left out.
    pub dropped: usize,
    /// Quotations that were added for subagents that nothing else came from.
    pub added: usize,
    /// What was corrected, replaced or left out, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What a relevance was blended of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RelevanceDetail {
    /// BM25 over query and goal, 0 to 1; `null` where there is neither.
    #[schema(required)]
    pub bm25: Option<f64>,
    /// As reported, clamped; 0.5 where it wasn't, or wasn't a number.
    pub reported: f64,
}
