//! When a call that failed is tried again: exponential backoff with full jitter (M. Brooker, "Exponential Backoff And
//! Jitter", AWS Architecture Blog), inside the number of attempts and the deadline that the directive sets.
//!
//! Full jitter draws the whole delay at random, which spreads callers that failed together best. Where the server said
//! how long it wants to be left alone (`Retry-After`), the delay is never shorter, and up to a tenth longer, so that those
//! whom it sent away together don't come back together. What is added to that is left out where only it would be too late.
//!
//! The random number comes in as an argument. Which failures are worth another attempt is decided elsewhere.

use super::time::Timestamp;

#[cfg(test)]
mod tests;

/// How long to wait between attempts. Any values are safe; these make sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackoffSettings {
    /// The longest delay before the second attempt, in milliseconds; it doubles with each further one.
    pub base_ms: u64,
    /// The longest delay before any attempt, in milliseconds, unless the server asks for more.
    pub most_ms: u64,
}

impl Default for BackoffSettings {
    fn default() -> Self {
        Self { base_ms: 250, most_ms: 10_000 }
    }
}

/// How often a call has been tried, and what the directive allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempts {
    /// How many attempts were made and failed, 1 after the first.
    pub made: u32,
    /// How many there may be in all (`max_attempts`).
    pub most: u32,
    /// From this time on an answer is too late.
    pub deadline: Timestamp,
}

/// The longest delay in milliseconds after `made` failed attempts: `min(most_ms, base_ms · 2^(made - 1))`.
pub fn ceiling_ms(made: u32, settings: &BackoffSettings) -> u64 {
    let factor = 1_u64.checked_shl(made.saturating_sub(1)).unwrap_or(u64::MAX);
    settings.base_ms.saturating_mul(factor).min(settings.most_ms)
}

/// A delay in milliseconds after `made` failed attempts, from 0 up to [`ceiling_ms`]: `random` of it, in `[0, 1)`.
pub fn delay_ms(made: u32, settings: &BackoffSettings, random: f64) -> u64 {
    part_of(ceiling_ms(made, settings), random)
}

/// When the next attempt starts, in `now`'s clock. `None` where the attempts are used up, or where it wouldn't start
/// before the deadline; a delay that the server asked for isn't shortened to fit.
pub fn next_attempt(
    now: Timestamp,
    attempts: &Attempts,
    retry_after_ms: Option<u64>,
    settings: &BackoffSettings,
    random: f64,
) -> Option<Timestamp> {
    if attempts.made >= attempts.most {
        return None;
    }
    let asked_ms = retry_after_ms.unwrap_or(0);
    let at_least_ms = asked_ms.saturating_add(part_of(asked_ms / 10, random));
    let spread = now.plus_ms(delay_ms(attempts.made, settings, random).max(at_least_ms));
    let as_asked = retry_after_ms.map(|ms| now.plus_ms(ms));
    Some(spread).into_iter().chain(as_asked).find(|at| *at < attempts.deadline)
}

/// `random` of `ms`, rounded down. A number outside of `[0, 1)` counts as the nearer end, none at all as 0.
fn part_of(ms: u64, random: f64) -> u64 {
    // Casts of floats saturate: what is negative becomes 0, and so does NaN.
    ((ms as f64 * random) as u64).min(ms)
}
