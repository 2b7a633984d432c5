//! How long, heavy, dear … something is, whatever words say so: `The bridge is 120 m long` and `The bridge has a length of 150 m`,
//! `The town has a population of 12,000` and `15,000 people live in the town`.
//!
//! A figure says an attribute where its words stand beside it, and what has it stands where their grammar wants it. Both must have the same
//! thing: one may call it by more names than the other, but by no other word; `it` may be whatever the other calls by no name.

use std::ops::Range;

use self::clause::{has, holder};
use self::kinds::{ATTRIBUTES, Attribute, Of};
use super::super::amounts::Value;
use super::scope::{Lines, Scope};
use super::{Class, Mention, Scoped, Told};
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::figures::Figure;
use crate::domain::text::phrases::{begins_with_any, behind_any};
use crate::domain::text::words::{Lexicon, Term};

mod clause;
mod kinds;
#[cfg(test)]
mod tests;

/// Figures of a sentence that are looked at.
const FIGURES_MAX: usize = 4;
/// What joins a noun and its figure.
#[rustfmt::skip]
const JOINTS: [&str; 22] = [
    "is", "are", "was", "of", ":", "is about", "stands at", "amounts to", "comes to", "reaches", "is at", "was at", "is up to", "ist", "beträgt", "liegt bei", "von", "est de", "de", "es de", "est", "es",
];
/// Before a figure, how exactly it is meant, and articles.
#[rustfmt::skip]
const LOOSE: [&str; 29] = [
    "about", "around", "approximately", "roughly", "nearly", "almost", "some", "just", "just over", "just under", "up to", "over", "more than", "at least", "a", "an", "the", "eine", "einen", "une", "un", "una", "etwa", "rund", "circa", "ca.", "environ", "unos", "unas",
];
/// What stands before a figure that what is behind it measures.
const BEING: [&str; 12] =
    ["is", "are", "was", "were", "stands", "measures", "lies", "sits", "ist", "mesure", "fait", "mide"];
/// What is compared apart, or says nothing: per what it is so much.
const PER: [&str; 5] = ["per", "each", "single charge", "month", "year"];
/// What says nothing of which one it is.
#[rustfmt::skip]
const GENERIC: [&str; 8] = ["total", "overall", "product", "item", "average", "typical", "device", "thing"];

/// Words of which one stands in all sentences that say an attribute, but for those of how large something is.
pub(super) fn cues() -> impl Iterator<Item = &'static str> {
    let phrases = |attribute: &'static Attribute| {
        [attribute.nouns, attribute.behind, attribute.verbs, attribute.counted].into_iter().flatten()
    };
    let longest = |phrase: &'static &'static str| phrase.split(' ').max_by_key(|word| word.len());
    ATTRIBUTES.iter().flat_map(phrases).filter(|phrase| !BEING.contains(phrase)).filter_map(longest)
}

/// Whether a sentence says how large something is by its unit alone.
pub(super) fn is_size(of: &Features<'_>) -> bool {
    of.figures.iter().any(|figure| Of::Area.fits(figure.unit))
}

/// What a sentence says of the attributes that are known.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Vec<Mention<'a>> {
    let lower = of.text.to_ascii_lowercase();
    let mut found = Vec::new();
    for figure in of.figures.iter().filter(|figure| figure.low == figure.high).take(FIGURES_MAX) {
        for (number, attribute) in ATTRIBUTES.iter().enumerate() {
            if !attribute.of.fits(figure.unit) {
                continue;
            }
            if let Some(range) = said(&lower, figure, attribute) {
                let per = per(&lower[figure.end..]);
                let key = Term((number as u64) << 32 | u64::from(per));
                let told = Told::Amount(Value::new(of, figure, None));
                found.push(Mention { at, class: Class::Attribute, key, core: terms(of, range), told });
            }
        }
    }
    found
}

