//! How much two answers have in common: the formula and the thresholds.
//!
//! A side's *coverage* is the part of its statements that the other has: 1 for each that is the same, [`NUMBER_WEIGHT`]
//! for each that differs in a figure only, 0 for what is contradicted, missing or extra. The coverage of the monolith's
//! statements is the recall `R`, that of ours the precision `P`, and both become one number as
//! `F₂ = 5·P·R / (4·P + R)` (van Rijsbergen 1979, with β = 2): what the monolith says and we don't weighs more than what
//! we say on top. Citations get their own `F₂`, and the agreement is the mean of both with [`CITATIONS_WEIGHT`].
//!
//! Citations count only where the monolith names any, statements only where either side has some; where nothing can
//! be compared the agreement is 1.

use super::pairs::Weights;
use super::{Citations, Comparison, Verdict};

/// What a statement counts that differs in a figure only.
pub const NUMBER_WEIGHT: f64 = 0.5;
/// The weight of citations in the agreement; that of statements is the rest.
pub const CITATIONS_WEIGHT: f64 = 0.2;
/// The least agreement of [`Verdict::Same`].
pub const SAME_MIN: f64 = 0.9;
/// The least agreement of [`Verdict::Minor`].
pub const MINOR_MIN: f64 = 0.6;
/// The largest part of the monolith's statements with other figures that is still [`Verdict::Minor`].
pub const NUMBERS_SHARE_MAX: f64 = 0.1;

/// The agreement of two answers, 0 to 1, four digits after the point.
pub(super) fn agreement(weights: &Weights, citations: &Citations) -> f64 {
    let Weights { ours, legacy, numbers } = weights;
    let half = NUMBER_WEIGHT * *numbers as f64;
    let said =
        f2((ours.same as f64 + half, ours.count as f64), (legacy.same as f64 + half, legacy.count as f64));
    let same = citations.same.len() as f64;
    let (extra, missing) = (citations.extra.len() as f64, citations.missing.len() as f64);
    let cited = if same + missing > 0.0 { f2((same, same + extra), (same, same + missing)) } else { None };
    let both = match (said, cited) {
        (Some(said), Some(cited)) => (1.0 - CITATIONS_WEIGHT) * said + CITATIONS_WEIGHT * cited,
        (Some(alone), None) | (None, Some(alone)) => alone,
        (None, None) => 1.0,
    };
    rounded(both)
}

/// `F₂` of two coverages, each a part and its whole; `None` where both wholes are nothing.
fn f2((precise, ours): (f64, f64), (recalled, legacy): (f64, f64)) -> Option<f64> {
    if ours == 0.0 && legacy == 0.0 {
        return None;
    }
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let (precision, recall) = (share(precise, ours), share(recalled, legacy));
    let below = 4.0 * precision + recall;
    Some(if below > 0.0 { 5.0 * precision * recall / below } else { 0.0 })
}

/// The verdict over a comparison whose agreement is known; `legacy` statements are the monolith's.
pub(super) fn verdict(comparison: &Comparison, legacy: usize) -> Verdict {
    let numbers = comparison.different_numbers.len();
    let many_numbers = numbers as f64 > NUMBERS_SHARE_MAX * legacy as f64;
    if !comparison.contradicted.is_empty() || many_numbers || comparison.agreement < MINOR_MIN {
        Verdict::Different
    } else if comparison.agreement >= SAME_MIN && numbers == 0 {
        Verdict::Same
    } else {
        Verdict::Minor
    }
}

/// Four digits after the point are enough for a share.
pub(super) fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::super::pairs::Weight;
    use super::*;

    fn said(ours: (usize, usize), legacy: (usize, usize), numbers: usize) -> Weights {
        let weight = |(same, count)| Weight { same, count };
        Weights { ours: weight(ours), legacy: weight(legacy), numbers }
    }

    fn cited(same: usize, missing: usize, extra: usize) -> Citations {
        let one = |kind| super::super::Discrepancy { kind, ours: None, legacy: None, detail: String::new() };
        Citations {
            same: vec![String::new(); same],
            missing: vec![one(super::super::Kind::CitationMissing); missing],
            extra: vec![one(super::super::Kind::CitationExtra); extra],
        }
    }

    #[test]
    fn the_formula_gives_these_numbers() {
        for (weights, citations, expected) in [
            (said((0, 0), (0, 0), 0), cited(0, 0, 0), 1.0),
            (said((0, 0), (0, 0), 0), cited(0, 0, 3), 1.0),
            (said((0, 0), (0, 0), 0), cited(0, 3, 0), 0.0),
            (said((0, 0), (0, 2), 0), cited(0, 0, 0), 0.0),
            (said((0, 2), (0, 0), 0), cited(0, 0, 0), 0.0),
            (said((4, 4), (4, 4), 0), cited(0, 0, 0), 1.0),
            // All of the monolith's, and as much again: 5 · 0.5 / (2 + 1).
            (said((4, 8), (4, 4), 0), cited(0, 0, 0), 0.8333),
            // Half of the monolith's: 5 · 0.5 / (4 + 0.5).
            (said((4, 4), (4, 8), 0), cited(0, 0, 0), 0.5556),
            // One of four with another figure: 0.875 on both sides.
            (said((3, 4), (3, 4), 1), cited(0, 0, 0), 0.875),
            (said((4, 4), (4, 4), 0), cited(1, 1, 0), 0.9111),
            (said((4, 4), (4, 4), 0), cited(0, 1, 1), 0.8),
            (said((4, 4), (4, 4), 0), cited(0, 0, 9), 1.0),
        ] {
            assert_eq!(agreement(&weights, &citations), expected, "{weights:?} {citations:?}");
        }
    }
}
