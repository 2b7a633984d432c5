//! What belongs together by its turn: `Berlin and Paris recorded 79 and 71 cases, respectively`.

use super::{Thing, What};

/// A figure and a name of a claim that stand at different turns in a sentence of two lists of equal length, one behind the other.
pub(super) fn out_of_turn<'m>(mine: &'m [Thing], list: &[Thing]) -> Option<(&'m Thing, &'m Thing)> {
    let is_name = |thing: &Thing| matches!(thing.what, What::Name(_));
    let last = list.last()?;
    let second = list.iter().rev().take_while(|thing| is_name(thing) == is_name(last)).count();
    let rest = &list[..list.len() - second];
    let first = rest.iter().rev().take_while(|thing| is_name(thing) != is_name(last)).count();
    let turns = first.min(second);
    if turns < 2 || first != second {
        return None;
    }
    let (ones, others) = (&rest[rest.len() - turns..], &list[list.len() - turns..]);
    let turn = |of: &[Thing], thing: &Thing| of.iter().position(|other| other.what == thing.what);
    let at = |of: &[Thing]| -> Vec<(usize, &'m Thing)> {
        mine.iter().filter_map(|thing| Some((turn(of, thing)?, thing))).collect()
    };
    let (ones, others) = (at(ones), at(others));
    // With several of each, the claim has its own order.
    let ([(one, first)], [(other, second)]) = (&ones[..], &others[..]) else { return None };
    (one != other).then_some((*first, *second))
}

/// The same of a claim of two lists whose figures stand in sentences of their own: a name and a figure of which a sentence has the name
/// with the figure of another turn.
pub(super) fn out_of_own_turn<'m>(mine: &'m [Thing], near: &[Vec<Thing>]) -> Option<(&'m Thing, &'m Thing)> {
    let is_name = |thing: &Thing| matches!(thing.what, What::Name(_));
    // A name of two words is one.
    let mut names: Vec<Vec<&Thing>> = Vec::new();
    let mut end = 0;
    for thing in mine.iter().filter(|thing| is_name(thing)) {
        match names.last_mut() {
            Some(name) if thing.start == end + 1 => name.push(thing),
            _ => names.push(vec![thing]),
        }
        end = thing.end;
    }
    let figures: Vec<&Thing> = mine.iter().filter(|thing| !is_name(thing)).collect();
    let from = figures.len().checked_sub(names.len()).filter(|_| names.len() > 1)?;
    let figures = &figures[from..];
    names.iter().zip(figures).find_map(|(name, figure)| {
        let has = |of: &[Thing], what: What| of.iter().any(|thing| thing.what == what);
        let own = near.iter().filter(|of| name.iter().all(|thing| has(of, thing.what)));
        let (right, wrong): (Vec<_>, Vec<_>) = own.partition(|of| has(of, figure.what));
        let anothers =
            |of: &&Vec<Thing>| figures.iter().any(|other| other.what != figure.what && has(of, other.what));
        (right.is_empty() && wrong.iter().any(anothers)).then_some((name[0], *figure))
    })
}
