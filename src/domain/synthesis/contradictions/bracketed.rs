//! What something costs for whom, in brackets behind its name: `Oceanário (adults €25)` and `The Oceanário costs €22 for adults`.
//!
//! The one says nothing else, so the other must say no more of the price than the name, and for whom: not with what ticket, nor when.

use std::ops::Range;

use super::Kind;
use super::converted::agrees;
use super::differ::{Difference, negations};
use super::reading::Reading;
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::are_headed_alike;
use crate::domain::text::figures::{Bound, Figure, Unit};
use crate::domain::text::words::{Kind as WordKind, Term};

/// Words of the name, and of what the price is for.
const NAME_MAX: usize = 5;
const WHOM_MAX: usize = 2;
/// What says that something is a price, and not whose.
#[rustfmt::skip]
const PRICES: &[&str] = &[
    "cost", "costs", "price", "prices", "priced", "ticket", "tickets", "admission", "entry", "entrance", "fee", "fees", "charge", "charges", "pay", "paid", "person",
    "kostet", "kosten", "preis", "eintritt", "ticket", "coûte", "prix", "tarif", "entrée", "billet", "cuesta", "precio", "entrada", "custa", "preço", "bilhete", "costa", "prezzo", "biglietto",
];
/// What joins a price and whom it is for.
const JOINTS: &[&str] = &["", ":", "for", "per", "pay", "für", "pro", "pour", "par", "para", "por", "per"];
/// What may follow: anything else may be a condition.
const BEHIND: &[&str] = &["", ".", ",", ";", ")", " and ", " und ", " et ", " y ", " e ", " (", " ["];

/// A name with a price in brackets.
struct Priced<'f> {
    name: Vec<Term>,
    /// Whom, or what, it is for.
    whom: Vec<Term>,
    figure: &'f Figure,
}

/// Whether a statement ends with brackets that have its only price: nearly none does.
pub(super) fn ends_with_price(of: &Features<'_>) -> bool {
    of.text.trim_end_matches('.').ends_with(')') && of.figures.len() == 1 && is_price(&of.figures[0])
}

/// Another price of the same for the same.
pub(super) fn difference(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    let found = match (priced(one.of), priced(other.of)) {
        (Some(mine), Some(theirs)) => {
            let is_same = mine.name == theirs.name && mine.whom == theirs.whom;
            is_same.then_some((mine.figure, theirs.figure))
        }
        (Some(mine), None) => price_for(&mine, other.of).map(|theirs| (mine.figure, theirs)),
        (None, Some(theirs)) => price_for(&theirs, one.of).map(|mine| (mine, theirs.figure)),
        (None, None) => None,
    };
    let (mine, theirs) = found?;
    let differ = agrees((one.of, mine), (other.of, theirs)) == Some(false)
        && are_headed_alike((one.said, one.of), (other.said, other.of));
    let written = |of: &Features<'_>, figure: &Figure| of.text[figure.range()].to_owned();
    differ.then(|| Difference::new(Kind::Number, written(one.of, mine), written(other.of, theirs)))
}

fn is_price(figure: &Figure) -> bool {
    matches!(figure.unit, Unit::Money(_)) && figure.bound == Bound::Exact
}

/// `Oceanário (adults €25)`.
fn priced<'f>(of: &'f Features<'_>) -> Option<Priced<'f>> {
    if !ends_with_price(of) {
        return None;
    }
    let open = of.text.rfind('(')?;
    let figure = of.figures.first().filter(|figure| figure.start > open)?;
    let name = terms(of, 0..open);
    let mut whom = terms(of, open..figure.start);
    whom.extend(terms(of, figure.end..of.text.len()));
    let is_name = (1..=NAME_MAX).contains(&name.len()) && of.text[..open].contains(char::is_uppercase);
    let is_told =
        (1..=WHOM_MAX).contains(&whom.len()) && negations(of) == 0 && !of.text[..open].contains('(');
    (is_told && is_name).then_some(Priced { name, whom, figure })
}

