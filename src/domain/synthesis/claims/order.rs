//! The order of findings: what is said of the question, and best known, comes first; what is equal in that stands as it was written.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;

use super::{Claims, Confidence, Finding};
use crate::domain::text::words::Term;

/// How strong a finding is: more comes first. One number compares faster than several.
type Strength = u128;

struct Ranked {
    strength: Reverse<Strength>,
    /// Whose it is, by the rank of the name, and where it stands there.
    own: (usize, usize),
    /// How many findings of the same subagent are as strong and stand before it.
    turn: usize,
    /// How much of it is no digits.
    letters: usize,
    /// Its place among the findings, which are moved once.
    at: usize,
}

/// Most certain first, then those that most say, then sentences before rows of tables, then those that have most of what was
/// `asked`. What answers and is contested stands with what would be as certain without that: the answer isn't behind all else.
/// Of equals each subagent's stand in its own order, and subagents take turns.
pub(super) fn in_order(
    claims: &Claims<'_>,
    findings: Vec<Finding>,
    contested: &BTreeSet<usize>,
    asked: &[Term],
) -> Vec<Finding> {
    let mut names: Vec<&str> = claims.statements.iter().map(|said| said.subagent).collect();
    names.sort_unstable();
    names.dedup();
    let ranked = |(at, finding): (usize, &Finding)| Ranked {
        strength: Reverse(strength(claims, finding, contested, asked)),
        own: place(claims, finding, &names),
        turn: 0,
        letters: finding.content.bytes().filter(|byte| !byte.is_ascii_digit()).count(),
        at,
    };
    let by_text = |a: &Ranked, b: &Ranked| by_numbers(&findings[a.at].content, &findings[b.at].content);
    let mut ranked: Vec<Ranked> = findings.iter().enumerate().map(ranked).collect();
    ranked.sort_by(|a, b| (a.strength, a.own).cmp(&(b.strength, b.own)).then_with(|| by_text(a, b)));
    for at in 1..ranked.len() {
        let (before, this) = (&ranked[at - 1], &ranked[at]);
        if before.strength == this.strength && before.own.0 == this.own.0 {
            ranked[at].turn = before.turn + 1;
        }
    }
    let key = |of: &Ranked| (of.strength, of.turn, Reverse(of.letters));
    ranked.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| by_text(a, b)));
    let order: Vec<usize> = ranked.into_iter().map(|ranked| ranked.at).collect();
    let mut findings: Vec<Option<Finding>> = findings.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| findings[at].take()).collect()
}

fn strength(claims: &Claims<'_>, finding: &Finding, contested: &BTreeSet<usize>, asked: &[Term]) -> Strength {
    let is_told = claims.statements[finding.shown].row.is_none();
    // Numbers count too: a question about region 390 isn't answered by another.
    let said = claims.features[finding.shown].words.iter().filter(|word| word.is_content());
    let mut answered: Vec<usize> = said.filter_map(|word| asked.binary_search(&word.term).ok()).collect();
    answered.sort_unstable();
    answered.dedup();
    let answers = answered.len();
    let is_contested = finding.statements.iter().any(|at| contested.contains(at));
    let confidence = match finding.confidence {
        Confidence::Low if is_contested && answers > 0 && !finding.sources.is_empty() => Confidence::Medium,
        Confidence::Medium if is_contested && answers > 0 => Confidence::High,
        Confidence::Low | Confidence::Medium | Confidence::High => finding.confidence,
    };
    // Sources that aren't told apart are no more than one.
    let are_together = finding.statements.iter().any(|&at| claims.statements[at].around.rests_on > 1);
    let sources = if are_together { finding.sources.len().min(1) } else { finding.sources.len() };
    let number = |count: usize| (count.min(u32::MAX as usize) as u128, 32);
    let flag = |is: bool| (u128::from(is), 1);
    // What weighs most stands first.
    [
        number(confidence as usize),
        number(finding.contributors.len()),
        flag(is_told),
        number(answers),
        flag(!is_contested),
        number(sources),
    ]
    .into_iter()
    .fold(0, |all, (value, bits)| all << bits | value)
}

/// Whose a finding is, and where it stands there: of those who say it in the same words the first by name.
fn place(claims: &Claims<'_>, finding: &Finding, names: &[&str]) -> (usize, usize) {
    let said = finding.statements.iter().map(|&at| &claims.statements[at]);
    let same = said.filter(|said| said.text == finding.content);
    let first = same.map(|said| (said.subagent, said.start)).min().unwrap_or_default();
    (names.partition_point(|name| *name < first.0), first.1)
}

/// The order of two texts by their numbers: `Step 2` before `Step 10`.
fn by_numbers(one: &str, other: &str) -> Ordering {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    // Both have the same up to there, but for a number that may go on.
    let digits = one[..same].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    with_long_numbers(&one[same - digits..]).cmp(with_long_numbers(&other[same - digits..]))
}

/// The bytes of a text, numbers with zeros before them.
fn with_long_numbers(bytes: &[u8]) -> impl Iterator<Item = u8> {
    /// Digits of a number that is compared as one.
    const DIGITS: usize = 12;
    bytes.iter().enumerate().flat_map(|(at, byte)| {
        let begins = byte.is_ascii_digit() && !at.checked_sub(1).is_some_and(|at| bytes[at].is_ascii_digit());
        let digits = || bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let missing = if begins { DIGITS.saturating_sub(digits()) } else { 0 };
        std::iter::repeat_n(b'0', missing).chain([*byte])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_in_the_order_of_their_numbers() {
        for (one, other) in [
            ("Step 2 of 3", "Step 10 of 3"),
            ("Step 19", "Step 20"),
            ("Step 1", "Step 12"),
            ("Step 1", "Step 1a"),
            ("Step 12", "Step A"),
            ("Step", "Step 1"),
            ("Zone 007", "Zone 008"),
        ] {
            assert_eq!(by_numbers(one, other), Ordering::Less, "{one} {other}");
            assert_eq!(by_numbers(other, one), Ordering::Greater, "{one} {other}");
            assert_eq!(by_numbers(one, one), Ordering::Equal);
        }
    }
}
