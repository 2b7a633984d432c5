//! An answer that a language model wrote out of a context sheet, verified before it is delivered.
//!
//! The model sees the entries with the numbers of [`entries`], and cites them as `[n]`. Every sentence is held against the
//! entries that cite what it cites; where they don't support it and others do, its citation is corrected. What fails may be
//! repaired once, and is left out otherwise. References are rebuilt from what is cited then, by first use.

use std::collections::BTreeSet;

use super::delivered::delivered;
use super::prose::prose;
use super::stated::{Stated, said_by};
use super::table::{TableRow, pieces};
use super::{Answer, AnswerStatus, ISSUES_MAX, entries, extracted, measured};
use crate::domain::aggregate::request::AnswerRequest;
use crate::domain::aggregate::result::QualityIssue;
use crate::domain::synthesis::citations::keep;
use crate::domain::synthesis::claims::{self, Mark, statements};
use crate::domain::synthesis::verify::cited::rested_on;
use crate::domain::synthesis::verify::evidence::Said;
use crate::domain::synthesis::verify::gaps::is_gap;
use crate::domain::synthesis::verify::plain::plain;
use crate::domain::synthesis::verify::{Evidence, Reason, Sentence, broken_off};
use crate::domain::text::words::Lexicon;

#[cfg(test)]
mod tests;

/// Bytes of an answer that are looked at, and its sentences.
const ANSWER_BYTES_MAX: usize = 200_000;
const SENTENCES_MAX: usize = 400;
/// Sources that one sentence cites.
const CITED_MAX: usize = 6;

/// A sentence of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerSentence {
    /// Its paragraph, from 0.
    pub paragraph: usize,
    /// Its text, without markers.
    pub text: String,
    /// The numbers of what it cites, corrected.
    pub sources: Vec<u32>,
    /// What is wrong with it; nothing where it stands.
    pub reasons: Vec<Reason>,
    /// The entries that say it, from 0.
    pub entries: BTreeSet<usize>,
    /// Where it is a row of a table, that.
    pub row: Option<TableRow>,
}

/// An answer after verification.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VerifiedAnswer {
    /// Its sentences, those that fail among them.
    pub sentences: Vec<AnswerSentence>,
    /// Entries of the sheet, from 0, of which nothing that stands says anything.
    pub unused_entries: Vec<usize>,
    /// Sentences that were left out before: beyond the limit.
    pub dropped: usize,
}

impl VerifiedAnswer {
    /// What goes back to the model: each sentence that fails, with what is wrong with it. A row doesn't: what would come back is
    /// no row.
    pub fn repair_items(&self) -> Vec<(&str, Vec<String>)> {
        let failing = self.sentences.iter().filter(|sentence| is_mended(sentence));
        let details = |of: &AnswerSentence| of.reasons.iter().map(|reason| reason.detail.clone()).collect();
        failing.map(|sentence| (sentence.text.as_str(), details(sentence))).collect()
    }
}

/// Whether a sentence may be written once more.
fn is_mended(sentence: &AnswerSentence) -> bool {
    !sentence.reasons.is_empty() && sentence.row.is_none()
}

/// The evidence of a sheet, and of which entry each of its sentences is.
pub(super) fn evidence(
    lexicon: &mut Lexicon,
    request: &AnswerRequest,
) -> (Evidence<'static>, Vec<usize>, usize) {
    let (answer, parts) = entries(request);
    let sources = answer.references.len();
    let (said, entry_of) = said_in(&parts, sources);
    let mut places = vec![Vec::new(); sources + 1];
    for (at, said) in said.iter().enumerate() {
        said.places.iter().for_each(|place| places[*place].push(at));
    }
    let evidence = Evidence::assembled(lexicon, said, places, sources, &request.objective);
    (evidence, entry_of, parts.len())
}

/// Every sentence of a sheet's entries, and of which entry it is. What cites nothing has the place behind the sources.
pub(super) fn said_in(parts: &[String], sources: usize) -> (Vec<Said<'static>>, Vec<usize>) {
    let (mut said, mut entry_of) = (Vec::new(), Vec::new());
    for (at, part) in parts.iter().enumerate() {
        let (part, report) = keep(part, sources);
        let marks = Mark::all(&report.citations);
        let all: BTreeSet<usize> = marks.iter().map(|mark| mark.source - 1).collect();
        let of_all = of_all(&part, &marks);
        for statement in statements(claims::Said { marks: &marks, ..claims::Said::uncited(&part) }) {
            let own = statement.sources.iter().filter_map(|number| number.checked_sub(1));
            let own: BTreeSet<usize> = own.chain(of_all.iter().copied()).collect();
            let cited = if own.is_empty() { &all } else { &own };
            let places = if cited.is_empty() { vec![sources] } else { cited.iter().copied().collect() };
            let text = plain(statement.text, sources).into_owned().into();
            said.push(Said { text, by: Vec::new(), places });
            entry_of.push(at);
        }
    }
    (said, entry_of)
}

