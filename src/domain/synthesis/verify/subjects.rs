//! Names that a claim says something of, where the sentence that it was made from says it of others.

use super::evidence::Evidence;
use super::scope::{clauses, tokens};
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::claims::names_differ;
use crate::domain::text::words::Term;

/// From this share on a claim that isn't longer is a copy, in which a name of its own replaces something.
const COPIED_MIN: f64 = 0.8;

/// Whether a claim, with `share` of its words from a sentence, says of one what the sentence says of another.
pub(super) fn speaks_of_another(
    claim: &Features<'_>,
    said: &Features<'_>,
    share: f64,
    evidence: &Evidence<'_>,
) -> bool {
    let copied = share >= COPIED_MIN && claim.terms.len() <= said.terms.len();
    names_differ(claim, said)
        || first_differs(claim, said)
        || attributed_otherwise(claim, said)
        || subject_of_insertion(claim, said)
        || told_of_another(claim, said)
        || (copied && (brings_name(claim, said) || brings_subject(claim, said, evidence)))
}

/// Whether each says it according to somebody whom the other doesn't name.
fn attributed_otherwise(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let names = |of: &Features<'_>, other: &Features<'_>| {
        let named = |element: &&Element| {
            element.role == Role::Attribution && of.text[element.start..].starts_with(char::is_uppercase)
        };
        let lacks = |element: &Element| !other.elements.iter().any(|own| own.term == element.term);
        // The first word of a sentence is no name for being capitalised.
        of.elements.iter().skip(1).filter(named).any(lacks)
    };
    names(claim, said) && names(said, claim)
}

/// Whether it begins with a name that stands in a clause of its own, and goes on with what is said of another: of `Acme, run
/// by Globex, is the largest` it makes `Globex is the largest`.
fn subject_of_insertion(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let Some(first) = claim.elements.first().filter(|first| {
        matches!(first.role, Role::Content | Role::Name)
            && claim.text[first.start..].starts_with(char::is_uppercase)
    }) else {
        return false;
    };
    let parts = clauses(said.text, |_| false);
    let clause = |start: usize| parts.iter().position(|part| part.contains(&start));
    let place = |term: Term| said.elements.iter().find(|element| element.term == term);
    let Some(own) = place(first.term).and_then(|element| clause(element.start)).filter(|own| *own > 0) else {
        return false;
    };
    let rest: Vec<&Element> = claim.elements[1..].iter().filter_map(|element| place(element.term)).collect();
    let Some(from) = rest.iter().map(|element| element.start).min() else { return false };
    let elsewhere = rest.len() >= 2 && rest.iter().all(|element| clause(element.start) != Some(own));
    let is_left_out = |name: &Element| {
        let capital = said.text[name.start..].starts_with(char::is_uppercase);
        capital && name.start < from && !claim.elements.iter().any(|element| element.term == name.term)
    };
    elsewhere && said.elements.iter().any(|name| is_left_out(name) && clause(name.start) != Some(own))
}

/// Whether it begins with a name to whom, or by whom, something is told of another: of `Peter told Paul that Mary had resigned`
/// it makes `Paul had resigned`.
fn told_of_another(claim: &Features<'_>, said: &Features<'_>) -> bool {
    const LEADING: &[&str] = &["that", "dass", "que"];
    let leads = tokens(said.text).find(|(_, word)| LEADING.contains(&word.as_str()));
    let (Some((that, _)), Some(first)) = (leads, claim.elements.first()) else { return false };
    let capital =
        |of: &Features<'_>, element: &Element| of.text[element.start..].starts_with(char::is_uppercase);
    let place =
        |term: Term| said.elements.iter().rfind(|element| element.term == term).map(|element| element.start);
    let rest: Vec<usize> = claim.elements[1..].iter().filter_map(|element| place(element.term)).collect();
    let subject = said.elements.iter().find(|element| element.start > that.end);
    let is_left_out =
        |name: &Element| capital(said, name) && claim.elements.iter().all(|own| own.term != name.term);
    capital(claim, first)
        && place(first.term).is_some_and(|at| at < that.start)
        && !rest.is_empty()
        && rest.iter().all(|at| *at > that.end)
        && subject.is_some_and(is_left_out)
}

/// Whether its subject is taken from elsewhere, and left out a name that the other has.
fn brings_subject(claim: &Features<'_>, said: &Features<'_>, evidence: &Evidence<'_>) -> bool {
    let knows = |of: &Features<'_>, term: Term| of.elements.iter().any(|element| element.term == term);
    let first = claim.elements.first().filter(|first| {
        matches!(first.role, Role::Content | Role::Name)
            && !first.marked
            && claim.text[first.start..].starts_with(char::is_uppercase)
    });
    let is_new = |term: Term| !knows(said, term) && evidence.knows(term);
    let mut left_out =
        said.elements.iter().filter(|name| name.role == Role::Name && !knows(claim, name.term));
    first.is_some_and(|first| is_new(first.term)) && left_out.next().is_some()
}

/// Whether it has a name that the other hasn't.
fn brings_name(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let mut names = claim.elements.iter().filter(|element| element.role == Role::Name);
    names.any(|name| said.terms.binary_search(&name.term).is_err())
}

/// Whether each begins with a capitalised word that the other hasn't, as where the subject is another.
fn first_differs(claim: &Features<'_>, said: &Features<'_>) -> bool {
    fn first(of: &Features<'_>) -> Option<Term> {
        let first = of.elements.first().filter(|first| matches!(first.role, Role::Content | Role::Name))?;
        of.text[first.start..].starts_with(char::is_uppercase).then_some(first.term)
    }
    let lacks = |of: &Features<'_>, term: Option<Term>| {
        term.is_some_and(|term| of.terms.binary_search(&term).is_err())
    };
    lacks(said, first(claim)) && lacks(claim, first(said))
}
