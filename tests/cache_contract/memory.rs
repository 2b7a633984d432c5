//! The embedded store keeps the contract, and some promises of its own.

mod budget;
mod forks;
mod places;
mod threads;

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tributary::edge::cache::{MemoryCache, MemorySettings};
use tributary::engine::ports::result_cache::ResultCache;

use crate::bench::{Bench, Bounds};

/// A [`MemoryCache`] whose clock is tokio's.
pub struct Memory(pub Arc<MemoryCache>);

/// Wide settings.
pub fn settings(bounds: Bounds) -> MemorySettings {
    MemorySettings {
        ring_entries: bounds.ring_entries,
        ring_bytes: bounds.ring_bytes,
        bytes_max: 1 << 30,
        sessions_max: 10_000,
        ttl_ms: bounds.ttl_ms,
        tombstone_ms: bounds.tombstone_ms,
    }
}

impl Memory {
    pub fn of(settings: MemorySettings) -> Self {
        Self(Arc::new(MemoryCache::new(settings)))
    }
}

impl Bench for Memory {
    async fn with(bounds: Bounds) -> Self {
        let cache = MemoryCache::new(settings(bounds));
        Self(Arc::new(match bounds.backlog_bytes {
            Some(bytes) => cache.followed_by_archive(bytes),
            None => cache,
        }))
    }

    fn cache(&self) -> Arc<dyn ResultCache> {
        self.0.clone()
    }

    fn pass(&self, ms: u64) -> BoxFuture<'_, ()> {
        async move {
            tokio::time::advance(Duration::from_millis(ms)).await;
            self.0.sweep();
        }
        .boxed()
    }
}

mod contract {
    crate::keeps_the_contract!(Memory, start_paused = true);
}
