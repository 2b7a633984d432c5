//! Texts that say the same, found without comparing each with each, and never merged where they differ in substance.
//!
//! Two texts are near duplicates where what is left after taking away their common words is small and harmless: most function
//! words, an adverb, an attribution (`according to …`), a typing error, another order of clauses. They never are where
//! a figure, unit, date, negation, polarity word or name differs, where a function word that decides stands in the place of
//! another (`until` for `from`), where one says more or with a reservation (`large farms`, `alleged`), or where two things
//! changed places (`A acquired B`).
//! Figures and polarity are a *signature* that must be equal; only texts of one signature are compared at all.
//!
//! Candidates come from a prefix filter over their rarest terms (Chaudhuri, Ganti, Kaushik 2006, "A primitive operator
//! for similarity joins"; Bayardo, Ma, Srikant 2007, "Scaling up all pairs similarity search"). A text is compared with
//! [`CHECKS_MAX`] others at most, so that time is O(n log n) in the number of texts for any input.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::domain::text::composed::{composed, is_decomposed};
use crate::domain::text::terms::{TermHasher, TermMap};
use crate::domain::text::words::Term;

pub(in crate::domain) use self::features::may_repeat;
pub use self::features::{Element, Features, Reader, Role};

mod agreement;
mod compare;
mod confusable;
mod denied;
mod exchanged;
mod features;
mod joints;
mod roles;
mod signature;
mod spelled;
mod symbols;
#[cfg(test)]
mod tests;
mod turned_round;
mod union;
mod voice;
mod wide_shifts;

pub(in crate::domain) use self::agreement::may_confirm;
pub use self::compare::near;
use self::compare::says_it_alike;
pub(in crate::domain) use self::compare::{longest_falling, order_is_kept};
pub(in crate::domain) use self::spelled::genders_differ;
pub(crate) use self::union::Union;

/// With how many others one text is compared at most.
pub const CHECKS_MAX: usize = 64;
/// The share of terms that near duplicates have in common at least; it decides how many terms are indexed.
const SHARED: f64 = 0.6;

/// Texts that say the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// The member to show: the longest, the first by its text among those.
    pub representative: usize,
    /// The places of all members in the input, ordered by their texts.
    pub members: Vec<usize>,
}

/// All clusters, and what it cost to find them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clusters {
    /// Every text is in exactly one; ordered by the text of the first member.
    pub clusters: Vec<Cluster>,
    /// The places of all texts, ordered by these.
    pub order: Vec<usize>,
    /// How many pairs were compared.
    pub pairs_checked: usize,
    /// How many candidates weren't, because a text had more than [`CHECKS_MAX`].
    pub pairs_skipped: usize,
}

