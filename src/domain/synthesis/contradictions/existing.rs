//! That there is none of something, and that there is some, in other words: `No vulnerabilities were found.` and `We found two
//! vulnerabilities.`, `There are no breaking changes in 5.2.` and `Version 5.2 has three breaking changes.`, `All tests passed.` and
//! `Three tests failed.`
//!
//! What there is, with all that says of which kind it is, and where it is must be the same, and neither may say when or if.

use std::collections::BTreeMap;

use super::between::independent;
use super::differ::Difference;
use super::elsewhere::are_of_others;
use super::{CHECKS_MAX, Kind};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Statement, are_headed_alike, are_tasks_of_others};
use crate::domain::text::words::Lexicon;

/// Bytes and words of such a sentence, and words of what there is.
const BYTES_MAX: usize = 120;
const WORDS_MAX: usize = 12;
const NOUN_MAX: usize = 3;
const NONE: [&str; 2] = ["no", "zero"];
#[rustfmt::skip]
const SOME: [&str; 19] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "some", "several", "multiple", "many", "numerous", "dozens", "various",
];
/// What makes it hold at times, in part, or under a condition.
#[rustfmt::skip]
const HEDGES: &[&str] = &[
    "if", "unless", "until", "before", "after", "since", "when", "only", "but", "may", "might", "could", "would", "should", "except", "other", "further", "additional", "more", "longer", "yet", "not", "never", "without", "and", "or", "than", "at", "least", "per", "each", "was", "had",
];
const BE: [&str; 4] = ["is", "are", "were", "was"];
/// What somebody does who finds something.
const FINDS: [&str; 7] =
    ["found", "identified", "detected", "discovered", "observed", "reported", "uncovered"];
const HAS: [&str; 6] = ["has", "have", "contains", "contain", "includes", "include"];
/// Who finds it, which says nothing of where it is.
#[rustfmt::skip]
const FINDERS: &[&str] = &["i", "we", "scan", "audit", "review", "test", "tests", "team", "reviewers", "investigation", "analysis", "the", "our", "my", "security", "code"];
/// What stands before where it is.
const PLACES: [&str; 10] = ["in", "on", "for", "of", "within", "with", "during", "from", "between", "to"];
/// What says nothing of where it is.
const LIGHT: [&str; 12] =
    ["the", "a", "an", "version", "release", "this", "our", "its", "it", "they", "there", "release's"];
/// What one looks for without saying of what.
#[rustfmt::skip]
const WORK: &[&str] = &[
    "result", "source", "study", "article", "paper", "document", "record", "match", "mention", "data", "information", "reference", "page", "entry", "hit", "example", "reason", "way", "change", "question", "report",
];
/// What all did, and what some did then not.
const ENDS: [(&[&str], &[&str]); 2] = [
    (&["passed", "pass", "succeeded"], &["failed", "fail"]),
    (&["failed", "fail"], &["passed", "pass", "succeeded"]),
];

/// What there is none or some of, and where.
struct Read<'s> {
    at: usize,
    statement: &'s Statement<'s>,
    is_none: bool,
    /// The word that says so.
    written: String,
}

/// The pairs that differ, and how many were compared. `order` are the statements in an order of their own.
pub(super) fn differences(
    order: &[usize],
    (statements, features): (&[Statement<'_>], &[&Features<'_>]),
    lexicon: &mut Lexicon,
) -> (Vec<([usize; 2], Difference)>, usize) {
    let mut same: BTreeMap<Vec<String>, Vec<Read<'_>>> = BTreeMap::new();
    for &at in order {
        let statement = &statements[at];
        let Some(Told { key, is_none, written }) = told(statement) else { continue };
        same.entry(key).or_default().push(Read { at, statement, is_none, written });
    }
    let (mut found, mut checked) = (Vec::new(), 0);
    for all in same.values() {
        let (none, some): (Vec<_>, Vec<_>) = all.iter().partition(|read| read.is_none);
        for one in none.iter().take(CHECKS_MAX) {
            for other in some.iter().take(CHECKS_MAX) {
                checked += 1;
                let (a, b) = ((one.statement, features[one.at]), (other.statement, features[other.at]));
                if independent(one.statement, other.statement) && are_of_one(a, b, lexicon) {
                    let difference =
                        Difference::new(Kind::Negation, one.written.clone(), other.written.clone());
                    found.push(([one.at, other.at], difference));
                }
            }
        }
    }
    (found, checked)
}

