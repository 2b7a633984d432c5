//! The statements of both sides, joined in pairs.
//!
//! Pairs are taken greedily, the closest first: a stable order of all candidates by relation, shared content and text,
//! each statement in one pair at most. A statement's candidates are the [`CHECKS_MAX`] of the other side with which it
//! shares most, and those whose candidate it is: so the sides can be exchanged.

use std::collections::BTreeSet;

use super::covered::Covered;
use super::relation::{Relation, relation};
use super::{Discrepancy, Kind, Pair, quoted};
use crate::domain::near_duplicates::{Features, Reader, clusters};
use crate::domain::synthesis::contradictions::differ::content;
use crate::domain::text::terms::TermMap;
use crate::domain::text::words::Term;

/// With how many of the other side a statement is compared, at least where there are so many.
const CHECKS_MAX: usize = 16;
/// Content that two statements must share, unless they have no other.
const SHARED_MIN: usize = 3;

/// How many statements a side has, and how many of them the other has too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Weight {
    pub count: usize,
    pub same: usize,
}

/// What an agreement is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Weights {
    pub ours: Weight,
    pub legacy: Weight,
    /// Pairs that differ in figures.
    pub numbers: usize,
}

/// All statements of both sides, sorted out.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub same: Vec<Pair>,
    pub missing: Vec<Discrepancy>,
    pub extra: Vec<Discrepancy>,
    pub different_numbers: Vec<Discrepancy>,
    pub contradicted: Vec<Discrepancy>,
    pub weights: Weights,
}

/// How much content two statements share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shared {
    shared: usize,
    less: usize,
    all: usize,
}

impl Shared {
    /// What two sorted contents share.
    pub(super) fn between(one: &[Term], other: &[Term]) -> Self {
        let shared = one.iter().filter(|term| other.binary_search(term).is_ok()).count();
        Self::of(shared, one.len(), other.len())
    }

    fn of(shared: usize, one: usize, other: usize) -> Self {
        Self { shared, less: one.min(other), all: one + other - shared }
    }

    /// Whether they share such parts of the one with less, and of both together.
    pub(super) fn at_least(&self, (contained, jaccard): (f64, f64)) -> bool {
        let shared = self.shared as f64;
        let enough = self.shared >= SHARED_MIN || self.is_all();
        enough && shared >= contained * self.less as f64 && shared >= jaccard * self.all as f64
    }

    /// Whether neither has other content.
    pub(super) fn is_all(&self) -> bool {
        self.shared > 0 && self.shared == self.all
    }

    /// The shared part of both, in millionths.
    fn score(&self) -> u64 {
        (self.shared as u64 * 1_000_000).checked_div(self.all as u64).unwrap_or(0)
    }
}

/// One side: what it says, each thing once.
struct Statements<'t> {
    features: Vec<Features<'t>>,
    contents: Vec<Vec<Term>>,
}

impl<'t> Statements<'t> {
    fn read(texts: Vec<&'t str>, reader: &mut Reader) -> Self {
        let all: Vec<Features<'t>> = texts.into_iter().map(|text| reader.read(text)).collect();
        let mut first: Vec<(usize, usize)> = clusters(&all)
            .clusters
            .iter()
            .map(|cluster| {
                (cluster.members.iter().copied().min().unwrap_or_default(), cluster.representative)
            })
            .collect();
        first.sort_unstable();
        let features: Vec<Features<'t>> = first.into_iter().map(|(_, shown)| all[shown].clone()).collect();
        let contents = features.iter().map(content).collect();
        Self { features, contents }
    }

    fn len(&self) -> usize {
        self.features.len()
    }
}

/// Joins what both sides say.
pub(super) fn join(ours: Vec<&str>, legacy: Vec<&str>) -> Joined {
    let mut reader = Reader::default();
    let ours = Statements::read(ours, &mut reader);
    let legacy = Statements::read(legacy, &mut reader);
    let mut joined = Joined::default();
    let (mut our_free, mut their_free) = (vec![true; ours.len()], vec![true; legacy.len()]);
    for Candidate { relation, mine, theirs, .. } in candidates(&ours, &legacy) {
        if our_free[mine] && their_free[theirs] {
            (our_free[mine], their_free[theirs]) = (false, false);
            joined.take(relation, ours.features[mine].text, legacy.features[theirs].text);
        }
    }
    let (our_places, their_places) = (places(&our_free), places(&their_free));
    let mut covered = Covered::new(&mut reader, &ours.features, &legacy.features);
    for at in their_places {
        let said = legacy.features[at].text;
        match covered.by_ours(&legacy.features[at]) {
            Some(by) => joined.legacy_said(ours.features[by].text, said),
            None => joined.missing.push(alone(Kind::Missing, said)),
        }
    }
    for at in our_places {
        let said = ours.features[at].text;
        match covered.by_legacy(&ours.features[at]) {
            Some(by) => joined.ours_said(said, legacy.features[by].text),
            None => joined.extra.push(alone(Kind::Extra, said)),
        }
    }
    joined.weights.ours.count = ours.len();
    joined.weights.legacy.count = legacy.len();
    joined
}

