//! A synthesis held against what it was made of: its quality and its confidence, as the result shows them.

use std::collections::BTreeMap;

use super::compose;
use super::confidence::{confidence_v1, confidence_v2};
use super::quality::{self, Examined, ExaminedSentence, OnLowQuality, Scores};
use crate::domain::aggregate::result::{
    Confidence, Contradiction, Finding, Gate, Quality, QualityIssue, Source, SourceQuality,
};
use crate::domain::directive::{self, SynthesisOptions};
use crate::domain::text::words::Lexicon;

pub use material::Material;

mod material;

/// What may not be delivered unseen.
const SEVERE: &[&str] = &["dangling_citation", "figure_not_in_source", "quote_not_in_source"];
/// Issues that are listed at most.
const ISSUES_MAX: usize = 50;
/// What coherence counts in the overall score, where all is measured.
const COHERENCE_WEIGHT: f64 = 0.05;

/// Measures what a synthesis quotes.
pub fn examine(
    lexicon: &mut Lexicon,
    material: &Material<'_>,
    findings: &[Finding],
    contradictions: &[Contradiction],
) -> Quality {
    let places = |numbers: &[u32]| numbers.iter().map(|number| *number as usize - 1).collect();
    let mut sentences: Vec<ExaminedSentence<'_>> = Vec::new();
    let mut topics: BTreeMap<&str, &str> = BTreeMap::new();
    for finding in findings {
        // `Sales rose by 12%.` below `2023` and below `2024` says something of each.
        let first = *topics.entry(&finding.content).or_insert(&finding.topic);
        let contributors = material.results_of(&finding.contributors);
        sentences.push(ExaminedSentence {
            text: &finding.content,
            citations: places(&finding.sources),
            contributors,
            again: first != finding.topic,
        });
    }
    for statement in contradictions.iter().flat_map(|contradiction| &contradiction.statements) {
        let source: Vec<u32> = statement.source.into_iter().collect();
        let contributors = material.results_of(std::slice::from_ref(&statement.subagent));
        let citations = places(&source);
        sentences.push(ExaminedSentence { text: &statement.text, citations, contributors, again: true });
    }
    let (sources, results) = (material.evidence.as_slice(), material.named());
    let says_something = !sentences.is_empty();
    let examined = Examined { sentences, sources, results, query: &material.query };
    shown(quality::examine(lexicon, &examined), says_something)
}

/// Four digits after the point; adding zero makes nothing of a negative zero.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0 + 0.0
}

fn shown(scores: Scores, says_something: bool) -> Quality {
    // What isn't there isn't wrong, though it counts for nothing; of what says nothing, nothing is good.
    let of_nothing = if says_something { 1.0 } else { 0.0 };
    let share = |value: Option<f64>| Some(rounded(value.unwrap_or(of_nothing)));
    let amount = |value: Option<f64>| Some(rounded(value.unwrap_or_default()));
    let verified = says_something && !scores.issues.iter().any(|issue| SEVERE.contains(&issue.code));
    let issues = scores.issues.into_iter().take(ISSUES_MAX);
    let per_result: BTreeMap<String, f64> =
        scores.per_result_coverage.into_iter().map(|(name, value)| (name, rounded(value))).collect();
    Quality {
        citation_rate: share(scores.citation_rate),
        citation_precision: share(scores.citation_precision),
        citation_recall: share(scores.citation_recall),
        numeric_fidelity: share(scores.numeric_fidelity),
        quote_fidelity: share(scores.quote_fidelity),
        coverage: share(scores.coverage),
        per_result_coverage: per_result,
        balance: share(scores.balance),
        density: amount(scores.extractive_coverage),
        coherence: share(scores.coherence),
        completeness: share(scores.completeness),
        redundancy: amount(scores.redundancy),
        overall: rounded(scores.overall),
        verified,
        gate: Gate::Pass,
        issues: issues
            .map(|issue| QualityIssue { code: issue.code.to_owned(), detail: issue.text })
            .collect(),
    }
}

/// Lowers the coherence that was measured to what a judge says of it, and with it the overall score.
pub fn lower_coherence(quality: &mut Quality, judged: f64) {
    let measured = quality.coherence.unwrap_or_default();
    if (0.0..measured).contains(&judged) {
        quality.coherence = Some(judged);
        quality.overall = rounded((quality.overall - COHERENCE_WEIGHT * (measured - judged)).max(0.0));
    }
}

/// Notes where what the service says itself isn't in the language that is asked for.
pub fn note_language(quality: &mut Quality, options: &SynthesisOptions, findings: &[Finding]) {
    let lacks = compose::lacks_headings(options.language.as_deref(), findings);
    let issue = |detail| QualityIssue { code: "language".to_owned(), detail };
    quality.issues.extend(lacks.map(issue));
}

/// Whether what has this quality may be delivered.
pub fn gate(overall: f64, options: &SynthesisOptions) -> Gate {
    let on_low = match options.on_low_quality {
        directive::OnLowQuality::Warn => OnLowQuality::Warn,
        directive::OnLowQuality::Block => OnLowQuality::Block,
    };
    match quality::gate(overall, options.min_quality, on_low) {
        quality::Gate::Pass => Gate::Pass,
        quality::Gate::Warn => Gate::Warn,
        quality::Gate::Block => Gate::Block,
    }
}

/// Why something is withheld.
pub fn withheld(overall: f64, min_quality: f64) -> String {
    format!("withheld: its quality is {overall:.2}, wanted is {min_quality}")
}

/// Both confidences of a result that cites `references`. `share` is how much of the work was completed.
pub fn confidence(
    completed: bool,
    share: f64,
    references: &[&Source],
    contradictions: usize,
) -> (u32, Confidence) {
    let qualities: Vec<Option<SourceQuality>> = references.iter().map(|source| source.quality).collect();
    let (first, _) = confidence_v1(completed, &qualities);
    let cited =
        references.iter().map(|source| (source.url.as_deref(), source.title.as_str(), source.quality));
    (first, confidence_v2(share, cited, contradictions))
}
