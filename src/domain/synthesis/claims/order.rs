//! The order of findings: what is said of the question, and best known, comes first; what is equal in that stands as it was written.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use super::{Claims, Confidence, Finding};
use crate::domain::text::terms::{KnownTerms, TermMap};
use crate::domain::text::words::Term;

/// How strong a finding is: more comes first. One number compares faster than several.
type Strength = u128;

struct Ranked {
    strength: Reverse<Strength>,
    /// The place of the result that it is from, whose it is, by the rank of the name, and where it stands there.
    own: (usize, usize, usize),
    /// How many findings of the same subagent are as strong and stand before it.
    turn: usize,
    /// How much of it is no digits.
    letters: usize,
    /// Its place among the findings, which are moved once.
    at: usize,
}

/// Most certain first, then those that most say, then sentences before rows of tables, then those that have most of what was
/// `asked`. What answers and is contested stands with what would be as certain without that: the answer isn't behind all else.
/// Of equals each subagent's stand in its own order, and subagents take turns, by the places of their results where they have any.
/// `disputed` tells of each whether it is contested.
pub(super) fn in_order<'t>(
    claims: &Claims<'t>,
    findings: Vec<Finding<'t>>,
    disputed: &[bool],
    asked: &[Term],
) -> Vec<Finding<'t>> {
    // By what was asked, which finding has said it last.
    let mut said_by = vec![usize::MAX; asked.len()];
    let asked = KnownTerms::from(asked.iter().copied().zip(0..).collect::<TermMap<usize>>());
    let mut names: Vec<&str> = claims.statements.iter().map(|said| said.subagent).collect();
    names.dedup(); // statements of one stand together
    names.sort_unstable();
    names.dedup();
    let ranked = |(at, finding): (usize, &Finding<'t>)| {
        // Numbers count too: a question about region 390 isn't answered by another.
        let said = claims.features[finding.shown].words.iter().filter(|word| word.is_content());
        let told = said.filter_map(|word| asked.get(word.term));
        let answers = told.filter(|term| std::mem::replace(&mut said_by[**term], at) != at).count();
        Ranked {
            strength: Reverse(strength(claims, finding, disputed[at], answers)),
            own: place(claims, finding, &names),
            turn: 0,
            letters: letters(finding.content),
            at,
        }
    };
    let by_text = |a: &Ranked, b: &Ranked| by_numbers(findings[a.at].content, findings[b.at].content);
    let mut ranked: Vec<Ranked> = findings.iter().enumerate().map(ranked).collect();
    ranked.sort_by(|a, b| (a.strength, a.own).cmp(&(b.strength, b.own)).then_with(|| by_text(a, b)));
    let is_of_same = |a: &Ranked, b: &Ranked| (a.own.0, a.own.1) == (b.own.0, b.own.1);
    for at in 1..ranked.len() {
        let (before, this) = (&ranked[at - 1], &ranked[at]);
        if before.strength == this.strength && is_of_same(before, this) {
            ranked[at].turn = before.turn + 1;
        }
    }
    let key = |of: &Ranked| (of.turn, of.own.0, Reverse(of.letters));
    for equals in ranked.chunk_by_mut(|a, b| a.strength == b.strength) {
        equals.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| by_text(a, b)));
    }
    let order: Vec<usize> = ranked.into_iter().map(|ranked| ranked.at).collect();
    moved(findings, order)
}

/// How much of a text is no digits, counted in bytes that many at a time are added to.
fn letters(text: &str) -> usize {
    let count = |part: &[u8]| part.iter().fold(0, |count, byte| count + u8::from(!byte.is_ascii_digit()));
    text.as_bytes().chunks(usize::from(u8::MAX)).map(|part| usize::from(count(part))).sum()
}

/// Findings in the order of these places.
fn moved<'t>(findings: Vec<Finding<'t>>, order: Vec<usize>) -> Vec<Finding<'t>> {
    let mut findings: Vec<Option<Finding<'t>>> = findings.into_iter().map(Some).collect();
    // With room for all: many large ones are copied often where that grows.
    let mut moved = Vec::with_capacity(order.len());
    moved.extend(order.into_iter().filter_map(|at| findings[at].take()));
    moved
}

/// Puts what is of one numbered list, and as sure, in the order of the list, in the places that it has among all: a step may rest on
/// the one before it, however many sources that has.
pub(super) fn with_steps<'t>(claims: &Claims<'t>, findings: Vec<Finding<'t>>) -> Vec<Finding<'t>> {
    let mut order: Vec<usize> = (0..findings.len()).collect();
    let shown = |at: usize| &claims.statements[findings[at].shown];
    let mut lists: BTreeMap<(Confidence, usize, &str, usize), Vec<usize>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        if let Some(list) = shown(at).around.numbered {
            let place = claims.places.get(finding.shown).copied().unwrap_or_default();
            let key = (finding.confidence, place, shown(at).subagent, list);
            lists.entry(key).or_default().push(at);
        }
    }
    for places in lists.into_values() {
        let mut steps = places.clone();
        steps.sort_by_key(|at| shown(*at).start);
        places.into_iter().zip(steps).for_each(|(place, at)| order[place] = at);
    }
    moved(findings, order)
}

fn strength(claims: &Claims<'_>, finding: &Finding<'_>, is_contested: bool, answers: usize) -> Strength {
    let is_told = claims.statements[finding.shown].row.is_none();
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

/// Whose a finding is, and where it stands there: of those who say it in the same words the first by place and name.
fn place(claims: &Claims<'_>, finding: &Finding<'_>, names: &[&str]) -> (usize, usize, usize) {
    let place = |at: usize| claims.places.get(at).copied().unwrap_or_default();
    let said = finding.statements.iter().map(|&at| (place(at), &claims.statements[at]));
    let same = said.filter(|(_, said)| said.text == finding.content);
    let first = same.map(|(place, said)| (place, said.subagent, said.start)).min().unwrap_or_default();
    (first.0, names.partition_point(|name| *name < first.1), first.2)
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
    fn letters_are_counted_in_texts_of_any_length() {
        for length in [0, 1, 254, 255, 256, 1000] {
            assert_eq!(letters(&"a1é".repeat(length)), 3 * length);
        }
    }

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
