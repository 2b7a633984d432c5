//! How two statements about the same differ, if they do.

use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::claims::{Statement, are_headed_alike, names_differ};
use crate::domain::text::figures::{Bound, Figure, Unit, clock_time};
use crate::domain::text::polarity::Marked;
use crate::domain::text::words::Term;

use super::Kind;
use super::alternatives::are_others;
use super::apart::are_apart;
use super::bounds::same_bounds;
use super::compared::{Figures, compatible_figures};
use super::contents::{Alike, TURNED, WORD};
use super::copula;
use super::dates::dates_fit;
use super::derived;
use super::main_clause::has_label;
use super::measured::counts::are_done_otherwise;
use super::narrowed::are_narrowed;
use super::numbered;
use super::rates::are_per_others;
use super::refuted;
use super::turned;

/// What differs, as it is written on both sides.
pub(super) struct Difference {
    pub(super) kind: Kind,
    pub(super) one: String,
    pub(super) other: String,
}

impl Difference {
    pub(super) fn new(kind: Kind, one: impl Into<String>, other: impl Into<String>) -> Self {
        Self { kind, one: one.into(), other: other.into() }
    }
}

/// What happens later where it doesn't before: `won't start before 2026`.
const BEGINS: [&str; 14] = [
    "start", "begin", "open", "reopen", "launch", "happen", "end", "come", "arrive", "ship", "resume",
    "apply", "close", "finish",
];
/// Opposites that are looked at in one statement.
const MARKS_MAX: usize = 32;

/// The one difference of two statements about the same subject. `is_near` says whether the same word must stand beside two figures that
/// differ.
pub(super) fn difference(
    (a, one): (&Statement<'_>, &Features<'_>),
    (b, other): (&Statement<'_>, &Features<'_>),
    contents: [&[Term]; 2],
    is_near: bool,
) -> Option<Difference> {
    let alike = Alike::of(contents[0], contents[1]);
    if names_differ(one, other)
        || !same_subject((a, one), (b, other), &alike)
        || are_others(one, other)
        || are_apart(one, other)
        || numbered::are_others(one, other)
        || are_done_otherwise(one, other)
        || refuted::refutes(one.text)
        || refuted::refutes(other.text)
    {
        return None;
    }
    if is_part(a, contents[0]) || is_part(b, contents[1]) {
        return None;
    }
    let flipped = negations(one) != negations(other);
    if flipped && denies_until(one.text) != denies_until(other.text) {
        return None;
    }
    let opposite = opposite(one, other);
    if opposite.is_some_and(|(mine, theirs)| turned::is_converse((one, mine), (other, theirs))) {
        return None;
    }
    if opposite.is_some_and(|(mine, theirs)| are_of_other_actors((one, mine), (other, theirs))) {
        return None;
    }
    let figures = match compatible_figures(one, other, is_near) {
        Figures::Unlike => derived::differing(one, other)
            .map_or(Figures::Unlike, |(mine, theirs)| Figures::Differ(Kind::Number, mine, theirs)),
        figures @ (Figures::Agree | Figures::Differ(..)) => figures,
    };
    match (figures, flipped, opposite) {
        (Figures::Differ(kind, mine, theirs), false, None)
            if !are_narrowed(one, other) && !are_per_others(one, other) =>
        {
            Some(Difference::new(kind, written(one, mine), written(other, theirs)))
        }
        (Figures::Agree, true, None) if alike.at_least(WORD) && same_bounds(one, other) => {
            Some(Difference::new(
                Kind::Negation,
                negation(one).unwrap_or_default(),
                negation(other).unwrap_or_default(),
            ))
        }
        (figures, false, Some((mine, theirs)))
            if alike.at_least(WORD) && matches!(figures, Figures::Agree)
                || alike.at_least(TURNED) && turned::figures_agree(one, mine, other, theirs) =>
        {
            Some(Difference::new(
                Kind::Polarity,
                &one.text[mine.start..mine.end],
                &other.text[theirs.start..theirs.end],
            ))
        }
        _ => None,
    }
}

/// Whether a statement denies only what is before a time: `won't start before 2026` says that it starts.
fn denies_until(text: &str) -> bool {
    let Some((said, _)) = text.split_once(" before ") else { return false };
    let denied = said.rsplit_once(" not ").or_else(|| said.rsplit_once("n't ")).map(|(_, denied)| denied);
    denied.is_some_and(|denied| BEGINS.contains(&denied))
}

