//! Version 1 is the published rule; version 2 falls with what is missing or contradicted.

use proptest::prelude::*;

use super::{Quality, Reference, version_1, version_2};
use Quality::{High, Low, Medium, Rejected, Unknown};

#[test]
fn version_1_is_the_published_rule() {
    let table: &[(bool, &[Quality], u8)] = &[
        (true, &[], 0),
        (false, &[], 0),
        (true, &[High], 80),
        (true, &[High, High], 100),
        (false, &[High, High], 80),
        (false, &[High], 60),
        (true, &[High, Medium], 95),
        (true, &[Low, Medium, High], 85),
        (true, &[Unknown, High], 90),
        (true, &[Rejected, High], 50),
        (true, &[Rejected, Rejected], 0),
        (true, &[Rejected, Rejected, Rejected], 0),
        (false, &[Rejected], 10),
    ];
    for &(completed, qualities, expected) in table {
        let (score, factors) = version_1(completed, qualities);
        assert_eq!(score, expected, "{completed} {qualities:?}");
        let points: f64 = factors.iter().map(|factor| factor.effect).sum();
        assert!(qualities.is_empty() || (100.0 + points).clamp(0.0, 100.0) == f64::from(expected));
    }
}

#[test]
fn quality_is_read_in_any_case() {
    let table = [
        (" high", High),
        ("MEDIUM", Medium),
        ("Low", Low),
        ("rejected", Rejected),
        ("good", Unknown),
        ("", Unknown),
    ];
    for (word, expected) in table {
        assert_eq!(Quality::parse(word), expected, "{word}");
    }
}

#[test]
fn two_pages_of_one_site_are_one_witness() {
    let one = [Reference { domain: "a.org", quality: High }];
    let two = [one[0], one[0]];
    let apart = [one[0], Reference { domain: "b.org", quality: High }];
    assert_eq!(version_2(1.0, &one, 0).0, version_2(1.0, &two, 0).0);
    assert!(version_2(1.0, &apart, 0).0 > version_2(1.0, &one, 0).0);
    assert_eq!(version_2(1.0, &[], 0).0, 0.0);
}

#[test]
fn what_is_unfinished_or_contradicted_is_trusted_less() {
    let references = [Reference { domain: "a.org", quality: Medium }];
    let score = |completed, contradictions| version_2(completed, &references, contradictions).0;
    assert!(score(1.0, 0) > score(0.5, 0) && score(0.5, 0) > score(0.0, 0) && score(0.0, 0) > 0.0);
    assert!(score(1.0, 0) > score(1.0, 1) && score(1.0, 1) > score(1.0, 2));
    assert_eq!(score(f64::NAN, 0), score(0.0, 0));
    assert_eq!(score(1.0, 5), score(1.0, usize::MAX));
}

fn reference() -> impl Strategy<Value = (String, Quality)> {
    ("[a-d]", prop::sample::select(vec![High, Medium, Low, Rejected, Unknown]))
}

fn scored(completed: f64, references: &[(String, Quality)], contradictions: usize) -> f64 {
    let references: Vec<_> =
        references.iter().map(|(domain, quality)| Reference { domain, quality: *quality }).collect();
    let (score, factors) = version_2(completed, &references, contradictions);
    let sum: f64 = factors.iter().map(|factor| factor.effect).sum();
    assert!((score - sum).abs() < 1e-9, "{factors:?}");
    score
}

proptest! {
    #[test]
    fn more_evidence_never_lowers_version_2(
        mut references in prop::collection::vec(reference(), 0..8), added in reference(),
        completed in 0.0..=1.0_f64, contradictions in 0_usize..7,
    ) {
        let before = scored(completed, &references, contradictions);
        references.push(added);
        let after = scored(completed, &references, contradictions);
        prop_assert!(after >= before - 1e-12);
        prop_assert!((0.0..=1.0).contains(&after));
        references.reverse();
        prop_assert_eq!(after, scored(completed, &references, contradictions));
    }
}