fn places(free: &[bool]) -> Vec<usize> {
    free.iter().enumerate().filter(|(_, free)| **free).map(|(at, _)| at).collect()
}

fn alone(kind: Kind, text: &str) -> Discrepancy {
    let text = Some(quoted(text));
    match kind {
        Kind::Missing | Kind::CitationMissing => Discrepancy {
            kind,
            ours: None,
            legacy: text,
            detail: "The monolith says this; nothing of ours says the same.".to_owned(),
        },
        Kind::Extra | Kind::CitationExtra | Kind::DifferentNumbers | Kind::Contradicted => Discrepancy {
            kind,
            ours: text,
            legacy: None,
            detail: "We say this; nothing of the monolith's says the same.".to_owned(),
        },
    }
}

impl Joined {
    fn take(&mut self, relation: Relation, ours: &str, legacy: &str) {
        match relation {
            Relation::Same => {
                self.weights.ours.same += 1;
                self.legacy_said(ours, legacy);
            }
            Relation::Numbers(mine, theirs) => {
                self.weights.numbers += 1;
                let detail = format!("Ours: {}; the monolith's: {}.", listed(&mine), listed(&theirs));
                self.different_numbers.push(both(Kind::DifferentNumbers, ours, legacy, detail));
            }
            Relation::Opposite(mine, theirs) => {
                let detail = format!("Ours: {}; the monolith's: {}.", word(&mine), word(&theirs));
                self.contradicted.push(both(Kind::Contradicted, ours, legacy, detail));
            }
        }
    }

    fn legacy_said(&mut self, ours: &str, legacy: &str) {
        self.weights.legacy.same += 1;
        self.same.push(Pair { ours: quoted(ours), legacy: quoted(legacy) });
    }

    fn ours_said(&mut self, ours: &str, legacy: &str) {
        self.weights.ours.same += 1;
        self.same.push(Pair { ours: quoted(ours), legacy: quoted(legacy) });
    }
}

fn both(kind: Kind, ours: &str, legacy: &str, detail: String) -> Discrepancy {
    Discrepancy { kind, ours: Some(quoted(ours)), legacy: Some(quoted(legacy)), detail: quoted(&detail) }
}

fn listed(values: &[String]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("“{value}”")).collect();
    if quoted.is_empty() { "no such figure".to_owned() } else { quoted.join(", ") }
}

fn word(word: &str) -> String {
    if word.is_empty() { "no negation".to_owned() } else { format!("“{word}”") }
}

/// Two statements that could be a pair.
struct Candidate {
    relation: Relation,
    mine: usize,
    theirs: usize,
    shared: Shared,
}

/// All candidates that are related, the closest first.
fn candidates(ours: &Statements<'_>, legacy: &Statements<'_>) -> Vec<Candidate> {
    let mine = best(ours, legacy).into_iter();
    let theirs = best(legacy, ours).into_iter().map(|(theirs, mine, shared)| (mine, theirs, shared));
    let mut seen = BTreeSet::new();
    let mut found: Vec<Candidate> = mine
        .chain(theirs)
        .filter(|&(mine, theirs, _)| seen.insert((mine, theirs)))
        .filter_map(|(mine, theirs, shared)| {
            let relation = relation(&ours.features[mine], &legacy.features[theirs], shared)?;
            Some(Candidate { relation, mine, theirs, shared })
        })
        .collect();
    found.sort_by_cached_key(|candidate| {
        let (one, other) = (ours.features[candidate.mine].text, legacy.features[candidate.theirs].text);
        let closeness = (one != other, candidate.relation.rank(), u64::MAX - candidate.shared.score());
        // The same order whichever side is whose.
        (closeness, one.min(other), one.max(other), candidate.mine + candidate.theirs)
    });
    found
}

/// For each statement of `from`, those of `to` with which it shares most, and those that are equal without content.
fn best(from: &Statements<'_>, to: &Statements<'_>) -> Vec<(usize, usize, Shared)> {
    let mut postings: TermMap<Vec<usize>> = TermMap::default();
    for (at, content) in to.contents.iter().enumerate() {
        for term in content {
            postings.entry(*term).or_default().push(at);
        }
    }
    let mut found = Vec::new();
    let mut counts = vec![0_usize; to.len()];
    for (at, content) in from.contents.iter().enumerate() {
        counts.fill(0);
        for other in content.iter().filter_map(|term| postings.get(term)).flatten() {
            counts[*other] += 1;
        }
        let shares = |(other, count): (usize, &usize)| {
            let equal = from.features[at].text == to.features[other].text;
            let shared = Shared::of(*count, content.len(), to.contents[other].len());
            (*count > 0 || equal).then_some((!equal, u64::MAX - shared.score(), other, shared))
        };
        let mut ranked: Vec<_> = counts.iter().enumerate().filter_map(shares).collect();
        ranked.sort_by_key(|&(unequal, score, other, _)| (unequal, score, to.features[other].text, other));
        ranked.truncate(CHECKS_MAX);
        found.extend(ranked.into_iter().map(|(_, _, other, shared)| (at, other, shared)));
    }
    found
}
