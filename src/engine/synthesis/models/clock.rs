//! The clock of budgets and breakers: the wall clock's time at start, and the monotonic time since.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::domain::time::Timestamp;
use crate::engine::clock::{StoreClock, wall_clock};

/// Longer than anything is waited for.
const DAY_MS: u64 = 86_400_000;

/// A clock of this process. Clones show the same time.
#[derive(Debug, Clone)]
pub(super) struct Clock(Arc<StoreClock>);

impl Default for Clock {
    fn default() -> Self {
        let clock = StoreClock::default();
        clock.observe(wall_clock());
        Self(Arc::new(clock))
    }
}

impl Clock {
    pub(super) fn now(&self) -> Timestamp {
        self.0.now()
    }

    /// How long it is until `at`, a day at most.
    pub(super) fn left_until(&self, at: Timestamp) -> Duration {
        Duration::from_millis(at.since_ms(self.now()).min(DAY_MS))
    }

    /// When it will be `at`; in a day at the latest.
    pub(super) fn instant_of(&self, at: Timestamp) -> Instant {
        Instant::now() + self.left_until(at)
    }
}
