//! How a vote ended: `voted 5-4`, `Motion carried 6–3`, `賛成18、反対12`.

use super::{Class, Mention, Scoped, Told};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::phrases::{begins_with_any, has_any};
use crate::domain::text::words::Term;

/// What stands before the votes for and against, and what behind them.
const BEFORE: [&str; 16] = [
    "voted",
    "vote of",
    "vote was",
    "votes of",
    "vote",
    "carried",
    "carried by",
    "passed",
    "passed by",
    "approved",
    "majority of",
    "approved by",
    "rejected",
    "margin of",
    "ruled",
    "failed",
];
const BEHIND: [&str; 6] = ["vote", "in favour", "in favor", "majority", "ruling", "stimmen"];
/// Verbs of what is decided by votes, of which the result stands at the end of a clause.
const DECIDED: [&str; 7] = ["voted", "approved", "confirmed", "passed", "rejected", "adopted", "carried"];
/// Who decides by votes.
const CHAMBERS: [&str; 8] =
    ["council", "senate", "house", "committee", "board", "commission", "assembly", "parliament"];
/// What two numbers count that are a range.
const COUNTED: [&str; 7] = ["year", "day", "hour", "week", "month", "percent", "minute"];
/// Whose votes are told one by one.
const SIDES: [[&str; 2]; 4] =
    [["賛成", "反対"], ["赞成", "反对"], ["a favor", "en contra"], ["in favour", "against"]];
const COUNTERS: [&str; 4] = ["票", "votos", "votes", "members"];
/// Votes of one side.
const DIGITS_MAX: usize = 3;

/// The only vote of a sentence.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Option<Mention<'a>> {
    let text = of.text;
    let (written, is) = of_sides(text).or_else(|| only_pair(text))?;
    Some(Mention {
        at,
        class: Class::Scoped(Scoped::Vote),
        key: Term(0),
        core: Vec::new(),
        told: Told::Exactly { written, is },
    })
}

fn of_sides(text: &str) -> Option<(String, [u32; 2])> {
    let may_be = |[ayes, _]: &&[&str; 2]| ayes.is_ascii() || !text.is_ascii();
    SIDES.iter().filter(may_be).find_map(|sides| {
        let ayes = votes(text, sides[0])?;
        let noes = votes(text, sides[1])?;
        Some((format!("{ayes}–{noes}"), [ayes.parse().ok()?, noes.parse().ok()?]))
    })
}

/// The votes of a side: `賛成18`, `7票赞成`, `14 votos a favor`.
fn votes<'t>(text: &'t str, side: &str) -> Option<&'t str> {
    let (before, behind) = text.split_once(side)?;
    let before = COUNTERS
        .iter()
        .fold(before.trim_end(), |before, counter| before.trim_end_matches(counter).trim_end());
    let start = before.len() - before.bytes().rev().take_while(u8::is_ascii_digit).count();
    let [first, second] = [&before[start..], &behind[..digits(behind)]];
    [second, first].into_iter().find(|votes| (1..=DIGITS_MAX).contains(&votes.len()))
}

/// The only `5-4` that a word says is a vote.
fn only_pair(text: &str) -> Option<(String, [u32; 2])> {
    let mut found = None;
    let mut from = 0;
    while let Some(at) = text[from..].find(|c: char| c.is_ascii_digit()).map(|at| from + at) {
        let first = digits(&text[at..]);
        from = at + first;
        let Some((joint, second)) = joined(&text[from..]) else { continue };
        let end = from + joint + second;
        let is_alone = !text[..at]
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '$' | '-' | '/'))
            && !text[end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '%' | '-' | '–' | '/'));
        if first <= DIGITS_MAX && second <= DIGITS_MAX && is_alone && is_vote(&text[..at], &text[end..]) {
            if found.is_some() {
                return None;
            }
            let is = [text[at..at + first].parse().ok()?, text[from + joint..end].parse().ok()?];
            found = Some((text[at..end].to_owned(), is));
        }
        from = end;
    }
    found
}

/// What joins two numbers, and how many digits the second has.
fn joined(behind: &str) -> Option<(usize, usize)> {
    let joint = ["-", "–", "—", "‑", " to ", " votes to ", " zu "]
        .iter()
        .find(|joint| behind.starts_with(**joint))?;
    let second = digits(&behind[joint.len()..]);
    (second > 0).then_some((joint.len(), second))
}

fn is_vote(before: &str, behind: &str) -> bool {
    let whole = before.to_lowercase();
    let start = before.floor_char_boundary(before.len().saturating_sub(24));
    let before = before[start..].trim_end_matches([' ', '(', 'a']).to_lowercase();
    let ends =
        |word: &&str| before.strip_suffix(*word).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
    let next = behind.trim_start_matches([' ', ')']).to_lowercase();
    let counts = || begins_with_any(&next, &COUNTED);
    let is_end = next.is_empty() || next.starts_with(['.', ',', ';']);
    let says = |words: &[&str]| has_any(&whole, words);
    let is_decided = is_end && says(&DECIDED) && says(&CHAMBERS);
    !counts() && (is_decided || (BEFORE.iter().any(ends) || begins_with_any(&next, &BEHIND)))
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}
