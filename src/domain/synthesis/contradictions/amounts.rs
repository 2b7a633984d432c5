//! Amounts of the same thing that are told in different forms: in a cell of a table, an item below a heading, a member of JSON, a sentence.
//!
//! What such a form is about stands beside it. `Qdrant | 12 ms` below `Database | p99 latency`, `p99 latency: 12 ms` below `Qdrant` and
//! `{"qdrant": {"p99_latency_ms": 12}}` all say what `Qdrant's p99 latency is 12 ms` does. So two amounts are of the same where the words
//! that say what they are of are the same: those of the row and of the head of its column, of the label and of the heading, of the keys,
//! of the sentence; with the years and other figures among them. What names no thing is none, and who says several amounts of the same
//! tells them apart by more. Of what others have as well, such as plans, one may differ, or fewer than are the same. Of a thing of its own two
//! may, but for what is another in every test.
//! Each is compared with [`CHECKS_MAX`] others at most.

use std::collections::{BTreeMap, BTreeSet};

use self::cells::of_rows;
use self::items::of_item;
use self::lines::{Lines, bare};
use self::members::of_members;
use self::sentences::{Told, of_sentence};
pub(super) use self::value::{Value, is_amount, varies};
use super::between::independent;
use super::differ::Difference;
use super::elsewhere::are_of_others;
use super::{CHECKS_MAX, Kind};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Statement, are_headed_alike, are_tasks_of_others};
use crate::domain::text::terms::TermSet;
use crate::domain::text::words::{Lexicon, Term};

mod cells;
mod items;
mod lines;
mod members;
mod sentences;
#[cfg(test)]
mod tests;
mod value;
mod words;

/// An amount, and what it is of.
struct Amount<'f> {
    at: usize,
    form: Form,
    /// What it may be called: each has all words that say what it is of, ascending.
    called: Vec<Called>,
    value: Value<'f>,
    /// Whether what it is of is a thing of its own, not one that others have as well.
    is_named: bool,
}

/// Words that say what an amount is of.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Called {
    words: Vec<Term>,
    /// Whether those of the lines above are among them.
    by_lines: bool,
}

/// How many amounts of a thing of its own may differ.
const DIFFERING_MAX: usize = 2;

/// In which form an amount is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Cell,
    Item,
    Member,
    Sentence,
}

/// Of two subagents, how many amounts that both tell in other forms than sentences are the same, and how many aren't.
type Tallies<'s> = BTreeMap<[&'s str; 2], (usize, usize)>;

/// Statements with what was read of them.
struct All<'a, 't> {
    statements: &'a [Statement<'t>],
    features: &'a [&'a Features<'t>],
}

