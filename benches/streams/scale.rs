//! Sizes of the loads.

use std::time::Duration;

/// Sizes of the loads.
pub struct Scale {
    /// How long events are published, in each run.
    pub period: Duration,
    pub warm_up: Duration,
    pub readers: usize,
    pub readers_wide: usize,
    pub streams: usize,
    /// Connections that publish to all the streams.
    pub publishers: usize,
    pub replay_readers: usize,
    pub replay_events: u64,
    pub idle: usize,
    /// Longer than a heartbeat's interval, because a stream that beats is what idles in practice.
    pub idle_period: Duration,
    /// Long-lived bodies of NDJSON.
    pub bodies: usize,
    /// How often instructions are counted.
    pub counts: usize,
}

impl Scale {
    pub const FULL: Self = Self {
        period: Duration::from_secs(6),
        warm_up: Duration::from_secs(1),
        readers: 1_000,
        readers_wide: 5_000,
        streams: 1_000,
        publishers: 64,
        replay_readers: 4_000,
        replay_events: 200,
        idle: 5_000,
        idle_period: Duration::from_secs(20),
        bodies: 4,
        counts: 3,
    };
    pub const QUICK: Self = Self {
        period: Duration::from_millis(500),
        warm_up: Duration::from_millis(100),
        readers: 50,
        readers_wide: 100,
        streams: 50,
        publishers: 8,
        replay_readers: 50,
        replay_events: 200,
        idle: 100,
        idle_period: Duration::from_millis(500),
        bodies: 2,
        counts: 1,
    };
}
