//! Cursors of live reads: numbers that rise with time, so that a cache between never hands out the same empty answer
//! for ever (section 10.1). They say nothing about a reader's place; that is the offset's.

use std::ops::RangeInclusive;

/// 2024-10-09T00:00:00Z, from which intervals are counted, in seconds of Unix time.
const EPOCH_S: u64 = 1_728_432_000;
/// Seconds of an interval.
const INTERVAL_S: u64 = 20;
/// Digits of a cursor at most; what is longer was never given out, and is left out of account.
const DIGITS_MAX: usize = 15;

/// Seconds of jitter that a client which is ahead is given.
pub const JITTER_S: RangeInclusive<u64> = 1..=3600;

/// The number of the interval at `now_s`, in seconds of Unix time.
pub fn interval(now_s: u64) -> u64 {
    now_s.saturating_sub(EPOCH_S) / INTERVAL_S
}

/// The cursor of an answer to a client that sent `echoed`: the interval, or past what the client has, by `jitter_s`.
pub fn current(now_s: u64, echoed: Option<u64>, jitter_s: u64) -> u64 {
    let now = interval(now_s);
    match echoed {
        Some(ahead) if ahead >= now => ahead.saturating_add((jitter_s / INTERVAL_S).max(1)),
        Some(_) | None => now,
    }
}

/// A cursor that a client sent. One that can't be ours is taken as none.
pub(super) fn parse(text: &str) -> Option<u64> {
    let fits = text.len() <= DIGITS_MAX && text.bytes().all(|b| b.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}
