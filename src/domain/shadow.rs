//! Shadow mode: our result of a step held against the monolith's answer to the same step.
//!
//! Both are cut into statements, what one side says twice counts once, and the statements are joined in pairs: those
//! that say the same ([near duplicates](crate::domain::near_duplicates), the same content in other words, or
//! [supported](crate::domain::synthesis::support) by what the other side says together), those that differ in figures
//! only, and those that say the opposite. What is left is missing or extra. Citations are compared by what their URLs
//! have in common ([`identify`](crate::domain::aggregate::url_identity::identify)).
//!
//! All of it is lexical, and so are its mistakes: a paraphrase without a common word is missing *and* extra. The same
//! input gives the same comparison; exchanging the sides exchanges missing and extra. Tables and code aren't compared.
//!
//! At most [`STATEMENTS_MAX`] statements a side are compared, each with a bounded number of others, so time is linear
//! in the texts beyond that.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::aggregate::request::LegacyResponse;
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::event::ArcJson;
use crate::domain::text::clean::one_line;

mod agreement;
mod citations;
mod covered;
mod explain;
mod pairs;
mod read;
mod relation;
#[cfg(test)]
mod tests;

pub use agreement::{CITATIONS_WEIGHT, MINOR_MIN, NUMBER_WEIGHT, NUMBERS_SHARE_MAX, SAME_MIN};

/// Statements of one side that are compared; those after them are counted in [`LeftOut`].
pub const STATEMENTS_MAX: usize = 500;
/// Citations of one side that are compared.
pub const CITATIONS_MAX: usize = 500;
/// Characters of a text that a discrepancy quotes.
pub const QUOTE_CHARS_MAX: usize = 1_000;

/// In what two answers differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DiscrepancyKind)]
pub enum Kind {
    /// The monolith says it, we don't.
    Missing,
    /// We say it, the monolith doesn't.
    Extra,
    /// Both say the same but for a figure, a unit or a date.
    DifferentNumbers,
    /// One denies what the other says, or says the opposite.
    Contradicted,
    /// The monolith names the source, we don't.
    CitationMissing,
    /// We name the source, the monolith doesn't.
    CitationExtra,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Missing,
        Self::Extra,
        Self::DifferentNumbers,
        Self::Contradicted,
        Self::CitationMissing,
        Self::CitationExtra,
    ];

    /// The kind as the wire shows it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Extra => "extra",
            Self::DifferentNumbers => "different_numbers",
            Self::Contradicted => "contradicted",
            Self::CitationMissing => "citation_missing",
            Self::CitationExtra => "citation_extra",
        }
    }

    /// The kind that the wire shows as `text`.
    pub fn named(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// One thing in which two answers differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Discrepancy {
    /// In what.
    pub kind: Kind,
    /// What we say: a quotation of at most 1,000 characters, or a source's URL.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ours: Option<String>,
    /// What the monolith says.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub legacy: Option<String>,
    /// What differs, in a sentence.
    pub detail: String,
}

/// Two statements that say the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SameFinding)]
pub struct Pair {
    /// In our words.
    pub ours: String,
    /// In the monolith's.
    pub legacy: String,
}

/// The sources of both, by canonical URL; those without one aren't compared.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = ComparedCitations)]
pub struct Citations {
    /// Named by both.
    pub same: Vec<String>,
    /// Named by the monolith only.
    pub missing: Vec<Discrepancy>,
    /// Named by us only.
    pub extra: Vec<Discrepancy>,
}

/// How long both took.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = ComparedLatency)]
pub struct Latency {
    /// From our step's start to its end, in milliseconds.
    #[schema(required)]
    pub ours_ms: Option<u64>,
    /// As the monolith reported it.
    #[schema(required)]
    pub legacy_ms: Option<u64>,
    /// Ours by the monolith's: below 1 we are faster. `null` where one isn't known, or the monolith's is 0.
    #[schema(required)]
    pub ratio: Option<f64>,
}

/// What wasn't compared because there is too much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct LeftOut {
    /// Our statements after the 500th.
    pub ours: usize,
    /// The monolith's statements after the 500th.
    pub legacy: usize,
    /// Citations of either after the 500th.
    pub citations: usize,
}

