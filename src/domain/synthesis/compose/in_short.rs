//! The answer in short: a finding or two, quoted.
//!
//! Chosen are those that say together most of what all say, the surer ones first of all, and those first of all that have the
//! rarest of what was asked: every finding of a result about Acme has `Acme`, one has `CEO`. Where what is chosen is contested,
//! who contests it is quoted too: a summary makes no winner.

use std::collections::BTreeMap;

use self::advice::{with_bare_answers, with_other_advice};
use self::asides::{foreign, is_aside};
use self::compared::compared;
use self::each_part::{CHOSEN_OF_MANY_MAX, with_each_part};
use super::{is_item, is_of_series, led_among, quotation, stands_below};
use crate::domain::aggregate::result::{Contradiction, Finding, Level};
use crate::domain::aggregate::take_in::leaves_open;
use crate::domain::distinct::distinct;
use crate::domain::synthesis::claims::is_taken_back;
use crate::domain::synthesis::extract::{self, Sentence};
use crate::domain::synthesis::gaps::{aspect, parts};
use crate::domain::text::language::Grammar;
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::words::{Lexicon, Term, Word};

mod advice;
mod asides;
mod compared;
mod each_part;
mod paired;
mod replies;
mod steps;
mod voices;

/// Findings that are chosen at most.
const CHOSEN: usize = 2;
/// Bytes of a list of which all items are chosen with one.
const LIST_BYTES_MAX: usize = 240;
/// How much more a finding counts that has all of what was asked.
const ANSWERS: f64 = 8.0;

/// How much a finding counts that speaks of what the sentence before it names: `This makes it the fastest.`
const REFERS: f64 = 0.25;
/// The same of one that its author takes back.
const DOUBTED: f64 = 0.3;

/// How much one counts that is a row of a table, or members of JSON: nobody would rather read those than a sentence.
const DATA: f64 = 0.4;
/// How much one counts that is in another language than the question, where some are in that.
const FOREIGN: f64 = 0.3;

/// What a summary answers, and what is contested of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    /// The question; empty where there is none.
    pub question: &'a str,
    /// Where findings disagree.
    pub contradictions: &'a [Contradiction],
}

/// The answer in short, in quotations, each with what must stand before it.
pub fn summarise(lexicon: &mut Lexicon, findings: &[Finding], asked: Asked<'_>) -> String {
    let chosen = in_short(lexicon, findings, asked);
    // The line above a list is said once.
    let is_below = |at: usize| at > 0 && are_of_one_list(chosen[at - 1], chosen[at]);
    let led = |(at, one): (usize, &&Finding)| {
        if is_below(at) { quotation(one) } else { led_among(one, findings) }
    };
    chosen.iter().enumerate().map(led).collect::<Vec<_>>().join(" ")
}

