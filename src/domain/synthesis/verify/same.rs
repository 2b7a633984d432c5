//! Two sentences with nearly the same words: do they say the same, or was one thing changed?
//!
//! Support by words can't see that a figure was taken from elsewhere, that two names changed places, or that `not` was
//! put in. Held against the sentence that it is nearly equal to, a claim can't hide it.

use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::contradictions::differ::{agree, negations, opposite};
use crate::domain::text::figures::{Bound, Figure, Unit};
use crate::domain::text::language;

use super::bidden;
use super::bounds::{is_turned, meant_otherwise};
use super::certainty::raised;
use super::compared::is_turned_round;
use super::elsewhere::of_compared;
use super::evidence::Evidence;
use super::exact;
use super::intended::told_as_done;
use super::meaning::Tongue;
use super::mixed::is_mixed;
use super::narrowed::narrowed;
use super::order::keeps_roles;
use super::particles::left_out;
use super::reason::{Reason, shown};
use super::replaced::replaced;
use super::scope::is_negated;
use super::sequence;
use super::sides::{are_exchanged, figures_are_exchanged};
use super::subjects::speaks_of_another;
use super::substituted::{inserted, substituted};
use super::times::at_another_time;

/// What a claim changes in the sentence that it has `share` of its words from; `whole` is the sentence
/// of which it may be a part, `tongue` their language, `quotes` where it has a quotation of it.
pub(super) fn changed(
    (claim, whole, tongue): (&Features<'_>, &str, Option<&Tongue>),
    said: &Features<'_>,
    share: f64,
    quotes: bool,
    evidence: &Evidence<'_>,
) -> Option<Reason> {
    let told = |code, what: String| {
        Some(Reason::new(code, format!("{what}; the source says: “{}”", shown(said.text))))
    };
    if (negations(claim) == 1) != is_negated(claim, said) {
        return told("negation_turned", "a negation was put in or taken out".to_owned());
    }
    if let Some((code, what)) = exact::changed((claim, whole), said) {
        return told(code, what);
    }
    if let Some((mine, theirs)) = opposite(claim, said) {
        let (mine, theirs) = (&claim.text[mine.start..mine.end], &said.text[theirs.start..theirs.end]);
        return told("opposite", format!("“{mine}” is the opposite of “{theirs}”"));
    }
    if let Some((mine, theirs)) = replaced(claim, said) {
        let what = if theirs.is_empty() { "doesn't".to_owned() } else { format!("has “{theirs}”") };
        return told("opposite", format!("“{mine}” stands where the source {what}"));
    }
    let language = tongue.map_or_else(|| language::told(said.text), Tongue::name);
    if let Some(word) = raised((claim, whole), said, language) {
        return told("certainty_raised", format!("it is said for certain, the source says “{word}”"));
    }
    if let Some(part) = narrowed(claim, whole, said, evidence) {
        return told("certainty_raised", format!("it leaves out “{}”", shown(&part)));
    }
    if let Some(words) = told_as_done(claim.text, said.text).filter(|_| language == "English") {
        return told("certainty_raised", format!("it is told as done, the source says “{words}”"));
    }
    if let Some((mine, theirs)) = bidden::otherwise(claim.text, said.text) {
        return told("opposite", format!("“{mine}” stands where the source has “{theirs}”"));
    }
    if let Some((mine, theirs)) = left_out(claim.text, said.text) {
        return told("opposite", format!("“{mine}” stands where the source has “{theirs}”"));
    }
    if sequence::is_turned(claim, said, language) {
        return told("order_changed", "what came first comes later".to_owned());
    }
    if let Some((mine, theirs)) = figure_changed(claim, said) {
        let (mine, theirs) = (&claim.text[mine.start..mine.end], &said.text[theirs.start..theirs.end]);
        return told("figure_misplaced", format!("the figure {mine} stands where the source has {theirs}"));
    }
    if let Some((mine, theirs)) = meant_otherwise(claim, said) {
        let (mine, theirs) = (before_and(claim.text, mine), before_and(said.text, theirs));
        return told("figure_misplaced", format!("“{mine}” stands where the source has “{theirs}”"));
    }
    if let Some((mine, theirs)) = of_compared(claim, said).or_else(|| at_another_time(claim, said)) {
        return told("figure_misplaced", format!("“{mine}” stands where the source has “{theirs}”"));
    }
    if are_exchanged(claim, said) {
        return told("order_changed", "opposites changed places".to_owned());
    }
    if is_turned(claim, said) || is_turned_round(claim.text, said.text) {
        return told("order_changed", "a change goes the other way".to_owned());
    }
    if speaks_of_another(claim, said, share, evidence) {
        return told("names_swapped", "a name stands where the source has another".to_owned());
    }
    // What is quoted word for word may stand before or after who says it.
    if !quotes && !keeps_roles(claim, said, tongue) {
        return told("order_changed", "names or figures changed places".to_owned());
    }
    if figures_are_exchanged(claim, said) {
        return told("figure_misplaced", "figures changed places".to_owned());
    }
    let is_english = language == "English";
    if is_mixed(claim, said, language) {
        return told("order_changed", "it mixes what is said of two".to_owned());
    }
    let tongue = tongue.cloned().or_else(|| is_english.then(Tongue::english))?;
    if !quotes && let Some((mine, theirs)) = substituted(claim, said, &tongue) {
        return told("unsupported", format!("“{mine}” stands where the source has “{theirs}”"));
    }
    if is_english && let Some(word) = inserted(claim, said, evidence, &tongue) {
        return told("unsupported", format!("nothing is said of “{word}”"));
    }
    None
}

/// A figure, with the word before it.
pub(super) fn before_and<'t>(text: &'t str, figure: &Figure) -> &'t str {
    let before = text[..figure.start].trim_end();
    let from = before.rfind(' ').map_or(0, |space| space + 1);
    text[from..figure.end].trim()
}

