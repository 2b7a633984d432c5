//! What stands directly before a figure, and directly behind it.

use super::light;
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::words::Term;

/// Whether the same word stands directly before or directly after both figures.
pub(super) fn same_role(one: &Features<'_>, mine: &Figure, other: &Features<'_>, theirs: &Figure) -> bool {
    let near = |of: &Features<'_>, figure: &Figure| {
        let at = of.elements.partition_point(|element| element.start < figure.start);
        let says =
            |element: &&Element| !matches!(element.role, Role::Direction | Role::Figure | Role::Adverb);
        // `预计维持5.2%` is of what `预计5.2%` is of.
        let light = light::start_before(of.text, figure.start);
        let is_before = |element: &&Element| element.start < light && says(element);
        let before = of.elements[..at].iter().rfind(is_before).map(|element| element.term);
        let after =
            of.elements.get(at + 1..).and_then(|rest| rest.iter().find(says)).map(|element| element.term);
        (before, after)
    };
    let ((before, after), (their_before, their_after)) = (near(one, mine), near(other, theirs));
    let same = |a: Option<Term>, b: Option<Term>| a.is_some() && a == b;
    let counted = mine.unit == Unit::Plain;
    // A bare number counts what follows it, or measures what stands before it where nothing follows.
    let measures = !counted || (after.is_none() && their_after.is_none());
    same(after, their_after) || (measures && same(before, their_before))
}
