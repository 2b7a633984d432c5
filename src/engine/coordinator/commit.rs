//! Deciding what waits and storing it in one append (group commit).
//!
//! Nothing is answered before it is stored. A conflict means that another replica wrote: what it wrote is folded, and
//! everything is decided again. An append that timed out is repeated as it is: if it had been applied, its own id is
//! among what the writer is told it missed (`missed`).

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::SubmitError;
use super::bounds::{has_room, is_over};
use super::combining::{Combining, Results, prepare};
use super::seat::leave_to_task;
use super::task::SessionTask;
use crate::domain::position::{AppendId, Position};
use crate::domain::record::Answer;
use crate::domain::session::{Batch, Command};
use crate::domain::story::Made;
use crate::domain::time::Timestamp;
use crate::domain::verdict::Refusal;
use crate::engine::clock::jittered;
use crate::engine::ports::result_cache::{Append, Appended, StoreError};

mod announced;
mod giving_up;
mod missed;
mod rounds;
mod timely;

use rounds::Rounds;

const BACKOFF_FIRST: Duration = Duration::from_millis(10);
const BACKOFF_MOST: Duration = Duration::from_millis(500);

/// What was decided of each request that waits, and the place after it.
pub(super) type Answers = Vec<(Vec<Result<Answer, Refusal>>, Position)>;

/// What a round of deciding came to: how many answers of each waiting request, and the entries to store.
struct Decision {
    append: Append,
    answers: Answers,
    /// How results of steps were made.
    made: Vec<Made>,
}

/// How storing a decision ended.
pub(super) enum Stored {
    Yes,
    Again,
    /// It may have been applied, but so much came after it that it can't be found any more.
    Lost,
    No(SubmitError),
}

impl SessionTask {
    /// Decides and stores until nothing waits.
    pub(super) async fn commit(&mut self) {
        let mut again: Option<Rounds> = None;
        loop {
            // The clock is looked at once a round: it is no small part of a round with one event.
            let round = Instant::now();
            let now = self.shared.clock.at(round);
            if self.is_stale(now) {
                self.refresh().await;
            }
            self.plan_calls(now).await;
            match self.decide(now, round).await {
                Ok(decision) => {
                    let stored = match decision {
                        Some(decision) => self.store_and_answer(decision, round).await,
                        // Overtaken by another replica before there was anything to store.
                        None => ControlFlow::Continue(()),
                    };
                    if stored.is_continue()
                        && self.goes_on(again.get_or_insert_with(|| Rounds::from(round))).await
                    {
                        continue;
                    }
                }
                Err(error) => {
                    self.shared.telemetry.meters.not_stored(error.name());
                    self.give_up(&error.into());
                }
            }
            again = None;
            self.follow_calls();
            // What isn't decided when the service stops is told so.
            if self.shared.has_stopped() {
                return;
            }
            self.drain_inbox();
            if self.waiting.is_empty() && !self.has_due_call() {
                return;
            }
            leave_to_task().await;
        }
    }

    /// `Continue`: another replica wrote, or there is room for a part only, and what waits is to be decided again.
    async fn store_and_answer(&mut self, decision: Decision, begun: Instant) -> ControlFlow<()> {
        if mutant!("answered-before-stored") {
            self.answer(decision.answers.clone(), &self.state.clone()).await;
        }
        let is_asked = !(decision.append.entries.is_empty() && self.waiting.is_empty());
        let stored = if decision.append.entries.is_empty() {
            self.confirm().await
        } else {
            self.store(&decision.append, begun).await
        };
        if is_asked && !matches!(stored, Stored::No(_)) {
            self.answered_at = begun;
            self.away = None;
        }
        match stored {
            Stored::Yes => {
                let Decision { append, answers, made } = decision;
                let before = std::mem::replace(&mut self.state, append.state.clone());
                self.count_verdicts(answers.iter().flat_map(|(answers, _)| answers));
                // Before the answer: who has it, and looks, finds it counted.
                self.tell(&before, &append, &made);
                self.answer(answers, &before).await;
            }
            Stored::Again => return ControlFlow::Continue(()),
            Stored::Lost => {
                self.shared.telemetry.meters.not_stored("outcome_unknown");
                self.stop_unsafe(&decision.answers);
            }
            Stored::No(error) if !decision.append.only_ends && self.is_left_with_ends(&error) => {
                return ControlFlow::Continue(());
            }
            Stored::No(error) => self.give_up(&error),
        }
        ControlFlow::Break(())
    }

