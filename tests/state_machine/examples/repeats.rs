//! `Idempotency-Key` by example: what a repeat is told, for how long, and which cursor it gets.

use std::sync::Arc;
use tributary::domain::position::{AppendId, Position};
use tributary::domain::record::{Answer, StepStatus};
use tributary::domain::session::{Batch, Command, IdempotencyKey};
use tributary::domain::time::Timestamp;
use tributary::domain::verdict::{Code, Refusal, Verdict};

use super::{Scene, partial};
use crate::fixtures::{cancel, combine, idempotency, post};

type Answers = Vec<Result<Answer, Refusal>>;

impl Scene {
    /// One request with a key, in an append of its own: its answers and its cursor.
    fn asks(&mut self, key: &IdempotencyKey, commands: &[Command]) -> (Answers, Position) {
        let append_id = AppendId(self.log.len() as u64);
        let mut batch = Batch::new(&self.state, &self.limits, Timestamp(self.now), append_id);
        let mut answers = Answers::new();
        for (command, index) in commands.iter().zip(0..) {
            answers.push(batch.decide_once(key, index, command));
            combine(&mut batch);
        }
        let cursor = batch.cursor_of(Some(key));
        let (entries, state) = batch.into_parts();
        self.log.extend(entries.into_iter().map(Arc::unwrap_or_clone));
        self.state = state;
        (answers, cursor)
    }
}

fn running() -> Scene {
    Scene::after(&post("p").expects("crm", "r").with("more_steps", true))
}

#[test]
fn a_repeat_gets_the_first_answer_and_the_first_cursor() {
    let mut scene = running();
    let (key, array) = (idempotency("a", 1), [partial("p", "crm").command(), partial("p", "crm").command()]);
    let first = scene.asks(&key, &array);
    scene.then(&partial("p", "crm").command());
    let entries = scene.log.len();
    assert_eq!(scene.asks(&key, &array), first);
    assert_eq!(scene.log.len(), entries);
}

#[test]
fn a_repeat_in_the_same_append_gets_the_first_answer() {
    let scene = running();
    let mut batch = Batch::new(&scene.state, &scene.limits, Timestamp(scene.now), AppendId(1));
    let (key, command) = (idempotency("a", 1), partial("p", "crm").command());
    let first = batch.decide_once(&key, 0, &command);
    let (cursor, size) = (batch.cursor_of(Some(&key)), batch.size());
    assert_eq!(batch.decide_once(&key, 0, &command), first);
    assert_eq!((batch.cursor_of(Some(&key)), batch.size()), (cursor, size));
}

#[test]
fn a_cursor_stays_where_it_was_whoever_speaks_later_in_the_same_append() {
    let scene = running();
    let mut batch = Batch::new(&scene.state, &scene.limits, Timestamp(scene.now), AppendId(1));
    let (key, command) = (idempotency("a", 1), partial("p", "crm").command());
    batch.decide_once(&key, 0, &command).unwrap();
    let cursor = batch.cursor_of(Some(&key));
    batch.decide(&partial("p", "crm").command()).unwrap();
    let (_, state) = batch.into_parts();
    let mut later = Batch::new(&state, &scene.limits, Timestamp(scene.now), AppendId(2));
    later.decide_once(&key, 0, &command).unwrap();
    assert_eq!(later.cursor_of(Some(&key)), cursor);
}

#[test]
fn an_item_that_is_decided_behind_others_has_its_own_answer() {
    let mut scene = running();
    let (key, command) = (idempotency("a", 1), partial("p", "crm").command());
    let decide = |scene: &mut Scene, places: &[u32]| -> Answers {
        let append_id = AppendId(scene.log.len() as u64);
        let mut batch = Batch::new(&scene.state, &scene.limits, Timestamp(scene.now), append_id);
        let answers = places.iter().map(|&place| batch.decide_once(&key, place, &command)).collect();
        let (entries, state) = batch.into_parts();
        scene.log.extend(entries.into_iter().map(Arc::unwrap_or_clone));
        scene.state = state;
        answers
    };
    let first: Vec<_> =
        [&[5, 7, 6][..], &[2], &[9, 3]].iter().flat_map(|at| decide(&mut scene, at)).collect();
    let entries = scene.log.len();
    assert_eq!(decide(&mut scene, &[5, 7, 6, 2, 9, 3]), first);
    assert_eq!(scene.log.len(), entries);
}

#[test]
fn a_key_that_was_given_for_another_request_is_refused() {
    let mut scene = running();
    scene.asks(&idempotency("a", 1), &[partial("p", "crm").command()]);
    let (answers, _) = scene.asks(&idempotency("a", 2), &[partial("p", "crm").command()]);
    assert_eq!(answers[0].as_ref().unwrap_err().code, Code::IdempotencyConflict);
    let mut batch = Batch::new(&scene.state, &scene.limits, Timestamp(scene.now), AppendId(9));
    batch.decide_once(&idempotency("b", 1), 0, &partial("p", "crm").command()).unwrap();
    let other = batch.decide_once(&idempotency("b", 2), 0, &partial("p", "crm").command());
    assert_eq!(other.unwrap_err().code, Code::IdempotencyConflict, "in the same append, too");
}

#[test]
fn a_cancel_that_found_nothing_ends_nothing_when_it_is_repeated() {
    let mut scene = running();
    scene.then(&cancel(None));
    let first = scene.asks(&idempotency("a", 1), &[cancel(None)]);
    scene.then(&post("q").expects("crm", "r").command());
    assert_eq!(scene.asks(&idempotency("a", 1), &[cancel(None)]), first);
    assert_eq!(scene.status("q"), StepStatus::InProgress);
}

