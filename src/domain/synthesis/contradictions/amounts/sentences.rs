//! Amounts in sentences: `Qdrant's p99 latency is 21 ms.`

use std::ops::Range;

use super::super::differ::negations;
use super::super::main_clause::end_of;
use super::lines::Lines;
use super::value::{Value, is_amount};
use super::words::{canonical, is_joint, is_kind, kinds, said_while};
use super::{Amount, Called, Form};
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::figures::Figure;
use crate::domain::text::words::{Lexicon, Term};

/// Figures of a sentence that are looked at, and elements of one that says what an amount is of, and nothing else.
const FIGURES_MAX: usize = 4;
const ELEMENTS_MAX: usize = 24;
/// Words before the first amount of several of which some may be replaced for the next.
const REPLACED_MAX: usize = 8;

/// What leads in where, when and under which condition both of two statements are so.
const OF_BOTH: [&str; 14] = [
    "in", "on", "at", "if", "when", "with", "without", "for", "only", "during", "under", "unless", "while",
    "after",
];

/// What other forms tell amounts of.
pub(super) struct Told<'k> {
    /// Whether any of them has a word.
    pub(super) has: &'k dyn Fn(Term) -> bool,
    /// Whether any is called so.
    pub(super) is_called: &'k dyn Fn(&[Term]) -> bool,
}

/// The amounts of a sentence that says of them what another form says, and nothing else.
pub(super) fn of_sentence<'a, 't>(
    (at, statement, of): (usize, &Statement<'t>, &'a Features<'t>),
    told: &Told<'_>,
    lines: &mut Lines<'t>,
    lexicon: &mut Lexicon,
) -> Vec<Amount<'a>> {
    let is_sentence = statement.row.is_none() && !of.text.starts_with('"') && !of.text.contains('?');
    if !is_sentence || of.figures.is_empty() || !begins_known(of, told) || negations(of) != 0 {
        return Vec::new();
    }
    let mut amount = |own: &[Term], figure: &Figure| {
        let mut called = lines.called(own, true, statement, lexicon);
        called.retain(|Called { words, .. }| (told.is_called)(words));
        let value = Value::new(of, figure, None);
        (!called.is_empty()).then_some(Amount { at, form: Form::Sentence, called, value, is_named: false })
    };
    let ends = [Some(of.text.len()), end_of(of), first_of_two(of)];
    for end in ends.into_iter().flatten() {
        if of.elements.iter().take_while(|element| element.end <= end).count() > ELEMENTS_MAX {
            continue;
        }
        let figures: Vec<&Figure> =
            of.figures.iter().filter(|figure| figure.end <= end && is_amount(figure)).collect();
        if figures.len() > FIGURES_MAX {
            continue;
        }
        let one = figures.iter().find_map(|figure| {
            let own = said_in(of, 0..end, figure, told)?;
            own.iter().find_map(|own| amount(own, figure))
        });
        if let Some(one) = one {
            return vec![one];
        }
        let several = of_several(of, (&figures, end), told, &mut amount);
        if !several.is_empty() {
            return several;
        }
    }
    Vec::new()
}

/// Where the first of two statements ends: `The trail is 18 km long and takes about six hours.` A place or a condition behind it may be of both.
fn first_of_two(of: &Features<'_>) -> Option<usize> {
    let from = of.figures.first()?.end;
    let at = of.text[from..].find(" and ").map(|at| from + at)?;
    let mut words = of.text[at..].split(' ').map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    (!words.any(|word| OF_BOTH.contains(&word))).then_some(at)
}

/// Whether another form has the first word that says something: most sentences are out by that.
fn begins_known(of: &Features<'_>, told: &Told<'_>) -> bool {
    let says = |element: &&Element| matches!(element.role, Role::Content | Role::Name | Role::Character);
    let first =
        of.elements.iter().take(ELEMENTS_MAX).find(|element| says(element) && !is_joint(element.term));
    first.is_none_or(|first| (told.has)(canonical(first.term)) || is_kind(first.term))
}

/// What a part of a sentence says beside a figure, and that without what kind of thing it is of. `None` where no other form says that.
fn said_in(
    of: &Features<'_>,
    within: Range<usize>,
    figure: &Figure,
    told: &Told<'_>,
) -> Option<[Vec<Term>; 2]> {
    let goes_on = |term: Term| (told.has)(term) || is_kind(term);
    let own = said_while(of, within, Some(figure.start), &goes_on)?;
    let kinds = kinds(of);
    let bare = own.iter().copied().filter(|term| !kinds.contains(term)).collect();
    Some([own, bare])
}

/// The amounts of a sentence that has several: of `Qdrant has a p99 latency of 12 ms and a recall of 98 %` the second is of what the first
/// is of with `recall` in place of `p99 latency`.
fn of_several<'a>(
    of: &Features<'_>,
    (figures, end): (&[&Figure], usize),
    told: &Told<'_>,
    amount: &mut dyn FnMut(&[Term], &Figure) -> Option<Amount<'a>>,
) -> Vec<Amount<'a>> {
    let [first, rest @ ..] = figures else { return Vec::new() };
    if rest.is_empty() {
        return Vec::new();
    }
    let Some(begin) = said_in(of, 0..first.end, first, told) else { return Vec::new() };
    let Some((begin, one)) = begin.iter().find_map(|own| Some((own, amount(own, first)?))) else {
        return Vec::new();
    };
    let mut found = vec![one];
    for (at, figure) in rest.iter().enumerate() {
        let from = figures[at].end;
        let to = if at + 1 == rest.len() { end } else { figure.end };
        let Some(own) = said_in(of, from..to, figure, told) else { return Vec::new() };
        let mut all =
            own.iter().take(1).flat_map(|own| replaced(begin, own)).filter_map(|own| amount(&own, figure));
        match (all.next(), all.next()) {
            (Some(only), None) => found.push(only),
            _ => return Vec::new(),
        }
    }
    found
}

/// Some words with others in place of one or more that stand together.
fn replaced(words: &[Term], others: &[Term]) -> Vec<Vec<Term>> {
    let len = words.len().min(REPLACED_MAX);
    let blocks = (0..len).flat_map(|from| (from + 1..=len).map(move |to| from..to));
    let blocks = blocks.filter(|block| !others.is_empty() && block.len() < words.len());
    blocks.map(|block| [&words[..block.start], others, &words[block.end..]].concat()).collect()
}
