//! What a sender is told: a verdict for every item, and one status for all.

use axum::http::StatusCode;
use serde_json::json;

use super::super::problem::Problem;
use super::super::refused::in_step;
use super::answer::{EventsAnswer, ItemResult};
use crate::domain::position::Position;
use crate::domain::record::Answer;
use crate::domain::verdict::{Code, Decided, Refusal, Verdict};
use crate::engine::coordinator::{Reply, SubmitError};

/// Problems that are listed, in a request with many.
const LISTED: usize = 100;

#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    accepted: u64,
    duplicate: u64,
    stale: u64,
    late: u64,
    conflict: u64,
}

impl Counts {
    fn any(&self) -> bool {
        let Self { accepted, duplicate, stale, late, conflict } = *self;
        accepted + duplicate + stale + late + conflict > 0
    }
}

/// Verdicts, collected while a request is decided.
pub struct Receipts {
    results: Vec<ItemResult>,
    listed_max: usize,
    truncated: bool,
    single: bool,
    places: bool,
    items: usize,
    counts: Counts,
    cursor: Option<Position>,
    refusals: Vec<Refusal>,
    conflicts: Vec<Refusal>,
    stopped: Option<Problem>,
}

impl Receipts {
    /// None yet. `single`: the request is one event, so its own problem is the request's.
    pub fn new(listed_max: usize, single: bool) -> Self {
        let (counts, cursor, stopped) = Default::default();
        let (results, refusals, conflicts) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            results,
            listed_max,
            truncated: false,
            single,
            places: !single,
            items: 0,
            counts,
            cursor,
            refusals,
            conflicts,
            stopped,
        }
    }

    /// Of a list: problems say at which place, also where there is only one.
    pub fn of_list(mut self) -> Self {
        self.places = true;
        self
    }

    /// Takes the answers of a submission. `outline` says which items were refused at the door.
    pub fn add_reply(&mut self, outline: Vec<Option<Refusal>>, reply: Reply) {
        self.cursor = Some(reply.cursor);
        self.add_all(outline, reply.answers);
        if let Some(error) = reply.stopped {
            self.stop(error);
        }
    }

    /// There was no item: its sender stands at `position`.
    pub fn add_none(&mut self, position: Position) {
        self.cursor = Some(position);
    }

    /// Takes items in their order: refused at the door, or the next of `answers`.
    pub fn add_all(&mut self, outline: Vec<Option<Refusal>>, answers: Vec<Result<Answer, Refusal>>) {
        let mut answers = answers.into_iter();
        for refused in outline {
            match refused {
                Some(refusal) => self.refused(refusal),
                None => match answers.next() {
                    Some(Ok(Answer::Event(decided))) => self.decided(decided),
                    Some(Ok(Answer::Step { .. } | Answer::Done(_))) | None => self.undecided(),
                    Some(Err(refusal)) => self.refused(refusal),
                },
            }
        }
    }

    /// Whether an item was given a verdict.
    pub fn any_judged(&self) -> bool {
        self.counts.any()
    }

    /// Whether there is no such step, or no such subagent in it, so that whatever follows is sent to nobody as well. Another
    /// event may name another `result_key`.
    pub fn found_nobody(&self) -> bool {
        let is_of_path = |refusal: &Refusal| {
            let names_an_output = refusal.issues.iter().any(|issue| !issue.pointer.is_empty());
            refusal.code == Code::UnknownStep || (refusal.code == Code::UnknownSubagent && !names_an_output)
        };
        !self.any_judged() && self.refusals.iter().any(is_of_path)
    }

    /// Takes items that nobody decided. Where they are the first, and there is no session to decide them, they are refused as by one
    /// that doesn't know the step.
    pub fn lose(&mut self, outline: Vec<Option<Refusal>>, error: SubmitError) {
        let is_gone = matches!(error, SubmitError::UnknownSession | SubmitError::SessionExpired);
        let problem = in_step(error);
        if is_gone && self.items == 0 {
            let gone = || Refusal::new(problem.code, &*problem.detail);
            let refused = outline.into_iter().map(|refused| Some(refused.unwrap_or_else(gone)));
            return self.add_all(refused.collect(), Vec::new());
        }
        self.add_all(outline, Vec::new());
        self.stop(problem);
    }

    /// The rest isn't decided.
    pub fn stop(&mut self, why: impl Into<Problem>) {
        self.stopped.get_or_insert_with(|| why.into());
    }

    fn decided(&mut self, decided: Decided) {
        let count = match decided.verdict {
            Verdict::Accepted => &mut self.counts.accepted,
            Verdict::Duplicate => &mut self.counts.duplicate,
            Verdict::Stale => &mut self.counts.stale,
            Verdict::Late => &mut self.counts.late,
            Verdict::Conflict => &mut self.counts.conflict,
        };
        *count += 1;
        if decided.verdict == Verdict::Conflict && self.conflicts.len() < LISTED {
            let text = "this revision was stored with other content; it isn't overwritten";
            let conflict = Refusal::at(Code::RevisionConflict, "/revision", text);
            self.conflicts.push(self.of_item(conflict, self.items));
        }
        self.list(|| ItemResult::Decided(decided));
    }

    fn refused(&mut self, refusal: Refusal) {
        self.list(|| {
            let (code, detail) = (refusal.code.as_str(), refusal.detail.clone());
            ItemResult::Invalid { verdict: "invalid", code, detail }
        });
        if self.refusals.len() < LISTED {
            self.refusals.push(self.of_item(refusal, self.items - 1));
        }
    }

    /// The refusal with its item's place, where it is one of a list.
    fn of_item(&self, refusal: Refusal, index: usize) -> Refusal {
        if self.places { refusal.of_item(index) } else { refusal }
    }

    fn undecided(&mut self) {
        self.list(|| ItemResult::Undecided { verdict: "undecided" });
    }

    fn list(&mut self, result: impl FnOnce() -> ItemResult) {
        self.items += 1;
        if self.results.len() < self.listed_max {
            self.results.push(result());
        } else {
            self.truncated = true;
        }
    }

    /// The answer: 422 before 404 and 410 (where no item was judged), 409 and 503; each with the results of all items.
    ///
    /// # Errors
    /// The problem document, where not every item is done.
    pub fn into_answer(mut self) -> Result<EventsAnswer, Problem> {
        let problem = self.problem();
        let Counts { accepted, duplicate, stale, late, conflict } = self.counts;
        let (results, results_truncated, cursor) = (self.results, self.truncated, self.cursor);
        let body =
            EventsAnswer { results, results_truncated, accepted, duplicate, stale, late, conflict, cursor };
        match problem {
            None => Ok(body),
            Some(problem) => Err(problem.with_members(json!(body))),
        }
    }

    fn problem(&mut self) -> Option<Problem> {
        let refusals = std::mem::take(&mut self.refusals);
        let is_unknown = |refusal: &Refusal| {
            matches!(refusal.code, Code::UnknownStep | Code::UnknownSubagent | Code::SessionExpired)
        };
        if let Some(first) = refusals.iter().position(|refusal| !is_unknown(refusal)) {
            let problem = joined(refusals, first);
            return Some(if self.single {
                problem
            } else {
                problem.with_status(StatusCode::UNPROCESSABLE_ENTITY)
            });
        }
        if !refusals.is_empty() {
            let problem = joined(refusals, 0);
            // Nobody is known there: 404. Where others of the list were judged, single items are wrong.
            return Some(if self.counts.any() {
                problem.with_status(StatusCode::UNPROCESSABLE_ENTITY)
            } else {
                problem
            });
        }
        let conflicts = std::mem::take(&mut self.conflicts);
        if !conflicts.is_empty() {
            return Some(joined(conflicts, 0));
        }
        self.stopped.take()
    }
}

/// One refusal that speaks for all: the code of the item at `first`, the issues of each.
fn joined(mut refusals: Vec<Refusal>, first: usize) -> Problem {
    let issues = refusals.iter().flat_map(|refusal| refusal.issues.clone()).collect();
    let Refusal { code, detail, .. } = refusals.swap_remove(first);
    Problem::from(Refusal { code, detail, issues })
}
