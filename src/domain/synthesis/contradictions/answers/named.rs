//! Answers of a few words: `Answer: Paris` and `Answer: London`.
//!
//! Two names may mean the same, so they are another only where nothing that either says is in the other, neither may be short for the
//! other or another spelling of it, and both are of one kind: two names, two words that aren't, two letters of a choice.

use super::bare::{is_plain, words};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::contradictions::Kind;
use crate::domain::synthesis::contradictions::differ::Difference;
use crate::domain::text::first_letters::Beginnings;
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::scripts::is_wide;

/// Words of such an answer, its bytes, and Chinese or Japanese characters.
const WORDS_MAX: usize = 5;
const BYTES_MAX: usize = 60;
const WIDE_MAX: usize = 8;
/// Words and bytes of a cause.
const CAUSE_MAX: (usize, usize) = (7, 80);
/// What causes all sorts of things: who says no more than that may mean what another names.
#[rustfmt::skip]
const VAGUE: &[&str] = &[
    "bug", "error", "errors", "mistake", "problem", "problems", "issue", "issues", "glitch", "malfunction", "fault", "failure", "defect", "technical", "software", "hardware", "human", "mechanical", "internal", "external",
    "change", "event", "incident", "circumstances", "factors", "reasons", "something", "bad", "faulty", "unexpected", "problema", "fallo", "técnico", "humano",
];
/// What a cause is joined with, and what says how bad it was.
const CAUSE_FRAME: [&str; 12] =
    ["on", "by", "with", "for", "from", "to", "un", "una", "faulty", "bad", "en", "failed"];
/// What says nothing of its own.
#[rustfmt::skip]
const FRAME: &[&str] = &[
    "the", "a", "an", "of", "in", "at", "it", "it's", "is", "der", "die", "das", "la", "le", "el", "les", "los", "option", "choice", "answer", "variant", "city", "town", "inc", "ltd", "corp", "gmbh", "company",
];
/// What answers nothing.
#[rustfmt::skip]
const NOTHING: &[&str] = &[
    "none", "unknown", "nobody", "nothing", "unavailable", "missing", "pending", "done", "see", "below", "above", "both", "all", "either", "neither", "varies", "various", "several", "keine", "unbekannt", "aucun", "ninguno",
];
/// What joins several.
const JOINTS: [&str; 10] = ["and", "or", "und", "oder", "et", "ou", "y", "o", "e", "vs"];
/// How far apart two spellings of a name are at most.
const SPELLED_MAX: usize = 2;

/// What kind of words it is: of others nothing is known.
#[derive(PartialEq, Eq)]
enum Shape {
    Letter,
    Name,
    Words,
    Wide,
}

/// A few words that answer.
pub(in crate::domain::synthesis::contradictions) struct Named<'t> {
    /// As they are written.
    pub written: &'t str,
    /// What they say, in small letters.
    said: Vec<String>,
    shape: Shape,
}

/// What says no more than that something is the answer.
static IT_IS: Beginnings = Beginnings::new(&["it is ", "it's ", "it’s ", "that is ", "that's ", "that’s "]);

/// `Sydney` of `It is Sydney`.
pub(super) fn name_of_it(text: &str) -> Option<&str> {
    let called = IT_IS.like(text).find_map(|called| {
        let head = text.get(..called.len()).filter(|head| head.eq_ignore_ascii_case(called))?;
        text.get(head.len()..)
    });
    called.filter(|name| name.starts_with(char::is_uppercase))
}

/// The words behind what calls them the answer, where they are few and no sentence.
pub(super) fn named<'t>(of: &Features<'_>, answer: &'t str) -> Option<Named<'t>> {
    let is_denied = || of.marks.iter().any(|marked| marked.mark.is_negation());
    if !of.figures.is_empty() || is_denied() { None } else { few_words(answer) }
}

/// What a few words name.
pub(in crate::domain::synthesis::contradictions) fn few_words(answer: &str) -> Option<Named<'_>> {
    up_to(answer, (WORDS_MAX, BYTES_MAX), false)
}

/// The same of what may have a number in its name: `Sony WH-1000XM4`.
pub(in crate::domain::synthesis::contradictions) fn product(answer: &str) -> Option<Named<'_>> {
    up_to(answer, (WORDS_MAX, BYTES_MAX), true)
}

/// What caused something, in a few words more. Names in it are no other kind of answer: `a TLS certificate`, `a faulty deploy`.
pub(in crate::domain::synthesis::contradictions) fn cause(answer: &str) -> Option<Named<'_>> {
    let named = up_to(answer, CAUSE_MAX, false)?;
    let says = |word: &String| !VAGUE.contains(&word.as_str()) && !CAUSE_FRAME.contains(&word.as_str());
    let is_said = named.shape != Shape::Letter && named.said.iter().any(says);
    let shape = if named.shape == Shape::Name { Shape::Words } else { named.shape };
    let said = named.said.iter().filter(|word| !CAUSE_FRAME.contains(&word.as_str())).cloned().collect();
    is_said.then_some(Named { shape, said, ..named })
}