/// Whether nothing around two statements says that they are of others.
pub(super) fn are_of_one(
    (a, one): (&Statement<'_>, &Features<'_>),
    (b, other): (&Statement<'_>, &Features<'_>),
    lexicon: &mut Lexicon,
) -> bool {
    are_headed_alike((a, one), (b, other))
        && !are_tasks_of_others(a.around.task, b.around.task, lexicon)
        && !are_of_others((a, one), (b, other), lexicon)
}

struct Told {
    /// What there is, then where.
    key: Vec<String>,
    is_none: bool,
    written: String,
}

fn told(statement: &Statement<'_>) -> Option<Told> {
    let text = Some(statement.text).filter(|text| text.len() <= BYTES_MAX && text.is_ascii())?;
    let has_more = memchr::memchr3(b':', b';', b',', text.as_bytes())
        .or_else(|| memchr::memchr3(b'|', b'"', b'?', text.as_bytes()));
    if statement.row.is_some() || has_more.is_some() || text.contains('(') {
        return None;
    }
    let lower = text.trim_matches(['*', '_', ' ', '.', '!', '-']).to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    if words.len() > WORDS_MAX {
        return None;
    }
    ended(&words).or_else(|| existing(&words))
}

/// `All tests passed`, `Three tests failed`.
fn ended(words: &[&str]) -> Option<Told> {
    let (end, before) = words.split_last()?;
    let (first, noun) = before.split_first()?;
    let (all, some) = ENDS.iter().find(|(all, _)| all.contains(end)).map(|(all, some)| (all[0], some[0]))?;
    let is_all = *first == "all";
    let noun =
        noun.iter().skip_while(|word| is_all && (**word == "the" || **word == "of" || is_number(word)));
    let noun: Vec<&str> = noun.copied().collect();
    if !(is_all || is_some(first)) || !(1..=NOUN_MAX).contains(&noun.len()) {
        return None;
    }
    // That all passed says that none failed.
    let of = if is_all { some } else { all };
    let mut key = vec![of.to_owned()];
    key.extend(noun_of(&noun));
    Some(Told { key, is_none: is_all, written: words.join(" ") })
}

/// `No vulnerabilities were found`, `We found two vulnerabilities`, `There are no breaking changes in 5.2`.
fn existing(words: &[&str]) -> Option<Told> {
    let is_quantity = |word: &&str| NONE.contains(word) || is_some(word);
    let mut quantities = words.iter().enumerate().filter(|(_, word)| is_quantity(word));
    let (at, quantity) = quantities.next().filter(|_| quantities.next().is_none())?;
    let (before, behind) = (&words[..at], &words[at + 1..]);
    let is_found = |word: &&str| FINDS.contains(word) || matches!(*word, "present" | "known");
    let (noun, mut place) = match before {
        [] => {
            let be = behind.iter().position(|word| BE.contains(word))?;
            behind.get(be + 1).filter(|verb| is_found(verb))?;
            (&behind[..be], behind[be + 2..].to_vec())
        }
        ["there", be] if BE.contains(be) => placed(behind),
        [who @ .., verb] if FINDS.contains(verb) && !who.is_empty() => {
            who.iter().all(|word| FINDERS.contains(word)).then(|| placed(behind))?
        }
        [who @ .., verb] if HAS.contains(verb) && !who.is_empty() => {
            let (noun, place) = placed(behind);
            (noun, [who, &place].concat())
        }
        _ => return None,
    };
    if !(1..=NOUN_MAX).contains(&noun.len()) || noun.iter().chain(&place).any(|word| HEDGES.contains(word)) {
        return None;
    }
    place.retain(|word| !LIGHT.contains(word) && !PLACES.contains(word));
    place.sort_unstable();
    let noun: Vec<String> = noun_of(noun);
    let is_work = noun.len() == 1 && WORK.contains(&noun[0].as_str()) && place.is_empty();
    let key = noun.into_iter().chain(["in".to_owned()]).chain(place.into_iter().map(str::to_owned)).collect();
    let is_none = NONE.contains(quantity);
    (!is_work).then(|| Told { key, is_none, written: (*quantity).to_owned() })
}