/// What an entry cites as a whole: behind its last stop, and nowhere else in it.
fn of_all(part: &str, marks: &[Mark]) -> BTreeSet<usize> {
    const STOPS: [char; 6] = ['.', '!', '?', '。', '！', '？'];
    let behind_stop = |mark: &Mark| part[..mark.range.start].trim_end().ends_with(STOPS);
    let mut end = part.trim_end().len();
    let mut from = marks.len();
    while from > 0 && marks[from - 1].range.end == end {
        from -= 1;
        end = marks[from].range.start;
    }
    let (inside, trailing) = marks.split_at(from);
    let before = part[..end].trim_end();
    if !before.ends_with(STOPS) || inside.iter().any(behind_stop) {
        return BTreeSet::new();
    }
    let elsewhere = |mark: &&Mark| inside.iter().any(|other| other.source == mark.source);
    trailing.iter().filter(|mark| !elsewhere(mark)).map(|mark| mark.source - 1).collect()
}

/// Verifies an answer sentence by sentence, and row by row where it has tables.
pub fn verify_answer(lexicon: &mut Lexicon, text: &str, request: &AnswerRequest) -> VerifiedAnswer {
    let (evidence, entry_of, entries) = evidence(lexicon, request);
    let text = prose(text);
    let text = &text[..text.floor_char_boundary(ANSWER_BYTES_MAX)];
    let (mut verified, mut seen) = (VerifiedAnswer::default(), BTreeSet::new());
    for (paragraph, piece) in pieces(text).into_iter().enumerate() {
        for said in said_by(lexicon, &evidence, &piece) {
            if verified.sentences.len() >= SENTENCES_MAX || !seen.insert(said.text.to_lowercase()) {
                verified.dropped += 1;
                continue;
            }
            let cited: Vec<usize> = said.cited.iter().map(|number| *number as usize - 1).collect();
            let (places, support, reasons) = match stands(lexicon, &evidence, &said, &cited) {
                Ok((places, support)) => (places, support, Vec::new()),
                Err(reasons) => (cited, BTreeSet::new(), reasons),
            };
            let sources = places.into_iter().filter(|place| *place < evidence.sources());
            verified.sentences.push(AnswerSentence {
                paragraph,
                sources: sources.map(|place| place as u32 + 1).collect(),
                entries: support.into_iter().filter_map(|at| entry_of.get(at).copied()).collect(),
                text: said.text,
                row: said.row,
                reasons,
            });
        }
    }
    let used: BTreeSet<usize> =
        verified.sentences.iter().flat_map(|sentence| sentence.entries.iter().copied()).collect();
    verified.unused_entries = (0..entries).filter(|entry| !used.contains(entry)).collect();
    verified
}

fn stands(lexicon: &mut Lexicon, evidence: &Evidence<'_>, said: &Stated, cited: &[usize]) -> Judged {
    let mut sentence = Sentence::read(lexicon, evidence, &said.text);
    // However few words it has, a row says that they belong together; and cells break off by their nature.
    sentence.states |= said.row.is_some();
    let broken = || broken_off(evidence, Some(&sentence)).filter(|_| said.row.is_none());
    if let Some(reason) = said.wrong.clone().or_else(broken) {
        return Err(vec![reason]);
    }
    let found = match judge(lexicon, evidence, &sentence, cited) {
        Ok(found) => found,
        // That the sheet doesn't say something is shown by no entry.
        Err(_) if said.row.is_none() && is_gap(lexicon, evidence, &said.text) => {
            return Ok((Vec::new(), BTreeSet::new()));
        }
        Err(reasons) => return Err(reasons),
    };
    for part in &said.parts {
        let mut part = Sentence::read(lexicon, evidence, part);
        part.states = true;
        part.check(lexicon, evidence, &found.0)?;
    }
    Ok(found)
}

type Judged = Result<(Vec<usize>, BTreeSet<usize>), Vec<Reason>>;

