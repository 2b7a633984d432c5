//! The store's clock, followed locally.
//!
//! Replicas' own clocks don't matter: `now` is what the store said last, plus the monotonic time since. Beside it, small
//! arithmetic of time that many need.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

use crate::domain::time::Timestamp;

/// This machine's clock: for what is about no session, or before its store has said anything.
pub fn wall_clock() -> Timestamp {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
}

/// A duration in whole milliseconds.
pub fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Half of a pause up to all of it, by chance: those who failed together don't try again together.
pub fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(0.5 + fastrand::f64() / 2.0)
}

/// Tells the store's time between its answers.
#[derive(Debug)]
pub struct StoreClock {
    start: Instant,
    /// The store's time at `start`, in milliseconds; `i64::MIN` before the store said anything.
    offset_ms: AtomicI64,
}

impl Default for StoreClock {
    fn default() -> Self {
        Self { start: Instant::now(), offset_ms: AtomicI64::new(i64::MIN) }
    }
}

impl StoreClock {
    /// Takes note of what the store says it is now.
    pub fn observe(&self, now: Timestamp) {
        self.observe_at(now, Instant::now());
    }

    /// The same where the clock of this process was looked at already.
    pub fn observe_at(&self, now: Timestamp, instant: Instant) {
        let since = instant.saturating_duration_since(self.start).as_millis();
        self.offset_ms.store(now.0 - i64::try_from(since).unwrap_or(i64::MAX), Ordering::Relaxed);
    }

    /// The store's time; before its first answer, the beginning of time, which decides nothing early.
    pub fn now(&self) -> Timestamp {
        self.at(Instant::now())
    }

    /// The store's time at an instant of this process.
    pub fn at(&self, instant: Instant) -> Timestamp {
        let offset = self.offset_ms.load(Ordering::Relaxed);
        let since = instant.saturating_duration_since(self.start).as_millis();
        Timestamp(if offset == i64::MIN { 0 } else { offset + since as i64 })
    }

    /// When the store's clock shows `at`; not before this clock began.
    pub fn instant_of(&self, at: Timestamp) -> Instant {
        let offset = self.offset_ms.load(Ordering::Relaxed).max(0);
        self.start + Duration::from_millis(at.since_ms(Timestamp(offset)))
    }

    /// The store's time at an instant of this process, in microseconds since 1970.
    pub fn micros_at(&self, at: Instant) -> i64 {
        let offset = self.offset_ms.load(Ordering::Relaxed);
        let since = at.saturating_duration_since(self.start).as_micros();
        if offset == i64::MIN { 0 } else { offset * 1_000 + since as i64 }
    }
}
