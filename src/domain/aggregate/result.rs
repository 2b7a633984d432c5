//! The aggregated result of a step, or of results that came without one: its shape is the wire's.
//!
//! Sources have one number each, by first use: first in `synthesis`, then in `results`, then those that nobody cites.
//! Every text that quotes (`synthesis`, `findings`, `results`, …) carries those numbers as `[n]`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

mod contradiction;
mod counts;
mod quality;
pub use contradiction::{Contradiction, ContradictionKind, Statement};
pub use counts::{Method, RelevanceDetail, SynthesisCounts};
pub use quality::{Confidence, ConfidenceFactor, Gate, Quality, QualityIssue};

use super::Style;
use super::source_kind::SourceKind;
use crate::domain::synthesis::claims::DISPUTED;

/// One result from many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AggregatedResult {
    /// The session, of a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_step_id: Option<String>,
    /// `completed` where every task succeeded, `partial_failure` where some did, `failed` where none; a step's own status.
    pub status: String,
    /// The combined answer, Markdown; every sentence is a quotation with its source and its subagent.
    pub synthesis: String,
    /// The same without its list of sources: what a step above takes in.
    #[serde(skip)]
    pub body: String,
    /// What its text looks like, with the order of positions and of prose: `results` are ordered by relevance.
    #[serde(skip)]
    pub style: Style,
    /// How many results are left out because there are too many, here and below.
    #[serde(skip)]
    pub beyond: usize,
    /// The answer in a sentence or a few, Markdown.
    pub summary: String,
    /// What was found, the best supported first.
    pub findings: Vec<Finding>,
    /// What was recommended, or has to be done.
    pub insights: Vec<Insight>,
    /// Where sources or subagents disagree.
    pub contradictions: Vec<Contradiction>,
    /// What is missing, a sentence each.
    pub gaps: Vec<String>,
    /// The results, the most relevant first.
    pub results: Vec<TaskResult>,
    /// The sources, by number; those that nobody cites come last.
    pub sources: Vec<Source>,
    /// The numbers of the sources, by type.
    pub sources_by_type: BTreeMap<SourceKind, Vec<u32>>,
    /// What failed, and why.
    pub failures: Vec<Failure>,
    /// How good the synthesis is, measured.
    pub quality: Quality,
    /// Confidence by the published rule (version 1), 0 to 100.
    pub confidence: u32,
    /// Confidence, version 2, with what it is made of.
    pub confidence_v2: Confidence,
    /// Counts, and how it was made.
    pub metadata: Metadata,
}

/// Something that was found: a quotation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Finding {
    /// What it is about, in the words of the results.
    pub topic: String,
    /// The quotation, verbatim.
    pub content: String,
    /// The numbers of its sources.
    pub sources: Vec<u32>,
    /// How sure it is.
    pub confidence: Level,
    /// The subagents that say so.
    pub contributors: Vec<String>,
    /// What to check before relying on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// Whether a language model wrote `content`: then it is nobody's quotation, and no form shows it as one.
    #[serde(skip)]
    pub by_model: bool,
    /// The numbered list that it is of, and where it stands in that: one step of several is no answer.
    #[serde(skip)]
    pub step: Option<(usize, usize)>,
}

impl Finding {
    /// Without the word that another statement contradicts it: who asks for no contradictions is told of none.
    pub fn forget_dispute(&mut self) {
        self.verify.take_if(|verify| verify == DISPUTED);
    }
}

/// How sure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Hardly.
    Low,
    /// Rather.
    Medium,
    /// Independent sources agree.
    High,
}

/// Something to do: a quotation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Insight {
    /// The quotation.
    pub text: String,
    /// The line above it in its result that says when it holds, `If you are under 26`, or whose it is; the sentence before it, where it
    /// begins with a pronoun; what it is of, where it doesn't say that, as its finding's topic does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<String>,
    /// The numbers of its sources.
    pub sources: Vec<u32>,
}

