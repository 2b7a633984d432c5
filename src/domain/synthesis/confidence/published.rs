//! Confidence, version 1: the published rule.

use crate::domain::aggregate::result::{ConfidenceFactor, SourceQuality};

/// 0 to 100, and what it is made of.
///
/// It starts at 100; −20 where the work wasn't completed; −20 where there is exactly one reference; for each reference
/// HIGH 0, MEDIUM −5, LOW −10, REJECTED −50, unknown −10; without any reference it is 0; clamped.
pub fn confidence_v1(completed: bool, references: &[Option<SourceQuality>]) -> (u32, Vec<ConfidenceFactor>) {
    let mut factors = Vec::new();
    let mut add = |factor: &str, effect: i64, why: String| {
        factors.push(ConfidenceFactor { factor: factor.to_owned(), effect: effect as f64, why });
        effect
    };
    if references.is_empty() {
        add("no_references", -100, "nothing is cited".to_owned());
        return (0, factors);
    }
    let mut score = 100;
    if !completed {
        score += add("not_completed", -20, "the work wasn't completed".to_owned());
    }
    if references.len() == 1 {
        score += add("one_reference", -20, "only one source is cited".to_owned());
    }
    let kinds = [
        (Some(SourceQuality::Medium), "medium_quality", 5, "MEDIUM quality"),
        (Some(SourceQuality::Low), "low_quality", 10, "LOW quality"),
        (Some(SourceQuality::Rejected), "rejected", 50, "rejected"),
        (None, "unknown_quality", 10, "unknown quality"),
    ];
    for (quality, factor, cost, name) in kinds {
        let count = references.iter().filter(|reference| **reference == quality).count();
        if count > 0 {
            let effect = -i64::try_from(count).unwrap_or(i64::MAX / 100).saturating_mul(cost);
            let why = if count == 1 {
                format!("1 source is of {name}")
            } else {
                format!("{count} sources are of {name}")
            };
            score += add(factor, effect, why.replace("of rejected", "rejected"));
        }
    }
    (u32::try_from(score.clamp(0, 100)).unwrap_or(0), factors)
}
