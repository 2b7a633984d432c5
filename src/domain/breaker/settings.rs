//! What the operator sets for breakers.

/// When a breaker opens, and for how long. Any values are safe; these make sense.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BreakerSettings {
    /// How far back outcomes count, in milliseconds (in tenths: 90 to 100 % of this).
    pub window_ms: u64,
    /// A breaker never opens for fewer outcomes than these in the window.
    pub minimum_calls: u64,
    /// It opens where at least this part of the window's calls failed, above 0 up to 1.
    pub failure_rate: f64,
    /// How long it is open the first time, in milliseconds.
    pub open_ms: u64,
    /// How long it is open at most, however many probes fail, in milliseconds.
    pub open_most_ms: u64,
    /// How long a probe keeps its place without reporting, in milliseconds: longer than any call takes.
    pub probe_ms: u64,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self {
            window_ms: 30_000,
            minimum_calls: 10,
            failure_rate: 0.5,
            open_ms: 5_000,
            open_most_ms: 120_000,
            probe_ms: 120_000,
        }
    }
}