pub(super) fn in_short<'f>(
    lexicon: &mut Lexicon,
    findings: &'f [Finding],
    asked: Asked<'_>,
) -> Vec<&'f Finding> {
    let weight = |finding: &Finding| match finding.confidence {
        Level::High => 3.0,
        Level::Medium => 2.0,
        Level::Low => 1.0,
    };
    let alone = |finding: &Finding| match begins_with_pronoun(&finding.content) {
        true => REFERS,
        false if is_taken_back(&finding.content) => DOUBTED,
        false => 1.0,
    };
    let groups: Vec<&[String]> = distinct(findings.iter().map(|finding| finding.contributors.as_slice()));
    let words: Vec<Vec<Word>> = findings.iter().map(|finding| lexicon.words(&finding.content)).collect();
    // What is compared stands above what is said of it, and is looked for there.
    let compares = !compared(asked.question, lexicon).is_empty();
    let said = if compares { of_contents(&words) } else { said(lexicon, findings, &words) };
    // What holds a question together stands in any sentence of its language.
    let plain = Grammar::of(asked.question).plain(asked.question);
    let mut answers = answers(lexicon, &said, &plain);
    let question = asked.question.to_lowercase();
    let is_aside: Vec<bool> = findings.iter().map(|finding| is_aside(finding, &question)).collect();
    let foreign = foreign(findings, asked.question);
    let is_foreign = |at: usize| foreign.get(at) == Some(&true);
    // Nor is what stands beside the answer, and who asks would rather read his own language.
    for (at, answers) in answers.iter_mut().enumerate() {
        *answers *= if is_aside[at] {
            0.0
        } else if is_foreign(at) {
            FOREIGN
        } else {
            1.0
        };
    }
    // What says that nobody knows is no answer either.
    let is_open: Vec<bool> = findings.iter().map(|finding| leaves_open(&finding.content)).collect();
    // What has nothing of what was asked is no answer, however much of it others say as well.
    let answered = answers.iter().any(|answers| *answers > 0.0);
    let all_aside = is_aside.iter().all(|is_aside| *is_aside);
    let sentences =
        findings.iter().zip(&answers).zip(&is_open).zip(0..).map(|(((finding, answers), is_open), at)| {
            Sentence {
                text: &finding.content,
                weight: if *is_open || answered && *answers == 0.0 || is_aside[at] && !all_aside {
                    0.0
                } else {
                    1.0
                } * if is_foreign(at) { FOREIGN } else { 1.0 }
                    * weight(finding)
                    * (1.0 + ANSWERS * answers * answers)
                    * alone(finding)
                    * if is_data(finding) { DATA } else { 1.0 },
                group: groups.binary_search(&finding.contributors.as_slice()).unwrap_or_default(),
            }
        });
    let sentences: Vec<Sentence<'_>> = sentences.collect();
    let mut chosen = extract::summarise_read((&sentences, &words), CHOSEN);
    if chosen.is_empty() && !findings.is_empty() {
        // Nothing but function words, or few words each: the first that says something is as good as any.
        let says = |at: &usize| !is_aside[*at] && !is_open[*at];
        let is_own = |at: &usize| says(at) && !is_foreign(*at);
        let all = || 0..findings.len();
        chosen.push(all().find(is_own).or_else(|| all().find(says)).unwrap_or_default());
    }
    if !compares {
        with_the_short_answer(&mut chosen, (findings, &answers, &is_open));
    }
    with_the_whole_list(&mut chosen, (findings, &answers));
    with_the_rest_of_lists(&mut chosen, (findings, &answers));
    let unsaid: Vec<bool> = is_open.iter().zip(&is_aside).map(|(open, aside)| *open || *aside).collect();
    with_each_part(lexicon, &mut chosen, (findings, said, &unsaid), asked.question);
    with_the_rest_of_lists(&mut chosen, (findings, &answers));
    paired::with_the_same_of_others(lexicon, &mut chosen, (findings, &words), asked.question);
    voices::with_the_other(lexicon, &mut chosen, (findings, &words), asked.question);
    with_other_advice(&mut chosen, (findings, &unsaid), asked.question);
    let is_one_part = !asked.question.is_empty() && parts(asked.question).len() <= 1;
    if is_one_part {
        with_bare_answers(&mut chosen, (findings, &is_open));
    }
    let is_asked = is_one_part && replies::asks(asked.question);
    replies::with_the_other(&mut chosen, findings, (asked.contradictions, is_asked));
    with_the_other_side(&mut chosen, findings, asked.contradictions);
    // Stable: within a language their order stays.
    chosen.sort_by_key(|at| is_foreign(*at));
    steps::with_the_others(&mut chosen, findings);
    chosen.into_iter().map(|at| &findings[at]).collect()
}

/// Whether a finding is a row of a table, or members of JSON.
fn is_data(finding: &Finding) -> bool {
    let text = &finding.content;
    text.contains(" | ") || text.starts_with('"') && text.contains("\":")
}

/// Of each finding how much it has of what was asked, 0 to 1: what few findings have counts more, what none has doesn't count.
fn answers(lexicon: &mut Lexicon, findings: &[Vec<Term>], question: &str) -> Vec<f64> {
    let asked: Vec<Term> = distinct(lexicon.terms(question).into_iter().map(aspect));
    if asked.is_empty() {
        return vec![0.0; findings.len()];
    }
    let mut frequency: BTreeMap<Term, usize> = BTreeMap::new();
    let mut said: Vec<Vec<Term>> = Vec::with_capacity(findings.len());
    for finding in findings {
        let mut terms = finding.clone();
        terms.retain(|term| asked.binary_search(term).is_ok());
        terms.sort_unstable();
        terms.dedup();
        terms.iter().for_each(|term| *frequency.entry(*term).or_default() += 1);
        said.push(terms);
    }
    let worth = |term: &Term| (1.0 + findings.len() as f64 / frequency[term] as f64).ln();
    let all: f64 = frequency.keys().map(worth).sum();
    said.iter().map(|terms| terms.iter().map(worth).sum::<f64>() / all.max(f64::MIN_POSITIVE)).collect()
}

