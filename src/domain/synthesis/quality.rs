//! How good a synthesis is, before it is delivered: measured, explained item by item, and held against a gate.
//!
//! Everything is lexical and deterministic: two runs over the same text give the same bits. What each score means, its
//! formula and its source stand at the fields of [`Scores`]. A share of nothing is none: what isn't there is neither right
//! nor wrong, and counts for nothing in the overall score.
//! O(words) but for support, see [`super::support`].

use std::borrow::Cow;

use super::support::Evidence;
use crate::domain::text::words::{Lexicon, Word};

pub(super) use self::citations::{quotes, spaced, states};

mod citations;
mod content;
#[cfg(test)]
mod tests;

/// A sentence of the synthesis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExaminedSentence<'a> {
    /// Without its citation markers.
    pub text: &'a str,
    /// What it cites, as places in [`Examined::sources`]; a place that isn't there is an issue of its own.
    pub citations: Vec<usize>,
    /// Whose it is, as places in [`Examined::results`]; where it is empty, the result that shares most of its words.
    pub contributors: Vec<usize>,
    /// Whether it may stand a second time: what contradicts is put side by side again.
    pub again: bool,
}

/// What is examined, and what it is held against.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Examined<'a> {
    /// The synthesis.
    pub sentences: Vec<ExaminedSentence<'a>>,
    /// Each source that may be cited.
    pub sources: &'a [Evidence<'a>],
    /// The name and the words of each subagent's result.
    pub results: Vec<(&'a str, &'a [Word])>,
    /// What was asked.
    pub query: &'a str,
}

/// Something that a reader should know, or an author repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// A stable code: `uncited`, `dangling_citation`, `unsupported`, `irrelevant_citation`, `figure_not_in_source`,
    /// `quote_not_in_source`, `result_not_covered`, `query_not_answered`, `repeated`.
    pub code: &'static str,
    /// What, for people.
    pub text: String,
}

/// The scores, each 0 to 1 (density: words); none where there is nothing to measure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scores {
    /// Sentences that cite something, share of those that state something (two content words or more, no heading, no
    /// question; where no sentence has as many, those of one word: `Yes` is an answer).
    pub citation_rate: Option<f64>,
    /// Citations that are needed, share of all (ALCE, Gao et al. 2023, "Enabling Large Language Models to Generate
    /// Text with Citations", §3.3): the sentence is supported, and the citation supports it alone or the others don't.
    /// Support is ours, lexical, in place of ALCE's language model. 0 where a text that states something cites nothing.
    pub citation_precision: Option<f64>,
    /// Sentences that all they cite together supports, share of those that state something (ALCE, as above).
    pub citation_recall: Option<f64>,
    /// Figures that occur in a source that their sentence cites (any source where it cites none), share of all.
    pub numeric_fidelity: Option<f64>,
    /// Quoted spans of two words or more that stand verbatim, white space aside, in such a source, share of all.
    pub quote_fidelity: Option<f64>,
    /// Mean of `per_result_coverage`.
    pub coverage: Option<f64>,
    /// For each result that has a salient term, in their order, the tf·idf-weighted share of its 20 most salient ones
    /// that the synthesis has.
    pub per_result_coverage: Vec<(String, f64)>,
    /// How evenly the results contribute sentences: Shannon's entropy over its maximum (evenness, Pielou 1966). None
    /// below two results.
    pub balance: Option<f64>,
    /// Words in extractive fragments, share of all words (Grusky et al. 2018, "Newsroom", §4.1, "coverage").
    pub extractive_coverage: Option<f64>,
    /// Mean length, in words, of the fragment that a word belongs to (Grusky et al., "density"): high is quotation.
    pub density: Option<f64>,
    /// Mean cosine of neighbouring sentences' term counts (Foltz et al. 1998; on terms instead of LSA's factors). None
    /// below two sentences.
    pub coherence: Option<f64>,
    /// Terms of the query that the synthesis has, share of all.
    pub completeness: Option<f64>,
    /// 1 − distinct pairs of neighbouring content words over all pairs (distinct-2, Li et al. 2016, turned round).
    pub redundancy: Option<f64>,
    /// The others by [`Scores::weighted_mean`]; 0 for a text without a sentence.
    pub overall: f64,
    /// What lowered the scores, in the order of the text.
    pub issues: Vec<Issue>,
}

impl Scores {
    /// Each with its weight; the weights' sum is 1. What is stated must be so: support and figures have half of it.
    /// Density and extractive coverage are no virtue in themselves and left out.
    fn weights(&self) -> [(Option<f64>, f64); 10] {
        [
            (self.citation_rate, 0.10),
            (self.citation_precision, 0.15),
            (self.citation_recall, 0.20),
            (self.numeric_fidelity, 0.15),
            (self.quote_fidelity, 0.05),
            (self.coverage, 0.10),
            (self.balance, 0.05),
            (self.coherence, 0.05),
            (self.completeness, 0.10),
            (self.redundancy.map(|redundancy| 1.0 - redundancy), 0.05),
        ]
    }

    /// The weighted mean of what is measured; 0 where nothing is.
    pub fn weighted_mean(&self) -> f64 {
        let (mut sum, mut of) = (0.0, 0.0);
        for (score, weight) in self.weights() {
            if let Some(score) = score {
                sum += score * weight;
                of += weight;
            }
        }
        if of > 0.0 { sum / of } else { 0.0 }
    }
}

/// Examines a synthesis.
pub fn examine(lexicon: &mut Lexicon, examined: &Examined<'_>) -> Scores {
    let mut scores = Scores::default();
    // Each sentence is read once, and what quotes its source has been.
    let words_of = |sentence: &ExaminedSentence<'_>| {
        let cited = sentence.citations.first().and_then(|&source| examined.sources.get(source));
        // Without the numbers of markers inside of it.
        let known = cited.filter(|_| !sentence.text.contains('['));
        let known = known.and_then(|source| source.words_of(sentence.text));
        known.map_or_else(|| Cow::Owned(lexicon.words(sentence.text)), Cow::Borrowed)
    };
    let words: Vec<Cow<'_, [Word]>> = examined.sentences.iter().map(words_of).collect();
    citations::measure(lexicon, (examined, &words), &mut scores);
    content::measure(lexicon, (examined, &words), &mut scores);
    // What says nothing isn't good for what little of it can be measured.
    scores.overall = if examined.sentences.is_empty() { 0.0 } else { scores.weighted_mean() };
    scores
}

/// What happens to a synthesis below the least quality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnLowQuality {
    /// It is delivered, and says so.
    Warn,
    /// It isn't delivered.
    Block,
}

/// Whether a synthesis may be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Good enough.
    Pass,
    /// Not good enough, but wanted all the same.
    Warn,
    /// Not good enough.
    Block,
}

/// Holds the overall score against the least that is wanted. Where one isn't a number, the score isn't good enough.
pub fn gate(overall: f64, min_quality: f64, on_low_quality: OnLowQuality) -> Gate {
    match (overall >= min_quality, on_low_quality) {
        (true, _) => Gate::Pass,
        (false, OnLowQuality::Warn) => Gate::Warn,
        (false, OnLowQuality::Block) => Gate::Block,
    }
}

/// A part of a whole; none of nothing.
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The beginning of a text, for an issue.
fn shown(text: &str) -> String {
    const SHOWN_CHARS: usize = 80;
    let mut chars = text.char_indices().skip(SHOWN_CHARS);
    chars.next().map_or_else(|| text.to_owned(), |(end, _)| format!("{}…", &text[..end]))
}