    /// Decides as much of what waits as fits one append. Deadlines that have passed come first. A step that ends gets
    /// its result before anything else is decided. `None`: another replica wrote while that was made.
    async fn decide(&mut self, now: Timestamp, begun: Instant) -> Result<Option<Decision>, StoreError> {
        let append_id = AppendId(fastrand::u64(..));
        let (now, waiting) = self.before_deadline(now);
        // Apart from `self`, which moves on while a result is made.
        let shared = self.shared.clone();
        let mut results = Results::new();
        let (batch, answers) = loop {
            let settings = &shared.settings;
            let begin = || {
                Batch::new(&self.state, &settings.limits, now, append_id).in_pieces_of(settings.batch_entries)
            };
            let (mut batch, mut most) = (begin(), usize::MAX);
            let answers = loop {
                match self.decide_at_most((most, waiting), now, &mut batch) {
                    Ok(answers) => break answers,
                    // Rare: commands seldom make more entries than are kept free for one.
                    Err(fitting) => (batch, most) = (begin(), fitting),
                }
            };
            if batch.to_combine().is_none() {
                prepare(batch.entries());
                break (batch, answers);
            }
            // What a request was answered stands before the result that it led to: a repeat gets the same cursor.
            batch.flush_answers();
            let patience_ends = self.patience_ends(begun);
            // Of its own on the heap: few batches end a step.
            match Box::pin(self.combine(&mut batch, &mut results, patience_ends)).await? {
                Combining::Done => break (batch, answers),
                Combining::Renewed => {}
                Combining::Overtaken => return Ok(None),
            }
        };
        let made = results.into_iter().map(|(_, made)| made).collect();
        let only_ends = batch.only_ends();
        let (entries, state) = batch.into_parts();
        let (key, expected, state) = (self.key.clone(), self.state.position, Arc::new(state));
        let origin = self.origin(&entries, &state);
        let append = Append { key, expected, append_id, entries, state, only_ends, origin };
        Ok(Some(Decision { append, answers, made }))
    }

    /// Decides at most so many commands of so many requests, in a batch that has just begun. `Err` says how many fit an append, where the last
    /// one took it over its bounds and wasn't the only one; or where that one ended a step, and so has to wait for its
    /// result, which those before it needn't.
    fn decide_at_most(
        &self,
        (most, waiting): (usize, usize),
        now: Timestamp,
        batch: &mut Batch<'_>,
    ) -> Result<Answers, usize> {
        let settings = &self.shared.settings;
        if self.state.next_deadline().is_some_and(|due| due <= now) {
            // Deadlines are never refused. Where they leave something for the next batch, this one has no room for what came after them.
            let _ = batch.decide(&Command::Deadlines);
        }
        let mut answers = Vec::with_capacity(waiting);
        let mut count = 0;
        for waiting in self.waiting.iter().take(waiting) {
            if batch.to_combine().is_some() {
                break;
            }
            let submission = &waiting.request.submission;
            let done = waiting.answers.len();
            let mut decided = Vec::with_capacity(submission.commands.len() - done);
            for (nth, command) in (done..).zip(&submission.commands[done..]) {
                let alone = batch.size().0 == 0;
                if count >= most || (!alone && !has_room(settings, batch.size(), command)) {
                    break;
                }
                decided.push(match &submission.idempotency {
                    Some(key) => batch.decide_once(key, submission.place(nth), command),
                    None => batch.decide(command),
                });
                let waits = batch.to_combine().is_some();
                let unfinished = batch.is_unfinished();
                if !alone && (waits || unfinished || is_over(settings, batch.size())) {
                    return Err(count);
                }
                // It is answered when all of it is done.
                if unfinished {
                    decided.pop();
                    break;
                }
                count += 1;
                if waits {
                    break;
                }
            }
            let whole = done + decided.len() == submission.commands.len();
            let cursor = batch.cursor_of(submission.idempotency.as_ref());
            answers.push((decided, cursor));
            if !whole {
                break;
            }
        }
        Ok(answers)
    }

    /// Stores a decision whose making has `begun` then, waiting for a store that is down up to the bound.
    pub(super) async fn store(&mut self, append: &Append, begun: Instant) -> Stored {
        let next = self.shared.wake_index.as_ref().and_then(|_| append.state.next_wake());
        let give_up = self.patience_ends(begun);
        let mut pause = BACKOFF_FIRST;
        let mut uncertain = false;
        loop {
            let error = match self.append_announced(append, next).await {
                Ok(Appended::Stored { now }) => {
                    let stored_at = Instant::now();
                    let took = stored_at.saturating_duration_since(begun);
                    self.shared.clock.observe_at(now, stored_at);
                    self.shared.telemetry.meters.stored(append.entries.len(), took);
                    self.announce_later(next, took).await;
                    return Stored::Yes;
                }
                Ok(Appended::Conflict(missed)) if !self.continues(&missed) => {
                    // What was taken for gone is there again: the store has the state that its entries belong to.
                    self.shared.telemetry.meters.conflict();
                    self.announced = None;
                    self.refresh().await;
                    return Stored::Again;
                }
                Ok(Appended::Conflict(missed)) => {
                    let stored = self.conflict(missed, append, uncertain);
                    if matches!(stored, Stored::Yes) {
                        self.announce_later(next, begun.elapsed()).await;
                    }
                    return stored;
                }
                Err(error) => error,
            };
            // It may be taken away before the next try has had its time.
            self.announced = None;
            uncertain |= error == StoreError::TimedOut;
            let hopeless =
                matches!(error, StoreError::Full(_) | StoreError::Backlog(_) | StoreError::Newer(_));
            if hopeless || Instant::now() + pause >= give_up {
                // Counted by what the senders are told.
                let (told, why) = match uncertain {
                    true => (SubmitError::OutcomeUnknown, "outcome_unknown"),
                    false => (error.clone().into(), error.name()),
                };
                self.shared.telemetry.meters.not_stored(why);
                return Stored::No(told);
            }
            tokio::time::sleep(jittered(pause)).await;
            pause = (pause * 2).min(BACKOFF_MOST);
        }
    }
}
