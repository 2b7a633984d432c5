//! What the suite needs of an implementation besides the port itself.

use std::sync::Arc;

use futures::future::BoxFuture;
use tributary::engine::ports::result_cache::ResultCache;

/// Bounds and times of a store under test; wide unless a test is about one.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub ring_entries: usize,
    pub ring_bytes: usize,
    pub ttl_ms: u64,
    pub tombstone_ms: u64,
    /// Bytes of a session that may wait for its archive; `None`: no archive follows.
    pub backlog_bytes: Option<usize>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            ring_entries: 10_000,
            ring_bytes: 16 << 20,
            ttl_ms: 60_000,
            tombstone_ms: 600_000,
            backlog_bytes: None,
        }
    }
}

/// A store set up for a test.
pub trait Bench: Send + Sync {
    fn with(bounds: Bounds) -> impl Future<Output = Self>
    where
        Self: Sized;

    fn cache(&self) -> Arc<dyn ResultCache>;

    /// Lets time pass, and the store do what is due then.
    fn pass(&self, ms: u64) -> BoxFuture<'_, ()>;
}