/// What tells what has it.
fn terms(of: &Features<'_>, range: Range<usize>) -> Vec<Term> {
    let tells = |element: &&Element| {
        range.start <= element.start
            && element.end <= range.end
            && matches!(element.role, Role::Content | Role::Name | Role::Figure)
            && !GENERIC.iter().any(|word| word.eq_ignore_ascii_case(&of.text[element.range()]))
    };
    distinct(of.elements.iter().filter(tells).map(|element| element.term))
}

/// Per what it is so much, as a number: `a month`, `per month`, `/month`; 0 where it is per nothing.
fn per(behind: &str) -> u32 {
    let behind = behind.trim_start();
    let rest = behind_any(behind, &["per ", "a ", "an ", "each ", "/", "pro ", "im ", "par ", "al "]);
    let word = rest.map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default());
    word.map_or(0, |word| word.bytes().take(4).fold(1, |sum, byte| sum << 8 ^ u32::from(byte)))
}

/// What has the attribute, as a place in the text, where the figure is said to be it.
fn said(lower: &str, figure: &Figure, attribute: &Attribute) -> Option<Range<usize>> {
    let before = loose(&lower[..figure.start]);
    let behind = lower[figure.end..].trim_start_matches([' ', '-', '‑']);
    // What it rests on may be another case of it.
    if behind.contains("based on ") {
        return None;
    }
    // `costs $599 and the Ti …`: more is said of it than one figure.
    if begins_with_any(behind, &["and ", "or ", "to ", "und ", "et ", "y "]) {
        return None;
    }
    let begins = |word: &&&str| {
        behind
            .strip_prefix(**word)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let verb = || attribute.verbs.iter().filter_map(|verb| ended(before, verb)).min_by_key(|rest| rest.len());
    if attribute.behind.iter().any(|word| begins(&word)) {
        let rest = BEING.iter().find_map(|verb| ended(before, verb))?;
        return holder(rest);
    }
    if let Some(counted) = attribute.counted.iter().find(|word| begins(word)) {
        if counted.ends_with(" in") {
            let start = lower.len() - behind.len() + counted.len();
            return before.is_empty().then(|| clause::place(lower, start));
        }
        let rest = has(before).or_else(verb).or_else(|| is_one(before, behind))?;
        return holder(rest);
    }
    if attribute.nouns.iter().any(|word| begins(&word)) && attribute.of != Of::Money {
        return holder(has(before)?);
    }
    // `The tower is 300 m² of glass`: only how large it is altogether.
    let is_whole = attribute.of != Of::Area || behind.is_empty() || behind.starts_with(['.', ',', ';']);
    if let Some(rest) = verb().filter(|_| is_whole) {
        return holder(rest);
    }
    noun(lower, before, attribute)
}

/// `a 7B-parameter model` behind `is`.
fn is_one<'l>(before: &'l str, behind: &str) -> Option<&'l str> {
    behind.starts_with("parameter ").then(|| ended(before, "is")).flatten()
}

/// What has it, where its noun stands before the figure.
fn noun(lower: &str, before: &str, attribute: &Attribute) -> Option<Range<usize>> {
    let joint =
        JOINTS.iter().filter(|joint| ended(before, joint).is_some()).max_by_key(|joint| joint.len())?;
    let rest = ended(before, joint)?.trim_end_matches(['*', '_']);
    let direct = attribute.nouns.iter().filter_map(|noun| ended(rest, noun)).min_by_key(|left| left.len());
    let is_of = matches!(*joint, "of" | "von" | "de");
    if let Some(left) = direct {
        return if is_of { holder(has(loose(left))?) } else { clause::owner(left) };
    }
    // `the length of the bridge is`.
    attribute.nouns.iter().filter(|_| !is_of).find_map(|noun| {
        let of = [" of ", " von ", " der ", " des ", " du ", " del ", " de "].iter().find_map(|of| {
            let at = rest.find(&format!("{noun}{of}"))?;
            Some((at, at + noun.len() + of.len()))
        });
        let (at, start) = of?;
        let begins = clause::is_joined(&lower[..at]);
        begins.then(|| clause::whole(rest, start)).flatten()
    })
}