/// What one subagent brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TaskResult {
    /// The task; in a step its `result_key`.
    pub task_id: String,
    /// What it was asked.
    #[schema(required)]
    pub task: Option<String>,
    /// Who brought it.
    pub subagent: String,
    /// What it says, within the token limit; Markdown with the numbers of the sources.
    pub content: String,
    /// The whole of it, where `content` leaves something out: what a step above takes in.
    #[serde(skip)]
    pub whole: Option<String>,
    /// The numbers of the sources that it cites or names.
    pub sources: Vec<u32>,
    /// How relevant it is, 0 to 1: what was reported and what was computed, blended.
    pub relevance: f64,
    /// What that was blended of.
    pub relevance_detail: RelevanceDetail,
    /// How confident its subagent is, 0 to 1.
    #[schema(required)]
    pub confidence: Option<f64>,
    /// Tokens of `content`.
    pub tokens: usize,
    /// Whether `content` leaves something out.
    pub truncated: bool,
    /// Where the full original is, in a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Whether it is a part only, of a subagent that failed or hasn't ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// What is odd about it: clipped, dangling citations, an invented list of references.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The tasks whose results were the same, or nearly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<String>,
    /// Its place among those that are equal besides.
    #[serde(skip)]
    pub place: usize,
}

/// A source, of all that cite it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Source {
    /// Its number: `[1]` in the texts.
    pub id: u32,
    /// Its address without what only tracks; `null` where it has none that may be a link.
    #[schema(required)]
    pub url: Option<String>,
    /// Its title; the most telling of those it was given.
    pub title: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: SourceKind,
    /// How good it is, as reported.
    #[schema(required)]
    pub quality: Option<SourceQuality>,
    /// Whether the synthesis cites it.
    pub used: bool,
    /// The subagents that cite it.
    pub cited_by: Vec<String>,
    /// Its other titles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_titles: Vec<String>,
    /// Distinct excerpts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub snippets: Vec<String>,
}

/// How good a source is, as whoever names it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs)]
pub enum SourceQuality {
    Rejected,
    Low,
    Medium,
    High,
}

/// A task that brought no result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Failure {
    /// The task; in a step its `result_key`.
    pub task_id: String,
    /// What it was asked.
    #[schema(required)]
    pub task: Option<String>,
    /// How it ended: `error`, `timeout`, `degraded`, `refused`, `cancelled`; `empty`, `pointer` ("see above"), `refusal`
    /// for a success that says nothing; `lost` for one that the store lost; `pending` where it hasn't ended.
    pub status: String,
    /// Why, in words.
    pub error: String,
    /// Who was to do it.
    pub subagent: String,
    /// How many subagents that is: a step that failed is told beside those of its subagents that are counted.
    #[serde(skip)]
    pub subagents: usize,
}

/// Counts, and how a result was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Metadata {
    /// Tasks, whatever became of them.
    pub total_subagents: usize,
    /// Those that brought a result.
    pub successful_subagents: usize,
    /// Those that didn't; in a draft without those that haven't ended, which `failures` has as `pending`.
    pub failed_subagents: usize,
    /// Sources, each counted once.
    pub total_sources: usize,
    /// Results that don't fit the token limit.
    pub truncated_results: usize,
    /// Results that came in, failures and duplicates included.
    pub total_input_results: usize,
    /// Results left out for their relevance, or beyond `max_results`.
    pub filtered_results: usize,
    /// Results that were merged into another.
    pub deduplicated_count: usize,
    /// The mean of the results' relevance; 0 where there are none.
    pub average_relevance: f64,
    /// Sources by type.
    pub source_type_distribution: BTreeMap<SourceKind, usize>,
    /// Pairs of statements that were compared in search of contradictions.
    pub pairs_checked: usize,
    /// Who wrote the synthesis.
    pub method: Method,
    /// Why it wasn't the method that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The language model, where there was one.
    #[schema(required)]
    pub model: Option<String>,
    /// Its prompt's version.
    #[schema(required)]
    pub prompt_version: Option<String>,
    /// What became of a language model's draft, where one was verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthesis: Option<SynthesisCounts>,
    /// The step's trace.
    #[schema(required)]
    pub trace_id: Option<String>,
    /// Whether nothing will be added: false for a draft of a running step.
    #[serde(rename = "final")]
    pub is_final: bool,
}
