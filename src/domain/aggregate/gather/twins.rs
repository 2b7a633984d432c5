//! Results that say the same: one of them is listed, and the others count with it.

use std::collections::BTreeMap;

use super::{Kept, terms};
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::{Features, clusters, may_repeat};
use crate::domain::synthesis::claims;
use crate::domain::text::words::{Lexicon, Term};

/// Results whose terms are all compared, each with each: of more that takes longer than it spares.
const COMPARED_MAX: usize = 64;

/// Marks the twins of more relevant results. A part of a result isn't taken for the whole, nor what was said of one thing for what was
/// said of another.
pub(super) fn merge(kept: &mut [Kept], lexicon: &mut Lexicon) {
    let alike = truly_alike(kept, alike(kept));
    if !may_repeat(alike.iter().map(|&at| (kept[at].input.content.as_str(), kept[at].words.as_slice()))) {
        return;
    }
    let features = |&at: &usize| Features::of_words(&kept[at].input.content, kept[at].words.clone());
    let features: Vec<_> = alike.iter().map(features).collect();
    let clusters = clusters(&features).clusters;
    if clusters.iter().all(|cluster| cluster.members.len() == 1) {
        return;
    }
    let subjects = Subjects::of(kept, lexicon);
    let mut twins = BTreeMap::new();
    for cluster in clusters {
        let mut members: Vec<usize> = cluster.members.iter().map(|&member| alike[member]).collect();
        members.sort_unstable();
        // Those that are listed, by rank.
        let mut listed: Vec<usize> = Vec::new();
        for member in members {
            let is_its = |of: &&usize| {
                kept[**of].partial == kept[member].partial && !subjects.are_others(kept, **of, member)
            };
            match listed.iter().find(is_its) {
                Some(of) => drop(twins.insert(member, *of)),
                None => listed.push(member),
            }
        }
    }
    for (twin, of) in twins {
        kept[twin].twin_of = Some(of);
    }
}

/// What tells the results' tasks apart, where they ask the same of different things.
struct Subjects(Vec<Vec<Term>>);

impl Subjects {
    fn of(kept: &[Kept], lexicon: &mut Lexicon) -> Self {
        let tasks: Vec<&str> =
            kept.iter().map(|kept| kept.input.task.as_deref().unwrap_or_default()).collect();
        let told_apart = claims::told_apart(&tasks, lexicon);
        Self(told_apart.into_iter().map(|subject| lexicon.terms(subject)).collect())
    }

    /// Whether two were asked of different things, and neither says itself which it is of: `$10 a month` is said of both.
    fn are_others(&self, kept: &[Kept], one: usize, other: usize) -> bool {
        let says = |at: usize, term: &Term| kept[at].words.iter().any(|word| word.term == *term);
        let (mine, theirs) = (&self.0[one], &self.0[other]);
        let is_unsaid = |terms: &[Term]| terms.iter().any(|term| !says(one, term) && !says(other, term));
        mine != theirs && is_unsaid(mine) && is_unsaid(theirs)
    }
}

/// The results that may have a twin. Reading a long text closely costs more than all else that is done with it, so only
/// those are that share half of a sketch with another: its least terms (bottom-k sketch, Cohen and Kaplan 2007).
fn alike(kept: &[Kept]) -> Vec<usize> {
    let sketches: Vec<&[Term]> = kept.iter().map(|kept| kept.sketch.as_slice()).collect();
    let has_twin = |at: &usize| {
        let others = sketches.iter().enumerate().filter(|(other, _)| other != at);
        others.map(|(_, sketch)| sketch).any(|other| share_half(sketches[*at], other))
    };
    (0..kept.len()).filter(has_twin).collect()
}

/// Those of them that share half of all their terms with another, too: a sketch only guesses, and near duplicates share more.
fn truly_alike(kept: &[Kept], alike: Vec<usize>) -> Vec<usize> {
    if alike.len() > COMPARED_MAX {
        return alike;
    }
    let terms_of = |&at: &usize| distinct(terms(&kept[at].input.content, &kept[at].words));
    let terms: Vec<Vec<Term>> = alike.iter().map(terms_of).collect();
    let has_twin = |at: usize| {
        let others = terms.iter().enumerate().filter(|(other, _)| *other != at);
        others.map(|(_, other)| other).any(|other| share_half(&terms[at], other))
    };
    (0..alike.len()).filter(|at| has_twin(*at)).map(|at| alike[at]).collect()
}

/// Whether two have half of the terms in common of the one with fewer. Both ascend, each term once.
fn share_half(one: &[Term], other: &[Term]) -> bool {
    let (fewer, more) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let mut more = more.iter().peekable();
    let shared = fewer.iter().filter(|term| {
        while more.next_if(|other| other < term).is_some() {}
        more.next_if(|other| other == term).is_some()
    });
    2 * shared.count() >= fewer.len()
}
