//! What senders are told: each when all of its own is stored, or why nothing more is.

use tokio::time::Instant;

use super::bounds::is_repeatable;
use super::commit::Answers;
use super::task::SessionTask;
use super::{Reply, SubmitError};
use crate::domain::position::Position;
use crate::domain::record::Answer;
use crate::domain::session::SessionState;
use crate::domain::verdict::{Code, Refusal};

/// Whether nothing of a request was known: there was no directive for its step.
fn is_unknown(answers: &[Result<Answer, Refusal>]) -> bool {
    let is_unknown = |answer: &Result<Answer, Refusal>| {
        answer.as_ref().is_err_and(|refusal| refusal.code == Code::UnknownStep)
    };
    !answers.is_empty() && answers.iter().all(is_unknown)
}

impl SessionTask {
    /// Hands out answers that were decided in the state `before`; who has all of its own is done.
    pub(super) async fn answer(&mut self, answers: Answers, before: &SessionState) {
        for (decided, cursor) in answers {
            let Some(mut waiting) = self.waiting.pop_front() else { return };
            self.note_late(&waiting.request.submission, waiting.answers.len(), &decided, before).await;
            if waiting.answers.is_empty() {
                waiting.answers = decided;
            } else {
                waiting.answers.extend(decided);
            }
            if waiting.answers.len() < waiting.request.submission.commands.len() {
                self.waiting.push_front(waiting);
                return;
            }
            if self.shared.cache.may_lack() && is_unknown(&waiting.answers) {
                let _ = waiting.request.reply.send(Err(SubmitError::just_lost()));
                continue;
            }
            let reply = Reply { answers: waiting.answers, cursor, state: self.state.clone(), stopped: None };
            // A sender that has hung up doesn't want to know.
            let _ = waiting.request.reply.send(Ok(reply));
        }
    }

    /// Who can't be decided again without the danger of a double is told that the outcome is unknown.
    pub(super) fn stop_unsafe(&mut self, answers: &[(Vec<Result<Answer, Refusal>>, Position)]) {
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

    /// Until when the store is waited for: the bound of whoever waits longest, which counts from when he came, or from when the
    /// store answered last. What nobody sent has its time from `now` on.
    pub(super) fn patience_ends(&self, now: Instant) -> Instant {
        let oldest = self.waiting.iter().find_map(|waiting| waiting.request.came_at).unwrap_or(now);
        self.bound_of(oldest.min(now))
    }

    fn bound_of(&self, came_at: Instant) -> Instant {
        came_at.max(self.answered_at) + self.shared.settings.append_timeout
    }

    /// While the store is away, whoever waited behind others until his own time was over isn't kept for another try. `true` where
    /// there was somebody.
    pub(super) fn refuse_overdue(&mut self) -> bool {
        let Some(why) = self.away.clone() else { return false };
        let now = Instant::now();
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        let (overdue, kept) = waiting.partition(|waiting| {
            waiting.request.came_at.is_some_and(|came_at| self.bound_of(came_at) <= now)
        });
        self.waiting = overdue;
        let is_any = !self.waiting.is_empty();
        self.stop_all(&SubmitError::Store(why));
        self.waiting = kept;
        is_any
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
