//! Deciding what waits and storing it in one append (group commit).
//!
//! Nothing is answered before it is stored. A conflict means that another replica wrote: what it wrote is folded, and
//! everything is decided again. An append that timed out is repeated as it is: if it had been applied, its own id is
//! among what the writer is told it missed.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::bounds::{has_room, is_over, is_repeatable, output_of};
use super::combining::combine;
use super::task::SessionTask;
use super::{Reply, SubmitError};
use crate::domain::position::{AppendId, Position};
use crate::domain::record::Answer;
use crate::domain::session::{Batch, Command};
use crate::domain::time::Timestamp;
use crate::domain::verdict::{Refusal, Verdict};
use crate::engine::ports::result_cache::{Append, Appended, Missed, StoreError};

const BACKOFF_FIRST: Duration = Duration::from_millis(10);
const BACKOFF_MOST: Duration = Duration::from_millis(500);

/// What was decided of each request that waits, and the place after it.
type Answers = Vec<(Vec<Result<Answer, Refusal>>, Position)>;

/// A batch that may still lack results of steps.
type Decided<'l> = (Batch<'l>, Answers);

/// What a round of deciding came to: how many answers of each waiting request, and the entries to store.
struct Decision {
    append: Append,
    answers: Answers,
}

/// How storing a decision ended.
enum Stored {
    Yes,
    Again,
    /// It may have been applied, but so much came after it that it can't be found any more.
    Lost,
    No(SubmitError),
}

impl SessionTask {
    /// Decides and stores until nothing waits.
    pub(super) async fn commit(&mut self) {
        loop {
            if self.is_stale() {
                self.refresh().await;
            }
            self.plan_calls().await;
            match self.decide().await {
                Ok(decision) => {
                    if self.store_and_answer(decision).await.is_continue() {
                        continue;
                    }
                }
                Err(error) => self.give_up(&error.into()),
            }
            self.follow_calls();
            // What isn't decided when the service stops is told so.
            if self.shared.stop.is_cancelled() {
                return;
            }
            self.drain_inbox();
            if self.waiting.is_empty() && !self.has_due_call() {
                return;
            }
        }
    }

    /// `Continue`: another replica wrote, and everything is to be decided again.
    async fn store_and_answer(&mut self, decision: Decision) -> ControlFlow<()> {
        let stored = if decision.append.entries.is_empty() {
            self.confirm().await
        } else {
            self.store(&decision.append).await
        };
        match stored {
            Stored::Yes => {
                self.state = decision.append.state;
                self.answer(decision.answers).await;
            }
            Stored::Again => return ControlFlow::Continue(()),
            Stored::Lost => self.stop_unsafe(&decision.answers),
            Stored::No(error) => self.give_up(&error),
        }
        ControlFlow::Break(())
    }

    fn give_up(&mut self, error: &SubmitError) {
        self.rest_until = Instant::now() + BACKOFF_MOST;
        self.stop_all(error);
    }

    /// Decides as much of what waits as fits one append. Deadlines that have passed come first. A step that ends gets
    /// its result before anything else is decided.
    async fn decide(&self) -> Result<Decision, StoreError> {
        let (append_id, now) = (AppendId(fastrand::u64(..)), self.shared.clock.now());
        let mut most = usize::MAX;
        let (mut batch, answers) = loop {
            match self.decide_at_most(most, append_id, now) {
                Ok(decided) => break decided,
                // Rare: commands seldom make more entries than are kept free for one.
                Err(fitting) => most = fitting,
            }
        };
        if batch.to_combine().is_some() {
            let patience = self.shared.settings.append_timeout;
            combine(&*self.shared.cache, &self.key, &mut batch, patience).await?;
        }
        let (entries, state) = batch.into_parts();
        let entries = entries.into_iter().map(Arc::new).collect();
        let (key, expected, state) = (self.key.clone(), self.state.position, Arc::new(state));
        Ok(Decision { append: Append { key, expected, append_id, entries, state }, answers })
    }

