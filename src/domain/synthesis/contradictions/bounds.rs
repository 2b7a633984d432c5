//! What bounds of figures are to each other.

use super::differ::{agree, by_unit};
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Bound, Figure};

/// Whether one is bounded as the other isn't, by the same words: `no more than 5`, `more than 5`.
pub(super) fn denies((one, a): (&Features<'_>, &Figure), (other, b): (&Features<'_>, &Figure)) -> bool {
    let opposite =
        matches!((a.bound, b.bound), (Bound::AtMost, Bound::AtLeast) | (Bound::AtLeast, Bound::AtMost));
    if !opposite || (a.low, a.high) != (b.low, b.high) {
        return false;
    }
    let compared = |of: &Features<'_>, figure: &Figure| {
        let mut words = of.text[..figure.start].split_whitespace().rev();
        let than = words.next().map(str::to_lowercase);
        than.zip(words.next().map(str::to_lowercase))
    };
    compared(one, a).is_some_and(|mine| Some(mine) == compared(other, b))
}

/// What a rule, a need or a product's limit is told with. Of what was merely counted (`at least 5 were hurt`, `at least 7`) each
/// bound may hold.
const LIMITING: [&str; 20] = [
    "allow",
    "permit",
    "support",
    "limit",
    "maximum",
    "minimum",
    "require",
    "must",
    "accept",
    "handle",
    "capped",
    "lasts ",
    "holds ",
    "stores ",
    "erlaub",
    "unterstütz",
    "erforder",
    "muss",
    "autorise",
    "permite",
];

/// Whether both are the limit of the same, and another one: `allows up to 100`, `allows up to 60`.
pub(super) fn limits_differ(
    (one, a): (&Features<'_>, &Figure),
    (other, b): (&Features<'_>, &Figure),
) -> bool {
    let is_bound = matches!(a.bound, Bound::AtMost | Bound::AtLeast) && a.bound == b.bound;
    if !is_bound {
        return false;
    }
    let exactly = |figure: &Figure| {
        let mut figure = *figure;
        figure.bound = Bound::Exact;
        figure
    };
    if agree(&exactly(a), &exactly(b)) {
        return false;
    }
    let text = |of: &Features<'_>| of.text.to_lowercase();
    let (mine, theirs) = (text(one), text(other));
    LIMITING.iter().any(|word| mine.contains(word) && theirs.contains(word))
}

/// Whether no figure is a bound that the other statement hasn't: that a password must not exceed 64 characters negates nothing of
/// one that must have at least 8.
pub(super) fn same_bounds(one: &Features<'_>, other: &Features<'_>) -> bool {
    let is_bound = |figure: &Figure| matches!(figure.bound, Bound::AtLeast | Bound::AtMost);
    let mut pairs = by_unit(&one.figures).into_iter().zip(by_unit(&other.figures));
    // What needs at least 4 GB and what doesn't need 4 GB are about the same amount.
    let same_amount = |a: &Figure, b: &Figure| {
        (a.low, a.high) == (b.low, b.high) && a.bound != Bound::AtMost && b.bound != Bound::AtMost
    };
    pairs.all(|(a, b)| a.same(b) || same_amount(a, b) || !is_bound(a) && !is_bound(b))
}