/// A figure that the other hasn't, where the other has one of that unit that the first hasn't.
fn figure_changed<'f>(claim: &'f Features<'_>, said: &'f Features<'_>) -> Option<(&'f Figure, &'f Figure)> {
    const FIGURES_MAX: usize = 64;
    fn only<'f>(one: &'f Features<'_>, other: &Features<'_>) -> Vec<&'f Figure> {
        let known = |figure: &Figure| {
            let mut others = other.figures.iter().take(FIGURES_MAX);
            others.any(|other| {
                figure.comparable(other)
                    && agree(figure, other)
                    && ends_agree(figure, other)
                    && limits_agree(figure, other)
            })
        };
        one.figures.iter().take(FIGURES_MAX).filter(|figure| !known(figure)).collect()
    }
    let (mine, theirs) = (only(claim, said), only(said, claim));
    mine.iter().find_map(|mine| {
        let is_date = |figure: &Figure| figure.unit == Unit::Date;
        let of_kind = |theirs: &&&Figure| is_date(theirs) == is_date(mine);
        let other = theirs.iter().find(|theirs| mine.comparable(theirs)).or(theirs.iter().find(of_kind));
        other.map(|theirs| (*mine, *theirs))
    })
}

/// `up to 2` and `up to 4` contradict each other nowhere, and say something else.
fn limits_agree(one: &Figure, other: &Figure) -> bool {
    let limits = |figure: &Figure| matches!(figure.bound, Bound::AtLeast | Bound::AtMost);
    !(limits(one) || limits(other)) || (one.low, one.high) == (other.low, other.high)
}

/// Spans of years with another end aren't the same, though they overlap.
fn ends_agree(one: &Figure, other: &Figure) -> bool {
    let spans = |(first, last): (u64, u64)| first < last;
    match (one.years(), other.years()) {
        (Some(one), Some(other)) => !spans(one) || !spans(other) || one == other,
        _ => true,
    }
}
