//! How a vote ended: `voted 5-4`, `Motion carried 6–3`, `賛成18、反対12`.

use super::{Class, Mention, Told};
use crate::domain::aggregate::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
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
const BEHIND: [&str; 5] = ["vote", "in favour", "in favor", "majority", "ruling"];
/// What two numbers count that are a range.
const COUNTED: [&str; 7] = ["year", "day", "hour", "week", "month", "percent", "minute"];
/// What stands before each in Chinese and Japanese.
const CHARACTERS: [&str; 2] = ["賛成", "反対"];
/// Votes of one side.
const DIGITS_MAX: usize = 3;

/// The only vote of a sentence.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Option<Mention<'a>> {
    let text = of.text;
    let (written, is) = in_characters(text).or_else(|| only_pair(text))?;
    Some(Mention {
        at,
        class: Class::Vote,
        key: Term(0),
        core: Vec::new(),
        told: Told::Exactly { written, is },
    })
}

fn in_characters(text: &str) -> Option<(String, [u32; 2])> {
    let votes = |side: &str| {
        let (_, behind) = text.split_once(side)?;
        Some(&behind[..digits(behind)]).filter(|digits| (1..=DIGITS_MAX).contains(&digits.len()))
    };
    let [ayes, noes] = CHARACTERS.map(votes);
    let (ayes, noes) = (ayes?, noes?);
    Some((format!("{ayes}–{noes}"), [ayes.parse().ok()?, noes.parse().ok()?]))
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
    let joint = ["-", "–", "—", "‑", " to "].iter().find(|joint| behind.starts_with(**joint))?;
    let second = digits(&behind[joint.len()..]);
    (second > 0).then_some((joint.len(), second))
}

fn is_vote(before: &str, behind: &str) -> bool {
    let start = before.floor_char_boundary(before.len().saturating_sub(24));
    let before = before[start..].trim_end_matches([' ', '(', 'a']).to_lowercase();
    let ends =
        |word: &&str| before.strip_suffix(*word).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
    let next = behind.trim_start_matches([' ', ')']);
    let counts = || COUNTED.iter().any(|counted| next.starts_with(counted));
    !counts() && (BEFORE.iter().any(|word| ends(&word)) || BEHIND.iter().any(|word| next.starts_with(word)))
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}
