//! An `Idempotency-Key` makes a repeat safe, however its request was stored and whatever came between.
//!
//! What is promised is about commands that were answered: a repeat of one gives the same answer, and never an entry. A command that
//! was refused may be decided anew.

use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::Arc;
use tributary::domain::entry::Entry;
use tributary::domain::position::AppendId;
use tributary::domain::record::{Answer, Record};
use tributary::domain::session::{Batch, IdempotencyKey, SessionState};
use tributary::domain::time::Timestamp;
use tributary::domain::verdict::Refusal;

use super::stories;
use crate::commands::{Said, Story, story};
use crate::fixtures::{combine, idempotency};
use crate::telling::{BEGIN, command, empty, limits};

type Answers = Vec<Result<Answer, Refusal>>;

/// A request: its number is its key.
#[derive(Debug, Clone)]
struct Request<'s> {
    number: usize,
    said: &'s [Said],
}

impl Request<'_> {
    fn key(&self) -> IdempotencyKey {
        idempotency(&format!("request-{}", self.number), self.number as u128)
    }

    /// Decides the items from `from` on, at most `most`, as the coordinator does.
    fn decide(&self, batch: &mut Batch<'_>, story: &Story, from: usize, most: usize) -> Answers {
        let items = self.said.iter().enumerate().skip(from).take(most);
        let mut answers = Answers::new();
        for (n, said) in items {
            answers.push(batch.decide_once(&self.key(), n as u32, &command(said, &story.plans)));
            combine(batch);
        }
        answers
    }
}

fn requests(story: &Story) -> Vec<Request<'_>> {
    let all = story.turns.iter().flat_map(|turn| &turn.requests);
    all.enumerate().map(|(number, said)| Request { number, said }).collect()
}

/// Repeats what was answered. Everything must be as before.
fn repeat(request: &Request<'_>, story: &Story, first: &Answers, batch: &mut Batch<'_>) {
    let before = (batch.size(), batch.state().clone());
    for (n, said) in request.said[..first.len()].iter().enumerate().filter(|(n, _)| first[*n].is_ok()) {
        let again = batch.decide_once(&request.key(), n as u32, &command(said, &story.plans));
        assert_eq!(first[n], again, "{said:?}");
    }
    assert_eq!(batch.size(), before.0, "a repeat added an entry");
    assert_eq!(batch.state(), &before.1, "a repeat changed something");
}

/// Decides all requests with their keys, each in batches of `most` items; then `then` sees what they were answered.
fn tell_keyed(
    story: &Story,
    most: usize,
    mut then: impl FnMut(&Request<'_>, &Answers, &mut Batch<'_>),
) -> Vec<Entry> {
    let limits = limits();
    let (mut state, mut log): (SessionState, Vec<Entry>) = (empty(), Vec::new());
    for request in requests(story) {
        let mut answers = Answers::new();
        while answers.len() < request.said.len() {
            let mut batch = Batch::new(&state, &limits, Timestamp(BEGIN), AppendId(log.len() as u64));
            answers.extend(request.decide(&mut batch, story, answers.len(), most));
            if answers.len() == request.said.len() {
                then(&request, &answers, &mut batch);
            }
            let (entries, after) = batch.into_parts();
            log.extend(entries.into_iter().map(Arc::unwrap_or_clone));
            state = after;
        }
    }
    log
}

proptest! {
    #![proptest_config(stories())]

    #[test]
    fn a_repeat_in_the_same_batch_gets_the_same_answers(story in story(), most in 1..5_usize) {
        tell_keyed(&story, most, |request, answers, batch| repeat(request, &story, answers, batch));
    }

    #[test]
    fn a_repeat_after_others_gets_the_same_answers(story in story(), most in 1..5_usize, whom: Index) {
        let mut told: Vec<(usize, Answers)> = Vec::new();
        let all = requests(&story);
        tell_keyed(&story, most, |request, answers, batch| {
            batch.flush_answers();
            told.push((request.number, answers.clone()));
            let (number, first) = &told[whom.index(told.len())];
            repeat(&all[*number], &story, first, batch);
        });
    }

    #[test]
    fn a_request_that_was_stored_in_part_goes_on_where_it_stopped(story in story(), stop in 1..4_usize) {
        let limits = limits();
        let whole = tell_keyed(&story, usize::MAX, |_, _, _| {});
        let mut state = empty();
        let mut log: Vec<Entry> = Vec::new();
        for request in requests(&story) {
            let mut batch = Batch::new(&state, &limits, Timestamp(BEGIN), AppendId(log.len() as u64));
            let first = request.decide(&mut batch, &story, 0, stop);
            let (entries, stored) = batch.into_parts();
            log.extend(entries.into_iter().map(Arc::unwrap_or_clone));
            // The sender didn't hear of it and sends everything again.
            let mut batch = Batch::new(&stored, &limits, Timestamp(BEGIN), AppendId(log.len() as u64));
            repeat(&request, &story, &first, &mut batch);
            request.decide(&mut batch, &story, stop, usize::MAX);
            let (entries, after) = batch.into_parts();
            log.extend(entries.into_iter().map(Arc::unwrap_or_clone));
            state = after;
        }
        let shown = |log: &[Entry]| log.iter().filter(|entry| entry.wire().is_some()).count();
        let records = |log: &[Entry]| -> Vec<Record> {
            let seen = log.iter().filter(|entry| entry.wire().is_some());
            seen.map(|entry| entry.record.clone()).collect()
        };
        prop_assert_eq!(shown(&log), shown(&whole));
        prop_assert_eq!(records(&log), records(&whole));
    }
}
