//! Pairs of whole sentences as models write them, with clauses, appositions and figures in other places, and short pairs that only look
//! like contradictions.
//!
//! A line is `+ one ~ other` where both can't be true and `- one ~ other` where they can. They were written before it was measured what is
//! found; of those held out nobody looked at what is missed.

use super::realistic::is_found;

/// A pair a line.
pub const TUNED: &str = include_str!("../pairs/sentences.txt");
pub const HELD_OUT: &str = include_str!("../pairs/sentences-held-out.txt");
/// The same of pairs that can all be true: another part, time, kind or direction.
pub const ALIKE: &str = include_str!("../pairs/alike.txt");

/// Of each pair whether both can't be true, whether a contradiction was found, and the pair.
pub fn judged(pairs: &str) -> impl Iterator<Item = (bool, bool, &str)> {
    pairs.lines().filter_map(|line| {
        let (sign, both) = line.split_once(' ')?;
        let (one, other) = both.split_once(" ~ ")?;
        Some((sign == "+", is_found("", [one, other]), line))
    })
}
