//! What comes from where: `from Berlin to Lyon` isn't `from Lyon to Berlin`, who came `after eight years at Siemens` didn't join
//! Siemens, and what is `up from` something isn't less.

use super::Token;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};

/// Words before a name that say which part it has, a class each.
#[rustfmt::skip]
const PARTS: &[(Part, &[&str])] = &[
    (Part::From, &["from", "von", "vom", "aus", "de", "du", "d", "desde", "da", "dal", "dalla", "van", "out"]),
    (Part::To, &["to", "into", "towards", "nach", "zu", "zum", "zur", "à", "au", "vers", "hacia", "a", "ad", "al", "para", "naar", "onto"]),
    (Part::For, &["for", "für", "pour", "por", "per", "voor"]),
    (Part::Other, &[
        "of", "at", "in", "on", "by", "with", "under", "against", "over", "through", "via", "near", "after", "before", "than", "and", "or", "between", "about", "as", "like", "und", "oder", "mit", "bei", "gegen", "durch", "über",
        "et", "ou", "avec", "chez", "par", "contre", "y", "con", "en", "e", "within", "behind", "around", "across", "called", "named", "is", "are", "was", "were", "that", "but", "while", "when", "where", "who", "which", "if",
    ]),
];
const ARTICLES: &[&str] =
    &["the", "der", "die", "das", "den", "dem", "la", "le", "les", "el", "los", "il", "het"];
/// Bytes between a figure and its year.
const YEAR_BYTES_MAX: isize = 8;
/// Verbs of which the direct object may become another's: those in their past or third person.
const ENDINGS: &[&str] = &["ed", "es", "s"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    From,
    To,
    For,
    /// Right behind a word that is no preposition: mostly what something is done to.
    Object,
    Other,
}

/// A name, by its first word, and the part it has.
struct Named<'w> {
    name: &'w str,
    part: Part,
    at: usize,
}

/// What a claim turns round, in words.
pub(super) fn changed(
    (claim, mine): (&Features<'_>, &[Token]),
    (said, theirs): (&Features<'_>, &[Token]),
) -> Option<String> {
    against_its_direction(claim, said).or_else(|| {
        let own = names(claim.text, mine);
        if own.is_empty() {
            return None;
        }
        let others = names(said.text, theirs);
        exchanged(&own, &others)
            .or_else(|| moved(&own, &others))
            .or_else(|| made_an_object((&own, mine), (&others, theirs), (claim.text, said.text)))
    })
}

/// The names that aren't the first word, each with its part.
fn names<'w>(text: &str, words: &'w [Token]) -> Vec<Named<'w>> {
    let capital = |at: usize| text[words[at].0.clone()].starts_with(char::is_uppercase);
    let beside = |at: usize| text[words[at].0.end..words[at + 1].0.start] == *" ";
    let starts = (1..words.len()).filter(|at| capital(*at) && !(capital(*at - 1) && beside(*at - 1)));
    starts
        .filter_map(|at| {
            let is_article = |at: &usize| ARTICLES.contains(&words[*at].1.as_str());
            let before = (0..at).rev().find(|before| !is_article(before))?;
            let word = words[before].1.as_str();
            let listed = PARTS.iter().find(|(_, list)| list.contains(&word)).map(|(part, _)| *part);
            let part = match listed {
                Some(part) => part,
                None if before + 1 == at && beside(before) && !capital(before) => Part::Object,
                None => Part::Other,
            };
            Some(Named { name: &words[at].1, part, at })
        })
        .collect()
}