/// Finds the clusters of a list. They don't depend on its order.
pub fn clusters(items: &[Features<'_>]) -> Clusters {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&item| (items[item].text, item));
    // Comparing places costs less than comparing texts.
    let mut rank = vec![0; items.len()];
    order.iter().enumerate().for_each(|(at, &item)| rank[item] = at);
    let mut union = Union::new(items.len());
    let distinct = exact(items, &order, &mut union);
    respelled(items, &order, &mut union);
    let (mut pairs_checked, mut pairs_skipped) = (0, 0);
    let frequency = frequency(items, &distinct);
    let mut index: HashMap<(u64, Term), Vec<usize>, BuildHasherDefault<TermHasher>> = HashMap::default();
    // Only texts of one signature are compared: most have one of their own.
    let mut of_signature: TermMap<usize> = TermMap::default();
    of_signature.reserve(distinct.len());
    for &item in &distinct {
        *of_signature.entry(Term(items[item].signature)).or_default() += 1;
    }
    for &item in distinct.iter().filter(|&&item| of_signature[&Term(items[item].signature)] > 1) {
        let prefix = prefix(&items[item], &frequency);
        let mut candidates: Vec<usize> = Vec::new();
        for term in &prefix {
            let posting = index.entry((items[item].signature, *term)).or_default();
            // The newest are enough: older ones of a crowded term are counted, not collected.
            let from = posting.len().saturating_sub(CHECKS_MAX);
            pairs_skipped += from;
            candidates.extend(&posting[from..]);
            posting.push(item);
        }
        candidates.sort_unstable_by_key(|&other| rank[other]);
        candidates.dedup();
        pairs_skipped += candidates.len().saturating_sub(CHECKS_MAX);
        for &other in candidates.iter().take(CHECKS_MAX) {
            if union.root(item) == union.root(other) || !similar(&items[item], &items[other]) {
                continue;
            }
            pairs_checked += 1;
            if near(&items[item], &items[other]) {
                union.join(item, other);
            }
        }
    }
    Clusters { clusters: collect(items, &order, &mut union), order, pairs_checked, pairs_skipped }
}

/// Joins texts that are equal but for case, width, punctuation and function words; returns one of each.
fn exact(items: &[Features<'_>], order: &[usize], union: &mut Union) -> Vec<usize> {
    let mut first: TermMap<usize> = TermMap::default();
    first.reserve(items.len());
    let mut distinct = Vec::with_capacity(items.len());
    for &item in order {
        match first.get(&Term(items[item].digest)) {
            Some(&known) if says_it_alike(&items[known], &items[item]) => union.join(known, item),
            Some(_) => distinct.push(item),
            None => {
                first.insert(Term(items[item].digest), item);
                distinct.push(item);
            }
        }
    }
    distinct
}

/// Joins texts that are equal but for the spelling of their accents: `é` as one character, or as `e` and an accent. What
/// is read of a text beside its words is read as it stands, so no more than equal texts is asked for.
fn respelled(items: &[Features<'_>], order: &[usize], union: &mut Union) {
    // Nearly no text is written so.
    if !items.iter().any(|item| is_decomposed(item.text)) {
        return;
    }
    let mut first: HashMap<Cow<'_, str>, usize> = HashMap::new();
    for &item in order.iter().filter(|&&item| !items[item].apart && !items[item].text.is_ascii()) {
        let known = *first.entry(composed(items[item].text)).or_insert(item);
        if known != item {
            union.join(known, item);
        }
    }
}

/// In how many texts each term occurs.
fn frequency(items: &[Features<'_>], distinct: &[usize]) -> TermMap<u32> {
    let mut frequency = TermMap::default();
    // Growing costs more than room for terms that occur twice.
    frequency.reserve(distinct.iter().map(|&item| items[item].terms.len()).sum::<usize>() / 2);
    for term in distinct.iter().flat_map(|&item| &items[item].terms) {
        *frequency.entry(*term).or_insert(0) += 1;
    }
    frequency
}

/// The rarest terms of a text, as many as another text with enough in common must share one of.
fn prefix(item: &Features<'_>, frequency: &TermMap<u32>) -> Vec<Term> {
    let mut terms: Vec<(u32, Term)> =
        item.terms.iter().map(|term| (frequency.get(term).copied().unwrap_or(0), *term)).collect();
    terms.sort_unstable_by_key(|&(count, term)| u128::from(count) << 64 | u128::from(term.0));
    let shared = (terms.len() as f64 * SHARED).ceil() as usize;
    terms.truncate(terms.len() - shared + 1);
    terms.into_iter().map(|(_, term)| term).collect()
}

/// Whether two texts have enough terms in common to be compared: attributions and joints are no terms, so that near
/// duplicates share most.
fn similar(one: &Features<'_>, other: &Features<'_>) -> bool {
    let (short, long) = (one.terms.len().min(other.terms.len()), one.terms.len().max(other.terms.len()));
    let least = SHARED - 0.15;
    if (short as f64) < long as f64 * least {
        return false;
    }
    let mut theirs = other.terms.iter().peekable();
    let shared = one.terms.iter().filter(|term| {
        while theirs.next_if(|other| other < term).is_some() {}
        theirs.next_if(|other| other == term).is_some()
    });
    shared.count() as f64 >= short as f64 * least
}

fn collect(items: &[Features<'_>], order: &[usize], union: &mut Union) -> Vec<Cluster> {
    // By its root, where a cluster is.
    let mut places: Vec<Option<usize>> = vec![None; items.len()];
    let mut clusters: Vec<Cluster> = Vec::new();
    for &item in order {
        let root = union.root(item);
        match places[root] {
            Some(place) => {
                let cluster = &mut clusters[place];
                cluster.members.push(item);
                if items[item].text.len() > items[cluster.representative].text.len() {
                    cluster.representative = item;
                }
            }
            None => {
                places[root] = Some(clusters.len());
                clusters.push(Cluster { representative: item, members: vec![item] });
            }
        }
    }
    clusters
}