/// The pairs that differ, and how many were compared. `order` are the statements in an order of their own.
pub(super) fn differences<'t>(
    order: &[usize],
    statements: &[Statement<'t>],
    features: &[&Features<'t>],
    lexicon: &mut Lexicon,
) -> (Vec<([usize; 2], Difference)>, usize) {
    let (all, mut lines) = (All { statements, features }, Lines::default());
    let mut amounts = of_rows(order, &all, &mut lines, lexicon);
    for &at in order {
        amounts.extend(of_item((at, &statements[at], features[at]), &mut lines, lexicon));
        amounts.extend(of_members((at, &statements[at]), lexicon));
    }
    if amounts.is_empty() {
        return Default::default();
    }
    let known: TermSet =
        amounts.iter().flat_map(|amount| &amount.called).flat_map(|called| &called.words).copied().collect();
    let called: BTreeSet<&[Term]> =
        amounts.iter().flat_map(|amount| &amount.called).map(|called| called.words.as_slice()).collect();
    let told =
        Told { has: &|term| known.contains(&term), is_called: &|words: &[Term]| called.contains(words) };
    let mut in_sentences = Vec::new();
    for &at in order {
        in_sentences.extend(of_sentence((at, &statements[at], features[at]), &told, &mut lines, lexicon));
    }
    amounts.extend(in_sentences);
    between(&all, &amounts, &mut lines, lexicon)
}

/// A pair whose amounts differ.
struct Found<'a, 'f> {
    both: [(&'a Amount<'f>, bool); 2],
    who: [&'a str; 2],
}

fn between<'t>(
    all: &All<'_, 't>,
    amounts: &[Amount<'_>],
    lines: &mut Lines<'t>,
    lexicon: &mut Lexicon,
) -> (Vec<([usize; 2], Difference)>, usize) {
    let mut same: BTreeMap<&[Term], Vec<(usize, bool)>> = BTreeMap::new();
    for (place, amount) in amounts.iter().enumerate() {
        for called in &amount.called {
            same.entry(&called.words).or_default().push((place, called.by_lines));
        }
    }
    let mut seen: BTreeSet<[usize; 2]> = BTreeSet::new();
    let mut tallies: Tallies<'_> = BTreeMap::new();
    let mut found: Vec<Found<'_, '_>> = Vec::new();
    let mut checked = 0;
    for group in same.values().filter(|group| group.len() > 1) {
        let alone = alone(all, amounts, group, lexicon);
        for (rank, &(one, mine)) in alone.iter().enumerate() {
            for &(other, theirs) in &alone[rank + 1..] {
                let [a, b] = [&amounts[one], &amounts[other]];
                if !may_compare(all, a, b) || !seen.insert([one, other]) {
                    continue;
                }
                checked += 1;
                let Some(agree) = a.value.agrees(&b.value, lexicon) else { continue };
                let mut who = [a, b].map(|amount| all.statements[amount.at].subagent);
                who.sort_unstable();
                if a.form != Form::Sentence && b.form != Form::Sentence {
                    let tally = tallies.entry(who).or_default();
                    *(if agree { &mut tally.0 } else { &mut tally.1 }) += 1;
                }
                if !agree {
                    found.push(Found { both: [(a, mine), (b, theirs)], who });
                }
            }
        }
    }
    found.retain(|found| stands(found, &tallies, lexicon) && !are_apart(all, found, lines, lexicon));
    let differing = |found: Found<'_, '_>| {
        let mut both = found.both.map(|(amount, _)| amount);
        both.sort_by_key(|amount| all.statements[amount.at].text);
        let [one, other] = both;
        let difference = Difference::new(Kind::Number, one.value.written(), other.value.written());
        ([one.at, other.at], difference)
    };
    (found.into_iter().map(differing).collect(), checked)
}

/// Of those that are called the same, the first of each statement, but for those of who says several amounts of it.
fn alone(
    all: &All<'_, '_>,
    amounts: &[Amount<'_>],
    group: &[(usize, bool)],
    lexicon: &mut Lexicon,
) -> Vec<(usize, bool)> {
    let mut by: BTreeMap<&str, Vec<(usize, bool)>> = BTreeMap::new();
    for &(place, by_lines) in group.iter().take(CHECKS_MAX) {
        by.entry(all.statements[amounts[place].at].subagent).or_default().push((place, by_lines));
    }
    by.retain(|_, own| {
        let (first, _) = own[0];
        own[1..]
            .iter()
            .all(|&(place, _)| amounts[first].value.agrees(&amounts[place].value, lexicon) == Some(true))
    });
    by.into_values().flatten().collect()
}

/// Whether two are told by others, and not both in sentences, or in rows of one table, which are compared as such.
fn may_compare(all: &All<'_, '_>, one: &Amount<'_>, other: &Amount<'_>) -> bool {
    let (a, b) = (&all.statements[one.at], &all.statements[other.at]);
    let are_sentences = one.form == Form::Sentence && other.form == Form::Sentence;
    let are_rows =
        || a.row.zip(b.row).is_some_and(|(mine, theirs)| mine.heads(a.text) == theirs.heads(b.text));
    one.at != other.at && !are_sentences && independent(a, b) && !are_rows()
}

/// Whether a difference is none of another thing that is called the same.
fn stands(found: &Found<'_, '_>, tallies: &Tallies<'_>, lexicon: &mut Lexicon) -> bool {
    let [(one, _), (other, _)] = found.both;
    let (same, others) = tallies.get(&found.who).copied().unwrap_or_default();
    let is_named = one.is_named || other.is_named || found.both.iter().any(|(_, by_lines)| *by_lines);
    let in_sentence = one.form == Form::Sentence || other.form == Form::Sentence;
    let are_named = one.is_named && other.is_named;
    let mut is_lasting = || !one.value.varies(lexicon) && !other.value.varies(lexicon);
    others <= same
        || is_named && in_sentence
        || others <= 1 && (is_named || in_sentence)
        || others <= DIFFERING_MAX && are_named && is_lasting()
}

/// Whether what stands around two says that they are of others, of other times, or meant otherwise.
fn are_apart<'t>(
    all: &All<'_, 't>,
    found: &Found<'_, '_>,
    lines: &mut Lines<'t>,
    lexicon: &mut Lexicon,
) -> bool {
    let [(mine, a), (theirs, b)] = found.both.map(|(amount, by_lines)| {
        let statement = &all.statements[amount.at];
        ((statement, amount), bare(statement, by_lines))
    });
    let (one, other) = ((&a, all.features[mine.1.at]), (&b, all.features[theirs.1.at]));
    !are_headed_alike(one, other)
        || are_of_others(one, other, lexicon)
        || are_tasks_of_others(mine.0.around.task, theirs.0.around.task, lexicon)
        || lines.tell_apart([mine, theirs], lexicon)
}
