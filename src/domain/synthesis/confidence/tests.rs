//! Version 1 is the published rule; version 2 falls with what is missing or contradicted.

use proptest::prelude::*;

use super::{Reference, confidence_v1, version_2};
use crate::domain::aggregate::result::SourceQuality;

const HIGH: Option<SourceQuality> = Some(SourceQuality::High);
const MEDIUM: Option<SourceQuality> = Some(SourceQuality::Medium);
const LOW: Option<SourceQuality> = Some(SourceQuality::Low);
const REJECTED: Option<SourceQuality> = Some(SourceQuality::Rejected);
const UNKNOWN: Option<SourceQuality> = None;

#[test]
fn version_1_is_the_published_rule() {
    let table: &[(bool, &[Option<SourceQuality>], u32)] = &[
        (true, &[], 0),
        (false, &[], 0),
        (true, &[HIGH], 80),
        (true, &[HIGH, HIGH], 100),
        (false, &[HIGH, HIGH], 80),
        (false, &[HIGH], 60),
        (true, &[HIGH, MEDIUM], 95),
        (true, &[LOW, MEDIUM, HIGH], 85),
        (true, &[UNKNOWN, HIGH], 90),
        (true, &[HIGH, MEDIUM, LOW, UNKNOWN], 75),
        (false, &[HIGH, MEDIUM], 75),
        (true, &[REJECTED, HIGH], 50),
        (true, &[REJECTED, REJECTED], 0),
        (true, &[REJECTED, REJECTED, REJECTED], 0),
        (false, &[REJECTED], 10),
    ];
    for &(completed, qualities, expected) in table {
        let (score, factors) = confidence_v1(completed, qualities);
        assert_eq!(score, expected, "{completed} {qualities:?}");
        let points: f64 = factors.iter().map(|factor| factor.effect).sum();
        assert!(qualities.is_empty() || (100.0 + points).clamp(0.0, 100.0) == f64::from(expected));
    }
}

#[test]
fn two_pages_of_one_site_are_one_witness() {
    let one = [Reference { domain: "a.org", quality: HIGH }];
    let two = [one[0], one[0]];
    let apart = [one[0], Reference { domain: "b.org", quality: HIGH }];
    assert_eq!(version_2(1.0, &one, 0).0, version_2(1.0, &two, 0).0);
    assert!(version_2(1.0, &apart, 0).0 > version_2(1.0, &one, 0).0);
    assert_eq!(version_2(1.0, &[], 0).0, 0.0);
}

#[test]
fn what_is_unfinished_or_contradicted_is_trusted_less() {
    let references = [Reference { domain: "a.org", quality: MEDIUM }];
    let score = |completed, contradictions| version_2(completed, &references, contradictions).0;
    assert!(score(1.0, 0) > score(0.5, 0) && score(0.5, 0) > score(0.0, 0) && score(0.0, 0) > 0.0);
    assert!(score(1.0, 0) > score(1.0, 1) && score(1.0, 1) > score(1.0, 2));
    assert_eq!(score(f64::NAN, 0), score(0.0, 0));
    assert_eq!(score(1.0, 5), score(1.0, usize::MAX));
}

#[test]
fn many_sources_that_nobody_vouches_for_make_nothing_certain() {
    let names: Vec<String> = (0..40).map(|number| format!("s{number}.org")).collect();
    let of = |quality, count: usize| -> Vec<Reference<'_>> {
        names[..count].iter().map(|domain| Reference { domain, quality }).collect()
    };
    let score = |references: &[Reference<'_>]| (100.0 * version_2(1.0, references, 0).0).round();
    for (quality, one, two, many) in [
        (UNKNOWN, 40.0, 64.0, 70.0),
        (LOW, 30.0, 50.0, 50.0),
        (MEDIUM, 60.0, 84.0, 100.0),
        (REJECTED, 0.0, 0.0, 0.0),
    ] {
        let scores = [1, 2, 40].map(|count| score(&of(quality, count)));
        assert_eq!(scores, [one, two, many], "{quality:?}");
    }
    // Beside what somebody vouches for they count as they did, up to that.
    let good = [Reference { domain: "good.org", quality: HIGH }];
    assert_eq!(score(&[&good[..], &of(UNKNOWN, 1)].concat()), 88.0);
    assert_eq!(score(&[&good[..], &of(UNKNOWN, 40)].concat()), 94.0);
}

fn reference() -> impl Strategy<Value = (String, Option<SourceQuality>)> {
    ("[a-h]", prop::sample::select(vec![HIGH, MEDIUM, LOW, REJECTED, UNKNOWN]))
}

fn scored(completed: f64, references: &[(String, Option<SourceQuality>)], contradictions: usize) -> f64 {
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
        mut references in prop::collection::vec(reference(), 0..16), added in reference(),
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
