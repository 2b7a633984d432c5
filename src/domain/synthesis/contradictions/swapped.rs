//! Words that exclude each other where everything else is the same: `is open` and `is closed`, `passed` and `failed`.
//!
//! Elsewhere they aren't opposites: an offer opens and a shop closes, and who failed to pay denies nothing of who passed.

use super::Kind;
use super::besides::same_besides;
use super::differ::Difference;
use crate::domain::aggregate::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use std::ops::Range;

/// A word of a pair, and where it stands.
pub(super) struct Side {
    range: Range<usize>,
    pair: usize,
    side: usize,
}

const PAIRS: [[&str; 2]; 5] = [
    ["upheld", "overturned"],
    ["passed", "failed"],
    ["safe", "contraindicated"],
    ["open", "closed"],
    ["up", "down"],
];
/// From here on, the words tell a state only behind [`STATES`], or as the value of a key.
const OF_STATE: usize = 3;
const STATES: [&str; 10] =
    ["is", "are", "was", "were", "remains", "remain", "stays", "still", "currently", "now"];

/// The only such word of a statement.
pub(super) fn side(of: &Features<'_>) -> Option<Side> {
    let mut found = of.words.iter().filter_map(|word| {
        let written = &of.text[word.range()];
        // Most are out by their length or their first letter.
        if !matches!(written.len(), 2 | 4 | 6 | 10 | 15)
            || !matches!(written.as_bytes()[0] | 0x20, b'c' | b'd' | b'f' | b'o' | b'p' | b's' | b'u')
        {
            return None;
        }
        let at = |pair: &[&str; 2]| pair.iter().position(|known| known.eq_ignore_ascii_case(written));
        let (pair, side) = PAIRS.iter().enumerate().find_map(|(pair, words)| Some((pair, at(words)?)))?;
        let told = tells(of.text, &word.range(), pair) || is_value(of, &word.range());
        told.then(|| Side { range: word.range(), pair, side })
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Whether a word tells a state or an outcome there: not `open source`, `failed to` or `safe-guarded`.
fn tells(text: &str, range: &Range<usize>, pair: usize) -> bool {
    let (before, behind) = (&text[..range.start], &text[range.end..]);
    let is_outcome = pair < OF_STATE;
    let goes_on = behind.starts_with(['-', '\'', '’'])
        || [" source", " access"].iter().any(|next| behind.starts_with(next))
        || is_outcome && [" to ", " from "].iter().any(|next| behind.starts_with(next));
    let verb = before.trim_end().rsplit(' ').next().unwrap_or_default().to_ascii_lowercase();
    !goes_on && (is_outcome || STATES.contains(&verb.as_str()))
}

/// `"status": "up"`, where enough stands beside it to say of what: a key alone may be that of anything.
fn is_value(of: &Features<'_>, range: &Range<usize>) -> bool {
    /// Words or characters, its own among them.
    const WORDS_MIN: usize = 4;
    let (before, behind) = (&of.text[..range.start], &of.text[range.end..]);
    let stands = before.trim_end_matches(['"', ' ']).ends_with([':', '='])
        && (behind.is_empty() || behind.starts_with(['"', ',', '.', '}', ';']));
    stands && of.elements.len() + 1 >= WORDS_MIN
}

/// One of a pair here, the other there, and the same besides.
pub(super) fn difference(
    (a, one, mine): (&Statement<'_>, &Features<'_>, Option<&Side>),
    (b, other, theirs): (&Statement<'_>, &Features<'_>, Option<&Side>),
) -> Option<Difference> {
    let (mine, theirs) = (mine?, theirs?);
    let differs = mine.pair == theirs.pair
        && mine.side != theirs.side
        && same_besides((a, one, &mine.range), (b, other, &theirs.range));
    let written = |of: &Features<'_>, side: &Side| of.text[side.range.clone()].to_owned();
    differs.then(|| Difference {
        kind: Kind::Polarity,
        one: written(one, mine),
        other: written(other, theirs),
    })
}
