//! An answer that a language model wrote out of a context sheet, verified before it is delivered.
//!
//! The model sees the entries with the numbers of [`entries`], and cites them as `[n]`. Every sentence is held against the
//! entries that cite what it cites; where they don't support it and others do, its citation is corrected. What fails may be
//! repaired once, and is left out otherwise. References are rebuilt from what is cited then, by first use.

use std::collections::BTreeSet;

use super::prose::prose;
use super::resolved::resolved;
use super::stated::{Stated, said_by};
use super::table::{TableRow, pieces};
use super::{Answer, Reference, entries, own_list};
use crate::domain::aggregate::request::AnswerRequest;
use crate::domain::synthesis::citations::keep;
use crate::domain::synthesis::claims::{self, Mark, statements};
use crate::domain::synthesis::verify::bare::{is_bare, without_head};
use crate::domain::synthesis::verify::cited::{Found, rested_on};
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
    /// The statements of the sheet that do, from 0.
    pub said: BTreeSet<usize>,
    /// Whether it only says that the sheet doesn't say something.
    pub is_gap: bool,
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
    /// Sentences that weren't looked at: beyond the limit. What repeats another isn't counted.
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
pub(super) fn is_mended(sentence: &AnswerSentence) -> bool {
    !sentence.reasons.is_empty() && sentence.row.is_none()
}

/// A sheet as it is asked about.
pub(super) struct Sheet {
    pub(super) evidence: Evidence<'static>,
    /// Of which entry each of its sentences is.
    entry_of: Vec<usize>,
    /// What its numbers stand for.
    references: Vec<Reference>,
    /// How many entries it has.
    entries: usize,
}

impl Sheet {
    pub(super) fn read(lexicon: &mut Lexicon, request: &AnswerRequest) -> Self {
        let (Answer { references, .. }, parts) = entries(request);
        let sources = references.len();
        let (said, entry_of) = said_in(&parts, sources);
        let mut places = vec![Vec::new(); sources + 1];
        for (at, said) in said.iter().enumerate() {
            said.places.iter().for_each(|place| places[*place].push(at));
        }
        let evidence = Evidence::assembled(lexicon, said, places, sources, &request.objective);
        Self { evidence, entry_of, references, entries: parts.len() }
    }
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
    let Sheet { evidence, entry_of, references, entries } = Sheet::read(lexicon, request);
    let text = prose(text);
    let text = &text[..text.floor_char_boundary(ANSWER_BYTES_MAX)];
    // What it cites is listed by the service: a list of its own is neither an answer nor a fault.
    let text = own_list::read(text).text;
    let text = &*resolved(&text, request, &references);
    let (mut verified, mut seen) = (VerifiedAnswer::default(), BTreeSet::new());
    for (paragraph, piece) in pieces(text).into_iter().enumerate() {
        for said in said_by(lexicon, &evidence, &piece) {
            let Some(said) = without_bare(&evidence, said) else { continue };
            if !seen.insert(said.text.to_lowercase()) {
                continue;
            }
            if verified.sentences.len() >= SENTENCES_MAX {
                verified.dropped += 1;
                continue;
            }
            let cited: Vec<usize> = said.cited.iter().map(|number| *number as usize - 1).collect();
            let (places, support, reasons, is_gap) = match stands(lexicon, &evidence, &said, &cited) {
                Ok(Stands::By((places, support))) => (places, support, Vec::new(), false),
                Ok(Stands::AsGap) => (Vec::new(), BTreeSet::new(), Vec::new(), true),
                Err(reasons) => (cited, BTreeSet::new(), reasons, false),
            };
            let sources = places.into_iter().filter(|place| *place < evidence.sources());
            verified.sentences.push(AnswerSentence {
                paragraph,
                sources: sources.map(|place| place as u32 + 1).collect(),
                entries: support.iter().filter_map(|at| entry_of.get(*at).copied()).collect(),
                said: support,
                is_gap,
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

/// A sentence without the bare answer that it begins with; `None` of one that is nothing else. To a question that can be answered with
/// `yes` that claims all that it asks, and has no word which a source could show: it stays where the sheet has it as it is.
fn without_bare(evidence: &Evidence<'_>, said: Stated) -> Option<Stated> {
    if said.row.is_some() || evidence.has(&said.text) {
        return Some(said);
    }
    let text = without_head(&said.text).unwrap_or_else(|| said.text.clone());
    (!is_bare(&said.text)).then_some(Stated { text, ..said })
}

/// Why a sentence stands.
enum Stands {
    /// By these places.
    By(Found),
    /// It says what the sheet doesn't.
    AsGap,
}

fn stands(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    said: &Stated,
    cited: &[usize],
) -> Result<Stands, Vec<Reason>> {
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
            return Ok(Stands::AsGap);
        }
        Err(reasons) => return Err(reasons),
    };
    for part in &said.parts {
        let mut part = Sentence::read(lexicon, evidence, part);
        part.states = true;
        part.check(lexicon, evidence.at(&found.0))?;
    }
    Ok(Stands::By(found))
}

type Judged = Result<Found, Vec<Reason>>;

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
        return sentence.check(lexicon, evidence.at(&everything)).map(|support| (Vec::new(), support));
    }
    let mut chosen: Vec<usize> = Vec::new();
    for place in sentence.closest(evidence).into_iter().take(CITED_MAX) {
        // What cites nothing can't be shown to rest on a source as well.
        if place == evidence.sources() {
            if let Ok(support) = sentence.check(lexicon, evidence.at(&[place])) {
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
