//! Figures and names that stand together in a claim, and apart in the sentence that has both: of `120 in 2020 and 340 in 2023`
//! a claim takes `120 in 2023`, of `Acme 120, Globex 75` it makes `Acme 75`.
//!
//! Two things of different kinds are *parted* where one stands in another clause than the other, beside a rival of the other,
//! and the other beside a rival of the one. Rivals that the claim has too don't count: it tells them apart itself.

use super::what::What;
use crate::domain::aggregate::near_duplicates::{Features, Role};
use crate::domain::text::figures::{Figure, Unit};

/// Figures and names of a sentence that are looked at.
const THINGS_MAX: usize = 32;
/// Words that join clauses, in the languages that are common; commas do where none of these stands.
const JOINTS: &[&str] = &[
    "and", "but", "while", "whereas", "then", "und", "aber", "während", "et", "mais", "tandis", "y", "pero",
    "mientras", "e", "ma", "mentre", "en", "maar",
];
/// What stands before the one of two that something changes from, and what before the other one, language by language: an
/// English `a` leads to nothing.
const FROM_TO: &[(&[&str], &[&str])] = &[
    (&["from"], &["to"]),
    (&["von"], &["auf", "zu"]),
    (&["de", "desde", "da", "du", "des"], &["à", "a", "al", "au"]),
    (&["van"], &["naar"]),
];
/// Where this stands, the order tells what belongs together.
const IN_TURN: &[&str] =
    &["respectively", "beziehungsweise", "bzw.", "respectivement", "respectivamente", "分别"];

#[derive(Debug, Clone, Copy)]
struct Thing {
    what: What,
    clause: usize,
    start: usize,
    end: usize,
}

/// The texts of two things of a claim that every sentence which has both keeps apart.
pub(super) fn parted<'c>(claim: &Features<'c>, said: &[Features<'_>]) -> Option<(&'c str, &'c str)> {
    let mine = things(claim);
    let theirs: Vec<Vec<Thing>> = said.iter().filter(|said| !in_turn(said.text)).map(things).collect();
    let text = |thing: &Thing| &claim.text[thing.start..thing.end];
    let pairs =
        mine.iter().enumerate().flat_map(|(at, one)| mine[at + 1..].iter().map(move |other| (one, other)));
    pairs
        .filter(|(one, other)| !one.what.rivals(other.what) && one.what != other.what)
        .find(|(one, other)| {
            let mut having = theirs.iter().filter(|said| {
                [one, other].iter().all(|thing| said.iter().any(|known| known.what == thing.what))
            });
            let mut seen = false;
            having.all(|said| {
                seen = true;
                keeps_apart(said, one, other, &mine)
            }) && seen
        })
        .map(|(one, other)| (text(one), text(other)))
}

/// `one` stands before `other` in the claim. A name's rival counts on the name's side alone: in `Acme had 120 staff in Berlin
/// and 75 in Munich`, Munich doesn't take Acme's place.
fn keeps_apart(said: &[Thing], one: &Thing, other: &Thing, mine: &[Thing]) -> bool {
    let all = |what: What| said.iter().filter(move |thing| thing.what == what);
    let sided = [one, other].iter().any(|thing| matches!(thing.what, What::Name(_)));
    let beside = |place: &Thing, what: What, after: bool| {
        let mut here = said.iter().filter(|thing| thing.clause == place.clause);
        here.any(|thing| {
            let is_on_side = !sided || (thing.start > place.start) == after;
            is_on_side && thing.what.rivals(what) && !mine.iter().any(|mine| mine.what == thing.what)
        })
    };
    let parted = |first: &Thing| all(other.what).all(|second| second.clause != first.clause);
    all(one.what).all(|first| parted(first) && beside(first, other.what, true))
        && all(other.what).all(|second| beside(second, one.what, false))
}

fn in_turn(text: &str) -> bool {
    let lowered = text.to_lowercase();
    IN_TURN.iter().any(|word| lowered.contains(word))
}

/// The figures and names of a sentence, each with the number of its clause.
fn things(of: &Features<'_>) -> Vec<Thing> {
    let figure =
        |figure: &Figure| Thing { what: What::of(figure), clause: 0, start: figure.start, end: figure.end };
    let labels = |figure: &&Figure| !matches!(figure.unit, Unit::Label | Unit::Ordinal);
    let capital = |start: usize| of.text[start..].starts_with(char::is_uppercase);
    let names = of.elements.iter().enumerate().filter(|(at, element)| match element.role {
        Role::Name => true,
        Role::Content => *at == 0 && capital(element.start),
        Role::Character
        | Role::Adverb
        | Role::Discourse
        | Role::Attribution
        | Role::Direction
        | Role::Figure => false,
    });
    let names = names.map(|(_, element)| Thing {
        what: What::Name(element.term),
        clause: 0,
        start: element.start,
        end: element.end,
    });
    let mut things: Vec<Thing> = of.figures.iter().filter(labels).map(figure).chain(names).collect();
    things.sort_unstable_by_key(|thing| thing.start);
    things.truncate(THINGS_MAX);
    number(of.text, &mut things);
    things
}

/// Numbers the clauses by what stands between two things: words that join, or else commas.
fn number(text: &str, things: &mut [Thing]) {
    let gap = |before: &Thing, after: &Thing| text.get(before.end..after.start).unwrap_or_default();
    let has = |text: &str, words: &[&str]| {
        let is_one = |word: &str| words.contains(&word.to_lowercase().as_str());
        text.split(|c: char| !c.is_alphabetic()).any(is_one)
    };
    // `from 120 in 2020 to 340 in 2023` joins as `120 in 2020 and 340 in 2023` does.
    let leads_on = |before: &Thing, gap: &str| {
        FROM_TO.iter().any(|(from, to)| has(gap, to) && has(&text[..before.start], from))
    };
    let joins = |before: &Thing, after: &Thing| {
        let gap = gap(before, after);
        gap.contains([';', '；', '—']) || has(gap, JOINTS) || leads_on(before, gap)
    };
    let by_words = things.windows(2).any(|two| joins(&two[0], &two[1]));
    let mut clause = 0;
    for at in 1..things.len() {
        let (before, after) = (&things[at - 1], &things[at]);
        let ends =
            if by_words { joins(before, after) } else { gap(before, after).contains([',', '，', '、']) };
        clause += usize::from(ends);
        things[at].clause = clause;
    }
}
