//! Claims: the sentences of all results, grouped where they say the same, as findings with their sources.
//!
//! Every sentence that comes out is a quotation: verbatim, with markup and citation markers taken off at its edges only.
//! Nothing depends on the order in which results arrive. Time is linear in the text but for the bounded comparisons of
//! [`near_duplicates`].

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::{self, Cluster, Features, Reader, Role};
use crate::domain::text::figures::Unit;
use crate::domain::text::words::{Lexicon, Term};

pub use self::confidence::Site;
use self::confidence::Sites;
pub(super) use self::confidence::{Backing, judge};
pub(in crate::domain) use self::confidence::{DISPUTED, OF_A_PART};
pub use self::insights::{Insight, insights};
pub(in crate::domain::synthesis) use self::insights::{advises, demands};
pub(super) use self::places::which_of;
pub(super) use self::statements::is_taken_back;
pub use self::statements::{
    Address, Around, Mark, Row, Said, Statement, Told, addresses, json_in, statements, tells_scope,
    values_of_json,
};
pub(super) use self::statements::{cells, edges, is_small_talk, plain, time_of_log, verdict};
pub use self::steps::places as steps;
pub(in crate::domain) use self::subjects::told_apart;
pub(super) use self::subjects::{
    Paths, are_about_others, are_headed_alike, are_tasks_of_others, is_subject, names_a_thing, names_in,
    subject_terms,
};
pub(super) use self::topic::within as label_within;

mod confidence;
mod headed;
mod insights;
mod order;
mod places;
mod statements;
mod steps;
mod subjects;
#[cfg(test)]
mod tests;
mod topic;

/// Of clusters that agree in their figures, how many members are asked what they are about.
const CONFIRMING_MAX: usize = 8;

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// No source, or contradicted.
    Low,
    /// One source or one domain.
    Medium,
    /// Several independent domains, with sources of more than low quality.
    High,
}

/// What results say, with who says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding<'t> {
    /// A short label, as it is written in a heading or the sentence.
    pub topic: String,
    /// A sentence, verbatim.
    pub content: &'t str,
    /// The sources of all sentences that say the same, ascending.
    pub sources: Vec<usize>,
    /// The subagents that say it, in alphabetical order.
    pub contributors: Vec<&'t str>,
    /// How sure it is.
    pub confidence: Confidence,
    /// What to check, where it is uncertain.
    pub verify: Option<Cow<'static, str>>,
    /// The statements that say it, by their places.
    pub statements: Vec<usize>,
    /// The one of them that is shown.
    pub shown: usize,
}

/// All statements, read and grouped.
pub struct Claims<'t> {
    /// The sentences.
    pub statements: Vec<Statement<'t>>,
    /// What of each is compared.
    pub features: Vec<Features<'t>>,
    /// Which say the same.
    pub clusters: Vec<Cluster>,
    /// The places of statements, ordered by their texts.
    pub order: Vec<usize>,
    /// Pairs of clusters that are about the same and agree in every figure, by the places of clusters.
    pub agreeing: Vec<(usize, usize)>,
    /// How many pairs were compared.
    pub pairs_checked: usize,
    /// Of each sentence, the place of the result that it is from; empty where nothing tells one.
    pub places: Vec<usize>,
}

impl<'t> Claims<'t> {
    /// Reads and groups statements. A reader that has met many words is faster, and finds the same.
    pub fn new(statements: Vec<Statement<'t>>, reader: &mut Reader) -> Self {
        let features = statements.iter().map(|statement| reader.read(statement.text)).collect();
        Self::of(statements, features)
    }

    /// Groups statements that were read: `features` belong to the same places.
    pub fn of(statements: Vec<Statement<'t>>, mut features: Vec<Features<'t>>) -> Self {
        for (said, of) in statements.iter().zip(&mut features) {
            if let Some(row) = said.row {
                of.set_apart(row.digest(said.text));
            }
        }
        let found = near_duplicates::clusters(&features);
        let paths = Paths::new(&statements, features.iter());
        let clusters = subjects::apart(found.clusters, (&statements, &paths), &features);
        let mut agreeing = agreeing(&features, &clusters, &|at| statements[at].row.is_some());
        let mut lexicon = Lexicon::default();
        agreeing.retain(|&(one, other)| {
            let members = |of: usize| clusters[of].members.iter().take(CONFIRMING_MAX);
            let said = |at: usize| (&statements[at], &features[at]);
            let mut pairs = members(one).flat_map(|&a| members(other).map(move |&b| (a, b)));
            !pairs.any(|(a, b)| paths.are_of_others(a, b) || are_about_others(said(a), said(b), &mut lexicon))
        });
        let (order, pairs_checked) = (found.order, found.pairs_checked);
        Self { statements, features, clusters, order, agreeing, pairs_checked, places: Vec::new() }
    }

