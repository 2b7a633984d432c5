//! A context sheet as an answer with its references.
//!
//! The entries are joined in order, repeats that differ in nothing but markers dropped (their citations go to the first), each followed by the markers
//! `[n]` of its citations that don't stand in it already. Numbers follow the first use; `references` are in that order and
//! keep the sheet's ids. A marker of a sheet's id inside of an entry (`[c1]`) becomes its number, and
//! where its ids are no numbers, `[1]` is the first of the entry's own citations, if all its markers are such. What a sheet says that
//! can't be true (an id that it doesn't have) is left out and listed in `issues`, and so are an entry that says nothing and what two
//! entries say that can't both be true. Linear, but for sorting.

use super::confidence::confidence_v1;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;

use self::entries::{Entry, distinct};
use self::sources::{Sources, shown};
use crate::domain::aggregate::input::FailureStatus;
use crate::domain::aggregate::request::{AnswerRequest, SheetId};
use crate::domain::aggregate::result::{Confidence, ConfidenceFactor, Method, QualityIssue, SourceQuality};
use crate::domain::aggregate::take_in::says_nothing;
use crate::domain::synthesis::compose::{inert_prose, labels_apart};
use crate::domain::text::clean::{escape_inline, one_line};

mod contested;
mod delivered;
mod entries;
mod finished;
mod format;
mod gated;
mod labels;
mod markers;
mod measured;
mod numbers;
pub(super) mod own_list;
mod prose;
mod resolved;
mod sources;
mod stated;
mod table;
#[cfg(test)]
mod tests;
mod twins;
mod verified;

pub use finished::finish_answer;
pub use table::TableRow;
pub(super) use table::is_neutral;
pub use verified::{AnswerSentence, VerifiedAnswer, verify_answer};

/// How a sheet says that the work is done.
const COMPLETED: [&str; 7] = ["completed", "complete", "done", "finished", "success", "succeeded", "ok"];

/// Characters of a title that are kept.
const TITLE_CHARS_MAX: usize = 300;
/// Issues that are listed.
const ISSUES_MAX: usize = 100;

/// An answer out of a context sheet.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Answer {
    /// The answer, Markdown with `[n]`; says so where there is none, or where the work was broken off. Empty where it is
    /// withheld.
    pub answer: String,
    /// What it cites, in the order of `n`.
    pub references: Vec<Reference>,
    /// What of the sheet it doesn't cite, in the sheet's order.
    pub unused_references: Vec<Reference>,
    /// Confidence by the published rule (version 1), 0 to 100.
    pub confidence: u32,
    /// What that is made of, in the order in which it was applied.
    pub confidence_factors: Vec<ConfidenceFactor>,
    /// The whole as Markdown: the objective as its title, the answer, the references, the confidence.
    pub formatted_output: String,
    /// Whether the sheet is whole.
    pub status: AnswerStatus,
    /// What was found wanting in the sheet, and a quality that is lower than wanted.
    pub issues: Vec<QualityIssue>,
    /// Confidence, version 2, with what it is made of.
    pub confidence_v2: Confidence,
    /// Who wrote it, where a language model was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// Why it wasn't the method that was asked for, or why it is withheld.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The language model that wrote it, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its prompt's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_version: Option<String>,
}

/// A source of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Reference {
    /// The sheet's id.
    pub id: SheetId,
    /// Its title; its address or its id where it has none.
    pub title: String,
    /// Its address; `null` where it has none that may be a link.
    #[schema(required)]
    pub url: Option<String>,
    /// How good it is; `null` where that isn't known.
    #[schema(required)]
    pub quality: Option<SourceQuality>,
}

/// Whether there is a whole answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerStatus {
    /// The sheet was completed and says something.
    Completed,
    /// It wasn't completed; the answer is what was found until then.
    Incomplete,
    /// It says nothing.
    Empty,
}

/// The answer that a sheet gives, as far as its quality lets it be delivered.
pub fn answer(request: &AnswerRequest) -> Answer {
    let (answer, parts) = entries(request);
    gated::gated(answer, &parts, request)
}

/// The same in place of what a language model was asked for, and why it is that.
pub fn extracted(request: &AnswerRequest, why: String) -> Answer {
    let answer = answer(request);
    let reason = match &answer.reason {
        // Of one that was tried before it is known already.
        Some(withheld) if !why.contains(withheld) => format!("{why}; {withheld}"),
        Some(_) | None => why,
    };
    Answer { method: Some(Method::Extractive), reason: Some(reason), ..answer }
}

/// The sheet's answer whatever its quality, and its parts: the text of each entry that says something, with the markers `[n]` of what it cites.
pub fn entries(request: &AnswerRequest) -> (Answer, Vec<String>) {
    let (mut answer, parts) = numbered(request, markers::Numbering::default());
    let mut issues = Issues { list: answer.issues };
    for what in contested::contested(&distinct(&request.sheet)) {
        issues.add(contested::CODE, what);
    }
    answer.issues = issues.list;
    if contested::of(&answer.issues).next().is_some() {
        let completed = answer.status == AnswerStatus::Completed;
        answer.confidence_v2 = delivered::second(completed, &answer.references, &answer.issues);
        answer.formatted_output = format::formatted(request, &answer);
    }
    (answer, parts)
}