/// What there is, and where.
fn placed<'w, 't>(behind: &'w [&'t str]) -> (&'w [&'t str], Vec<&'t str>) {
    let end = behind.iter().position(|word| PLACES.contains(word)).unwrap_or(behind.len());
    (&behind[..end], behind[end..].to_vec())
}

/// The words of what there is, the last without what makes several of it.
fn noun_of(noun: &[&str]) -> Vec<String> {
    let mut words: Vec<String> = noun.iter().map(|word| (*word).to_owned()).collect();
    if let Some(last) = words.last_mut() {
        let one = match last.as_str() {
            many if many.ends_with("ies") && many.len() > 4 => format!("{}y", &many[..many.len() - 3]),
            many if many.ends_with('s') && !many.ends_with("ss") => many[..many.len() - 1].to_owned(),
            one => one.to_owned(),
        };
        *last = one;
    }
    words
}

fn is_some(word: &str) -> bool {
    SOME.contains(&word) || is_number(word)
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| ('1'..='9').contains(&c))
        && word.chars().all(|c| c.is_ascii_digit() || c == ',')
}

#[cfg(test)]
mod tests {
    use super::super::tests::between_texts;

    #[test]
    fn none_and_some_in_other_words_contradict() {
        for (none, some) in [
            ("No vulnerabilities were found.", "We found two vulnerabilities."),
            ("There are no breaking changes in 5.2.", "Version 5.2 has three breaking changes."),
            ("The audit found no critical vulnerabilities.", "3 critical vulnerabilities were identified."),
            ("The library has no dependencies.", "The library has several dependencies."),
            ("All tests passed.", "Three tests failed."),
            ("All 412 unit tests passed.", "12 unit tests failed."),
        ] {
            assert_eq!(between_texts(none, some).len(), 1, "{none} / {some}");
            assert_eq!(between_texts(some, none).len(), 1, "{none} / {some}");
        }
    }

    #[test]
    fn other_things_and_other_places_contradict_nothing() {
        for (none, some) in [
            ("No critical vulnerabilities were found.", "We found two vulnerabilities."),
            ("No vulnerabilities were found in libfoo.", "We found two vulnerabilities in libbar."),
            ("No vulnerabilities were found.", "We found two vulnerabilities in libbar."),
            ("There are no breaking changes in 5.2.", "Version 5.3 has three breaking changes."),
            ("There are no other bugs in the code.", "There are two bugs in the code."),
            ("All unit tests passed.", "Three integration tests failed."),
            ("All tests passed.", "Three tests failed before the fix."),
            ("No results were found.", "We found two results."),
            ("The library has no dependencies.", "The plugin has several dependencies."),
            ("There are no pets in the house if it rains.", "There are two pets in the house."),
            ("## Europe\n\nNo vulnerabilities were found.", "## Asia\n\nWe found two vulnerabilities."),
        ] {
            assert_eq!(between_texts(none, some).len(), 0, "{none} / {some}");
            assert_eq!(between_texts(some, none).len(), 0, "{none} / {some}");
        }
    }
}
