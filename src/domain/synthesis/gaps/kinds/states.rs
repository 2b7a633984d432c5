//! Whether something is over, who does it, and how many of each there are: what answers has hardly a word of the question.

use super::aspect;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::Unit;
use crate::domain::text::phrases::{begins_with_any, behind_any, has_any};
use crate::domain::text::words::{Kind, Term};

/// How a question begins that asks whether something is over, and its words.
const BEGINS: [&str; 10] = [
    "is it ",
    "is this ",
    "is that ",
    "are they ",
    "has it ",
    "have they ",
    "was it ",
    "is the issue ",
    "is the incident ",
    "is the problem ",
];
#[rustfmt::skip]
const OVER: [&str; 11] = ["resolved", "fixed", "solved", "over", "closed", "mitigated", "restored", "recovered", "finished", "ongoing", "back"];
/// What tells that it is, or isn't.
#[rustfmt::skip]
const TELLS: [&str; 27] = [
    "resolved", "fixed", "solved", "mitigated", "restored", "recovered", "returned to", "back to normal", "back to baseline", "all green", "is green", "all clear", "is up", "is over", "closed", "closing", "ongoing", "operational", "investigating",
    "still open", "still down", "still fail", "works again", "working again", "is down", "under control", "completed",
];
/// Words of a label before a number.
const LABEL_WORDS_MAX: usize = 4;

pub(super) fn asks(lower: &str) -> bool {
    let rest = behind_any(lower, &BEGINS);
    rest.is_some_and(|rest| rest.split(' ').any(|word| OVER.contains(&word)))
}

pub(super) fn tells(lower: &str) -> bool {
    has_any(lower, &TELLS)
}

/// Whether a part asks how high something is, which may be no length: `Wie hoch ist die Förderung`.
pub(in crate::domain::synthesis::gaps) fn is_of_amount(part: &str) -> bool {
    let lower = part.to_lowercase();
    begins_with_any(&lower, &["wie hoch ", "how high "])
}

/// Whether a statement does nothing but give the number of one: `DE: 12,431`, `DE | 12,431`.
pub(super) fn is_count(of: &Features<'_>) -> bool {
    let divided = of.text.split_once(": ").or_else(|| of.text.split_once(" | "));
    let Some((label, count)) = divided.filter(|_| !of.text.starts_with('"')) else { return false };
    let [figure] = of.figures.as_slice() else { return false };
    figure.unit == Unit::Plain
        && label.split(' ').count() <= LABEL_WORDS_MAX
        && count.trim_matches(['*', ' ', '.']).chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.'))
}

/// What begins with a capital and is nobody: months, days and languages.
#[rustfmt::skip]
const NOBODY: [&str; 40] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "easter", "christmas",
    "januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember", "english", "german", "french", "spanish", "italian", "chinese", "japanese", "russian", "portuguese", "dutch", "polish",
];

/// Whether a statement has a name in it that wasn't asked for: `WEB-101 (Dana)`, but no word that only begins it.
pub(super) fn names_somebody(of: &Features<'_>, asked: &[Term]) -> bool {
    let is_name = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
    };
    let mut words = of.words.iter().filter(|word| word.start > 0 && word.kind == Kind::Content);
    let is_nobody = |word: &str| NOBODY.contains(&word.to_lowercase().as_str());
    let is_one = |word: &str| is_name(word) && !is_nobody(word);
    words.any(|word| is_one(&of.text[word.range()]) && !asked.contains(&aspect(word.term)))
}
