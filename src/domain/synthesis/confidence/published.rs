//! Confidence as it is published: version 1's rule, and both versions as results show them.

use super::{Reference, version_2};
use crate::domain::aggregate::result::{Confidence, ConfidenceFactor, SourceQuality};
use crate::domain::aggregate::url_identity::identify;

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

/// [`version_2`] of what was cited, by address, title and quality: what has no domain counts by its title.
pub fn confidence_v2<'r>(
    completed: f64,
    cited: impl Iterator<Item = (Option<&'r str>, &'r str, Option<SourceQuality>)>,
    contradictions: usize,
) -> Confidence {
    let domain = |url: Option<&str>, title: &str| {
        url.and_then(identify).map_or_else(|| title.to_owned(), |identity| identity.domain)
    };
    let known: Vec<_> = cited.map(|(url, title, quality)| (domain(url, title), quality)).collect();
    let references: Vec<_> =
        known.iter().map(|(domain, quality)| Reference { domain, quality: *quality }).collect();
    let (score, factors) = version_2(completed, &references, contradictions);
    let factors = factors.into_iter().map(|factor| ConfidenceFactor {
        factor: factor.factor.to_owned(),
        effect: (factor.effect * 10_000.0).round() / 100.0,
        why: factor.why,
    });
    Confidence { score: (score * 100.0).round().clamp(0.0, 100.0) as u32, factors: factors.collect() }
}
