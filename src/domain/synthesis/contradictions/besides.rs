//! Whether two statements say the same but for the few words in which they are known to differ.

use super::alternatives::are_others;
use super::apart::are_apart;
use super::differ::{by_unit, content, negations, opposite};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Statement, are_headed_alike, names_differ};
use crate::domain::text::words::Lexicon;
use std::ops::Range;

/// A text without what stands in a range.
pub(super) fn without(text: &str, range: &Range<usize>) -> String {
    format!("{} {}", text[..range.start].trim_end(), text[range.end..].trim_start())
}

/// Whether all that stands outside of these ranges is the same: the content and the figures, of which there is some.
pub(super) fn same_besides(
    (a, one, mine): (&Statement<'_>, &Features<'_>, &Range<usize>),
    (b, other, theirs): (&Statement<'_>, &Features<'_>, &Range<usize>),
) -> bool {
    if !are_headed_alike((a, one), (b, other)) {
        return false;
    }
    let (mine, theirs) = (without(one.text, mine), without(other.text, theirs));
    let mut lexicon = Lexicon::default();
    let (one, other) = (Features::of(&mut lexicon, &mine), Features::of(&mut lexicon, &theirs));
    let (left, right) = (by_unit(&one.figures), by_unit(&other.figures));
    let about = content(&one);
    !about.is_empty()
        && about == content(&other)
        && left.len() == right.len()
        && left.iter().zip(right).all(|(a, b)| a.same(b))
        && negations(&one) == negations(&other)
        && opposite(&one, &other).is_none()
        && !names_differ(&one, &other)
        && !are_others(&one, &other)
        && !are_apart(&one, &other)
}
