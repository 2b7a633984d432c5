//! What contradicts, as the result shows it.

use std::collections::BTreeMap;

use crate::domain::aggregate::result::{Contradiction, ContradictionKind, Statement};
use crate::domain::distinct::distinct;
use crate::domain::synthesis::claims::{Claims, Finding};
use crate::domain::synthesis::contradictions::{self, Differing, Kind};

/// Contradictions of a result at most: everybody who differs from everybody else makes pairs without number, which nobody
/// reads.
pub(super) const LISTED_MAX: usize = 200;

/// Two findings that contradict each other.
struct Pair {
    clusters: [Option<usize>; 2],
    first: Differing,
    /// All sources of both.
    sources: Vec<usize>,
}

/// The contradictions that are listed, and how many there are. `findings` are all, the best first.
pub(super) fn listed(
    found: Vec<Differing>,
    claims: &Claims<'_>,
    findings: &[Finding<'_>],
) -> (Vec<contradictions::Contradiction>, usize) {
    let pairs = each_once(found, claims);
    let all = pairs.len();
    let told = |Pair { first, sources, .. }| contradictions::Contradiction {
        sources,
        ..Differing::described(first, &claims.statements)
    };
    (chosen(pairs, findings).into_iter().map(told).collect(), all)
}

/// One of each pair of findings, with the sources of all: what several say in the same words contradicts another once.
fn each_once(found: Vec<Differing>, claims: &Claims<'_>) -> Vec<Pair> {
    let mut cluster_of: Vec<Option<usize>> = vec![None; claims.statements.len()];
    for (at, cluster) in claims.clusters.iter().enumerate() {
        cluster.members.iter().for_each(|member| cluster_of[*member] = Some(at));
    }
    let mut places: BTreeMap<(Kind, [Option<usize>; 2]), usize> = BTreeMap::new();
    let mut once: Vec<Pair> = Vec::new();
    for differing in found {
        let sources = differing.places.iter().flat_map(|&at| claims.statements[at].sources.iter().copied());
        let mut clusters = differing.places.map(|place| cluster_of[place]);
        clusters.sort_unstable();
        let place = *places.entry((differing.kind(), clusters)).or_insert(once.len());
        if let Some(first) = once.get_mut(place) {
            first.sources.extend(sources);
            first.sources.sort_unstable();
            first.sources.dedup();
        } else {
            let sources: Vec<usize> = distinct(sources);
            once.push(Pair { clusters, first: differing, sources });
        }
    }
    once
}

/// At most [`LISTED_MAX`] of them, in their order: the first of each finding before the second of any, and of equals those
/// of the better finding.
fn chosen(pairs: Vec<Pair>, findings: &[Finding<'_>]) -> Vec<Pair> {
    if pairs.len() <= LISTED_MAX {
        return pairs;
    }
    let placed =
        findings.iter().enumerate().flat_map(|(rank, of)| of.statements.iter().map(move |at| (*at, rank)));
    let ranks: BTreeMap<usize, usize> = placed.collect();
    let mut so_far: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    let mut keyed: Vec<(usize, usize, usize)> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let count = pair.clusters.iter().filter_map(|of| so_far.get(of).copied()).max().unwrap_or_default();
        let rank = pair.first.places.iter().filter_map(|place| ranks.get(place).copied()).min();
        keyed.push((count, rank.unwrap_or(usize::MAX), at));
        for of in pair.clusters {
            *so_far.entry(of).or_default() += 1;
        }
    }
    keyed.sort_unstable();
    let mut is_chosen = vec![false; pairs.len()];
    keyed.iter().take(LISTED_MAX).for_each(|&(_, _, at)| is_chosen[at] = true);
    pairs.into_iter().zip(is_chosen).filter(|(_, is_chosen)| *is_chosen).map(|(pair, _)| pair).collect()
}

/// What says that there are more than are listed.
pub(super) fn beyond(listed: usize, all: usize) -> Option<String> {
    let left = all - listed;
    (left > 0).then(|| {
        format!(
            "{left} of {all} contradictions aren't listed; of each finding some are, as far as there is room."
        )
    })
}

/// The same with its quotations as they are shown.
pub(super) fn contradiction_of(
    found: contradictions::Contradiction,
    shown: &dyn Fn(String) -> String,
) -> Contradiction {
    let statements = found.statements.into_iter().map(|said| Statement {
        text: shown(said.text),
        lead_in: said.lead_in,
        source: said.source.map(|number| number as u32),
        subagent: said.subagent,
    });
    Contradiction {
        description: found.description,
        kind: match found.kind {
            Kind::Number => ContradictionKind::Number,
            Kind::Date => ContradictionKind::Date,
            Kind::Negation => ContradictionKind::Negation,
            Kind::Polarity => ContradictionKind::Polarity,
            Kind::Answer | Kind::Holder => ContradictionKind::Reported,
        },
        statements: statements.collect(),
        sources: numbers(&found.sources),
        suggestion: found.suggestion,
    }
}

/// Sources by their numbers.
pub(super) fn numbers(sources: &[usize]) -> Vec<u32> {
    sources.iter().map(|number| *number as u32).collect()
}
