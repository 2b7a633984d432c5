//! How the coordinator works.

use std::time::Duration;

use crate::domain::limits::SessionLimits;

/// Settings of the coordinator. Every field is a key of the configuration.
#[derive(Debug, Clone, Copy)]
pub struct CoordinatorSettings {
    /// Bounds of a session.
    pub limits: SessionLimits,
    /// Requests that wait for one session at most; senders beyond wait in turn.
    pub inbox: usize,
    /// Entries of one append at most, unless a single command makes more.
    pub batch_entries: usize,
    /// Bytes of one append at most, unless a single command makes more.
    pub batch_bytes: usize,
    /// Idle time after which a session leaves memory.
    pub idle: Duration,
    /// After so long without an append, the state is asked of the store again before it decides: it may have expired.
    pub fresh: Duration,
    /// How long the store keeps a session's data after its last append.
    pub kept: Duration,
    /// How long a store that is down is waited for, from when a command came.
    pub append_timeout: Duration,
}
