//! What is told when something couldn't be stored, and to whom.

use tokio::time::Instant;

use super::BACKOFF_MOST;
use crate::engine::coordinator::SubmitError;
use crate::engine::coordinator::task::{SessionTask, Waiting};
use crate::engine::ports::result_cache::StoreError;

impl SessionTask {
    /// Tells who wants more than to end something that there is no room. Whether something is left that ends, and has a reserve.
    pub(super) fn is_left_with_ends(&mut self, error: &SubmitError) -> bool {
        if !matches!(error, SubmitError::Store(StoreError::Full(_) | StoreError::Backlog(_))) {
            return false;
        }
        let (ends, rest) = std::mem::take(&mut self.waiting).into_iter().partition(Waiting::may_end);
        self.waiting = rest;
        self.stop_all(error);
        self.waiting = ends;
        let now = self.shared.clock.now();
        !self.waiting.is_empty() || self.state.next_deadline().is_some_and(|due| due <= now)
    }

    pub(super) fn give_up(&mut self, error: &SubmitError) {
        self.rest_until = Instant::now() + BACKOFF_MOST;
        // Who finds nothing due takes away what was announced for it: it is said again.
        self.announced = None;
        self.away = match error {
            SubmitError::Store(why @ (StoreError::Unavailable(_) | StoreError::TimedOut)) => {
                Some(why.clone())
            }
            // Of what comes after it nothing was tried.
            SubmitError::OutcomeUnknown => Some(StoreError::TimedOut),
            SubmitError::Store(_)
            | SubmitError::UnknownSession
            | SubmitError::SessionExpired
            | SubmitError::Draining => None,
        };
        self.stop_all(error);
    }
}
