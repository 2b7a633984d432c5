//! What of a draft is delivered: a small document that is stored in the log, and laid over the baseline it belongs to.
//!
//! It holds nothing that the baseline has: [`apply`] on the same baseline gives the same bytes. Members that a version
//! doesn't know are ignored, and those that are missing are empty.

use serde::{Deserialize, Serialize};

use crate::domain::aggregate::result::{Contradiction, Finding, Level, SynthesisCounts};

mod apply;
mod coverage;
mod document;
mod finish;
mod form;
mod repaired;
mod shortened;
#[cfg(test)]
mod tests;
mod twins;

pub use self::apply::apply;
pub use self::finish::finish;
pub use super::verify::Origin;

/// The version of the document.
pub const VERSION: u32 = 1;

/// A synthesis as it may be delivered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Written {
    /// The version of the document.
    pub v: u32,
    /// The findings in their order; none where the extractive synthesis is delivered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<WrittenFinding>,
    /// Contradictions that the baseline hasn't.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<Contradiction>,
    /// Gaps that the baseline hasn't.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<String>,
    /// The answer in short, with `[n]`; made from the findings where it is empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// What was asked: completeness is measured against it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub question: String,
    /// What became of the draft.
    pub counts: SynthesisCounts,
    /// The model that wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its prompt's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_version: Option<String>,
    /// What another model says of its coherence, 0 to 1; it can lower what was measured, never raise it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged_coherence: Option<f64>,
    /// Why the extractive synthesis is delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What it took.
    pub usage: Usage,
    /// What it cost, in the currency of the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// A finding as it is delivered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WrittenFinding {
    /// What it is about.
    pub topic: String,
    /// What it says, without markers; of a quotation, verbatim.
    pub content: String,
    /// The numbers of its sources, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<u32>,
    /// How sure it is.
    pub confidence: Level,
    /// The subagents that say so.
    pub contributors: Vec<String>,
    /// What to check before relying on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// What leads over to it in the narrative format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transition: Option<String>,
    /// Who wrote it.
    pub origin: Origin,
}

/// Tokens and calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens that the model read.
    pub input_tokens: u64,
    /// Tokens that it wrote.
    pub output_tokens: u64,
    /// Calls.
    pub calls: u32,
}

impl Default for Written {
    fn default() -> Self {
        Self {
            v: VERSION,
            findings: Vec::new(),
            contradictions: Vec::new(),
            gaps: Vec::new(),
            summary: String::new(),
            question: String::new(),
            counts: SynthesisCounts::default(),
            model: None,
            prompt_version: None,
            judged_coherence: None,
            reason: None,
            usage: Usage::default(),
            cost: None,
        }
    }
}

impl Default for WrittenFinding {
    fn default() -> Self {
        Self {
            topic: String::new(),
            content: String::new(),
            sources: Vec::new(),
            confidence: Level::Low,
            contributors: Vec::new(),
            verify: None,
            transition: None,
            origin: Origin::default(),
        }
    }
}

impl Written {
    /// The extractive synthesis, and why it is that.
    pub fn extractive(reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..Self::default() }
    }

    /// Whether the extractive synthesis is delivered.
    pub fn is_extractive(&self) -> bool {
        self.findings.is_empty()
    }
}

impl WrittenFinding {
    /// A quotation of the baseline.
    pub(super) fn quoting(finding: &Finding) -> Self {
        let Finding { topic, content, sources, confidence, contributors, verify, .. } = finding.clone();
        let origin = Origin::Extractive;
        Self { topic, content, sources, confidence, contributors, verify, transition: None, origin }
    }
}