/// What says something in a range of a statement, but for what says that it is a price.
fn terms(of: &Features<'_>, range: Range<usize>) -> Vec<Term> {
    let words = of.words.iter().filter(|word| word.start >= range.start && word.end <= range.end);
    let is_of_figure = |at: usize| of.figures.iter().any(|figure| (figure.range()).contains(&at));
    distinct(
        words
            .filter(|word| word.kind != WordKind::Stopword && !is_of_figure(word.start))
            .filter(|word| !PRICES.contains(&of.text[word.range()].to_lowercase().as_str()))
            .map(|word| word.term),
    )
}

/// The price that a sentence gives for the same: nothing else stands before it than the name, and other such prices.
fn price_for<'f>(known: &Priced<'_>, of: &'f Features<'_>) -> Option<&'f Figure> {
    if negations(of) != 0 {
        return None;
    }
    let first = of.figures.first()?;
    let before = terms(of, 0..first.start);
    if !of.figures.iter().all(is_price) {
        return None;
    }
    // `For adults it costs €22`
    if before == merged(&known.name, &known.whom) {
        return may_end(&of.text[first.end..]).then_some(first);
    }
    let is_for = |figure: &&Figure| {
        whom_behind(&known.whom, of, figure.end).is_some_and(|end| may_end(&of.text[end..]))
    };
    of.figures.iter().find(is_for).filter(|_| before == known.name)
}

fn merged(one: &[Term], other: &[Term]) -> Vec<Term> {
    distinct([one, other].concat())
}

/// Where what the price is for ends that stands behind it: ` for adults`.
fn whom_behind(whom: &[Term], of: &Features<'_>, from: usize) -> Option<usize> {
    let mut words =
        of.words.iter().filter(|word| word.start >= from).skip_while(|word| word.kind == WordKind::Stopword);
    let first = words.next()?;
    let mut said = vec![first.term];
    let mut end = first.end;
    for word in words.take(whom.len() - 1) {
        said.push(word.term);
        end = word.end;
    }
    said.sort_unstable();
    (said == whom && JOINTS.contains(&of.text[from..first.start].trim())).then_some(end)
}

fn may_end(behind: &str) -> bool {
    BEHIND.iter().any(|begin| if begin.is_empty() { behind.is_empty() } else { behind.starts_with(begin) })
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn prices_behind_a_name_and_in_sentences() {
        for (one, other) in [
            ("Oceanário (adults €25)", "The Oceanário costs €22 for adults."),
            ("Oceanário (adults €25)", "The Oceanário costs €22 for adults and €15 for children"),
            ("Oceanário (€25 for adults).", "Admission to the Oceanário is €22 for adults."),
            ("Oceanário (adults: €25)", "For adults the Oceanário costs €22."),
            ("Oceanário (adults €25)", "Oceanário (adults €22)"),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Number), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Number), "{other} / {one}");
        }
        for (one, other) in [
            ("Oceanário (adults €25)", "The Oceanário costs €25 for adults."),
            ("Oceanário (adults €25)", "The Oceanário costs €15 for children."),
            ("Oceanário (adults €25)", "The Oceanário costs €22 for adults with the card."),
            ("Oceanário (adults €25)", "The Oceanário costs €22 for adults over 65."),
            ("Oceanário (adults €25)", "With a bus tour the Oceanário costs €22 for adults."),
            ("Oceanário (adults €25)", "The Oceanário costs at least €22 for adults."),
            ("Oceanário (adults €25)", "The castle costs €22 for adults."),
            ("Oceanário (adults €25)", "In 2019 the Oceanário cost €22 for adults."),
            ("Oceanário (adults €25)", "The Oceanário doesn't cost €22 for adults."),
            ("Oceanário (adults €25)", "The Oceanário costs €15 for children and €25 for adults."),
            ("Oceanário (adults €25)", "Oceanário (children €22)"),
        ] {
            assert_eq!((kind(one, other), kind(other, one)), (None, None), "{one} / {other}");
        }
    }
}
