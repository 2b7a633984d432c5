//! How good a result is, and how sure: what was measured of it, item by item.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How good a text is. Every share is between 0 and 1: where there is nothing to measure it is 1 and doesn't count in `overall`, and where
/// nothing is said it is 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Quality {
    /// Sentences that cite a source, of those that state something.
    #[schema(required)]
    pub citation_rate: Option<f64>,
    /// Citations whose source supports the sentence, by its excerpts and by what the results say that cite it; 0 where
    /// nothing is cited that should be.
    #[schema(required)]
    pub citation_precision: Option<f64>,
    /// Sentences that their citations support together.
    #[schema(required)]
    pub citation_recall: Option<f64>,
    /// Figures that stand in what is cited.
    #[schema(required)]
    pub numeric_fidelity: Option<f64>,
    /// Quotations that are verbatim.
    #[schema(required)]
    pub quote_fidelity: Option<f64>,
    /// What of the results the text covers.
    #[schema(required)]
    pub coverage: Option<f64>,
    /// The same, by task, of those that say something.
    pub per_result_coverage: BTreeMap<String, f64>,
    /// How evenly the subagents contribute; of two or more.
    #[schema(required)]
    pub balance: Option<f64>,
    /// How much of the text is said in the words of the results.
    #[schema(required)]
    pub density: Option<f64>,
    /// How well neighbouring sentences hang together; of two or more.
    #[schema(required)]
    pub coherence: Option<f64>,
    /// What of the query is answered.
    #[schema(required)]
    pub completeness: Option<f64>,
    /// What is said twice.
    #[schema(required)]
    pub redundancy: Option<f64>,
    /// All that is measured in one number; 0 where nothing is said.
    pub overall: f64,
    /// Whether something is said, and nothing was found of it that may not be delivered.
    pub verified: bool,
    /// What `min_quality` says.
    pub gate: Gate,
    /// What was found wanting, item by item.
    pub issues: Vec<QualityIssue>,
}

/// What a quality below `min_quality` means for delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// Good enough.
    Pass,
    /// Delivered with a warning.
    Warn,
    /// The synthesis isn't delivered.
    Block,
}

/// Something that was found wanting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QualityIssue {
    /// What kind of.
    pub code: String,
    /// In words, with the place.
    pub detail: String,
}

/// Confidence with what it is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Confidence {
    /// 0 to 100.
    pub score: u32,
    /// In the order in which they were applied.
    pub factors: Vec<ConfidenceFactor>,
}

/// One thing that confidence is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConfidenceFactor {
    /// What.
    pub factor: String,
    /// By how much it moves the score.
    pub effect: f64,
    /// Why.
    pub why: String,
}
