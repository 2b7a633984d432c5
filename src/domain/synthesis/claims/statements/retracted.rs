//! What its author takes back in the next sentence: `The bridge is safe. At least that is what the operator claims.` Both are one
//! quotation: the first alone would be told as plain fact.

use std::ops::Range;
use std::sync::LazyLock;

use super::asides::begins as starts;
use super::{Said, Statement};
use crate::domain::text::first_letters::Heads;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::sentences::sentences;

/// What points back at what was said, and doubts it.
#[rustfmt::skip]
const DOUBTS: &[&str] = &[
    "this is only a hypothesis", "this is just a hypothesis", "that is only a hypothesis", "this is only a guess", "this is just a guess", "that is just a guess", "this is a guess", "this is only a theory", "this is only speculation", "this is speculation", "that is speculation", "this is pure speculation",
    "this turned out to be wrong", "this turned out to be false", "this turned out to be untrue", "that turned out to be wrong", "that turned out to be false", "it turned out to be wrong", "it turned out to be false", "this proved wrong", "this proved to be wrong", "that proved to be wrong", "this was wrong", "that was wrong", "that is wrong", "this is wrong",
    "this is not confirmed", "this isn't confirmed", "this has not been confirmed", "this hasn't been confirmed", "that has not been confirmed", "this is unconfirmed", "this has not been verified", "this hasn't been verified", "this is unverified", "i have not verified this", "i haven't verified this", "i could not verify this", "i couldn't verify this", "i could not confirm this", "i couldn't confirm this",
    "this is disputed", "this claim is disputed", "this claim is false", "this claim is unproven", "this is no longer true", "this is no longer the case", "that is no longer true", "this is no longer valid", "this was later retracted", "this was retracted", "this has since been retracted",
    "das ist nur eine vermutung", "das ist nur eine hypothese", "dies ist nur eine vermutung", "dies ist nur eine hypothese", "das stellte sich als falsch heraus", "dies stellte sich als falsch heraus", "das hat sich als falsch erwiesen", "das ist nicht bestätigt", "dies ist nicht bestätigt", "das wurde nicht bestätigt", "das ist falsch", "das stimmt nicht", "das gilt nicht mehr",
    "ce n'est qu'une hypothèse", "cela s'est révélé faux", "cela n'est pas confirmé", "ce n'est pas confirmé", "c'est faux", "esto es solo una hipótesis", "es solo una hipótesis", "esto resultó ser falso", "esto no está confirmado", "no está confirmado", "questa è solo un'ipotesi", "non è confermato",
    "这只是推测", "这只是猜测", "这只是一种假设", "这一说法未经证实", "尚未得到证实", "这是错误的", "これは推測にすぎ", "これは仮説にすぎ",
];
/// How a sentence begins that says who alone says so.
#[rustfmt::skip]
const ALLEGED: &[&str] = &[
    "at least that is what ", "at least that's what ", "at least this is what ", "at least so ", "or so ", "that is what the operator claims", "zumindest behauptet ", "so behauptet es ", "das behauptet jedenfalls ", "du moins c'est ce que ", "c'est du moins ce que ", "al menos eso ", "almeno così ", "至少这是",
];
/// Bytes of what takes back, and of both.
const BYTES_MAX: usize = 240;
const BOTH_BYTES_MAX: usize = 600;

/// The first letters of all of these: nearly all clauses are out by them.
static HEADS: LazyLock<Heads<4>> = LazyLock::new(|| Heads::of(&[DOUBTS, ALLEGED]));

/// Whether a sentence takes back, or doubts, what stands before it.
fn takes_back(sentence: &str) -> bool {
    if sentence.len() > BYTES_MAX {
        return false;
    }
    let said = sentence.trim_start_matches(['*', '_', '(', ' ']);
    let begins = |clause: &str| HEADS.may_begin(clause) && DOUBTS.iter().any(|doubt| is_said(clause, doubt));
    let behind = said.match_indices([',', ';', ':']).map(|(at, _)| without_joint(&said[at + 1..]));
    HEADS.may_begin(said) && starts(said, ALLEGED) || begins(said) || behind.into_iter().any(begins)
}

/// Whether a quotation ends with a sentence that takes back the one before.
pub(in crate::domain::synthesis) fn is_taken_back(quotation: &str) -> bool {
    let found = if quotation.len() <= BOTH_BYTES_MAX { sentences(quotation) } else { Vec::new() };
    found.len() > 1 && found.last().is_some_and(|last| takes_back(&quotation[last.clone()]))
}

/// A clause without the word that joins it to the one before.
fn without_joint(clause: &str) -> &str {
    let clause = clause.trim_start();
    ["so ", "but ", "and ", "however ", "therefore ", "daher ", "aber "]
        .iter()
        .find_map(|joint| clause.strip_prefix(joint))
        .unwrap_or(clause)
}

/// Whether a clause says so about what stands before it: `This is wrong for trucks` says of which it is.
fn is_said(clause: &str, doubt: &str) -> bool {
    if !starts(clause, &[doubt]) {
        return false;
    }
    let behind = clause.get(doubt.len()..).unwrap_or_default();
    let is_all = behind.trim_start_matches([' ', '.', '!', ')', '*']).is_empty();
    is_all || behind.starts_with([',', ';', ':']) || doubt.starts_with(is_wide)
}

/// Adds a sentence of a block that takes back the statement before it to that one.
pub(super) fn add<'t>(
    Said { text, .. }: Said<'t, '_>,
    block: &Range<usize>,
    sentence: Range<usize>,
    sources: &[usize],
    found: &mut [Statement<'t>],
) -> bool {
    let Some(last) = found.last_mut().filter(|last| last.start >= block.start && last.row.is_none()) else {
        return false;
    };
    let end = last.start + last.text.len();
    let between = text.get(end..sentence.start).unwrap_or("a");
    if between.contains(char::is_alphanumeric)
        || sentence.end - last.start > BOTH_BYTES_MAX
        || !takes_back(&text[sentence.clone()])
    {
        return false;
    }
    last.text = &text[last.start..sentence.end];
    last.sources.extend(sources);
    last.sources.sort_unstable();
    last.sources.dedup();
    true
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::*;

    #[test]
    fn what_is_taken_back_is_quoted_with_what_takes_it_back() {
        for (said, back) in [
            (
                "The bridge is safe.",
                "At least that is what the operator claims; our measurements show the opposite.",
            ),
            (
                "It was caused by a bad deployment.",
                "Rolling it back did not help, however, so this is only a hypothesis.",
            ),
            ("The mayor resigned in May.", "This turned out to be wrong."),
            ("Die Brücke ist sicher.", "Das ist nicht bestätigt."),
            ("该桥很安全，已经开放。", "这只是推测，没有数据。"),
        ] {
            let both = format!("{said} {back}");
            let found = read(&format!("{both} It was built in 1974."), "a");
            assert_eq!(found.len(), 2, "{both}");
            assert_eq!(found[0].text, both);
        }
    }

    #[test]
    fn what_says_something_else_stands_alone() {
        for sentence in [
            "This is wrong for trucks.",
            "The claim that this is wrong is false.",
            "A hypothesis is only a guess until it is tested.",
            "The operator claims that it is safe.",
            "Or sorted by name.",
            "At least three people were hurt.",
            "This is disputed by two towns.",
            "Mindestens drei Menschen wurden verletzt.",
            "Es solo una casa.",
            "Ce n'est qu'une maison.",
        ] {
            assert!(!takes_back(sentence), "{sentence}");
        }
        assert_eq!(read("The bridge is safe.\n\nThis turned out to be wrong.", "a").len(), 2);
    }
}
