//! A comparison in a sentence.

use super::Comparison;
use super::pairs::Weights;

/// Why the comparison came out as it did: counts first, then what weighs most.
pub(super) fn explain(comparison: &Comparison, weights: &Weights) -> String {
    let Weights { ours, legacy, .. } = weights;
    let mut said = format!(
        "{} of the monolith's {} are ours too, {} of our {} are the monolith's",
        legacy.same,
        counted(legacy.count, "statement"),
        ours.same,
        counted(ours.count, "statement"),
    );
    let grave = [
        (comparison.contradicted.len(), "contradicted"),
        (comparison.different_numbers.len(), "different in figures"),
    ];
    for (count, what) in grave.into_iter().filter(|(count, _)| *count > 0) {
        said.push_str(&format!("; {count} {what}"));
    }
    let citations = &comparison.citations;
    let (same, missing, extra) = (citations.same.len(), citations.missing.len(), citations.extra.len());
    if same + missing + extra > 0 {
        said.push_str(&format!("; sources: {same} the same, {missing} missing, {extra} extra"));
    }
    let left = comparison.left_out.ours + comparison.left_out.legacy;
    if left > 0 {
        said.push_str(&format!("; {} beyond the limit not compared", counted(left, "statement")));
    }
    said.push('.');
    said
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
