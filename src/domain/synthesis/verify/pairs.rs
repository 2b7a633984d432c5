//! Figures and names that stand together in a claim, and apart in the sentence that has both: of `120 in 2020 and 340 in 2023`
//! a claim takes `120 in 2023`, of `Acme 120, Globex 75` it makes `Acme 75`.
//!
//! Two things of different kinds are *parted* where one stands in another clause than the other, beside a rival of the other,
//! and the other beside a rival of the one. Rivals that the claim has too don't count: it tells them apart itself.

use std::cell::LazyCell;

use super::what::What;
use crate::domain::near_duplicates::{Features, Role};
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::language::told;
use crate::domain::text::phrases::has_any;

mod turns;

/// Figures and names of a sentence that are looked at.
const THINGS_MAX: usize = 32;
/// Words that join clauses, in the languages that are common; commas do where none of these stands.
const JOINTS: &[&str] = &[
    "and", "but", "while", "whereas", "then", "und", "aber", "während", "et", "tandis", "y", "pero",
    "mientras", "e", "ma", "mas", "mentre", "enquanto", "maar",
];
/// Those that are another word in other languages, with their own: `en 2018` is when, `mais de 30` how many.
const JOINTS_OF: &[(&str, &str)] = &[("en", "Dutch"), ("mais", "French")];
/// What stands before the one of two that something changes from, and what before the other one, language by language: an
/// English `a` leads to nothing.
#[rustfmt::skip]
const FROM_TO: &[(&[&str], &[&str])] = &[
    (&["from"], &["to"]),
    (&["von", "vom"], &["auf", "zu", "zum"]),
    (
        &["de", "desde", "da", "dal", "dalla", "dai", "dalle", "du", "des", "do", "dos"],
        &["à", "a", "ad", "al", "alla", "ai", "alle", "au", "aux", "ao", "aos", "para", "hasta", "até"],
    ),
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
    let text = |thing: &Thing| &claim.text[thing.start..thing.end];
    let lists = said.iter().filter(|said| in_turn(said.text)).map(things);
    if let Some((one, other)) = lists.into_iter().find_map(|list| turns::out_of_turn(&mine, &list)) {
        return Some((text(one), text(other)));
    }
    let theirs: Vec<Vec<Thing>> = said.iter().filter(|said| !in_turn(said.text)).map(things).collect();
    if in_turn(claim.text)
        && let Some((one, other)) = turns::out_of_own_turn(&mine, &theirs)
    {
        return Some((text(one), text(other)));
    }
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
    has_any(&lowered, IN_TURN)
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
    let language = LazyCell::new(|| told(text));
    let joins = |before: &Thing, after: &Thing| {
        let gap = gap(before, after);
        let in_its_language = |(word, of): &(&str, &str)| has(gap, &[word]) && *of == *language;
        gap.contains([';', '；', '—'])
            || has(gap, JOINTS)
            || JOINTS_OF.iter().any(in_its_language)
            || leads_on(before, gap)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    /// A sentence that says what was in one year and what in the next, and how one says what was in a year.
    #[rustfmt::skip]
    const CHANGES: &[(&str, &str)] = &[
        ("Revenue rose from 30 million in 2018 to 45 million in 2019", "Revenue was {} million in {}"),
        ("Los ingresos subieron de 30 millones en 2018 a 45 millones en 2019", "Los ingresos fueron de {} millones en {}"),
        ("Los ingresos pasaron desde 30 millones en 2018 hasta 45 millones en 2019", "Los ingresos fueron de {} millones en {}"),
        ("Der Umsatz stieg von 30 Millionen im Jahr 2018 auf 45 Millionen im Jahr 2019", "Der Umsatz betrug {} Millionen im Jahr {}"),
        ("Le chiffre d'affaires est passé de 30 millions en 2018 à 45 millions en 2019", "Le chiffre d'affaires était de {} millions en {}"),
        ("I ricavi sono saliti da 30 milioni nel 2018 a 45 milioni nel 2019", "I ricavi erano di {} milioni nel {}"),
        ("I ricavi sono passati dai 30 milioni nel 2018 ai 45 milioni nel 2019", "I ricavi erano di {} milioni nel {}"),
        ("A receita subiu de 30 milhões em 2018 para 45 milhões em 2019", "A receita foi de {} milhões em {}"),
        ("Em 2018 a receita foi de mais de 30 milhões e em 2019 de 45 milhões", "A receita foi de {} milhões em {}"),
        ("En 2018 los ingresos fueron de 30 millones y en 2019 de 45 millones", "Los ingresos fueron de {} millones en {}"),
        ("De omzet steeg van 30 miljoen in 2018 naar 45 miljoen in 2019", "De omzet was {} miljoen in {}"),
        ("De omzet van het bedrijf was 30 miljoen in 2018 en 45 miljoen in 2019", "De omzet was {} miljoen in {}"),
    ];

    #[test]
    fn figure_stays_with_its_year_in_every_language() {
        let mut lexicon = Lexicon::default();
        for (said, claim) in CHANGES {
            for (figure, year, kept) in
                [("30", "2018", true), ("45", "2019", true), ("30", "2019", false), ("45", "2018", false)]
            {
                let claim = claim.replacen("{}", figure, 1).replacen("{}", year, 1);
                let mine = Features::of(&mut lexicon, &claim);
                let theirs = [Features::of(&mut lexicon, said)];
                assert_eq!(parted(&mine, &theirs).is_none(), kept, "{claim} / {said}");
            }
        }
    }
}
