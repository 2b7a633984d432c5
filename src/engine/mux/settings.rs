//! How streams behave. Every field is a key of the configuration.

use crate::domain::verdict::Code;

/// Settings of the mux.
#[derive(Debug, Clone, Copy)]
pub struct MuxSettings {
    /// Events a frame at most.
    pub batch_events: usize,
    /// Idle time before a heartbeat, before jitter.
    pub heartbeat_ms: u64,
    /// Longest life of a connection, before jitter.
    pub connection_age_ms: u64,
    /// What clients are told to wait before they come back.
    pub retry_ms: u64,
    /// How long a reader of what isn't there waits.
    pub unknown_patience_ms: u64,
    /// Entries behind the tail above which a reader is given a coalesced view.
    pub coalesce_backlog: u64,
    /// Bytes a write, about.
    pub chunk_bytes: usize,
    /// Readers of one session at most.
    pub readers_per_session: usize,
    /// Readers in all at most.
    pub readers: usize,
    /// Time over which readers leave when the service stops.
    pub drain_spread_ms: u64,
    /// Writes the problem document of an `error` event.
    pub problem: fn(Code, &str) -> Vec<u8>,
}
