//! What tells tasks apart that ask the same of different things: `Pricing of Notion`, `Pricing of Coda`.

use std::collections::BTreeSet;

use super::are_tasks_of_others;
use super::bare::{bare, is_no_thing};
use super::generic::is_generic;
use super::ordered::{asks, without_place};
use crate::domain::text::words::{Lexicon, Term, Word};

/// Words of a task that are shown as a heading.
const WORDS_MAX: usize = 4;
/// Different tasks that are told apart: each is held against each.
const TASKS_MAX: usize = 32;

/// By task the words that tell what it is about from what the others are; empty where it is about what another is, or what tells it
/// isn't a few words side by side.
pub(in crate::domain) fn told_apart<'t>(tasks: &[&'t str], lexicon: &mut Lexicon) -> Vec<&'t str> {
    let distinct: BTreeSet<&str> = tasks.iter().copied().filter(|task| !task.is_empty()).collect();
    let none = || vec![""; tasks.len()];
    if distinct.len() < 2 || distinct.len() > TASKS_MAX {
        return none();
    }
    // Beside two names another task may ask for something else: `Poland`, `Spain`, `Budget`.
    let named: BTreeSet<&str> =
        distinct.iter().copied().filter(|task| bare(task, lexicon).is_some()).collect();
    if named.len() > 1 {
        return names(tasks, &named, lexicon);
    }
    let terms = |task: &str, lexicon: &mut Lexicon| -> BTreeSet<Term> {
        said(without_place(task), lexicon).into_iter().map(|word| word.term).collect()
    };
    let mut all = distinct.iter().map(|task| terms(task, lexicon)).collect::<Vec<_>>().into_iter();
    let Some(first) = all.next() else { return none() };
    let common = all.fold(first, |common, other| &common & &other);
    // Tasks that have nothing in common aren't asked of several things.
    if common.is_empty() {
        return none();
    }
    let own = |task: &&'t str, lexicon: &mut Lexicon| {
        let is_apart = |other: &&str| *other == *task || are_tasks_of_others(task, other, lexicon);
        if task.is_empty() || !distinct.iter().all(is_apart) {
            return "";
        }
        run(without_place(task), &common, lexicon)
    };
    tasks.iter().map(|task| own(task, lexicon)).collect()
}

/// Of tasks that are names and nothing else these, where they name others; empty of those that say more.
fn names<'t>(tasks: &[&'t str], named: &BTreeSet<&str>, lexicon: &mut Lexicon) -> Vec<&'t str> {
    let name = |task: &&'t str| {
        let is_apart = |other: &&str, lexicon: &mut Lexicon| {
            *other == *task || are_tasks_of_others(task, other, lexicon)
        };
        let own = bare(task, lexicon).filter(|_| named.iter().all(|other| is_apart(other, lexicon)));
        own.map_or("", |(name, _)| name)
    };
    tasks.iter().map(name).collect()
}

/// The words of a task that aren't in all others, with what stands between them; empty where they are many, or others stand between.
fn run<'t>(task: &'t str, common: &BTreeSet<Term>, lexicon: &mut Lexicon) -> &'t str {
    let words = said(task, lexicon);
    let is_own = |word: &&Word| !common.contains(&word.term) && !asks(word.term);
    let (Some(first), Some(last)) = (words.iter().find(is_own), words.iter().rev().find(is_own)) else {
        return "";
    };
    let between = words.iter().filter(|word| first.start <= word.start && word.start <= last.start);
    let run = &task[first.start..last.end];
    // Who writes what is looked through says nothing of the answer: `Search analyst reports`.
    if words.iter().filter(is_own).all(|word| is_no_thing(word.term) || is_generic(word.term)) {
        return "";
    }
    let is_short =
        run.split_whitespace().count() <= WORDS_MAX && !run.contains([',', ';', ':', '?', '.', '\n']);
    if is_short && between.clone().all(|word| is_own(&word)) { run } else { "" }
}

fn said(task: &str, lexicon: &mut Lexicon) -> Vec<Word> {
    lexicon.words(task).into_iter().filter(Word::is_content).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_told_by_what_the_others_have_not() {
        for (tasks, expected) in [
            (
                &["Pricing of Notion", "Pricing of Coda", "Pricing of Coda"][..],
                &["Notion", "Coda", "Coda"][..],
            ),
            (
                &["Find the price of Hotel Adler in May", "Find the price of Hotel Bellevue in May", ""],
                &["Adler", "Bellevue", ""],
            ),
            (&["How long do dogs live?", "How long do cats live?"], &["dogs", "cats"]),
            (&["Step 1: Lebensdauer von Hunden", "Step 2: Lebensdauer von Katzen"], &["Hunden", "Katzen"]),
            (&["Berlin", "Munich", "Berlin", ""], &["Berlin", "Munich", "Berlin", ""]),
            (
                &["Research the Google Pixel 9", "Look into the Sony Xperia 1"],
                &["Google Pixel 9", "Sony Xperia 1"],
            ),
            (&["vendor A", "vendor B"], &["vendor A", "vendor B"]),
            (&["2023", "2024"], &["2023", "2024"]),
            (&["Poland", "Spain", "Budget"], &["Poland", "Spain", ""]),
            (&["Research Poland", "Research Spain", "Research costs"], &["Poland", "Spain", ""]),
            (&["Look it up", "Look elsewhere"], &["", ""]),
            (&["Search analyst reports", "Search news", "Search company filings"], &["", "", ""]),
            (&["Pixel 9", "Google Pixel 9"], &["", ""]),
            (&["optimist", "skeptic"], &["", ""]),
            (&["Berlin", "pricing"], &["", ""]),
            // The same, or nothing alike, or of the same thing, or too many words.
            (&["Pricing of Notion", "Pricing of Notion"], &["", ""]),
            (&["Pricing of Notion", "What is the law of cookies?"], &["", ""]),
            (&["Revenue of Acme", "Employees of Acme"], &["", ""]),
            (&["Prices of Rome", "Prices in the north of the country that Lisbon is in"], &["Rome", ""]),
        ] {
            assert_eq!(told_apart(tasks, &mut Lexicon::default()), expected, "{tasks:?}");
        }
    }
}