/// The places that support a sentence: what it cites, otherwise what is closest to it.
fn judge(lexicon: &mut Lexicon, evidence: &Evidence<'_>, sentence: &Sentence<'_>, cited: &[usize]) -> Judged {
    let mut reasons = Vec::new();
    if !cited.is_empty() {
        match rested_on(lexicon, evidence, &[sentence], cited) {
            Ok(found) => return Ok(found),
            Err(why) => reasons = why,
        }
    } else if !sentence.states {
        // A question, or a word that leads over: its figures and names are looked at all the same.
        let everything: Vec<usize> = (0..=evidence.sources()).collect();
        return sentence.check(lexicon, evidence, &everything).map(|support| (Vec::new(), support));
    }
    let mut chosen: Vec<usize> = Vec::new();
    for place in sentence.closest(evidence).into_iter().take(CITED_MAX) {
        // What cites nothing can't be shown to rest on a source as well.
        if place == evidence.sources() {
            if let Ok(support) = sentence.check(lexicon, evidence, &[place]) {
                return Ok((vec![place], support));
            }
            continue;
        }
        chosen.push(place);
        chosen.sort_unstable();
        match rested_on(lexicon, evidence, &[sentence], &chosen) {
            Ok(found) => return Ok(found),
            Err(why) if reasons.is_empty() => reasons = why,
            Err(_) => {}
        }
    }
    if reasons.is_empty() {
        reasons.push(Reason { code: "no_source", detail: "no entry of the sheet says it".to_owned() });
    }
    Err(reasons)
}

/// The answer that is delivered. `repair` is what the model answered to [`VerifiedAnswer::repair_items`]: sentences that
/// stand now take the places of those that they share most with; what fails again is left out and listed. Where nothing
/// stands, or what does is below `min_quality`, it is the sheet's own answer, as far as that may be delivered, and says so.
pub fn finish_answer(
    lexicon: &mut Lexicon,
    verified: VerifiedAnswer,
    repair: Option<&str>,
    request: &AnswerRequest,
) -> Answer {
    let mut sentences = verified.sentences;
    if let Some(repair) = repair {
        let again = verify_answer(lexicon, repair, request).sentences;
        for fixed in again.into_iter().filter(|sentence| sentence.reasons.is_empty()) {
            replace(lexicon, &mut sentences, fixed);
        }
    }
    let failing = sentences.iter().filter(|sentence| !sentence.reasons.is_empty());
    let (rows, failed): (Vec<_>, Vec<_>) = failing.partition(|sentence| sentence.row.is_some());
    let (rows, failed) = (rows.len(), failed.len() + verified.dropped);
    sentences.retain(|sentence| sentence.reasons.is_empty());
    let (baseline, parts) = entries(request);
    let reason = if sentences.is_empty() || baseline.status == AnswerStatus::Empty {
        Some("no sentence of the language model's answer stood verification".to_owned())
    } else {
        measured::too_low(lexicon, &sentences, &parts, request)
    };
    if let Some(why) = reason {
        return extracted(request, why);
    }
    let used: BTreeSet<usize> =
        sentences.iter().flat_map(|sentence| sentence.entries.iter().copied()).collect();
    let mut issues = baseline.issues.clone();
    let mut issue = |code: &str, detail: String| {
        if issues.len() < ISSUES_MAX {
            issues.push(QualityIssue { code: code.to_owned(), detail });
        }
    };
    if failed > 0 {
        issue(
            "unsupported_sentence",
            format!("{failed} sentences weren't supported by the sheet and were left out"),
        );
    }
    if rows > 0 {
        issue(
            "unsupported_row",
            format!("{rows} rows of tables weren't supported by the sheet and were left out"),
        );
    }
    for entry in (0..parts.len()).filter(|entry| !used.contains(entry)) {
        issue("entry_not_used", format!("nothing of entry {} is in the answer", entry + 1));
    }
    delivered(request, &sentences, Answer { issues, ..baseline })
}

/// Puts a sentence in the place of the failing one that it shares most words with.
fn replace(lexicon: &mut Lexicon, sentences: &mut [AnswerSentence], fixed: AnswerSentence) {
    let own: BTreeSet<_> = lexicon.terms(&fixed.text).into_iter().collect();
    let mut best: Option<(usize, usize)> = None;
    for (at, failing) in sentences.iter().enumerate().filter(|(_, sentence)| is_mended(sentence)) {
        let shared = lexicon.terms(&failing.text).iter().filter(|term| own.contains(term)).count();
        if shared > 0 && best.is_none_or(|(_, most)| shared > most) {
            best = Some((at, shared));
        }
    }
    let said = sentences.iter().any(|sentence| sentence.reasons.is_empty() && sentence.text == fixed.text);
    if let Some((at, _)) = best.filter(|_| !said) {
        sentences[at] = AnswerSentence { paragraph: sentences[at].paragraph, ..fixed };
    }
}
