//! What one does, told in another order: `sells coffee and pays farmers`, `pays farmers and sells coffee`.

use super::{FALLING_MAX, place};
use crate::domain::near_duplicates::{Element, Features, longest_falling};

/// What joins them, in languages in which the order of words tells who does what.
const JOINS: &[&str] = &[" and ", " et ", " y ", " e ", " ed "];

/// A sentence of one who does two things: both begin with their verb.
struct Two<'f, 'e> {
    first: &'e [&'f Element],
    second: &'e [&'f Element],
}

/// Whether both tell the same two things of who stands first in them, in the opposite order.
pub(super) fn are_moved(
    (claim, mine): (&Features<'_>, &[&Element]),
    (said, theirs): (&Features<'_>, &[&Element]),
) -> bool {
    let same = mine.iter().zip(theirs).take_while(|(one, other)| one.term == other.term).count();
    let Some((mine_two, their_two)) = divided(claim, mine, same).zip(divided(said, theirs, same)) else {
        return false;
    };
    let keeps = |one: &[&Element], other: &[&Element]| {
        let places: Option<Vec<usize>> = one.iter().map(|element| place(mine, other, element)).collect();
        places.is_some_and(|places| !places.is_empty() && longest_falling(&places) <= FALLING_MAX)
    };
    same > 0 && keeps(mine_two.first, their_two.second) && keeps(mine_two.second, their_two.first)
}

/// The two things, behind the first `same` elements, of which all tell of whom.
fn divided<'f, 'e>(of: &Features<'_>, elements: &'e [&'f Element], same: usize) -> Option<Two<'f, 'e>> {
    let mut joins = JOINS.iter().flat_map(|join| of.text.match_indices(join));
    let (start, join) = joins.next()?;
    if joins.next().is_some() {
        return None;
    }
    let behind = start + join.len();
    let at = elements.iter().position(|element| element.start >= behind)?;
    // Directly behind it stands a verb: an article would begin who does the other.
    let begins = |at: usize| {
        elements.get(at).is_some_and(|element| of.text[element.start..].starts_with(char::is_lowercase))
    };
    (same < at && elements[at].start == behind && begins(at) && begins(same))
        .then(|| Two { first: &elements[same..at], second: &elements[at..] })
}
