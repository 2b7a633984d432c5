//! What the shared store is told when it begins.

use std::sync::Arc;

use super::RedisAddress;
use crate::engine::telemetry::Meters;

/// Bytes that one answer brings of a snapshot: some milliseconds of Redis and of the connection that all share.
pub const PIECE_BYTES: usize = 1 << 20;

/// Bounds and times of the shared store. Every field but `piece_bytes` is a key of the configuration.
#[derive(Clone)]
pub struct RedisSettings {
    /// Where Redis is.
    pub address: RedisAddress,
    /// Entries of a session's log.
    pub ring_entries: usize,
    /// Bytes of a session's log, by [`Entry::weight`](crate::domain::entry::Entry::weight).
    pub ring_bytes: usize,
    /// Bytes of a session's log beyond which nothing is appended while the archive is behind.
    pub ring_bytes_hard: usize,
    /// Bytes of all windows of this process.
    pub bytes_max: usize,
    /// Bytes that one answer brings of a snapshot.
    pub piece_bytes: usize,
    /// How long data outlives its last append, in milliseconds.
    pub ttl_ms: u64,
    /// How long position and epoch outlive the data, in milliseconds.
    pub tombstone_ms: u64,
    /// Whether trimming and expiry wait for the archive.
    pub is_gated: bool,
    /// What is counted of holes, forks and losses.
    pub meters: Arc<Meters>,
}
