//! Two clauses that say the same of two, or two things of one: of `The red line opened in 2010 and the blue line in 2014` a claim makes
//! `The red line opened in 2014`, of `Ann sold the tower, but the city kept the land` it makes `The city sold the tower`.

use std::ops::Range;

use super::{FIGURES_MAX, clause};
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::verify::connecting::is_connecting;
use crate::domain::synthesis::verify::scope::{clauses, tokens};
use crate::domain::synthesis::verify::what::What;
use crate::domain::text::words::Term;

/// Words that join clauses in languages in which others don't.
#[rustfmt::skip]
const JOINTS: &[(&str, &[&str])] = &[
    ("Italian", &["e", "ed", "ma", "mentre"]),
    ("Portuguese", &["e", "mas", "enquanto"]),
    ("Dutch", &["en", "maar", "terwijl"]),
    ("Russian", &["и", "а", "но"]),
];
/// Those that join two statements, never two subjects.
#[rustfmt::skip]
const OPPOSING: &[&str] = &[
    "but", "while", "whereas", "although", "though", "aber", "während", "mais", "tandis", "pero", "mientras", "ma", "mentre", "mas", "enquanto", "maar", "terwijl", "но",
];

/// Chinese characters that join what one does to what he does as well.
const JOINING_WIDE: &[&str] = &["但", "而", "却", "并", "也", "则", "且"];

/// The clauses of a sentence in a language.
fn parts(text: &str, language: &str) -> Vec<Range<usize>> {
    let joints = JOINTS.iter().find(|(of, _)| *of == language).map_or(&[][..], |(_, listed)| *listed);
    clauses(text, |word| joints.contains(&word))
}

/// What a text says, by its terms, with where.
fn said_in(of: &Features<'_>) -> Vec<(Term, usize)> {
    let says = |element: &&Element| {
        let word = &of.text[element.start..element.end];
        let joins = || {
            OPPOSING.contains(&word.to_lowercase().as_str())
                || JOINING_WIDE.contains(&word)
                || is_connecting(word)
        };
        matches!(element.role, Role::Content | Role::Name | Role::Character) && !joins()
    };
    of.elements.iter().filter(says).map(|element| (element.term, element.start)).collect()
}

/// Whether a claim takes a figure from one clause, or what is done in it, for what another one speaks of.
pub(super) fn are_mixed(claim: &Features<'_>, said: &Features<'_>, language: &str) -> bool {
    let parts = parts(said.text, language);
    parts.len() > 1
        && (has_figure_of_another(claim, said, &parts) || does_what_another_does(claim, said, &parts))
}

/// Whether a claim says all that a clause says before its figure, with the figure of another clause, and leaves out what tells that one
/// apart.
fn has_figure_of_another(claim: &Features<'_>, said: &Features<'_>, parts: &[Range<usize>]) -> bool {
    let mine: Vec<What> = claim.figures.iter().take(FIGURES_MAX).map(What::of).collect();
    let words: Vec<Term> = said_in(claim).into_iter().map(|(term, _)| term).collect();
    let all = said_in(said);
    // What a claim says in words of its own can't be told.
    if words.is_empty() || !words.iter().all(|word| all.iter().any(|(term, _)| term == word)) {
        return false;
    }
    let theirs = said.figures.iter().take(FIGURES_MAX);
    let theirs: Vec<(What, usize, usize)> = theirs
        .filter_map(|figure| Some((What::of(figure), clause(parts, figure.start)?, figure.start)))
        .collect();
    let of = |part: usize| all.iter().filter(move |(_, start)| parts[part].contains(start));
    let has = |part: usize, term: Term| of(part).any(|(other, _)| *other == term);
    let own_words = |part: usize, other: usize, until: usize| -> Vec<Term> {
        let before = of(part).filter(|(term, start)| *start < until && !has(other, *term));
        before.map(|(term, _)| *term).collect()
    };
    mine.iter().any(|what| {
        let mut places = theirs.iter().filter(|(other, ..)| other == what);
        let (Some((_, own, start)), None) = (places.next(), places.next()) else { return false };
        let rivals = theirs
            .iter()
            .filter(|(other, part, _)| what.rivals(*other) && part != own && !mine.contains(other));
        rivals.into_iter().any(|(_, other, until)| {
            let (its, left) = (own_words(*other, *own, *until), own_words(*own, *other, *start));
            let takes_all = !its.is_empty() && its.iter().all(|term| words.contains(term));
            let leaves_out = left.iter().any(|term| !words.contains(term));
            // The later one may leave to the first what both do, not the other way round.
            let later = |part: usize| of(part).all(|(term, _)| words.contains(term));
            let uses_own = words.iter().any(|term| has(*own, *term) && !has(*other, *term));
            takes_all && leaves_out && if own < other { later(*other) } else { !uses_own }
        })
    })
}

/// Whether a claim begins with what one clause begins with, and goes on with what another clause says of something else.
fn does_what_another_does(claim: &Features<'_>, said: &Features<'_>, parts: &[Range<usize>]) -> bool {
    let (mine, all) = (said_in(claim), said_in(said));
    let of = |part: usize| all.iter().filter(move |(_, start)| parts[part].contains(start));
    let places = |term: Term| -> Vec<usize> {
        let mut places: Vec<usize> = all
            .iter()
            .filter(|(other, _)| *other == term)
            .filter_map(|(_, start)| clause(parts, *start))
            .collect();
        places.dedup();
        places
    };
    let Some((first, _)) = mine.first() else { return false };
    let [own] = places(*first)[..] else { return false };
    let begins = of(own).next().is_some_and(|(term, _)| term == first);
    let mut elsewhere = mine.iter().map(|(term, _)| places(*term)).filter(|places| !places.contains(&own));
    let Some(other) = elsewhere.next().and_then(|places| places.first().copied()) else { return false };
    let rest = mine.iter().skip(1).map(|(term, _)| places(*term));
    let in_other = rest.clone().filter(|places| places[..] == [other]).count();
    let begun = 1 + rest.clone().take_while(|places| places.contains(&own)).count();
    let is_of_both =
        rest.clone().all(|places| !places.is_empty() && (places.contains(&other) || places.contains(&own)));
    // Behind the words that go on with what both begin with: `the city council`.
    let then_other =
        rest.clone().skip_while(|places| places.contains(&own)).all(|places| places.contains(&other));
    let subject = of(other).next().map(|(term, _)| *term);
    let done = mine.iter().position(|(term, _)| places(*term)[..] == [other]);
    let says_itself = subject.is_some_and(|subject| {
        mine.iter().position(|(term, _)| *term == subject).is_none_or(|at| done.is_some_and(|done| at > done))
    });
    // Each does something of its own: two that are joined by `and` may do one thing together.
    let leaves_out = of(own).any(|(term, _)| !mine.iter().any(|(other, _)| other == term));
    begins
        && in_other >= begun
        && is_of_both
        && then_other
        && says_itself
        && leaves_out
        && oppose(said.text, &parts[own.max(other)])
}

/// Whether a clause is joined to what stands before it as a statement of its own.
fn oppose(text: &str, later: &Range<usize>) -> bool {
    let before = text[..later.start].trim_end();
    let first = tokens(&text[later.clone()]).next().map(|(_, word)| word);
    let divided = text[later.clone()].trim_start().starts_with([';', '；', '，', '、'])
        || before.ends_with([';', '；', '，', '、']);
    divided || first.is_some_and(|first| OPPOSING.contains(&first.as_str()))
}
