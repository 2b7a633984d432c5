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