#[test]
fn a_close_that_found_the_session_closed_does_not_close_it_again() {
    let mut scene = running();
    scene.then(&Command::Close);
    scene.asks(&idempotency("a", 1), &[Command::Close]);
    scene.then(&post("q").expects("crm", "r").command());
    scene.asks(&idempotency("a", 1), &[Command::Close]);
    assert!(!scene.state.closed, "the session was opened again since");
}

#[test]
fn the_last_256_keys_are_remembered() {
    let mut scene = running();
    let (key, command) = (idempotency("first", 0), [partial("p", "crm").command()]);
    let first = scene.asks(&key, &command);
    for other in 1..=255_u32 {
        scene.asks(&idempotency(&format!("other-{other}"), other.into()), &command);
    }
    assert_eq!(scene.asks(&key, &command), first, "after 255 others");
    scene.asks(&idempotency("one more", 256), &command);
    assert_ne!(scene.asks(&key, &command), first, "after 256 others it is a request like any");
    assert_eq!(scene.state.answered.len(), 256);
}

fn verdict(answers: &Answers) -> Verdict {
    verdict_of(&answers[0])
}

fn verdict_of(answer: &Result<Answer, Refusal>) -> Verdict {
    match answer {
        Ok(Answer::Event(decided)) => decided.verdict,
        other => panic!("not of an event: {other:?}"),
    }
}

#[test]
fn what_was_in_conflict_is_not_done_after_the_next_revision() {
    let mut scene = running();
    scene.then(&partial("p", "crm").revision(1).command());
    let (key, other) = (idempotency("a", 1), [partial("p", "crm").revision(1).content(8).command()]);
    let first = scene.asks(&key, &other);
    assert_eq!(verdict(&first.0), Verdict::Conflict);
    scene.then(&partial("p", "crm").revision(2).command());
    assert_eq!(scene.asks(&key, &other), first);
    let entries = scene.log.len();
    scene.then(&other[0]);
    assert_eq!(scene.log.len(), entries, "without a key what is done costs nothing");
}

#[test]
fn what_changed_nothing_has_its_key_and_its_cursor_as_well() {
    let mut scene = running();
    scene.then(&partial("p", "crm").revision(2).command());
    let item = |content| [partial("p", "crm").revision(1).content(content).command()];
    let stale = scene.asks(&idempotency("stale", 1), &item(1));
    assert_eq!(verdict(&stale.0), Verdict::Stale);
    let directive = [post("p").expects("crm", "r").with("more_steps", true).command()];
    let known = scene.asks(&idempotency("known", 1), &directive);
    assert_eq!(known.0, [Ok(Answer::Step { created: false })]);
    scene.then(&cancel(None));
    let late = scene.asks(&idempotency("late", 1), &[partial("p", "crm").revision(3).command()]);
    assert_eq!(verdict(&late.0), Verdict::Late);
    let entries = scene.log.len();
    assert_eq!(scene.asks(&idempotency("stale", 1), &item(1)), stale);
    assert_eq!(scene.asks(&idempotency("known", 1), &directive), known);
    assert_eq!(scene.asks(&idempotency("late", 1), &[partial("p", "crm").revision(3).command()]), late);
    for key in ["stale", "known", "late"] {
        let (answers, _) = scene.asks(&idempotency(key, 2), &item(9));
        assert_eq!(answers[0].as_ref().unwrap_err().code, Code::IdempotencyConflict, "{key}");
    }
    assert_eq!(scene.log.len(), entries);
}

#[test]
fn what_was_a_duplicate_is_one_whatever_came_since() {
    let mut scene = running();
    // One item is the duplicate of another one beside it.
    let item = |revision| partial("p", "crm").revision(revision).command();
    let (key, array) = (idempotency("a", 1), [item(1), item(1), item(2)]);
    let first = scene.asks(&key, &array);
    assert_eq!(
        first.0.iter().map(verdict_of).collect::<Vec<_>>(),
        [Verdict::Accepted, Verdict::Duplicate, Verdict::Accepted]
    );
    let entries = scene.log.len();
    assert_eq!(scene.asks(&key, &array), first);
    assert_eq!(scene.log.len(), entries, "a repeat costs nothing");
    // And of one that came before, alone.
    let (key, repeated) = (idempotency("b", 2), [item(2)]);
    let first = scene.asks(&key, &repeated);
    assert_eq!(verdict(&first.0), Verdict::Duplicate);
    scene.then(&item(3));
    assert_eq!(scene.asks(&key, &repeated), first);
    let entries = scene.log.len();
    scene.then(&item(3));
    assert_eq!(scene.log.len(), entries, "without a key it takes no entry");
}

#[test]
fn a_full_session_notes_nothing_that_changed_nothing() {
    let mut scene = running();
    scene.then(&partial("p", "crm").revision(1).command());
    scene.limits.events_per_session = scene.log.len() as u64;
    let other = [partial("p", "crm").revision(1).content(8).command()];
    let (answers, _) = scene.asks(&idempotency("a", 1), &other);
    assert_eq!((verdict(&answers), scene.log.len()), (Verdict::Conflict, 2 + 1));
    let (answers, _) = scene.asks(&idempotency("b", 2), &[partial("p", "crm").revision(1).command()]);
    assert_eq!((verdict(&answers), scene.log.len()), (Verdict::Duplicate, 2 + 1));
}

#[test]
fn what_was_refused_is_decided_when_it_comes_again() {
    let mut scene = running();
    let array = [partial("q", "crm").command(), partial("p", "crm").command()];
    let (answers, _) = scene.asks(&idempotency("a", 1), &array);
    assert_eq!(answers[0].as_ref().unwrap_err().code, Code::UnknownStep);
    scene.then(&post("q").expects("crm", "r").command());
    let (again, _) = scene.asks(&idempotency("a", 1), &array);
    assert!(again[0].is_ok() && again[1] == answers[1]);
}
