//! Deciding what waits and storing it in one append (group commit).
//!
//! Nothing is answered before it is stored. A conflict means that another replica wrote: what it wrote is folded, and
//! everything is decided again. An append that timed out is repeated as it is: if it had been applied, its own id is
//! among what the writer is told it missed.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::task::SessionTask;
use super::{CoordinatorSettings, Reply, SubmitError};
use crate::domain::ids::ResultKey;
use crate::domain::position::{AppendId, Position};
use crate::domain::record::{Answer, Output};
use crate::domain::session::{Batch, Command, SessionState};
use crate::domain::time::Timestamp;
use crate::domain::verdict::{Refusal, Verdict};
use crate::engine::ports::result_cache::{Append, Appended, Missed, StoreError};

const BACKOFF_FIRST: Duration = Duration::from_millis(10);
const BACKOFF_MOST: Duration = Duration::from_millis(500);
/// Entries that a batch keeps free for what its next command makes: a result that ends its step makes six.
const ENTRIES_KEPT_FREE: usize = 5;

/// What a round of deciding came to: how many answers of each waiting request, and the entries to store.
struct Decision {
    append: Append,
    answers: Vec<(Vec<Result<Answer, Refusal>>, Position)>,
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
            let decision = self.decide();
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
                Stored::Again => continue,
                Stored::Lost => self.stop_unsafe(&decision.answers),
                Stored::No(error) => {
                    self.rest_until = Instant::now() + BACKOFF_MOST;
                    self.stop_all(&error);
                }
            }
            // What isn't decided when the service stops is told so.
            if self.shared.stop.is_cancelled() {
                return;
            }
            self.drain_inbox();
            if self.waiting.is_empty() {
                return;
            }
        }
    }

    /// Decides as much of what waits as fits one append. Deadlines that have passed come first.
    fn decide(&self) -> Decision {
        let (append_id, now) = (AppendId(fastrand::u64(..)), self.shared.clock.now());
        let mut most = usize::MAX;
        loop {
            match self.decide_at_most(most, append_id, now) {
                Ok(decision) => return decision,
                // Rare: commands seldom make more entries than are kept free for one.
                Err(fitting) => most = fitting,
            }
        }
    }

    /// Decides at most so many commands. `Err` says how many fit an append, where the last one took it over its bounds
    /// and wasn't the only one.
    fn decide_at_most(&self, most: usize, append_id: AppendId, now: Timestamp) -> Result<Decision, usize> {
        let settings = &self.shared.settings;
        let mut batch = Batch::new(&self.state, &settings.limits, now, append_id);
        if self.state.next_deadline().is_some_and(|due| due <= now) {
            // Deadlines are never refused.
            let _ = batch.decide(&Command::Deadlines);
        }
        let mut answers = Vec::new();
        let mut count = 0;
        for waiting in &self.waiting {
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
            }
            let whole = done + decided.len() == submission.commands.len();
            let cursor = batch.cursor_of(submission.idempotency.as_ref());
            answers.push((decided, cursor));
            if !whole {
                break;
            }
        }
        let (entries, state) = batch.into_parts();
        let entries = entries.into_iter().map(Arc::new).collect();
        let (key, expected) = (self.key.clone(), self.state.position);
        Ok(Decision { append: Append { key, expected, append_id, entries, state: Arc::new(state) }, answers })
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
        let next = append.state.next_deadline();
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
    async fn answer(&mut self, answers: Vec<(Vec<Result<Answer, Refusal>>, Position)>) {
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

/// Whether a batch of that size can take what a command most likely makes of it.
fn has_room(settings: &CoordinatorSettings, (entries, bytes): (usize, usize), command: &Command) -> bool {
    let (entries_max, bytes_max) = (settings.batch_entries, settings.batch_bytes);
    let payload = match command {
        Command::Event { event, .. } => event.payload.as_ref().map_or(0, |raw| raw.get().len()),
        Command::StartStep(_)
        | Command::Progress { .. }
        | Command::Safety { .. }
        | Command::Cancel { .. }
        | Command::Close
        | Command::Deadlines => 0,
    };
    entries + ENTRIES_KEPT_FREE.min(entries_max / 8) < entries_max && bytes + payload < bytes_max
}

fn is_over(settings: &CoordinatorSettings, (entries, bytes): (usize, usize)) -> bool {
    entries > settings.batch_entries || bytes > settings.batch_bytes
}

/// Whether a command that was stored changes nothing when it is decided again.
fn is_repeatable(command: &Command) -> bool {
    match command {
        Command::Event { event, .. } => event.revision.is_some(),
        Command::StartStep(_) | Command::Cancel { .. } | Command::Close | Command::Deadlines => true,
        Command::Progress { .. } | Command::Safety { .. } => false,
    }
}

fn output_of(state: &SessionState, command: &Command) -> Option<Output> {
    let Command::Event { step, key, event } = command else { return None };
    let named = |result_key: &ResultKey| event.result_key.as_ref().is_none_or(|wanted| wanted == result_key);
    let mut outputs = state.step(step)?.outputs_of(key).map(|subagent| &subagent.output);
    outputs.find(|output| named(&output.result_key)).cloned()
}
