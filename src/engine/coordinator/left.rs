//! Forgetting a session, and the calls that ended because its log is gone.
//!
//! Whether their agents are told that nobody waits for them is known a little before or after: a session that was deleted
//! is nobody's any more, one that the store lost comes back, and its agents are asked again, with the same messages.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::AggregationCoordinator;
use crate::domain::ids::SessionKey;
use crate::engine::invoke::RunningCall;
use crate::engine::ports::result_cache::StoreError;

/// For how long a deletion is that of the log that is found gone. A session that begins anew under the name later is another.
const SAME: Duration = Duration::from_secs(5);

impl AggregationCoordinator {
    /// Forgets a session: what runs of it ends without a word to its readers. `false` where there was none.
    ///
    /// # Errors
    /// Where the store doesn't answer. Then the session goes on, and nobody is told otherwise.
    pub async fn forget(&self, key: &SessionKey) -> Result<bool, StoreError> {
        let cache = &self.shared.cache;
        cache.settled().await;
        // Its task ends with the seat.
        let hand = self.shared.active.remove(key).map(|(_, seat)| seat.hand());
        let was_known = cache.forget(key).await?;
        if let Some(hand) = hand {
            hand.left.withdraw();
        }
        Ok(was_known)
    }

    /// Another replica has deleted a session, which its task here finds by itself: agents that work for it are told.
    pub fn was_deleted(&self, key: &SessionKey) {
        if let Some(seat) = self.shared.active.get(key) {
            seat.hand().left.withdraw();
        }
    }
}

/// The calls of one session that ended so last.
#[derive(Default)]
pub(super) struct LeftCalls(Mutex<Left>);

#[derive(Default)]
struct Left {
    calls: Vec<RunningCall>,
    deleted_at: Option<Instant>,
}

impl LeftCalls {
    /// Ends calls whose session's log is gone.
    pub(super) fn leave(&self, calls: impl Iterator<Item = RunningCall>) {
        let calls: Vec<_> = calls.inspect(RunningCall::stop).collect();
        let mut left = self.0.lock();
        if left.deleted_at.take().is_some_and(|at| at.elapsed() < SAME) {
            calls.iter().for_each(RunningCall::withdraw);
        } else {
            left.calls = calls;
        }
    }

    /// The session was deleted: what its agents work on is for nobody.
    pub(super) fn withdraw(&self) {
        let mut left = self.0.lock();
        left.calls.drain(..).for_each(|call| call.withdraw());
        left.deleted_at = Some(Instant::now());
    }
}
