//! Texts that only say where their writer put what was asked for: `I've saved the report to out/report.md.`
//!
//! A file of an agent's own machine is nothing that a reader can open. It is told by what was saved, that it was, and a path at
//! the end; and nothing else may be said.

use super::phrases::{COURTESIES, EMPTY};
use super::plain::{begins, sentences, word_count};

/// Words of a sentence that tells it.
const WORDS_MAX: usize = 24;

/// How it begins: where a log file is written may be what was asked.
#[rustfmt::skip]
const BEGINS: &[&str] = &[
    "i've ", "i have ", "i saved", "i wrote", "the report was", "the report has been", "the report is ", "the findings were", "the findings have been", "the results were", "the results have been",
    "the summary was", "the analysis was", "report saved", "report written", "findings saved", "results saved", "ich habe ", "der bericht wurde", "j'ai ", "le rapport a été", "he guardado", "el informe ", "我已", "报告已",
];

#[rustfmt::skip]
const REPORTS: &[&str] = &["report", "result", "finding", "summary", "analysis", "answer", "output", "file", "document", "research", "bericht", "ergebnis", "rapport", "résultat", "informe", "resultado", "报告", "结果"];

#[rustfmt::skip]
const SAVED: &[&str] = &[" saved ", " written ", " wrote ", " stored ", " exported ", " placed ", " gespeichert", " enregistré", "guardado", "保存"];

/// Whether a plain text says that, and no more.
pub(super) fn is_saved(words: &str) -> bool {
    let mut saved = false;
    for sentence in sentences(words) {
        let is_done = EMPTY.contains(&sentence) || begins(sentence, COURTESIES);
        if !is_done && !tells(sentence) {
            return false;
        }
        saved |= !is_done;
    }
    saved
}

fn tells(sentence: &str) -> bool {
    let has = |table: &[&str]| table.iter().any(|word| sentence.contains(word));
    let last = sentence.rsplit(' ').next().unwrap_or_default();
    let is_file = last.rsplit('/').next().is_some_and(|name| name.trim_matches('.').contains('.'));
    let is_path = is_file && !last.contains("://") && last.chars().any(char::is_alphabetic);
    let before = &sentence[..sentence.len() - last.len()];
    // A figure, a reason or a list is something besides.
    is_path
        && !before.contains(|c: char| c.is_ascii_digit() || matches!(c, ':' | '[' | '|'))
        && word_count(sentence) <= WORDS_MAX
        && begins(sentence, BEGINS)
        && has(REPORTS)
        && has(SAVED)
}
