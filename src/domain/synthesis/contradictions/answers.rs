//! Bare answers to one question: `Yes.` and `No.`, `5 days` and `7 days`, `It is allowed.` and `It is not allowed.`
//!
//! What they are about stands in the question alone, so the other rules find nothing that they share. They are held against each
//! other only where the question asks one thing, each is the first that its result says, and its result says no other of the kind, or
//! it is called the answer: `Final answer: 6`.
//! Linear in the results: each is compared with [`CHECKS_MAX`] others at most.

use std::collections::BTreeMap;
use std::ops::Range;

use self::asked::Allowed;
pub(super) use self::asked::asks_for_several;
pub(in crate::domain::synthesis) use self::bare::is_called_answer;
use self::bare::{BYTES_MAX, Bare, bare, is_plain, reply_of};
pub(super) use self::named::{Named, cause, few_words, product};
use super::apart::are_apart;
use super::between::{independent, key};
use super::differ::Difference;
use super::elsewhere::are_of_others;
use super::{CHECKS_MAX, Kind};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Statement, are_headed_alike, are_tasks_of_others, names_differ};
use crate::domain::text::words::{Lexicon, Term};

mod asked;
mod bare;
mod named;
#[cfg(test)]
mod tests;

/// Statements of a result that are asked whether they are another answer.
const OTHERS_MAX: usize = 16;
/// Of those that say the same in the same words, so many are asked whether they are another's.
const ALIKE_MAX: usize = 4;

/// What was asked, and what each result says to it.
#[derive(Debug, Clone, Default)]
pub struct Asked<'q> {
    /// What was asked.
    pub query: &'q str,
    /// By result the places of its statements, but for those of twins of others.
    pub results: Vec<Range<usize>>,
}

/// What was found, and how much was compared.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) found: Vec<([usize; 2], Difference)>,
    pub(super) pairs_checked: usize,
    /// How many have more others than they were compared with.
    pub(super) unchecked: usize,
}

/// What may contradict each other.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Reply(bool),
    Said(Vec<Term>, bool),
    Figure,
    Named,
}

/// Statements with the same words.
struct Group<'t> {
    bare: Bare<'t>,
    /// Whether nothing else is said by the results that say it.
    is_all: bool,
    members: Vec<usize>,
}

/// Whether a text is a bare yes or no, and which.
pub(in crate::domain::synthesis) fn replies(text: &str) -> Option<bool> {
    match reply_of(text).filter(|_| text.len() <= BYTES_MAX)? {
        Bare::Reply { is_yes, .. } => Some(is_yes),
        Bare::Said { .. } | Bare::Figure(_) | Bare::Named(_) => None,
    }
}

/// The answers that can't both be right.
pub(super) fn differences(
    asked: &Asked<'_>,
    statements: &[Statement<'_>],
    features: &[&Features<'_>],
) -> Answers {
    let mut answers = Answers::default();
    let groups = groups(asked, statements, features);
    if groups.len() < 2 {
        return answers;
    }
    let allowed = Allowed::by(asked.query);
    let mut lexicon = Lexicon::default();
    let mut classes: BTreeMap<Class, Vec<&Group<'_>>> = BTreeMap::new();
    // By their texts, so that nothing depends on who was first.
    for group in groups.values().filter(|group| allowed.may_differ(&group.bare, group.is_all)) {
        let (own, opposite) = classes_of(&group.bare);
        let others = classes.get(&opposite).map(Vec::as_slice).unwrap_or_default();
        answers.unchecked += usize::from(others.len() > CHECKS_MAX);
        for other in others.iter().rev().take(CHECKS_MAX) {
            let Some(places) = pair(other, group, statements) else { continue };
            answers.pairs_checked += 1;
            let both = places.map(|at| (&statements[at], features[at]));
            if let Some(difference) = other.bare.difference(&group.bare, both.map(|(_, of)| of), &allowed)
                && are_of_one(both[0], both[1], &difference, &mut lexicon)
            {
                answers.found.push((places, difference));
            }
        }
        classes.entry(own).or_default().push(group);
    }
    answers
}

/// The bare answers, by their words.
fn groups<'f>(
    asked: &Asked<'_>,
    statements: &[Statement<'f>],
    features: &[&'f Features<'_>],
) -> BTreeMap<&'f str, Group<'f>> {
    let mut groups: BTreeMap<&str, Group<'f>> = BTreeMap::new();
    for of_result in asked.results.iter().filter(|places| !places.is_empty()) {
        let Some((at, is_called)) = answer(of_result.clone(), features) else { continue };
        let Some(first) = bare(features[at]) else { continue };
        let mut others = (at + 1..of_result.end).take(OTHERS_MAX);
        let is_another = |at: usize| bare(features[at]).is_some_and(|other| first.is_like(&other));
        // What stands behind it in its paragraph may say when it holds.
        let behind = others.clone().next().map(|at| &statements[at]);
        let is_limited = behind.is_some_and(|next| !next.around.before.is_empty() && !is_plain(next.text));
        if is_limited || !is_called && others.any(is_another) {
            continue;
        }
        let new = Group { bare: first, is_all: true, members: Vec::new() };
        let group = groups.entry(statements[at].text).or_insert(new);
        group.members.push(at);
        group.is_all &= is_called || of_result.len() == 1;
    }
    for group in groups.values_mut() {
        group.members.sort_by(|&a, &b| key(&statements[a]).cmp(&key(&statements[b])));
    }
    groups
}

/// The statement of a result that may be its answer, and whether it is called so: then it may stand anywhere, where no other is.
fn answer(of_result: Range<usize>, features: &[&Features<'_>]) -> Option<(usize, bool)> {
    let mut called = of_result.clone().filter(|at| is_called_answer(features[*at].text));
    match (called.next(), called.next()) {
        (None, _) => Some((of_result.start, false)),
        (Some(at), None) => Some((at, true)),
        (Some(_), Some(_)) => None,
    }
}

/// What an answer is, and what contradicts it.
fn classes_of(bare: &Bare<'_>) -> (Class, Class) {
    match bare {
        Bare::Reply { is_yes, .. } => (Class::Reply(*is_yes), Class::Reply(!is_yes)),
        Bare::Said { words, is_denied, .. } => {
            (Class::Said(words.clone(), *is_denied), Class::Said(words.clone(), !is_denied))
        }
        Bare::Figure(_) => (Class::Figure, Class::Figure),
        Bare::Named(_) => (Class::Named, Class::Named),
    }
}

/// One of each that are of different subagents or sources.
fn pair(one: &Group<'_>, other: &Group<'_>, statements: &[Statement<'_>]) -> Option<[usize; 2]> {
    let mine = one.members.iter().take(ALIKE_MAX);
    let mut pairs = mine.flat_map(|&a| other.members.iter().take(ALIKE_MAX).map(move |&b| [a, b]));
    pairs.find(|[a, b]| independent(&statements[*a], &statements[*b]))
}

/// Whether nothing says that they are about others, or hold under other conditions.
fn are_of_one(
    (a, one): (&Statement<'_>, &Features<'_>),
    (b, other): (&Statement<'_>, &Features<'_>),
    difference: &Difference,
    lexicon: &mut Lexicon,
) -> bool {
    // Where a name is the answer, another one isn't what it is about.
    let are_about_others = |lexicon: &mut Lexicon| {
        are_of_others((a, one), (b, other), lexicon) || names_differ(one, other) || are_apart(one, other)
    };
    are_headed_alike((a, one), (b, other))
        && !are_tasks_of_others(a.around.task, b.around.task, lexicon)
        && (difference.kind == Kind::Answer || !are_about_others(lexicon))
}
