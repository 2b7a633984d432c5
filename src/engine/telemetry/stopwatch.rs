//! Times of work that is timed here: by this process's clock at its beginning, and what passed since.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// Work that has begun.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    begun: Instant,
    begun_us: i64,
}

impl Stopwatch {
    /// It begins now.
    pub fn start() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { begun: Instant::now(), begun_us: now.as_micros() as i64 }
    }

    /// It began then, by another clock than this process's.
    pub fn started(begun: Instant, begun_us: i64) -> Self {
        Self { begun, begun_us }
    }

    /// When it was `at`, in microseconds since 1970.
    pub fn us_at(&self, at: Instant) -> i64 {
        let after = at.saturating_duration_since(self.begun).as_micros() as i64;
        self.begun_us + after - self.begun.saturating_duration_since(at).as_micros() as i64
    }

    /// When it began, in microseconds since 1970.
    pub fn begun_us(&self) -> i64 {
        self.begun_us
    }

    /// Now, in microseconds since 1970: never before the beginning, whatever is done to the clock.
    pub fn now_us(&self) -> i64 {
        self.begun_us + self.elapsed().as_micros() as i64
    }

    /// How long it has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}
