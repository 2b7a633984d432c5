//! Which of the requests that wait came before a deadline that has passed since.

use crate::domain::time::Timestamp;
use crate::engine::coordinator::task::{SessionTask, Waiting};

impl SessionTask {
    /// When to decide, and how many of the requests that wait: those that came before a deadline are decided as of when they
    /// came, however long the session was at work since, and the deadline after them.
    pub(super) fn before_deadline(&self, now: Timestamp) -> (Timestamp, usize) {
        let all = (now, self.waiting.len());
        let Some(due) = self.state.next_deadline().filter(|due| *due <= now) else { return all };
        let came = |waiting: &Waiting| Some(self.shared.clock.at(waiting.request.came_at?));
        let early = self.waiting.iter().map_while(|waiting| came(waiting).filter(|came| *came < due));
        let last = early.clone().max();
        last.map_or(all, |last| (last, early.count()))
    }
}
