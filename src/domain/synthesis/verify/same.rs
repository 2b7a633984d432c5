//! Two sentences with nearly the same words: do they say the same, or was one thing changed?
//!
//! Support by words can't see that a figure was taken from elsewhere, that two names changed places, or that `not` was
//! put in. Held against the sentence that it is nearly equal to, a claim can't hide it.

use crate::domain::aggregate::near_duplicates::{Features, Role, order_is_kept};
use crate::domain::synthesis::claims::names_differ;
use crate::domain::synthesis::contradictions::differ::{agree, negations, opposite};
use crate::domain::text::figures::Figure;
use crate::domain::text::words::Term;

use super::bounds::{is_turned, meant_otherwise};
use super::reason::{Reason, shown};

/// From this share on a claim that isn't longer is a copy, in which a name of its own replaces something.
const COPIED_MIN: f64 = 0.8;

/// What a claim changes in the sentence that it has `share` of its words from; `quotes` where it has a quotation of it.
pub(super) fn changed(claim: &Features<'_>, said: &Features<'_>, share: f64, quotes: bool) -> Option<Reason> {
    let told = |code, what: String| {
        Some(Reason::new(code, format!("{what}; the source says: “{}”", shown(said.text))))
    };
    if negations(claim) != negations(said) {
        return told("negation_turned", "a negation was put in or taken out".to_owned());
    }
    if let Some((mine, theirs)) = opposite(claim, said) {
        let (mine, theirs) = (&claim.text[mine.start..mine.end], &said.text[theirs.start..theirs.end]);
        return told("opposite", format!("“{mine}” is the opposite of “{theirs}”"));
    }
    if let Some((mine, theirs)) = figure_changed(claim, said) {
        let (mine, theirs) = (&claim.text[mine.start..mine.end], &said.text[theirs.start..theirs.end]);
        return told("figure_misplaced", format!("the figure {mine} stands where the source has {theirs}"));
    }
    if let Some((mine, theirs)) = meant_otherwise(claim, said) {
        let (mine, theirs) = (before_and(claim.text, mine), before_and(said.text, theirs));
        return told("figure_misplaced", format!("“{mine}” stands where the source has “{theirs}”"));
    }
    if is_turned(claim, said) {
        return told("order_changed", "a change goes the other way".to_owned());
    }
    let copied = share >= COPIED_MIN && claim.terms.len() <= said.terms.len();
    if names_differ(claim, said) || first_differs(claim, said) || (copied && brings_name(claim, said)) {
        return told("names_swapped", "a name stands where the source has another".to_owned());
    }
    // What is quoted word for word may stand before or after who says it.
    if !quotes && !order_is_kept(claim, said) {
        return told("order_changed", "names or figures changed places".to_owned());
    }
    None
}

/// A figure, with the word before it.
fn before_and<'t>(text: &'t str, figure: &Figure) -> &'t str {
    let before = text[..figure.start].trim_end();
    let from = before.rfind(' ').map_or(0, |space| space + 1);
    text[from..figure.end].trim()
}

/// Whether it has a name that the other hasn't.
fn brings_name(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let mut names = claim.elements.iter().filter(|element| element.role == Role::Name);
    names.any(|name| said.terms.binary_search(&name.term).is_err())
}

/// A figure that the other hasn't, where the other has one of that unit that the first hasn't.
fn figure_changed<'f>(claim: &'f Features<'_>, said: &'f Features<'_>) -> Option<(&'f Figure, &'f Figure)> {
    const FIGURES_MAX: usize = 64;
    fn only<'f>(one: &'f Features<'_>, other: &Features<'_>) -> Vec<&'f Figure> {
        let known = |figure: &Figure| {
            let mut others = other.figures.iter().take(FIGURES_MAX);
            others.any(|other| figure.comparable(other) && agree(figure, other))
        };
        one.figures.iter().take(FIGURES_MAX).filter(|figure| !known(figure)).collect()
    }
    let (mine, theirs) = (only(claim, said), only(said, claim));
    mine.iter().find_map(|mine| {
        let other = theirs.iter().find(|theirs| mine.comparable(theirs)).or(theirs.first());
        other.map(|theirs| (*mine, *theirs))
    })
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
