//! What narrows a statement and may not be left out: `in mice`, `according to Acme`, `except in banking`, `but not conclusive`,
//! `3 of the 12`.

use std::ops::Range;

use super::connecting::is_connecting;
use super::evidence::Evidence;
use super::listed::words;
use super::scope::{clauses, is_taken, tokens};
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::figures::Unit;

mod accused;
mod behind;
mod heads;
mod modified;
mod of_all;
mod one_of;
mod qualified;
mod some;
mod words;

use self::words::{
    ASIDE, BUT, BUT_CHINESE, CONTRASTS, EVERYBODY, EXCEPTING, EXCEPTS, LEADING, NOT, NOT_CHINESE, SAYS,
    SPEAKERS, STUDIES,
};

/// Bytes of a phrase that a sentence begins with.
const PHRASE_BYTES_MAX: usize = 80;
/// Letters by which a word is known in another form: `Norwegian`, `Norway`.
const FAMILY_MIN: usize = 4;

/// What of a sentence a claim that takes over the rest leaves out; `whole` is the sentence that the claim is a part of.
pub(super) fn narrowed(
    claim: &Features<'_>,
    whole: &str,
    said: &Features<'_>,
    evidence: &Evidence<'_>,
) -> Option<String> {
    let left_out = circumstance(claim, whole, said, evidence).or_else(|| speaker(claim, whole, said));
    left_out
        .or_else(|| exception(claim, whole, said))
        .or_else(|| of_all::part_of_all(claim.text, said.text))
        .or_else(|| some::of_whom(claim, whole, said))
        .or_else(|| accused::accusation(claim, whole, said))
        .or_else(|| of_whom_or_when(claim, whole, said))
}

/// What kind of things, of whom and within which limits it is so. Nothing where no word of the sentence is left out.
fn of_whom_or_when(claim: &Features<'_>, whole: &str, said: &Features<'_>) -> Option<String> {
    let leaves_out = said.terms.iter().any(|term| claim.terms.binary_search(term).is_err());
    if !leaves_out {
        return None;
    }
    let (mine, theirs) = (words(claim.text), words(said.text));
    qualified::qualification(&mine, whole, said.text, &theirs)
        .or_else(|| one_of::highest(&mine, said.text, &theirs))
        .or_else(|| heads::left_out((claim.text, &mine), (said.text, &theirs)))
        .or_else(|| behind::limit(claim, whole, said, &theirs))
        .or_else(|| modified::kind((claim, &mine), (said, &theirs)))
}

fn says(element: &&Element) -> bool {
    matches!(element.role, Role::Content | Role::Name | Role::Character | Role::Attribution)
}

fn has_one(text: &str, listed: &[&str]) -> bool {
    let is = |word: &str| {
        listed
            .iter()
            .any(|entry| entry.strip_suffix('*').map_or(*entry == word, |stem| word.starts_with(stem)))
    };
    tokens(text).any(|(_, word)| is(&word))
        || listed.iter().any(|entry| !entry.is_ascii() && text.contains(entry))
}

/// Whether a claim takes over what follows a phrase with which a sentence begins.
fn takes_rest(claim: &Features<'_>, said: &Features<'_>, from: usize) -> bool {
    let parts = clauses(said.text, |_| false);
    let mut behind = parts
        .iter()
        .filter(|part| part.start >= from && said.text[(*part).clone()].contains(char::is_alphabetic));
    behind.next().is_some_and(|part| is_taken(claim, said, part))
}

/// Whether a text has one of some words, in whatever form, or the question has it.
fn is_told(text: &str, of: &Features<'_>, words: &[&Element], evidence: &Evidence<'_>) -> bool {
    let told: Vec<String> = tokens(text).map(|(_, word)| word).collect();
    words.iter().any(|element| {
        let word = of.text[element.range()].to_lowercase();
        let stem: String = word.chars().take(FAMILY_MIN).collect();
        evidence.asks(element.term)
            || told.iter().any(|other| {
                *other == word || (stem.chars().count() == FAMILY_MIN && other.starts_with(&stem))
            })
            || (!word.is_ascii() && text.contains(&word))
    })
}

/// Where it is so: `In mice, …`. When, and how the text goes on (`in addition`), may be left out.
fn circumstance(
    claim: &Features<'_>,
    whole: &str,
    said: &Features<'_>,
    evidence: &Evidence<'_>,
) -> Option<String> {
    let (_, first) = tokens(said.text).next()?;
    let is_one = LEADING.contains(&first.as_str()) || said.text.starts_with('在');
    let comma = said.text.find([',', '，']).filter(|end| *end <= PHRASE_BYTES_MAX);
    let end = comma.or_else(|| first_name(said.text)).filter(|_| is_one)?;
    let phrase = &said.text[..end];
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_date = said.figures.iter().any(|figure| figure.start < end && figure.unit == Unit::Date)
        || phrase.split(|c: char| !c.is_alphanumeric()).any(is_year);
    let within = said.elements.iter().filter(|element| element.end <= end).filter(says);
    let words: Vec<&Element> = within
        .filter(|element| {
            let word = said.text[element.range()].to_lowercase();
            !is_connecting(&word) && !LEADING.contains(&word.as_str())
        })
        .collect();
    let aside = has_one(&said.text[..end], ASIDE);
    let left_out = !is_date && !aside && !words.is_empty() && !is_told(whole, said, &words, evidence);
    let takes = match comma {
        Some(end) => takes_rest(claim, said, end),
        None => is_taken(claim, said, &(end..said.text.len())),
    };
    (left_out && takes).then(|| said.text[..end].to_owned())
}