/// What the words of each finding speak of.
fn of_contents(words: &[Vec<Word>]) -> Vec<Vec<Term>> {
    words.iter().map(|words| aspects(words)).collect()
}

/// Of each finding what it speaks of: a few words below their heading of what that says, too.
fn said(lexicon: &mut Lexicon, findings: &[Finding], words: &[Vec<Word>]) -> Vec<Vec<Term>> {
    let mut said = of_contents(words);
    for (said, finding) in said.iter_mut().zip(findings).filter(|(_, finding)| stands_below(finding)) {
        said.extend(lexicon.terms(&finding.topic).into_iter().map(aspect));
    }
    said
}

/// Adds the few words that have more of what was asked than all that is chosen: sentences of a few words aren't asked where there are
/// others, as they say little alone.
fn with_the_short_answer(
    chosen: &mut Vec<usize>,
    (findings, answers, is_open): (&[Finding], &[f64], &[bool]),
) {
    let known = chosen.iter().map(|at| answers[*at]).fold(0.0, f64::max);
    let is_short = |at: &usize| stands_below(&findings[*at]) && !is_open[*at] && answers[*at] > known;
    // Of equals the first.
    let best = (0..findings.len()).rev().filter(is_short).max_by(|a, b| answers[*a].total_cmp(&answers[*b]));
    chosen.extend(best);
}

/// Where all is one short list of which no item has more of what was asked than another, one alone would be half an answer: all
/// are quoted.
fn with_the_whole_list(chosen: &mut Vec<usize>, (findings, answers): (&[Finding], &[f64])) {
    let is_list = findings.len() <= CHOSEN_OF_MANY_MAX && findings.iter().all(is_item);
    if is_list && answers.iter().all(|of| *of == answers[0]) {
        *chosen = (0..findings.len()).collect();
    }
}

/// Adds to an item of a list below a line the others, where they are few and have as much of what was asked: one alone would look like
/// all of it.
fn with_the_rest_of_lists(chosen: &mut Vec<usize>, (findings, answers): (&[Finding], &[f64])) {
    for at in chosen.clone() {
        let is_one = |other: &usize| are_of_one_list(&findings[at], &findings[*other]);
        let list: Vec<usize> = (0..findings.len()).filter(is_one).collect();
        let bytes: usize = list.iter().map(|item| findings[*item].content.len()).sum();
        let are_alike = list.iter().all(|item| answers[*item] == answers[at]);
        if are_alike && list.len() <= CHOSEN_OF_MANY_MAX && bytes <= LIST_BYTES_MAX {
            let others: Vec<usize> = list.into_iter().filter(|other| !chosen.contains(other)).collect();
            chosen.extend(others);
        }
    }
}

/// Whether findings are items of a few words below the same line of the same subagents.
fn are_of_one_list(one: &Finding, other: &Finding) -> bool {
    let is_below = |finding: &Finding| is_of_series(finding) || is_item(finding) && stands_below(finding);
    one.topic == other.topic && one.contributors == other.contributors && is_below(one) && is_below(other)
}

/// What the words of a finding speak of.
fn aspects(words: &[Word]) -> Vec<Term> {
    let mut aspects = Vec::with_capacity(words.len());
    aspects.extend(words.iter().filter(|word| word.is_content()).map(|word| aspect(word.term)));
    aspects
}

/// Adds to each that is contested one that contests it, unless that is chosen already.
fn with_the_other_side(chosen: &mut Vec<usize>, findings: &[Finding], contradictions: &[Contradiction]) {
    let place = |text: &str| findings.iter().position(|finding| finding.content == text);
    for at in chosen.clone() {
        let said = |text: &str| text == findings[at].content;
        let against = |found: &Contradiction| {
            let sides = &found.statements;
            sides.iter().any(|side| said(&side.text)).then(|| {
                sides.iter().filter(|side| !said(&side.text)).filter_map(|side| place(&side.text)).collect()
            })
        };
        let against: Vec<Vec<usize>> = contradictions.iter().filter_map(against).collect();
        let against: Vec<usize> = against.concat();
        if against.iter().all(|other| !chosen.contains(other)) {
            chosen.extend(against.into_iter().min());
        }
    }
    chosen.sort_unstable();
}
