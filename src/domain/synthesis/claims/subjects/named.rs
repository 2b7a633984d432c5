//! The names and figures of a line that stands above statements.

use super::bare::{bare, is_year};
use super::generic::{is_enumerated, is_generic};
use super::ordered::{asks, without_place};
use super::places;
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::topic::names_version;
use crate::domain::text::terms::TermSet;
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

/// Words of a line that names what follows. A longer one says more than a name.
const WORDS_MAX: usize = 12;
/// Words of a heading that is a name and nothing else.
const NAME_WORDS_MAX: usize = 4;

/// The words that some texts have in small letters, and nowhere else than there can be names.
pub(super) fn lowered<'f>(features: impl Iterator<Item = &'f Features<'f>>) -> TermSet {
    let mut found = TermSet::default();
    for of in features {
        let is_small = |word: &&Word| {
            word.kind == Kind::Content && of.text[word.start..].starts_with(char::is_lowercase)
        };
        found.extend(of.words.iter().filter(is_small).map(|word| word.term));
    }
    found
}

/// The names and figures of a line, sorted: what has a digit or a capital inside, and what has a capital that isn't due to its
/// place. Of a line in title case no word is plainly a name, and where all nouns have a capital (`are_capital`) none tells one.
pub(super) fn names(line: &str, lexicon: &mut Lexicon, lowered: &TermSet, are_capital: bool) -> Vec<Term> {
    let line = without_number(line);
    let words: Vec<Word> = lexicon.words(line).into_iter().filter(|word| word.kind != Kind::Cjk).collect();
    if words.len() > WORDS_MAX {
        return Vec::new();
    }
    let written = |word: &Word| &line[word.range()];
    // `Drug A`, not `Report A`.
    let is_letter = |word: &Word| {
        let is_last = !line[word.end..].contains(char::is_alphanumeric);
        let before = words.iter().rev().find(|before| before.end <= word.start);
        let names = is_last && before.is_some_and(|before| !is_enumerated(before.term));
        names && written(word).len() == 1 && written(word).starts_with(|c: char| c.is_ascii_uppercase())
    };
    let content: Vec<&Word> =
        words.iter().filter(|word| word.kind != Kind::Stopword || is_letter(word)).collect();
    let has_small = content.iter().any(|word| written(word).starts_with(char::is_lowercase));
    let is_alone = content.len() == 1 && words.len() <= NAME_WORDS_MAX;
    let mut found = places::in_characters(line, lexicon);
    let has_small_letters = line.contains(char::is_lowercase);
    for (at, word) in content.iter().enumerate() {
        let text = written(word);
        let is_first = words.first().is_some_and(|first| first.start == word.start);
        let has_capital = text.starts_with(char::is_uppercase);
        let before = at.checked_sub(1).map(|before| content[before]);
        // `Pixel 9` and `2024`, not `Section 9`.
        let counts = text.starts_with(|c: char| c.is_ascii_digit())
            && (is_year(text)
                || is_first && names_version(line)
                || before.is_some_and(|before| may_name(written(before), before.term))
                || places::ends_name(&line[..word.start], &line[word.end..]));
        let is_name = match are_capital {
            true => places::is_german(text),
            false => has_capital && (has_small && !is_first || is_alone),
        };
        let tells = counts
            || has_small_letters && text.len() > 1 && text.chars().skip(1).any(char::is_uppercase)
            || has_small_letters && is_letter(word)
            || is_name;
        if tells && !is_generic(word.term) && !lowered.contains(&word.term) {
            found.push(word.term);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn may_name(word: &str, term: Term) -> bool {
    word.contains(char::is_uppercase) && !is_generic(term)
}

/// The names of a task, and what else it asks for, both sorted, as they tell what its answer is about: with which verb it asks, and for
/// which of the things that headings are made of (`Specs of …`, `Details about …`), says nothing of that.
pub(super) fn subject_of_task(task: &str, lexicon: &mut Lexicon) -> (Vec<Term>, Vec<Term>) {
    if let Some((_, names)) = bare(task, lexicon) {
        return (names, Vec::new());
    }
    let (mut names, mut rest) = names_of_task(task, lexicon);
    if !names.is_empty() {
        let numbers = numbers_of_names(task, lexicon);
        rest.retain(|term| !asks(*term) && !is_generic(*term) && !numbers.contains(term));
        names.extend(numbers);
        names.sort_unstable();
    }
    (names, rest)
}

/// The years of a task, and the numbers that belong to its names: `Specs of the Pixel 9`.
fn numbers_of_names(task: &str, lexicon: &mut Lexicon) -> Vec<Term> {
    let task = without_place(task);
    let is_named = |word: &Word| {
        let before = task[..word.start].trim_end().rsplit(' ').next().unwrap_or_default();
        is_year(&task[word.range()]) || before.starts_with(char::is_uppercase)
    };
    let numbers = lexicon.words(task).into_iter().filter(|word| word.kind == Kind::Number);
    distinct(numbers.filter(is_named).map(|word| word.term))
}

/// The names of a task, and all else that it says, both sorted; its number isn't part of it.
pub(super) fn names_of_task(task: &str, lexicon: &mut Lexicon) -> (Vec<Term>, Vec<Term>) {
    let task = without_place(task);
    let words = lexicon.words(task);
    let first = words.first().map_or(0, |word| word.start);
    let is_name = |word: &Word| {
        word.kind == Kind::Content
            && word.start > first
            && task[word.start..].starts_with(char::is_uppercase)
            && !is_generic(word.term)
    };
    let (names, rest): (Vec<Word>, Vec<Word>) = words.into_iter().filter(Word::is_content).partition(is_name);
    let sorted = |words: Vec<Word>| distinct(words.into_iter().map(|word| word.term));
    // In title case every word has a capital.
    if rest.is_empty() { (Vec::new(), sorted(names)) } else { (sorted(names), sorted(rest)) }
}

/// A heading without the number that it has among others: `2.1 Costs`.
pub(super) fn without_number(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | '#'));
    let is_number = rest.len() < line.len()
        && rest.starts_with(' ')
        && (line[..line.len() - rest.len()].contains(['.', ')', '#']) || line.len() - rest.len() == 1);
    if is_number && !names_version(line) { rest.trim_start() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_figures_tell_subjects() {
        for (line, expected) in [
            ("Pixel 9", &["9"] as &[&str]),
            ("iPhone 16", &["iphone", "16"]),
            ("Berlin", &["berlin"]),
            ("1. Berlin", &["berlin"]),
            ("3.11.4 Release", &["3.11.4"]),
            ("In Berlin", &["berlin"]),
            ("Notice period in Berlin", &["berlin"]),
            ("Here is what I found about Berlin", &["berlin"]),
            ("Costs", &[]),
            ("2.1 Pricing", &[]),
            ("Market Size", &[]),
            ("Key findings", &[]),
            ("Section 3", &[]),
            ("Plan B", &["b"]),
            ("Pros of X", &["x"]),
            ("Appendix B", &[]),
            ("Results of 2024", &["2024"]),
            ("Wireless charging", &[]),
            ("", &[]),
        ] {
            let mut lexicon = Lexicon::default();
            let mut expected: Vec<Term> = expected.iter().flat_map(|word| lexicon.terms(word)).collect();
            expected.sort_unstable();
            assert_eq!(names(line, &mut lexicon, &TermSet::default(), false), expected, "{line}");
        }
    }
}