/// A text without what says how exactly the figure behind it is meant.
fn loose(text: &str) -> &str {
    let mut text = text.trim_end_matches([' ', '~', '≈', '*', '_', '(']);
    while let Some(rest) = LOOSE.iter().find_map(|word| ended(text, word)) {
        text = rest;
    }
    text
}

/// What stands before a word with which a text ends.
fn ended<'l>(text: &'l str, word: &str) -> Option<&'l str> {
    let rest = text.strip_suffix(word)?;
    let is_word = !rest.ends_with(|c: char| c.is_alphanumeric() || c == '-') || word == ":";
    is_word.then(|| rest.trim_end())
}

/// Whether two are of others, of other times or parts, or meant otherwise.
pub(super) fn are_of_others<'t>(
    [one, other]: [&Mention<'_>; 2],
    [a, b]: [(&Statement<'t>, &Features<'t>); 2],
    lines: &mut Lines<'t>,
    lexicon: &mut Lexicon,
) -> bool {
    let are_labels = || [a.1, b.1].iter().all(|of| is_label(of));
    // What costs most comes last.
    if one.core.is_empty() && other.core.is_empty() && are_labels()
        || !are_one([(&one.core, a.1), (&other.core, b.1)])
    {
        return true;
    }
    let [mine, theirs] = [(one, a), (other, b)].map(|(mention, said)| {
        let attribute = &ATTRIBUTES[(mention.key.0 >> 32) as usize];
        let mut core = mention.core.clone();
        core.extend(PER.iter().flat_map(|word| lexicon.words(word)).map(|word| word.term));
        for words in [attribute.nouns, attribute.behind, attribute.verbs, attribute.counted] {
            core.extend(words.iter().flat_map(|word| lexicon.words(word)).map(|word| word.term));
        }
        let class = if attribute.lasts { Scoped::Constant } else { Scoped::Attribute };
        Scope::of(class, &core, said, lines, lexicon)
    });
    mine.is_apart(&theirs)
}

/// `Price: $10` may be of anything: labels are held against each other elsewhere.
fn is_label(of: &Features<'_>) -> bool {
    of.figures.first().is_some_and(|figure| of.text[..figure.start].contains(": "))
}

/// Whether both may be the same thing: one is called by nothing more than names besides.
fn are_one([(mine, one), (theirs, other)]: [(&[Term], &Features<'_>); 2]) -> bool {
    let is_name = |of: &Features<'_>, term: &Term| {
        of.elements
            .iter()
            .any(|element| element.term == *term && of.text[element.start..].starts_with(char::is_uppercase))
    };
    match (mine.is_empty(), theirs.is_empty()) {
        (true, true) => true,
        (true, false) => !theirs.iter().any(|term| is_name(other, term)),
        (false, true) => !mine.iter().any(|term| is_name(one, term)),
        (false, false) => {
            let more = |own: &[Term], of: &Features<'_>, than: &[Term]| {
                own.iter().all(|term| than.contains(term) || is_name(of, term))
            };
            mine.iter().any(|term| theirs.contains(term))
                && more(mine, one, theirs)
                && more(theirs, other, mine)
                && (mine.iter().all(|term| theirs.contains(term))
                    || theirs.iter().all(|term| mine.contains(term)))
        }
    }
}

/// Whether what one tells of several things tells these apart.
pub(super) fn are_told_apart(own: &[&Mention<'_>]) -> bool {
    let lacks = |own: &[Term], than: &[Term]| own.iter().any(|term| !than.contains(term));
    own.iter().enumerate().all(|(rank, one)| {
        own[rank + 1..].iter().all(|other| lacks(&one.core, &other.core) && lacks(&other.core, &one.core))
    })
}
