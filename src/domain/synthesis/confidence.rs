//! How far an answer can be relied on, from its references: two versions, both explained factor by factor.
//!
//! Version 1 is the published rule, 0 to 100: the worse references an answer has, the lower. That means that adding a
//! medium reference to a high one *lowers* it. Version 2 is monotone instead: a reference can only add.
//!
//! Version 2 is a noisy-or (Pearl 1988, "Probabilistic Reasoning in Intelligent Systems", §4.3.2) over independent
//! sources: with `q` the reliability of the best reference of each registrable domain, evidence is `1 − Π (1 − q)`.
//! The score is `evidence × completion × Π contradictions`, 0 to 1. Two pages of one site are one witness.

use std::collections::BTreeMap;

#[cfg(test)]
mod tests;

/// How good a reference is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// Checked and not to be relied on.
    Rejected,
    /// Weak.
    Low,
    /// Nobody said.
    Unknown,
    /// Usable.
    Medium,
    /// Authoritative.
    High,
}

impl Quality {
    /// Reads the word for it in whatever case; any other word is unknown.
    pub fn parse(word: &str) -> Self {
        let known = [
            ("high", Self::High),
            ("medium", Self::Medium),
            ("low", Self::Low),
            ("rejected", Self::Rejected),
        ];
        let same = known.iter().find(|(name, _)| word.trim().eq_ignore_ascii_case(name));
        same.map_or(Self::Unknown, |&(_, quality)| quality)
    }

    /// What version 1 takes off for a reference.
    fn penalty(self) -> i64 {
        match self {
            Self::High => 0,
            Self::Medium => 5,
            Self::Low => 10,
            Self::Rejected => 50,
            Self::Unknown => 10,
        }
    }

    /// The probability that what such a reference says is so, in version 2.
    fn reliability(self) -> f64 {
        match self {
            Self::High => 0.8,
            Self::Medium => 0.6,
            Self::Unknown => 0.4,
            Self::Low => 0.3,
            Self::Rejected => 0.0,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
            Self::Rejected => "rejected",
            Self::Unknown => "unknown",
        }
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
    pub quality: Quality,
}

/// What a confidence is made from, and how much each part moved it.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// A stable name: `completion`, `single_reference`, `reference`, `no_references`, `domain`, `contradictions`.
    pub factor: &'static str,
    /// Points in version 1; change of the score in version 2. Their sum is the score before clamping and rounding.
    pub effect: f64,
    /// The reason, for people.
    pub why: String,
}

/// Version 1: 0 to 100, with what was taken off.
///
/// 100; the step or sheet not completed −20; exactly one reference −20; for each reference by quality high 0,
/// medium −5, low −10, rejected −50, unknown −10; clamped. Without references it is 0.
pub fn version_1(completed: bool, qualities: &[Quality]) -> (u8, Vec<Factor>) {
    if qualities.is_empty() {
        let factor = Factor { factor: "no_references", effect: 0.0, why: "nothing is referenced".into() };
        return (0, vec![factor]);
    }
    let mut taken: Vec<(&'static str, i64, String)> = Vec::new();
    if !completed {
        taken.push(("completion", 20, "the work was not completed".into()));
    }
    if qualities.len() == 1 {
        taken.push(("single_reference", 20, "there is one reference only".into()));
    }
    for (at, quality) in qualities.iter().enumerate().filter(|(_, quality)| quality.penalty() > 0) {
        taken.push((
            "reference",
            quality.penalty(),
            format!("reference {} is of {} quality", at + 1, quality.name()),
        ));
    }
    let score = 100 - taken.iter().map(|(_, points, _)| points).sum::<i64>();
    let factors =
        taken.into_iter().map(|(factor, points, why)| Factor { factor, effect: -points as f64, why });
    (u8::try_from(score.clamp(0, 100)).unwrap_or_default(), factors.collect())
}

/// Version 2: 0 to 1, with what each independent domain added, and what was lost.
///
/// `completed` is the share of the expected work that was completed, 0 to 1 (anything else is clamped; NaN is 0).
/// The order of the references makes no difference.
pub fn version_2(completed: f64, references: &[Reference<'_>], contradictions: usize) -> (f64, Vec<Factor>) {
    let mut best: BTreeMap<&str, Quality> = BTreeMap::new();
    for reference in references {
        let known = best.entry(reference.domain).or_insert(reference.quality);
        *known = reference.quality.max(*known);
    }
    // The best first, so that each domain's effect is what it adds to the better ones.
    let mut domains: Vec<(&str, Quality)> = best.into_iter().collect();
    domains.sort_by_key(|&(domain, quality)| (std::cmp::Reverse(quality), domain));
    let mut doubt = 1.0;
    let mut factors = Vec::new();
    for (domain, quality) in domains {
        let effect = doubt * quality.reliability();
        doubt -= effect;
        factors.push(Factor {
            factor: "domain",
            effect,
            why: format!("{domain}: {} quality", quality.name()),
        });
    }
    if factors.is_empty() {
        factors.push(Factor { factor: "no_references", effect: 0.0, why: "nothing is referenced".into() });
    }
    let evidence = 1.0 - doubt;
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
