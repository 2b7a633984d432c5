//! Words that exclude each other where everything else is the same: `is open` and `is closed`, `passed` and `failed`.
//!
//! Elsewhere they aren't opposites: an offer opens and a shop closes, and who failed to pay denies nothing of who passed.

use super::Kind;
use super::besides::same_besides;
use super::differ::Difference;
use super::reading::Reading;
use super::since;
use crate::domain::near_duplicates::Features;
use crate::domain::text::phrases::begins_with_any;
use std::ops::Range;

/// A word of a pair, and where it stands.
pub(super) struct Side {
    range: Range<usize>,
    word: &'static str,
    is_now: bool,
    /// Where the time ends since when it is so.
    since: Option<usize>,
}

const PAIRS: [[&str; 2]; 15] = [
    ["upheld", "overturned"],
    ["passed", "failed"],
    ["safe", "contraindicated"],
    ["open", "closed"],
    ["up", "down"],
    ["up", "unavailable"],
    ["healthy", "down"],
    ["healthy", "degraded"],
    ["healthy", "unhealthy"],
    ["healthy", "unavailable"],
    ["healthy", "failing"],
    ["available", "unavailable"],
    ["operational", "down"],
    ["operational", "degraded"],
    ["operational", "unavailable"],
];
/// By the first letter of words of pairs, a bit for each length that one has.
const LENGTHS: [u16; 32] = {
    let (mut lengths, mut at) = ([0; 32], 0);
    while at < PAIRS.as_flattened().len() {
        let word = PAIRS.as_flattened()[at].as_bytes();
        lengths[(word[0] & 31) as usize] |= 1 << word.len();
        at += 1;
    }
    lengths
};
/// From here on, the words tell a state only behind [`STATES`], or as the value of a key.
const OF_STATE: usize = 3;
const STATES: [&str; 10] =
    ["is", "are", "remains", "remain", "stays", "still", "currently", "now", "was", "were"];
/// The first of [`STATES`] that tell what is over.
const OF_PAST: usize = 8;

/// The only such word of a statement.
pub(super) fn side(of: &Features<'_>) -> Option<Side> {
    let mut found = of.words.iter().filter_map(|word| {
        // Nearly all are out by that.
        let first = of.text.as_bytes()[word.start];
        if LENGTHS[usize::from(first & 31)].unbounded_shr((word.end - word.start) as u32) & 1 == 0 {
            return None;
        }
        let written = &of.text[word.range()];
        let known = PAIRS.as_flattened().iter().position(|known| known.eq_ignore_ascii_case(written))?;
        read(of, word.range(), known)
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The word that is known by its first place among the pairs, where it tells a state or an outcome.
fn read(of: &Features<'_>, range: Range<usize>, known: usize) -> Option<Side> {
    let is_outcome = known / 2 < OF_STATE;
    let mut verbs = of.text[..range.start].split_whitespace().rev().map(str::to_ascii_lowercase);
    let verb = verbs.next().unwrap_or_default();
    let since = if is_outcome { None } else { since::end_of(of.text, range.end) };
    // `has been up` may be over; `has been up since 09:40` isn't.
    let has_been = verb == "been" && matches!(verbs.next().unwrap_or_default().as_str(), "has" | "have");
    let is_now = STATES[..OF_PAST].contains(&verb.as_str()) || since.is_some() && has_been;
    let is_state = is_now || STATES[OF_PAST..].contains(&verb.as_str());
    let tells = !goes_on(&of.text[range.end..], is_outcome) && (is_outcome || is_state);
    (tells || is_value(of, &range)).then(|| Side {
        word: PAIRS.as_flattened()[known],
        is_now,
        since: since.filter(|_| is_now),
        range,
    })
}

/// Whether a word tells neither a state nor an outcome by what follows it: `open source`, `failed to`, `safe-guarded`.
fn goes_on(behind: &str, is_outcome: bool) -> bool {
    behind.starts_with(['-', '\'', '’'])
        || begins_with_any(behind, &[" source", " access"])
        || is_outcome && begins_with_any(behind, &[" to ", " from "])
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
pub(super) fn difference(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    let (mine, theirs) = (one.side()?, other.side()?);
    let is_pair = |pair: &[&str; 2]| *pair == [mine.word, theirs.word] || *pair == [theirs.word, mine.word];
    // What has lasted since some time is so now: it isn't held against what was.
    let of_one_time = mine.since.is_none() && theirs.since.is_none() || mine.is_now && theirs.is_now;
    let whole = |side: &Side| side.range.start..side.since.unwrap_or(side.range.end);
    let differs = of_one_time
        && PAIRS.iter().any(is_pair)
        && same_besides((one.said, one.of, &whole(mine)), (other.said, other.of, &whole(theirs)));
    let written = |of: &Features<'_>, side: &Side| of.text[side.range.clone()].to_owned();
    differs.then(|| Difference::new(Kind::Polarity, written(one.of, mine), written(other.of, theirs)))
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn what_is_so_since_some_time_is_so_now() {
        for (one, other) in [
            ("The VPN is up since 09:40 UTC.", "The VPN is down since 09:10 UTC."),
            ("The VPN has been up since 09:40 UTC.", "The VPN is down since 09:10 UTC today."),
            ("The VPN is up.", "The VPN has been down since 9:10 a.m."),
            ("The shop is open since 3 May 2025.", "The shop is closed since 1 May 2025."),
        ] {
            both_ways(one, other, Some(Kind::Polarity));
        }
        for (one, other) in [
            ("The VPN is up since 09:40 UTC.", "The VPN was down."),
            ("The VPN is up since 09:40 UTC.", "The VPN was down since 09:10 UTC."),
            ("The VPN is up since 09:40 UTC.", "The VPN is up since 09:40 UTC."),
            ("The VPN is up since 09:40 UTC.", "The mail server is down since 09:10 UTC."),
            ("The VPN is up since the fix of 09:40 UTC.", "The VPN is down since 09:10 UTC."),
            ("The VPN had been up since 09:40 UTC.", "The VPN is down since 09:10 UTC."),
        ] {
            both_ways(one, other, None);
        }
    }

    #[test]
    fn a_service_is_in_one_state() {
        for (one, other) in [
            ("The payment service is healthy.", "The payment service is degraded."),
            ("The payment service is healthy.", "The payment service is currently unavailable."),
            ("The payment service is healthy.", "The payment service is down."),
            ("The payment service is operational.", "The payment service is degraded."),
            ("The payment service is up.", "The payment service is unavailable."),
            ("The payment service is healthy.", "The payment service is degraded since 09:10 UTC."),
        ] {
            both_ways(one, other, Some(Kind::Polarity));
        }
        both_ways("The payment service is healthy.", "The payment service is failing.", Some(Kind::Negation));
        for (one, other) in [
            ("The payment service is degraded.", "The payment service is unavailable."),
            ("The payment service is up.", "The payment service is degraded."),
            ("The payment service is healthy.", "The search service is degraded."),
            ("A healthy payment service.", "The payment service is degraded."),
        ] {
            both_ways(one, other, None);
        }
    }

    fn both_ways(one: &str, other: &str, expected: Option<Kind>) {
        assert_eq!(kind(one, other), expected, "{one} / {other}");
        assert_eq!(kind(other, one), expected, "{other} / {one}");
    }
}