fn up_to(answer: &str, (words_max, bytes_max): (usize, usize), is_numbered: bool) -> Option<Named<'_>> {
    let written = answer.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '(' | ')'));
    let is_short =
        !written.is_empty() && written.len() <= bytes_max && words(written).nth(words_max).is_none();
    if !is_short || written.contains(['\n', ':', '/', ';', '：', '、', '；']) || begins_with_pronoun(written)
    {
        return None;
    }
    let is_numbered = is_numbered && written.starts_with(char::is_uppercase);
    if !is_numbered && written.contains(char::is_numeric) || !is_plain(written) {
        return None;
    }
    // `Paris, France`, `Paris (France)`: what stands behind only tells where.
    let head = written.split([',', '(', '，', '（']).next().unwrap_or(written);
    let all: Vec<String> = words(written).map(str::to_lowercase).collect();
    let lists = |list: &[&str]| all.iter().any(|word| list.contains(&word.as_str()));
    if lists(NOTHING) || lists(&JOINTS) {
        return None;
    }
    let is_choice = |word: &&str| word.len() == 1 && word.starts_with(char::is_uppercase);
    // The `A` of `Option A` is no article.
    let is_letter = words(head).last().is_some_and(|last| is_choice(&last) && is_framed(head, last));
    let shape = match () {
        () if is_letter => Shape::Letter,
        () if written.contains(is_wide) => Shape::Wide,
        () if words(head).any(|word| word.contains(char::is_uppercase)) => Shape::Name,
        () => Shape::Words,
    };
    let is_wide_sentence = shape == Shape::Wide && written.chars().nth(WIDE_MAX).is_some();
    let is_said = |word: &String| is_letter || !FRAME.contains(&word.as_str());
    let said: Vec<String> = all.iter().filter(|word| is_said(word)).cloned().collect();
    (!is_wide_sentence && !said.is_empty()).then_some(Named { written, said, shape })
}

/// Whether nothing but what says nothing stands before the last word.
fn is_framed(head: &str, last: &str) -> bool {
    words(head).all(|word| word == last || FRAME.contains(&word.to_lowercase().as_str()))
}

impl Named<'_> {
    /// Whether it is a name, or the letter of a choice.
    pub fn is_name(&self) -> bool {
        matches!(self.shape, Shape::Letter | Shape::Name)
    }

    /// How two differ that can't mean the same.
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        let differ = self.shape == other.shape
            && match self.shape {
                Shape::Letter => self.said.last() != other.said.last(),
                Shape::Name | Shape::Words | Shape::Wide => {
                    !self.said.iter().any(|word| other.has(word))
                        && !is_short_for(&self.said, &other.said)
                        && !is_short_for(&other.said, &self.said)
                }
            };
        let (one, other) = (self.written.to_owned(), other.written.to_owned());
        differ.then_some(Difference::new(Kind::Answer, one, other))
    }

    /// Whether it says the same word, or one that is a part or another spelling of it.
    fn has(&self, word: &str) -> bool {
        // The `4` of `Momentum 4` is none of `XM4`.
        let is_number = |of: &str| of.bytes().all(|byte| byte.is_ascii_digit());
        self.said
            .iter()
            .filter(|said| *said == word || !(is_number(said) || is_number(word)))
            .any(|said| said.contains(word) || word.contains(said.as_str()) || may_be_spelled(said, word))
    }
}

/// `UK` of `United Kingdom`.
fn is_short_for(short: &[String], long: &[String]) -> bool {
    let [short] = short else { return false };
    let mut initials = long.iter().filter_map(|word| word.chars().next());
    long.len() > 1 && short.chars().all(|c| initials.any(|initial| initial == c))
}

/// `Kyiv` and `Kiev`: they begin alike, and few letters are others.
fn may_be_spelled(one: &str, other: &str) -> bool {
    let begin = one.chars().next() == other.chars().next();
    begin
        && one.chars().count().abs_diff(other.chars().count()) <= SPELLED_MAX
        && distance(one, other) <= SPELLED_MAX
}

/// Letters that must be exchanged, put in or left out to make one of the other; both are short.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, c) in one.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], at + 1);
        for (place, d) in other.iter().enumerate() {
            let exchanged = before + usize::from(c != *d);
            before = row[place + 1];
            row[place + 1] = exchanged.min(before + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}
