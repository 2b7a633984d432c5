//! Which parts of a text matter most.
//!
//! A leaf's salience, 0 to about 2.2, is
//!
//! `1·fact + 0.5·centrality + 0.3·lead + 0.4·richness`, times 0.2 for entries of references and 0.5 for lead-ins that end
//! with a colon and for members of JSON beside a text, and 0.1 for the sentences of a string of JSON, where
//!
//! - `fact` is 1 where it holds a figure, a name or a citation: these are kept before plain prose, whose other terms can't
//!   add up to 1;
//! - `centrality` is the mean probability of its terms in the text, as in SumBasic (Nenkova and Vanderwende, "The impact of
//!   frequency on summarization", 2005, §3), divided by the greatest of the text. Terms are words of four letters and more,
//!   without the commonest, and pairs of neighbouring characters in Chinese and Japanese; they are counted in 65,536
//!   buckets (feature hashing, Weinberger et al. 2009), so that memory is bounded;
//! - `lead` is the mean of `1 / (1 + i)` for the sentence's place `i` in its block and the block's in its section, doubled
//!   in weight for the first tenth of the text (Baxendale 1958, Edmundson 1969: position);
//! - `richness` is the number of figures, names and citations (these count twice), divided by 8 and at most 1.
//!
//! Where something was asked, it is up to 2.5 times that: times `1 + 1.5·asked`, where `asked` is the share that the words asked for
//! which it has are of all of these that the text has, each counted by how few leaves have it (inverse document frequency, Spärck
//! Jones 1972). What is no fact stays below what is.
//!
//! A part's salience is half the mean and half the greatest of its leaves'. All sums run in the order of the text. O(n).

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::outline::{Form, Grain, Outline};
use crate::domain::text::blocks::Kind;

mod features;

use features::{Features, bucket, read};

/// The words of four letters and more that say least.
const COMMON: &[&str] = &[
    "that", "this", "with", "from", "have", "were", "which", "their", "these", "those", "more", "also",
    "such", "than", "into", "they", "been", "will", "other", "some", "when", "where", "while", "there",
    "about", "between", "through", "over", "most", "both", "only", "many", "each", "well", "http", "https",
    "eine", "einer", "oder", "nicht", "auch", "wird", "werden", "sind",
];

/// From here on a leaf holds a figure, a name or a citation.
pub(super) const FACT: f32 = 1.0;

/// Which of the words that were asked for stand in a text, by their places among these, each once.
pub type Asked<'a> = &'a dyn Fn(&str) -> Vec<usize>;

/// Gives every leaf and part its salience.
pub(super) fn score(text: &str, outline: &mut Outline, asked: Option<Asked<'_>>) {
    let mut terms = Vec::with_capacity(text.len() / 6);
    let mut found: Vec<(Features, usize)> = Vec::with_capacity(outline.leaves.len());
    for leaf in &outline.leaves {
        let features = read(&text[leaf.text.clone()], &mut terms);
        found.push((features, terms.len()));
    }
    let means = means(&terms, found.iter().map(|(_, end)| *end));
    let greatest = means.iter().copied().fold(1.0_f32, f32::max);
    let places = block_places(outline);
    let opening = text.len() / 10;
    // What a text says goes before the data that comes with it.
    let mixed = outline.parts.iter().any(|part| !matches!(part.form, Form::Json | Form::Lines));
    for (at, leaf) in outline.leaves.iter_mut().enumerate() {
        let features = &found[at].0;
        let part = &outline.parts[leaf.part];
        let place = at - part.leaves.start;
        let lead = (1.0 / (1.0 + place as f32) + 1.0 / (1.0 + places[leaf.part] as f32)) / 2.0;
        let lead = if leaf.text.start <= opening { lead } else { lead / 2.0 };
        let weight = match (part.form, leaf.grain) {
            // What is short of an object goes before its long texts.
            (Form::Json, Grain::Sentence) => 0.1,
            (Form::Json, _) if mixed => 0.5,
            _ => 1.0,
        };
        leaf.score = weight * features.score(means[at] / greatest, lead);
    }
    if let Some(asked) = asked {
        raise(text, outline, asked);
    }
    for part in &mut outline.parts {
        let leaves = &outline.leaves[part.leaves.clone()];
        let sum: f32 = leaves.iter().map(|leaf| leaf.score).sum();
        let greatest = leaves.iter().map(|leaf| leaf.score).fold(0.0, f32::max);
        part.score = if leaves.is_empty() { 0.0 } else { (greatest + sum / leaves.len() as f32) / 2.0 };
    }
}

/// Raises what has words that were asked for.
fn raise(text: &str, outline: &mut Outline, asked: Asked<'_>) {
    const RAISED: f32 = 1.5;
    const BELOW_FACTS: f32 = 0.99;
    let found: Vec<Vec<usize>> = outline.leaves.iter().map(|leaf| asked(&text[leaf.text.clone()])).collect();
    let mut leaves_with: BTreeMap<usize, usize> = BTreeMap::new();
    for word in found.iter().flatten() {
        *leaves_with.entry(*word).or_insert(0) += 1;
    }
    let all = found.len() as f32;
    let weights: BTreeMap<usize, f32> =
        leaves_with.into_iter().map(|(word, leaves)| (word, ((all + 1.0) / leaves as f32).ln())).collect();
    // A word that nearly all have says nothing, also where there is no other.
    let total = weights.values().sum::<f32>().max(1.0);
    for (leaf, words) in outline.leaves.iter_mut().zip(found) {
        let own: f32 = words.iter().filter_map(|word| weights.get(word)).sum();
        let raised = leaf.score * (1.0 + RAISED * own / total);
        leaf.score = if leaf.score < FACT { raised.min(BELOW_FACTS).max(leaf.score) } else { raised };
    }
}

thread_local! {
    /// How often each term occurs in a text. All are zero between two texts: to clear those that it has takes a fraction of the time
    /// that a new table takes.
    static COUNTS: RefCell<Vec<u32>> = RefCell::new(vec![0; features::BUCKETS]);
}

/// How often the terms of each leaf occur in the text, on average; `ends` say where each one's end.
fn means(terms: &[u16], ends: impl Iterator<Item = usize>) -> Vec<f32> {
    COUNTS.with_borrow_mut(|counts| {
        for term in terms {
            counts[usize::from(*term)] += 1;
        }
        for word in COMMON {
            counts[usize::from(bucket(word.as_bytes()))] = 0;
        }
        let mut start = 0;
        let mean = |end: usize| {
            let own = &terms[start..end];
            start = end;
            let sum: u64 = own.iter().map(|term| u64::from(counts[usize::from(*term)])).sum();
            if own.is_empty() { 0.0 } else { sum as f32 / own.len() as f32 }
        };
        let means = ends.map(mean).collect();
        for term in terms {
            counts[usize::from(*term)] = 0;
        }
        means
    })
}

/// By part, how many blocks stand before it in its section.
fn block_places(outline: &Outline) -> Vec<usize> {
    let mut place = 0;
    outline
        .parts
        .iter()
        .map(|part| {
            let own = place;
            place = if matches!(part.form, Form::Block(Kind::Heading { .. })) { 0 } else { place + 1 };
            own
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{COMMON, bucket, means};

    #[test]
    fn terms_are_counted_anew_for_each_text() {
        let common = bucket(COMMON[0].as_bytes());
        for _ in 0..2 {
            assert_eq!(means(&[7, 9, 7, common], [2, 2, 4].into_iter()), [1.5, 0.0, 1.0]);
        }
    }
}