/// The same where some sources have a number already.
fn numbered(request: &AnswerRequest, mut numbering: markers::Numbering) -> (Answer, Vec<String>) {
    let mut issues = Issues::default();
    let sources = Sources::of(&request.sheet, &mut issues);
    for (number, entry) in (1..).zip(&request.sheet.entries) {
        for note in &entry.notes {
            issues.add("left_out", format!("entry {number}: {note}"));
        }
    }
    let mut parts = Vec::new();
    for entry in distinct(&request.sheet) {
        let number = entry.number;
        if let Some(kind) = says_nothing(entry.content).filter(|kind| is_left_out(*kind, &entry)) {
            let what = format!("entry {number} says nothing ({}) and was left out", kind.as_str());
            issues.add("says_nothing", what);
            continue;
        }
        let ids = &sources.by_id;
        let own = own_list::read(entry.content);
        if own.text.len() < entry.content.len() {
            issues.add("own_references", format!("entry {number}'s own list of references was left out"));
        }
        // Where an entry says itself what its numbers stand for, they stand for that.
        let source_of = |id: &str| match own.numbers.get(id) {
            Some(address) => sources.by_address.get(address).copied(),
            None => ids.get(id).copied(),
        };
        let by_id = markers::Ids { source_of: &source_of, prefixes: &sources.prefixes };
        let places = match own.numbers.is_empty() && !sources.are_numbers() {
            true => {
                let listed: Vec<Option<usize>> =
                    entry.citations.iter().map(|id| ids.get(&id.to_string()).copied()).collect();
                markers::places(&own.text, &listed, &by_id)
            }
            false => BTreeMap::new(),
        };
        let source_of = |id: &str| source_of(id).or_else(|| places.get(id).copied());
        let sheet = markers::Ids { source_of: &source_of, prefixes: &sources.prefixes };
        let mut written = markers::written(&own.text, &sheet, &mut numbering);
        for dangling in std::mem::take(&mut written.dangling) {
            let what = format!("entry {number} cites `{dangling}`, which the sheet doesn't have");
            issues.add("dangling_citation", what);
        }
        for id in entry.citations {
            match ids.get(&id.to_string()) {
                Some(source) => written.missing(*source),
                None => issues.add(
                    "unknown_citation",
                    format!("entry {number} cites `{}`, which the sheet doesn't have", shown(id)),
                ),
            }
        }
        parts.push(written.with_missing(&mut numbering));
    }
    let said = request.sheet.status.trim();
    let completed = COMPLETED.iter().any(|word| word.eq_ignore_ascii_case(said));
    let status = match (parts.is_empty(), completed) {
        (true, _) => AnswerStatus::Empty,
        (false, true) => AnswerStatus::Completed,
        (false, false) => AnswerStatus::Incomplete,
    };
    let used: BTreeSet<usize> = numbering.order.iter().copied().collect();
    let references: Vec<Reference> =
        numbering.order.iter().filter_map(|at| sources.list.get(*at).cloned()).collect();
    if let Some(order) = numbers::by_id(&references) {
        let order = order.into_iter().map(|at| numbering.order[at]);
        return numbered(request, markers::Numbering::of(order));
    }
    let unused =
        sources.list.into_iter().enumerate().filter(|(at, _)| !used.contains(at)).map(|(_, unused)| unused);
    let qualities: Vec<Option<SourceQuality>> =
        references.iter().map(|reference| reference.quality).collect();
    let (confidence, confidence_factors) = confidence_v1(completed, &qualities);
    let answer = text_of(&parts, status, completed, request);
    let unused_references = unused.collect();
    let mut answer = Answer {
        answer,
        confidence_v2: delivered::second(completed, &references, &issues.list),
        references,
        unused_references,
        confidence,
        confidence_factors,
        formatted_output: String::new(),
        status,
        issues: issues.list,
        method: None,
        reason: None,
        model: None,
        prompt_version: None,
    };
    answer.formatted_output = format::formatted(request, &answer);
    (answer, parts)
}

fn text_of(parts: &[String], status: AnswerStatus, completed: bool, request: &AnswerRequest) -> String {
    let labels = labels::of(request.synthesis.language.as_deref());
    let ended = || escape_inline(&one_line(&request.sheet.status, TITLE_CHARS_MAX));
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let joined = labels_apart(&parts).iter().map(|part| inert_prose(part)).collect::<Vec<_>>().join("\n\n");
    match status {
        AnswerStatus::Completed => joined,
        AnswerStatus::Incomplete => {
            format!("{}\n\n{joined}", labels.incomplete.replace("{}", &ended()))
        }
        AnswerStatus::Empty if completed => labels.empty.to_owned(),
        AnswerStatus::Empty => labels.ended.replace("{}", &ended()),
    }
}

/// Bytes of an entry that is a word for nothing, `N/A` or `no results`, at most.
const NOTHING_BYTES_MAX: usize = 16;

/// That nothing was found is something, where it cites who looked.
fn is_left_out(kind: FailureStatus, entry: &Entry<'_>) -> bool {
    kind != FailureStatus::Empty || entry.citations.is_empty() || entry.content.len() <= NOTHING_BYTES_MAX
}

/// What is wrong with a sheet, each thing once.
#[derive(Default)]
struct Issues {
    list: Vec<QualityIssue>,
}

impl Issues {
    fn add(&mut self, code: &str, detail: String) {
        let issue = QualityIssue { code: code.to_owned(), detail };
        if self.list.len() < ISSUES_MAX && !self.list.contains(&issue) {
            self.list.push(issue);
        }
    }
}