    /// Decides at most so many commands. `Err` says how many fit an append, where the last one took it over its bounds
    /// and wasn't the only one.
    fn decide_at_most(&self, most: usize, append_id: AppendId, now: Timestamp) -> Result<Decided<'_>, usize> {
        let settings = &self.shared.settings;
        let mut batch = Batch::new(&self.state, &settings.limits, now, append_id);
        if self.state.next_deadline().is_some_and(|due| due <= now) {
            // Deadlines are never refused.
            let _ = batch.decide(&Command::Deadlines);
        }
        let mut answers = Vec::new();
        let mut count = 0;
        for waiting in &self.waiting {
            if batch.to_combine().is_some() {
                break;
            }
            let submission = &waiting.request.submission;
            let done = waiting.answers.len();
            let mut decided = Vec::with_capacity(submission.commands.len() - done);
            for (index, command) in (submission.first_index + done as u32..).zip(&submission.commands[done..])
            {
                let alone = batch.size().0 == 0;
                if count >= most || (!alone && !has_room(settings, batch.size(), command)) {
                    break;
                }
                decided.push(match &submission.idempotency {
                    Some(key) => batch.decide_once(key, index, command),
                    None => batch.decide(command),
                });
                if !alone && is_over(settings, batch.size()) {
                    return Err(count);
                }
                count += 1;
                if batch.to_combine().is_some() {
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
        Ok((batch, answers))
    }

    /// An answer that stores nothing is true only if nobody else wrote meanwhile.
    async fn confirm(&mut self) -> Stored {
        if self.waiting.is_empty() {
            return Stored::Yes;
        }
        match self.shared.cache.confirm(&self.key, self.state.position).await {
            Ok(None) => Stored::Yes,
            Ok(Some(missed)) => self.catch_up(missed),
            Err(error) => Stored::No(error.into()),
        }
    }

    /// Stores a decision, waiting for a store that is down up to the bound.
    async fn store(&mut self, append: &Append) -> Stored {
        let next = append.state.next_wake();
        let give_up = Instant::now() + self.shared.settings.append_timeout;
        let mut pause = BACKOFF_FIRST;
        let mut uncertain = false;
        loop {
            let error = match self.append_announced(append, next).await {
                Ok(Appended::Stored { now }) => {
                    self.shared.clock.observe(now);
                    self.announce_later(next).await;
                    return Stored::Yes;
                }
                Ok(Appended::Conflict(missed)) => return self.conflict(missed, append, uncertain),
                Err(error) => error,
            };
            uncertain |= error == StoreError::TimedOut;
            let hopeless = matches!(error, StoreError::Full(_) | StoreError::Backlog(_));
            if hopeless || Instant::now() + pause >= give_up {
                return Stored::No(if uncertain { SubmitError::OutcomeUnknown } else { error.into() });
            }
            tokio::time::sleep(pause.mul_f64(0.5 + fastrand::f64() / 2.0)).await;
            pause = (pause * 2).min(BACKOFF_MOST);
        }
    }

    async fn append_announced(
        &mut self,
        append: &Append,
        next: Option<Timestamp>,
    ) -> Result<Appended, StoreError> {
        self.announce(next).await?;
        self.shared.cache.append(append).await
    }

    /// What was missed starts with the append itself where that had been applied after all.
    fn conflict(&mut self, missed: Missed, append: &Append, uncertain: bool) -> Stored {
        let applied = missed.entries.first().is_some_and(|entry| entry.append_id == append.append_id);
        if applied {
            self.shared.clock.observe(missed.now);
            return Stored::Yes;
        }
        let lost = uncertain && missed.state.is_some();
        let again = self.catch_up(missed);
        if lost { Stored::Lost } else { again }
    }

    fn catch_up(&mut self, missed: Missed) -> Stored {
        self.shared.clock.observe(missed.now);
        if let Some(state) = missed.state {
            self.forget_calls_unless_in(state.position.epoch);
            self.state = state;
            return Stored::Again;
        }
        let state = Arc::make_mut(&mut self.state);
        for entry in &missed.entries {
            state.apply(entry);
        }
        Stored::Again
    }

    /// Hands out answers; who has all of its own is done.
    async fn answer(&mut self, answers: Answers) {
        for (decided, cursor) in answers {
            let Some(mut waiting) = self.waiting.pop_front() else { return };
            self.note_late(&waiting.request.submission.commands[waiting.answers.len()..], &decided).await;
            waiting.answers.extend(decided);
            if waiting.answers.len() < waiting.request.submission.commands.len() {
                self.waiting.push_front(waiting);
                return;
            }
            let reply = Reply { answers: waiting.answers, cursor, state: self.state.clone(), stopped: None };
            // A sender that has hung up doesn't want to know.
            let _ = waiting.request.reply.send(Ok(reply));
        }
    }

    /// Late results are counted beside the log.
    async fn note_late(&self, commands: &[Command], answers: &[Result<Answer, Refusal>]) {
        for (command, answer) in commands.iter().zip(answers) {
            let late = matches!(answer, Ok(Answer::Event(decided)) if decided.verdict == Verdict::Late);
            if let (true, Some(output)) = (late, output_of(&self.state, command))
                && let Err(error) = self.shared.cache.note_late(&self.key, output).await
            {
                tracing::warn!(%error, "a late result was not counted");
            }
        }
    }

    /// Who can't be decided again without the danger of a double is told that the outcome is unknown.
    fn stop_unsafe(&mut self, answers: &[(Vec<Result<Answer, Refusal>>, Position)]) {
        let mut decided = answers.iter();
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        let (lost, kept) = waiting.partition(|waiting| {
            let Some((answers, _)) = decided.next() else { return false };
            let submission = &waiting.request.submission;
            let mut commands = submission.commands[waiting.answers.len()..].iter().zip(answers);
            submission.idempotency.is_none()
                && commands.any(|(c, answer)| answer.is_ok() && !is_repeatable(c))
        });
        self.waiting = lost;
        self.stop_all(&SubmitError::OutcomeUnknown);
        self.waiting = kept;
    }

    /// Everyone who waits is told why nothing more is decided, with what was stored of theirs before.
    pub(super) fn stop_all(&mut self, error: &SubmitError) {
        for waiting in self.waiting.drain(..) {
            let answer = if waiting.answers.is_empty() {
                Err(error.clone())
            } else {
                let (cursor, state) = (self.state.position, self.state.clone());
                Ok(Reply { answers: waiting.answers, cursor, state, stopped: Some(error.clone()) })
            };
            let _ = waiting.request.reply.send(answer);
        }
    }
}
