//! A rolling window of outcomes in time buckets: resilience4j's time-based sliding window, with ten buckets.
//!
//! Bucket 0 is the newest and each next one a tenth of the window older, so memory is constant and every operation takes
//! ten steps at most. Buckets begin at multiples of their width, so what counts is the last 90 to 100 % of the window.
//!
//! Time may stand still, leap or go back. No bucket ever lies in the future: when the clock is set back, outcomes after
//! the new `now` count as of now, so they are neither lost nor kept for longer than one window.

use crate::domain::time::Timestamp;

/// How many buckets a window has.
const BUCKETS: usize = 10;

/// How many calls, and how many of them failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub(super) calls: u64,
    pub(super) failures: u64,
}

impl Counts {
    /// The part that failed, 0 to 1; 0 where there were no calls.
    pub(super) fn failure_rate(self) -> f64 {
        if self.calls == 0 { 0.0 } else { self.failures as f64 / self.calls as f64 }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            failures: self.failures.saturating_add(other.failures),
        }
    }
}

/// What happened lately.
#[derive(Debug, Clone)]
pub(super) struct Window {
    window_ms: u64,
    /// The number of the newest bucket's slot: slot `n` begins at `n` times the width.
    newest: i64,
    buckets: [Counts; BUCKETS],
}

impl Window {
    /// A window of `window_ms` in which nothing has happened by `now`.
    pub(super) fn new(window_ms: u64, now: Timestamp) -> Self {
        Self { window_ms, newest: slot(window_ms, now), buckets: [Counts::default(); BUCKETS] }
    }

    /// Counts one call that ended at `now`, and says what the window holds with it. Outcomes of a window of another
    /// length are forgotten, since they can't be told apart finely enough.
    pub(super) fn record(&mut self, failed: bool, window_ms: u64, now: Timestamp) -> Counts {
        if window_ms != self.window_ms {
            *self = Self::new(window_ms, now);
        }
        self.move_to(slot(window_ms, now));
        self.buckets[0] = self.buckets[0].plus(Counts { calls: 1, failures: u64::from(failed) });
        self.counts(now)
    }

    /// What the window holds at `now`.
    pub(super) fn counts(&self, now: Timestamp) -> Counts {
        let gone = distance(self.newest, slot(self.window_ms, now));
        self.buckets[..BUCKETS - gone].iter().copied().fold(Counts::default(), Counts::plus)
    }

    fn move_to(&mut self, slot: i64) {
        let ahead = distance(self.newest, slot);
        self.buckets.rotate_right(ahead);
        self.buckets[..ahead].fill(Counts::default());

        let back = distance(slot, self.newest);
        let future = self.buckets[..back].iter().copied().fold(Counts::default(), Counts::plus);
        self.buckets[..back].fill(Counts::default());
        self.buckets.rotate_left(back);
        self.buckets[0] = self.buckets[0].plus(future);

        self.newest = slot;
    }
}

/// The number of the slot that `now` falls into.
fn slot(window_ms: u64, now: Timestamp) -> i64 {
    let width = window_ms.div_ceil(BUCKETS as u64).max(1);
    now.0.div_euclid(i64::try_from(width).unwrap_or(i64::MAX))
}

/// How many slots `to` lies after `from`: 0 when it doesn't, all the buckets at most.
fn distance(from: i64, to: i64) -> usize {
    usize::try_from(to.saturating_sub(from).max(0)).map_or(BUCKETS, |slots| slots.min(BUCKETS))
}

#[cfg(test)]
mod tests;