    /// The findings in their [order](order::in_order) by what was `asked`, its terms ascending. `site` is where a source stands, `contested` holds the places of statements that are contradicted.
    pub fn findings(
        &self,
        site: &dyn Fn(usize) -> Site,
        contested: &BTreeSet<usize>,
        asked: &[Term],
    ) -> Vec<Finding<'t>> {
        let mut support: Vec<Vec<usize>> = vec![Vec::new(); self.clusters.len()];
        for &(one, other) in &self.agreeing {
            support[one].extend(&self.clusters[other].members);
            support[other].extend(&self.clusters[one].members);
        }
        let frequency = topic::Frequency::new(&self.features);
        let over = Paths::new(&self.statements, self.features.iter()).shown();
        let sites = Sites::of(&self.statements, site);
        let is_disputed = |cluster: &Cluster| cluster.members.iter().any(|at| contested.contains(at));
        let disputed: Vec<bool> = self.clusters.iter().map(is_disputed).collect();
        let findings: Vec<Finding<'t>> = (self.clusters.iter().zip(&support).zip(&disputed))
            .map(|((cluster, support), disputed)| {
                self.finding(cluster, support, (&frequency, &over), &sites, *disputed)
            })
            .collect();
        order::in_order(self, findings, &disputed, asked)
    }

    /// Findings that are listed together, the steps of one numbered list in its order.
    pub fn with_steps(&self, findings: Vec<Finding<'t>>) -> Vec<Finding<'t>> {
        order::with_steps(self, findings)
    }

    fn finding(
        &self,
        cluster: &Cluster,
        support: &[usize],
        (frequency, over): (&topic::Frequency<'_, '_>, &[Vec<&'t str>]),
        sites: &Sites,
        disputed: bool,
    ) -> Finding<'t> {
        let members = cluster.members.iter();
        let sources: Vec<usize> = distinct(members.flat_map(|&at| &self.statements[at].sources).copied());
        let saying = cluster.members.iter().chain(support).map(|&at| &self.statements[at]);
        let domains = places::independent(saying, &|source| sites.of_source(source));
        let backing = sites.backing(&domains, &sources);
        let contributors: Vec<&'t str> =
            distinct(cluster.members.iter().map(|&at| self.statements[at].subagent));
        // Of equal sentences any will do: the texts are the same.
        let shown = &self.statements[cluster.representative];
        let (confidence, verify) = judge(backing, contributors.len(), disputed);
        let apart = || places::not_told_apart(cluster.members.iter().map(|&at| &self.statements[at]));
        let apart = if disputed || backing.domains > 1 { None } else { apart() };
        let verify = apart.map(Cow::Owned).or(verify.map(Cow::Borrowed));
        Finding {
            topic: headed::topic(self, cluster, frequency, over),
            content: shown.text,
            sources,
            contributors,
            confidence,
            verify,
            statements: cluster.members.clone(),
            shown: cluster.representative,
        }
    }
}

/// Statements with a telling figure are about the same and agree where all their figures are equal, no name stands only
/// in one, most of their terms are shared, and no more than one of them says something that the other doesn't. Of two rows what
/// heads their columns would have to agree, too, and then they say the same.
fn agreeing(
    features: &[Features<'_>],
    clusters: &[Cluster],
    is_row: &dyn Fn(usize) -> bool,
) -> Vec<(usize, usize)> {
    /// How many statements with the same figures are compared with each other.
    const SAME_MAX: usize = 12;
    // Small bare numbers are everywhere.
    let telling = |of: &Features<'_>| {
        of.figures.iter().any(|figure| match figure.unit {
            Unit::Percent | Unit::Points | Unit::Money(_) => true,
            Unit::Plain => figure.high.approximate() > 20.0,
            Unit::Measure { .. } | Unit::Ordinal | Unit::Times | Unit::Fraction => false,
            Unit::Date | Unit::Weekday | Unit::Label => false,
        })
    };
    let shown = clusters.iter().map(|cluster| &features[cluster.representative]).enumerate();
    let mut by_figures: Vec<(u64, usize)> =
        shown.filter(|(_, of)| telling(of)).map(|(at, of)| (of.figures_digest(), at)).collect();
    by_figures.sort_unstable();
    let mut found = Vec::new();
    for same in by_figures.chunk_by(|a, b| a.0 == b.0) {
        for (at, &(_, one)) in same.iter().take(SAME_MAX).enumerate() {
            for &(_, other) in &same[at + 1..same.len().min(SAME_MAX)] {
                let [shown, told] = [one, other].map(|at| clusters[at].representative);
                let (a, b) = (&features[shown], &features[told]);
                if !(is_row(shown) && is_row(told))
                    && overlap(a, b) >= 0.5
                    && !names_differ(a, b)
                    && marks_agree(a, b)
                    && near_duplicates::may_confirm(a, b)
                {
                    found.push((one, other));
                }
            }
        }
    }
    found
}

/// Shared terms of the one with fewer.
fn overlap(one: &Features<'_>, other: &Features<'_>) -> f64 {
    let shared = one.terms.iter().filter(|term| other.terms.binary_search(term).is_ok()).count();
    shared as f64 / one.terms.len().min(other.terms.len()).max(1) as f64
}

/// Whether each has a name that the other hasn't.
pub(in crate::domain) fn names_differ(one: &Features<'_>, other: &Features<'_>) -> bool {
    let lacks = |a: &Features<'_>, b: &Features<'_>| {
        a.elements.iter().any(|name| name.role == Role::Name && b.terms.binary_search(&name.term).is_err())
    };
    lacks(one, other) && lacks(other, one)
}

fn marks_agree(one: &Features<'_>, other: &Features<'_>) -> bool {
    let negations =
        |of: &Features<'_>| of.marks.iter().filter(|marked| marked.mark.is_negation()).count() % 2;
    negations(one) == negations(other)
        && !one.marks.iter().any(|mine| other.marks.iter().any(|theirs| mine.mark.opposes(theirs.mark)))
}
