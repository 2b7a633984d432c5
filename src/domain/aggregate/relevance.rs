//! How far results answer a query: BM25, brought to 0 to 1, and blended with what the subagent reported.
//!
//! BM25 as in Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", with its factor `k1 + 1`: a
//! term that a result of mean length has once counts its whole weight. No term counts more in the value that is shown, so that
//! divided by the weights of all terms it is the share of the query that a result speaks of, weighted by how much each term
//! tells: 0 for a result without any, 1 for one that has each, less for one that mentions them in passing. What repetitions add
//! decides between results that are alike otherwise.
//!
//! The results of one aggregation are the collection, often a handful or a single one. So a term's weight is the smoothed
//! inverse document frequency `ln((1 + N) / (1 + n)) + 1`, as scikit-learn has it by default (`TfidfTransformer`, `smooth_idf`): a
//! term that all results have still counts, and one that none has tells no more than one that a single result has.
//! Where nothing is asked there is nothing to measure, and what was reported counts alone.
//!
//! O(words) for all results together. The order of the results makes no difference.

use std::collections::BTreeMap;

use crate::domain::text::terms::TermMap;
use crate::domain::text::words::{Lexicon, Term};

#[cfg(test)]
mod tests;

/// How soon a term's repetitions stop counting; Lucene's default.
const K1: f64 = 1.2;
/// How much a long result is held against it, 0 to 1; Lucene's default.
const B: f64 = 0.75;
/// What a term counts that only the goal has, compared with one of the query.
const GOAL_WEIGHT: f64 = 0.5;
/// Share of the reported value in the blended one.
const REPORTED_WEIGHT: f64 = 0.5;
/// What is neither good nor bad: no report.
const NEUTRAL: f64 = 0.5;

/// How far a result answers the query. All values are 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relevance {
    /// What we measured; nothing where query and goal have no word that says anything.
    pub bm25: Option<f64>,
    /// What was reported, clamped; 0.5 where nothing was, or not a number.
    pub reported: f64,
    /// The mean of both, or what was reported alone: by this results are filtered and ranked.
    pub blended: f64,
    /// What repetitions add, too: the better of two that are as relevant has more.
    pub strength: f64,
}

/// The relevance of each result, in their order: `terms` are those of each that say something, `reported` what its subagent thinks of
/// it, meant to be 0 to 1.
pub fn relevance(
    lexicon: &mut Lexicon,
    query: &str,
    goal: &str,
    terms: &[Vec<Term>],
    reported: &[Option<f64>],
) -> Vec<Relevance> {
    let wanted = wanted(lexicon, query, goal);
    let places: TermMap<usize> = wanted.iter().map(|(&term, asked)| (term, asked.place)).collect();
    let documents: Vec<Document> = terms.iter().map(|terms| Document::of(terms, &places)).collect();
    let words: usize = documents.iter().map(|document| document.words).sum();
    let mean_words = (words as f64 / documents.len().max(1) as f64).max(1.0);
    let weights: Vec<f64> = wanted
        .values()
        .enumerate()
        .map(|(place, asked)| {
            let having = documents.iter().filter(|document| document.counts[place] > 0).count();
            asked.weight * inverse_frequency(documents.len(), having)
        })
        .collect();
    let scores = documents.iter().map(|document| document.score(&weights, mean_words));
    scores.zip(reported).map(|(score, reported)| blend(score, *reported)).collect()
}

/// A term that was asked for.
struct Asked {
    /// Its place in the lists that follow.
    place: usize,
    weight: f64,
}

/// The terms of query and goal, by term: sums run in this order.
fn wanted(lexicon: &mut Lexicon, query: &str, goal: &str) -> BTreeMap<Term, Asked> {
    let mut wanted = BTreeMap::new();
    for (text, weight) in [(query, 1.0), (goal, GOAL_WEIGHT)] {
        for term in lexicon.terms(text) {
            wanted.entry(term).or_insert(Asked { place: 0, weight });
        }
    }
    for (place, asked) in wanted.values_mut().enumerate() {
        asked.place = place;
    }
    wanted
}

/// A result as BM25 sees it.
struct Document {
    words: usize,
    /// How often it has each term that was asked for.
    counts: Vec<u32>,
}

impl Document {
    /// `places` are those of the terms that were asked for: looked up once a word, its order never seen.
    fn of(terms: &[Term], places: &TermMap<usize>) -> Self {
        let mut counts = vec![0; places.len()];
        for term in terms {
            if let Some(&place) = places.get(term) {
                counts[place] += 1;
            }
        }
        Self { words: terms.len(), counts }
    }

    /// How much of what was asked it speaks of, and how strongly; nothing where nothing was asked.
    fn score(&self, weights: &[f64], mean_words: f64) -> Option<Score> {
        let most: f64 = weights.iter().sum();
        if most <= 0.0 {
            return None;
        }
        let length = K1 * (1.0 - B + B * self.words as f64 / mean_words);
        let term = |count: u32| f64::from(count) * (K1 + 1.0) / (f64::from(count) + length);
        let sum = |term: &dyn Fn(u32) -> f64| -> f64 {
            self.counts.iter().zip(weights).map(|(&count, weight)| weight * term(count)).sum()
        };
        let share = (sum(&|count| term(count).min(1.0)) / most).clamp(0.0, 1.0);
        Some(Score { share, strength: sum(&term) / most })
    }
}

/// How far a result speaks of what was asked.
struct Score {
    /// 0 to 1.
    share: f64,
    /// The same with what repetitions add.
    strength: f64,
}

fn inverse_frequency(documents: usize, having: usize) -> f64 {
    ((1.0 + documents as f64) / (1.0 + having.max(1) as f64)).ln() + 1.0
}

fn blend(score: Option<Score>, reported: Option<f64>) -> Relevance {
    let reported = reported.filter(|value| !value.is_nan()).map_or(NEUTRAL, |value| value.clamp(0.0, 1.0));
    let Some(Score { share, strength }) = score else {
        return Relevance { bm25: None, reported, blended: reported, strength: 0.0 };
    };
    let blended = REPORTED_WEIGHT * reported + (1.0 - REPORTED_WEIGHT) * share;
    Relevance { bm25: Some(share), reported, blended, strength }
}