/// Whether the words directly before two opposites name others, of which neither stands in both: `Lumacept increases`, `the comparator decreases`.
fn are_of_other_actors(
    (one, mine): (&Features<'_>, &Marked),
    (other, theirs): (&Features<'_>, &Marked),
) -> bool {
    let actor = |of: &Features<'_>, mark: &Marked| {
        let before = of.elements.iter().take_while(|element| element.end <= mark.start).last()?;
        let is_beside = of.text[before.end..mark.start] == *" ";
        (is_beside && matches!(before.role, Role::Content | Role::Name)).then_some(before.term)
    };
    let has = |of: &Features<'_>, term: Term| of.elements.iter().any(|element| element.term == term);
    let both = actor(one, mine).zip(actor(other, theirs));
    both.is_some_and(|(mine, theirs)| !has(other, mine) && !has(one, theirs))
}

/// Whether a statement is a row or an item: what a table or a list is about often stands in none of it, `Population | 5 million`,
/// `Founded: 2015`.
pub(super) fn is_part(statement: &Statement<'_>, content: &[Term]) -> bool {
    statement.text.contains('|') || content.len() <= 2 && has_label(statement.text)
}

fn written(of: &Features<'_>, figure: &Figure) -> String {
    of.text[clock_time(of.text, figure.range())].to_owned()
}

/// The first negation as it is written.
pub(super) fn negation(of: &Features<'_>) -> Option<String> {
    let marked = of.marks.iter().find(|marked| marked.mark.is_negation())?;
    Some(marked.written(of.text).to_owned())
}

pub(in crate::domain) fn negations(of: &Features<'_>) -> usize {
    of.marks.iter().filter(|marked| marked.mark.is_negation()).count() % 2
}

/// The distinct content of a statement: without figures, negations, opposites, adverbs, joints, attributions.
pub(in crate::domain) fn content(of: &Features<'_>) -> Vec<Term> {
    content_within(of, usize::MAX)
}

/// The same of what stands before `end`.
pub(super) fn content_within(of: &Features<'_>, end: usize) -> Vec<Term> {
    let turns = |element: &Element| {
        // Of a word it is known whether it has a mark; of a pair of characters the mark may be that of one.
        if !element.marked && element.role != Role::Character {
            return false;
        }
        let at = of.marks.partition_point(|marked| marked.end <= element.start);
        let mark = of.marks.get(at).filter(|marked| marked.start <= element.start);
        mark.is_some_and(|marked| marked.mark.strong() || copula::is_negation(of.text, element, marked))
            || copula::is_auxiliary(of.text, element)
    };
    let end = end.min(copula::start_of(of.text).unwrap_or(end));
    let says = |element: &&Element| {
        let is_said = matches!(element.role, Role::Content | Role::Name | Role::Character);
        is_said && element.end <= end && !turns(element)
    };
    let mut terms: Vec<Term> = Vec::with_capacity(of.elements.len());
    terms.extend(of.elements.iter().filter(says).map(|element| element.term));
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Short statements say what they are about in their heading, and one report's sections are about different subjects:
/// other headings, another subject, unless one of them says nothing of the subject.
fn same_subject(
    (a, one): (&Statement<'_>, &Features<'_>),
    (b, other): (&Statement<'_>, &Features<'_>),
    alike: &Alike,
) -> bool {
    /// Content of a statement that says itself what it is about, and of one that names it.
    const LONG: (usize, usize) = (8, 5);
    let is_long = alike.less >= LONG.0 || alike.less >= LONG.1 && share_a_name(one, other);
    is_long && a.subagent != b.subagent || are_headed_alike((a, one), (b, other))
}

/// Whether one name stands in both.
fn share_a_name(one: &Features<'_>, other: &Features<'_>) -> bool {
    let named = |of: &Features<'_>, term: Term| {
        of.elements.iter().any(|element| element.role == Role::Name && element.term == term)
    };
    one.elements.iter().any(|element| element.role == Role::Name && named(other, element.term))
}

/// By unit, and in the order of the text within one.
pub(super) fn by_unit(figures: &[Figure]) -> Vec<&Figure> {
    let mut figures: Vec<&Figure> = figures.iter().collect();
    figures.sort_by_key(|figure| figure.unit);
    figures
}

/// Whether two figures of one unit can both be true: equal, overlapping, equal when rounded, or a bound that holds.
pub(in crate::domain) fn agree(a: &Figure, b: &Figure) -> bool {
    if a.unit == Unit::Date || matches!(a.unit, Unit::Label | Unit::Ordinal | Unit::Weekday | Unit::Fraction)
    {
        return a.low == b.low && a.high == b.high || dates_fit(a, b);
    }
    let (a_low, a_high) = (a.low.approximate(), a.high.approximate());
    let (b_low, b_high) = (b.low.approximate(), b.high.approximate());
    let loose = |figure: &Figure| figure.bound == Bound::About;
    let step = |figure: &Figure| 0.5 * 10_f64.powi(figure.place.clamp(-300, 300));
    let mut slack = step(a).max(step(b)) * 1.000_001;
    // Whole numbers of few digits are counts, not roundings.
    if a.place == 0 && b.place == 0 {
        slack = 0.0;
    }
    if loose(a) || loose(b) {
        slack = slack.max(0.1 * a_high.abs().max(b_high.abs()));
    }
    let open = |figure: &Figure, low: f64, high: f64| match figure.bound {
        Bound::Exact | Bound::About => (low, high),
        Bound::AtLeast => (low, f64::INFINITY),
        Bound::AtMost => (f64::NEG_INFINITY, high),
    };
    let ((a_low, a_high), (b_low, b_high)) = (open(a, a_low, a_high), open(b, b_low, b_high));
    a_low <= b_high + slack && b_low <= a_high + slack
}

/// The one strong mark of each that opposes the other's.
pub(in crate::domain) fn opposite<'f>(
    one: &'f Features<'_>,
    other: &'f Features<'_>,
) -> Option<(&'f Marked, &'f Marked)> {
    let strong = |of: &'f Features<'_>| of.marks.iter().filter(|marked| marked.mark.strong()).take(MARKS_MAX);
    let mut pairs = strong(one).flat_map(|mine| {
        strong(other).filter(move |theirs| mine.mark.opposes(theirs.mark)).map(move |theirs| (mine, theirs))
    });
    let first = pairs.next();
    // With both sides in one statement (`rose, then fell`) nothing is opposite.
    let both = |of: &'f Features<'_>| {
        strong(of).any(|mark| strong(of).any(|another| mark.mark.opposes(another.mark)))
    };
    first.filter(|_| !both(one) && !both(other))
}