/// The part of a name that a text has once.
fn part(of: &[Named<'_>], name: &str) -> Option<Part> {
    let mut same = of.iter().filter(|named| named.name == name);
    same.next().filter(|_| same.next().is_none()).map(|named| named.part)
}

/// Two names that took each other's part.
fn exchanged(own: &[Named<'_>], others: &[Named<'_>]) -> Option<String> {
    let pairs =
        own.iter().enumerate().flat_map(|(at, one)| own[at + 1..].iter().map(move |other| (one, other)));
    let mut turned = pairs.filter(|(one, other)| {
        one.part != other.part
            && one.part != Part::Other
            && other.part != Part::Other
            && part(others, one.name) == Some(other.part)
            && part(others, other.name) == Some(one.part)
    });
    turned.next().map(|(one, other)| format!("“{}” and “{}” changed places", one.name, other.name))
}

/// A name that something goes to, where it comes from it and goes to another one, or the reverse.
fn moved(own: &[Named<'_>], others: &[Named<'_>]) -> Option<String> {
    let is_turned =
        |mine: Part, theirs: Part| matches!((mine, theirs), (Part::From, Part::To) | (Part::To, Part::From));
    let lacks = |name: &str| own.iter().all(|named| named.name != name);
    let mut turned = own.iter().filter(|named| {
        part(others, named.name).is_some_and(|theirs| is_turned(named.part, theirs))
            && others.iter().any(|other| other.part == named.part && lacks(other.name))
    });
    turned.next().map(|named| format!("“{}” stands where the source has another", named.name))
}

/// A name to which a claim lets somebody do what the sentence says without an object, the name being told elsewhere of it.
fn made_an_object(
    (own, mine): (&[Named<'_>], &[Token]),
    (others, theirs): (&[Named<'_>], &[Token]),
    (claim, said): (&str, &str),
) -> Option<String> {
    let is_listed = |word: &str| PARTS.iter().any(|(_, list)| list.contains(&word));
    let mut made = own.iter().filter(|named| {
        let Some(verb) = named.at.checked_sub(1).map(|at| mine[at].1.as_str()) else { return false };
        let is_elsewhere = others.iter().any(|other| other.name == named.name && other.part != Part::Object);
        let without_object = |at: usize| {
            theirs[at].1 == verb
                && theirs
                    .get(at + 1)
                    .is_some_and(|next| said[theirs[at].0.end..next.0.start] == *" " && is_listed(&next.1))
        };
        // `It is closed, warned Anna Schmidt`: she is who did it.
        let is_turned = |verb: usize| {
            verb > 0
                && claim[mine[verb - 1].0.end..mine[verb].0.start].contains([',', '"', '”', '“', '»', '«'])
        };
        named.part == Part::Object
            && !is_turned(named.at - 1)
            && is_elsewhere
            && ENDINGS.iter().any(|ending| verb.ends_with(ending))
            && (0..theirs.len()).any(without_object)
    });
    made.next().map(|named| format!("“{}” is told with “{}”", named.name, mine[named.at - 1].1))
}

/// A figure that is told to be up from a larger one, or down from a smaller.
fn against_its_direction(claim: &Features<'_>, said: &Features<'_>) -> Option<String> {
    const WAYS: &[(&str, bool)] = &[("up from ", true), ("down from ", false)];
    let counts = |figure: &&Figure| !matches!(figure.unit, Unit::Date | Unit::Label | Unit::Ordinal);
    WAYS.iter().find_map(|(way, rises)| {
        let at = claim.text.find(way).filter(|_| !said.text.contains(way))?;
        let from = claim.figures.iter().filter(counts).find(|figure| figure.start >= at)?;
        let before = claim.figures.iter().filter(counts).rev();
        let now = before.into_iter().find(|figure| figure.end <= at && figure.comparable(from))?;
        let (was, is) = (from.low.approximate(), now.low.approximate());
        // What it is up from was before.
        let year = |figure: &Figure| {
            let is_near =
                |date: &&Figure| (0..YEAR_BYTES_MAX).contains(&(date.start as isize - figure.end as isize));
            claim.figures.iter().find(is_near).and_then(|date| date.years())
        };
        let is_later = year(from).zip(year(now)).is_some_and(|(from, now)| from.0 > now.1);
        let against = is_later || if *rises { is < was } else { is > was };
        against.then(|| format!("“{}” stands where it is the other way", way.trim()))
    })
}