/// How much two answers have in common, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ComparisonVerdict)]
pub enum Verdict {
    /// `agreement` is at least 0.9, no figure differs and nothing is contradicted.
    Same,
    /// Neither of the others.
    Minor,
    /// Something is contradicted, figures differ in more than a tenth of the monolith's statements, or `agreement` is
    /// below 0.6.
    Different,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 3] = [Self::Same, Self::Minor, Self::Different];

    /// The verdict as the wire shows it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Minor => "minor",
            Self::Different => "different",
        }
    }

    /// The verdict that the wire shows as `text`.
    pub fn named(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == text)
    }
}

/// Our result of a step against the monolith's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Comparison {
    /// In a word.
    pub verdict: Verdict,
    /// In a number, 0 to 1; docs/shadow.md has the formula.
    #[schema(minimum = 0, maximum = 1)]
    pub agreement: f64,
    /// In a sentence.
    pub explanation: String,
    /// What both say.
    pub same: Vec<Pair>,
    /// What the monolith says and we don't.
    pub missing: Vec<Discrepancy>,
    /// What we say and the monolith doesn't.
    pub extra: Vec<Discrepancy>,
    /// What both say with other figures.
    pub different_numbers: Vec<Discrepancy>,
    /// Where one says the opposite of the other.
    pub contradicted: Vec<Discrepancy>,
    /// The sources of both.
    pub citations: Citations,
    /// How long both took.
    pub latency: Latency,
    /// What wasn't compared.
    pub left_out: LeftOut,
    /// How our step ended.
    pub ours_status: String,
    /// How the monolith ended, in its own word.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub legacy_status: Option<String>,
    /// What else the monolith's answer came with, as sent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<ArcJson>,
}

impl Comparison {
    /// Everything in which the two differ: the gravest kinds first.
    pub fn discrepancies(&self) -> impl Iterator<Item = &Discrepancy> {
        let statements = [&self.contradicted, &self.different_numbers, &self.missing, &self.extra];
        let citations = [&self.citations.missing, &self.citations.extra];
        statements.into_iter().chain(citations).flatten()
    }

    /// How many discrepancies of a kind there are.
    pub fn count(&self, kind: Kind) -> usize {
        match kind {
            Kind::Missing => self.missing.len(),
            Kind::Extra => self.extra.len(),
            Kind::DifferentNumbers => self.different_numbers.len(),
            Kind::Contradicted => self.contradicted.len(),
            Kind::CitationMissing => self.citations.missing.len(),
            Kind::CitationExtra => self.citations.extra.len(),
        }
    }
}

/// Compares our result with the monolith's answer. `ours_latency_ms` is from the step's start to its end.
///
/// Of ours the findings are compared, or the synthesis where a language model wrote it (or there are no findings); a
/// step that failed says nothing.
pub fn compare(ours: &AggregatedResult, ours_latency_ms: Option<u64>, legacy: &LegacyResponse) -> Comparison {
    let (our_texts, legacy_text) = (read::ours(ours), [read::plain(&legacy.answer)]);
    let (our_side, legacy_side) = (read::statements(&our_texts), read::statements(&legacy_text));
    let joined = pairs::join(our_side.texts, legacy_side.texts);
    let (citations, citations_left) = citations::compare(ours, legacy);
    let mut comparison = Comparison {
        verdict: Verdict::Different,
        agreement: 0.0,
        explanation: String::new(),
        same: joined.same,
        missing: joined.missing,
        extra: joined.extra,
        different_numbers: joined.different_numbers,
        contradicted: joined.contradicted,
        citations,
        latency: latency(ours_latency_ms, legacy.latency_ms),
        left_out: LeftOut {
            ours: our_side.left_out,
            legacy: legacy_side.left_out,
            citations: citations_left,
        },
        ours_status: ours.status.clone(),
        legacy_status: legacy.status.as_deref().map(|status| one_line(status, QUOTE_CHARS_MAX)),
        metadata: legacy.metadata.clone(),
    };
    comparison.agreement = agreement::agreement(&joined.weights, &comparison.citations);
    comparison.verdict = agreement::verdict(&comparison, joined.weights.legacy.count);
    comparison.explanation = explain::explain(&comparison, &joined.weights);
    comparison
}

fn latency(ours_ms: Option<u64>, legacy_ms: Option<u64>) -> Latency {
    let ratio = ours_ms
        .zip(legacy_ms)
        .filter(|(_, legacy)| *legacy > 0)
        .map(|(ours, legacy)| agreement::rounded(ours as f64 / legacy as f64));
    Latency { ours_ms, legacy_ms, ratio }
}

/// A text as a discrepancy quotes it: one line, without invisible characters.
fn quoted(text: &str) -> String {
    one_line(text, QUOTE_CHARS_MAX)
}
