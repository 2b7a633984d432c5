//! What two texts must have in common to be compared at all.

use super::features::{digest_of, mix};
use crate::domain::text::figures::Figure;
use crate::domain::text::polarity::{self, Marked};
use crate::domain::text::words::{Kind, Word};

/// Equal for equal multisets of figures, negations, and those marks that are function words or Chinese. Other marks are
/// words that are compared as such, so that a typing error in one is still seen as one.
pub(super) fn signature(words: &[Word], figures: &[Figure], marks: &[Marked]) -> u64 {
    let strict = |marked: &&Marked| {
        let at = words.partition_point(|word| word.start < marked.start);
        marked.mark.is_negation()
            || words.get(at).is_some_and(|word| matches!(word.kind, Kind::Stopword | Kind::Cjk))
    };
    let code = |marked: &Marked| 1 + (u64::from(marked.mark.pair) << 8) + u64::from(marked.mark.side);
    let all = figures.iter().map(digest_of).chain(marks.iter().filter(strict).map(code));
    // A sum has no order.
    all.map(spread).fold(0, u64::wrapping_add)
}

/// A number that tells sums of some from sums of others.
fn spread(number: u64) -> u64 {
    let mixed = mix(0x5164_A7E5, number);
    mix(mixed, mixed >> 32)
}

/// Sets `No, it works` apart from `Yes, it works` and from `It works`; with a denial a no says nothing more, and a yes does.
pub(super) fn reply_apart(text: &str, marks: &[Marked]) -> u64 {
    let denies = || marks.iter().any(|marked| marked.mark.is_negation());
    match polarity::reply(text) {
        Some(is_yes) if is_yes == denies() => mix(0x4E0, u64::from(is_yes)),
        _ => 0,
    }
}
