//! How far an answer can be relied on, from its references: two versions, both explained factor by factor.
//!
//! Version 1 is the published rule, 0 to 100: the worse references an answer has, the lower. That means that adding a
//! medium reference to a high one *lowers* it. Version 2 is monotone instead: a reference can only add.
//!
//! Version 2 is a noisy-or (Pearl 1988, "Probabilistic Reasoning in Intelligent Systems", §4.3.2) over independent
//! sources: with `q` the reliability of the best reference of each registrable domain, evidence is `1 − Π (1 − q)`.
//! Sources of unknown or low quality alone never come to certainty, however many they are: pages copy each other, and
//! nobody says that these don't. All that is unknown or low together reaches 0.7 at most, what is low 0.5. The score is `evidence × completion × Π contradictions`, 0 to 1. Two pages of one site are one witness.

use std::collections::BTreeMap;

use crate::domain::aggregate::result::SourceQuality;

mod published;
#[cfg(test)]
mod tests;

pub use published::{confidence_v1, confidence_v2};

/// The probability that what a reference of this quality says is so, in version 2.
fn reliability(quality: Option<SourceQuality>) -> f64 {
    match quality {
        Some(SourceQuality::High) => 0.8,
        Some(SourceQuality::Medium) => 0.6,
        None => 0.4,
        Some(SourceQuality::Low) => 0.3,
        Some(SourceQuality::Rejected) => 0.0,
    }
}

/// What is doubted at least of all that sources of low quality say together.
const LOW_DOUBT_MIN: f64 = 0.5;
/// The same of all sources of unknown and of low quality.
const WEAK_DOUBT_MIN: f64 = 0.3;

/// What is doubted after so many independent sources. Every step of it grows with each doubt: more evidence, or better
/// evidence of the same source, never raises it.
#[derive(Debug, Clone, Copy)]
struct Doubt {
    strong: f64,
    unknown: f64,
    low: f64,
}

impl Doubt {
    fn after(mut self, quality: Option<SourceQuality>) -> Self {
        let part = match quality {
            Some(SourceQuality::High | SourceQuality::Medium | SourceQuality::Rejected) => &mut self.strong,
            None => &mut self.unknown,
            Some(SourceQuality::Low) => &mut self.low,
        };
        *part *= 1.0 - reliability(quality);
        self
    }

    fn left(self) -> f64 {
        self.strong * (self.unknown * self.low.max(LOW_DOUBT_MIN)).max(WEAK_DOUBT_MIN)
    }
}

fn name(quality: Option<SourceQuality>) -> &'static str {
    match quality {
        Some(SourceQuality::High) => "high",
        Some(SourceQuality::Medium) => "medium",
        None => "unknown",
        Some(SourceQuality::Low) => "low",
        Some(SourceQuality::Rejected) => "rejected",
    }
}

/// What is left of version 2 for each contradiction that stands.
const CONTRADICTION_FACTOR: f64 = 0.85;
/// Contradictions that count at most: the score stays above nothing.
const CONTRADICTIONS_MAX: usize = 5;
/// What is left of version 2 when not even a part of the work was completed.
const COMPLETION_FLOOR: f64 = 0.5;

/// A reference that the answer uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference<'a> {
    /// The registrable domain, or what else tells independent sources apart.
    pub domain: &'a str,
    /// How good it is.
    pub quality: Option<SourceQuality>,
}

/// What a confidence is made from, and how much each part moved it.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// A stable name: `completion`, `no_references`, `domain`, `contradictions`.
    pub factor: &'static str,
    /// Change of the score. Their sum is the score.
    pub effect: f64,
    /// The reason, for people.
    pub why: String,
}

/// Version 2: 0 to 1, with what each independent domain added, and what was lost.
///
/// `completed` is the share of the expected work that was completed, 0 to 1 (anything else is clamped; NaN is 0).
/// The order of the references makes no difference.
pub fn version_2(completed: f64, references: &[Reference<'_>], contradictions: usize) -> (f64, Vec<Factor>) {
    let mut best: BTreeMap<&str, Option<SourceQuality>> = BTreeMap::new();
    for reference in references {
        let known = best.entry(reference.domain).or_insert(reference.quality);
        if reliability(reference.quality) > reliability(*known) {
            *known = reference.quality;
        }
    }
    // The best first, so that each domain's effect is what it adds to the better ones.
    let mut domains: Vec<(&str, Option<SourceQuality>)> = best.into_iter().collect();
    domains
        .sort_by(|one, other| reliability(other.1).total_cmp(&reliability(one.1)).then(one.0.cmp(other.0)));
    let mut doubt = Doubt { strong: 1.0, unknown: 1.0, low: 1.0 };
    let mut factors = Vec::new();
    for (domain, quality) in domains {
        let before = doubt.left();
        doubt = doubt.after(quality);
        let effect = before - doubt.left();
        factors.push(Factor {
            factor: "domain",
            effect,
            why: format!("{domain}: {} quality", name(quality)),
        });
    }
    if factors.is_empty() {
        factors.push(Factor { factor: "no_references", effect: 0.0, why: "nothing is referenced".into() });
    }
    let evidence = 1.0 - doubt.left();
    let completed = if completed.is_nan() { 0.0 } else { completed.clamp(0.0, 1.0) };
    let finished = evidence * (COMPLETION_FLOOR + (1.0 - COMPLETION_FLOOR) * completed);
    if completed < 1.0 {
        let why = format!("{:.0} % of the work was completed", 100.0 * completed);
        factors.push(Factor { factor: "completion", effect: finished - evidence, why });
    }
    let counted = i32::try_from(contradictions.min(CONTRADICTIONS_MAX)).unwrap_or_default();
    let score = finished * CONTRADICTION_FACTOR.powi(counted);
    if contradictions > 0 {
        let why = format!("statements that contradict each other: {contradictions}");
        factors.push(Factor { factor: "contradictions", effect: score - finished, why });
    }
    (score, factors)
}
