//! What contradicts, as the result shows it.

use std::collections::BTreeMap;

use super::numbers;
use crate::domain::aggregate::near_duplicates::Cluster;
use crate::domain::aggregate::result::{Contradiction, ContradictionKind, Statement};
use crate::domain::synthesis::contradictions::{self, Kind};

/// One of each pair of findings, with the sources of all: what several say in the same words contradicts another once.
pub(super) fn each_once(
    found: Vec<contradictions::Contradiction>,
    clusters: &[Cluster],
) -> Vec<contradictions::Contradiction> {
    let cluster_of: BTreeMap<usize, usize> = clusters
        .iter()
        .enumerate()
        .flat_map(|(at, cluster)| cluster.members.iter().map(move |member| (*member, at)))
        .collect();
    let mut places: BTreeMap<(Kind, [Option<usize>; 2]), usize> = BTreeMap::new();
    let mut once: Vec<contradictions::Contradiction> = Vec::new();
    for contradiction in found {
        let mut pair = contradiction.places.map(|place| cluster_of.get(&place).copied());
        pair.sort_unstable();
        let place = *places.entry((contradiction.kind, pair)).or_insert(once.len());
        if let Some(first) = once.get_mut(place) {
            first.sources.extend(contradiction.sources);
            first.sources.sort_unstable();
            first.sources.dedup();
        } else {
            once.push(contradiction);
        }
    }
    once
}

/// The same with its quotations as they are shown.
pub(super) fn contradiction_of(
    found: contradictions::Contradiction,
    shown: &dyn Fn(String) -> String,
) -> Contradiction {
    let statements = found.statements.into_iter().map(|said| Statement {
        text: shown(said.text),
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
        },
        statements: statements.collect(),
        sources: numbers(&found.sources),
        suggestion: found.suggestion,
    }
}
