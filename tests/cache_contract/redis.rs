//! The shared store keeps the contract: a real Redis a test, and time that the test lets pass.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::FutureExt;
use futures::future::BoxFuture;
use tributary::domain::time::Timestamp;
use tributary::edge::cache::{PIECE_BYTES, RedisAddress, RedisCache, RedisSettings};
use tributary::engine::ports::result_cache::ResultCache;
use tributary::engine::telemetry::Meters;

use crate::bench::{Bench, Bounds};
use crate::redis_server::RedisServer;

mod beginnings;
mod calls;
mod cluster;
mod completions;
mod fairness;
mod forks;
mod formats;
mod hand_overs;
mod line;
mod log;
mod longer;
mod names;
mod noticed;
mod refusing;
mod replicas;
mod script;
mod slow;
mod snapshots;
mod tls;
mod together;
mod waiting;
mod wake_ups;

/// A [`RedisCache`] on a Redis of its own.
pub struct Redis {
    _server: RedisServer,
    pub cache: RedisCache,
    now: AtomicI64,
}

pub fn settings(server: &RedisServer, bounds: Bounds) -> RedisSettings {
    settings_at(server.url(), bounds)
}

pub fn settings_at(url: String, bounds: Bounds) -> RedisSettings {
    let hard = bounds.backlog_bytes;
    RedisSettings {
        address: RedisAddress {
            url,
            ca_certificates: None,
            response_timeout: Duration::from_secs(10),
            connection_timeout: Duration::from_secs(10),
        },
        ring_entries: bounds.ring_entries,
        ring_bytes: bounds.ring_bytes,
        ring_bytes_hard: hard.unwrap_or(2 * bounds.ring_bytes),
        bytes_max: 1 << 30,
        piece_bytes: PIECE_BYTES,
        ttl_ms: bounds.ttl_ms,
        tombstone_ms: bounds.tombstone_ms,
        is_gated: hard.is_some(),
        meters: Meters::unread(),
    }
}

/// The keys of a session of the default tenant: `meta`, `log`, `latest`.
pub fn keys_of(session: &str) -> [String; 3] {
    ["meta", "log", "latest"].map(|what| format!("tributary:{{default/{session}}}:{what}"))
}

impl Bench for Redis {
    async fn with(bounds: Bounds) -> Self {
        let server = RedisServer::start();
        let cache = RedisCache::connect(settings(&server, bounds)).await.unwrap();
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let now = AtomicI64::new(since_epoch.as_millis() as i64);
        cache.set_now(Timestamp(now.load(Ordering::Relaxed)));
        Self { _server: server, cache, now }
    }

    fn cache(&self) -> Arc<dyn ResultCache> {
        Arc::new(self.cache.clone())
    }

    fn pass(&self, ms: u64) -> BoxFuture<'_, ()> {
        let now = self.now.fetch_add(ms as i64, Ordering::Relaxed) + ms as i64;
        self.cache.set_now(Timestamp(now));
        self.cache.sweep(true).boxed()
    }
}

mod contract {
    crate::keeps_the_contract!(Redis, flavor = "current_thread");
}