/// The end of the first name or noun behind the first word of a sentence, where it stands close: of `Bei Mäusen senkt Zink …`, of
/// `Bei Mäusen`.
fn first_name(text: &str) -> Option<usize> {
    const CLOSE: usize = 2;
    let mut words = tokens(text).skip(1).take(CLOSE);
    words.find(|(range, _)| text[range.clone()].starts_with(char::is_uppercase)).map(|(range, _)| range.end)
}

/// Who says so, where a sentence begins with that: `According to Acme, …`.
fn speaker(claim: &Features<'_>, whole: &str, said: &Features<'_>) -> Option<String> {
    let (range, names) =
        named_speaker(said.text).filter(|(range, names)| range.start == 0 && !names.is_empty())?;
    if has_one(&said.text[range.clone()], STUDIES) {
        return None;
    }
    let mine = named_speaker(whole).map(|(_, names)| names).unwrap_or_default();
    let another = !mine.is_empty() && !mine.iter().any(|name| names.contains(name));
    let is_named = || tokens(whole).any(|(_, word)| names.contains(&word));
    let unnamed = !has_one(whole, SAYS) && !is_named();
    let takes = takes_rest(claim, said, range.end) || is_taken(claim, said, &(range.end..said.text.len()));
    ((another || unnamed) && takes).then(|| said.text[range].to_owned())
}

/// The phrase that names who says it, and the words of the name. It ends with a comma, or where the small letters begin.
fn named_speaker(text: &str) -> Option<(Range<usize>, Vec<String>)> {
    let mut words = tokens(text).skip_while(|(_, word)| !SPEAKERS.contains(&word.as_str()));
    let (first, _) = words.next()?;
    let comma = text[first.end..].find([',', ';', '，']).map(|at| first.end + at);
    let (mut end, mut names) = (first.end, Vec::new());
    for (range, word) in words.take_while(|(range, _)| comma.is_none_or(|comma| range.start < comma)) {
        let goes_on =
            comma.is_some() || names.is_empty() || text[range.clone()].starts_with(char::is_uppercase);
        if !goes_on {
            break;
        }
        end = range.end;
        names
            .extend(Some(word).filter(|word| !is_connecting(word) && !matches!(word.as_str(), "the" | "to")));
    }
    Some((first.start..end, names))
}

/// What is excepted, or taken back at once: `…, except in banking`, `…, but not conclusive`.
fn exception(claim: &Features<'_>, whole: &str, said: &Features<'_>) -> Option<String> {
    let words: Vec<_> = tokens(said.text).collect();
    for (at, (range, word)) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", |(_, next)| next);
        let before = at.checked_sub(1).map_or("", |at| words[at].1.as_str());
        let but = BUT.contains(&word.as_str());
        let (is_one, kept) = match () {
            () if EXCEPTS.contains(&word.as_str()) || (but && EVERYBODY.contains(&before)) => {
                (true, has_one(whole, EXCEPTING))
            }
            () if but && NOT.contains(&next) => {
                let restricts = restricted(&words[..at], words.get(at + 2).map(|(_, word)| word.as_str()));
                let restricts = restricts.iter().any(|word| has_one(claim.text, &[word]));
                (true, restricts || has_one(whole, CONTRASTS))
            }
            () => (false, true),
        };
        let from = clauses(said.text, |_| false)
            .into_iter()
            .rfind(|part| part.end <= range.start && has_word(&said.text[part.clone()]));
        let limited = from.map_or(0, |part| part.start)..range.start;
        if is_one && !kept && (EVERYBODY.contains(&before) || is_taken(claim, said, &limited)) {
            return Some(said.text[range.start..].to_owned());
        }
    }
    let at = BUT_CHINESE.iter().find_map(|but| said.text.find(but))?;
    let denies = said.text[at..].chars().take(6).any(|c| NOT_CHINESE.contains(&c));
    let kept = has_one(whole, CONTRASTS);
    let limited = said.text[..at]
        .trim_end_matches(['，', ','])
        .rfind(['，', '。', '“', '：'])
        .map_or(0, |from| from + '，'.len_utf8())..at;
    (denies && !kept && is_taken(claim, said, &limited)).then(|| said.text[at..].to_owned())
}

/// What stands behind the word that is said again of what isn't so: of `in men but not in women`, `men`.
fn restricted<'w>(before: &'w [(Range<usize>, String)], again: Option<&str>) -> Vec<&'w str> {
    let from = before.iter().rposition(|(_, word)| Some(word.as_str()) == again);
    from.map_or(Vec::new(), |from| before[from + 1..].iter().map(|(_, word)| word.as_str()).collect())
}

fn has_word(text: &str) -> bool {
    text.split_whitespace().count() > 1
}
