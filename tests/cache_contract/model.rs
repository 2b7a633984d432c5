//! The shared store keeps the contract over the simulation's model of Redis too, and the model answers as a real Redis does: each
//! command is asked of both, both must answer the same and hold the same in the end.

mod commands;
mod twins;
mod walk;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use futures::FutureExt;
use futures::future::BoxFuture;
use tributary::domain::time::Timestamp;
use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::ResultCache;

use crate::bench::{Bench, Bounds};
use crate::redis::settings_at;
use twins::Twins;

/// A [`RedisCache`] over a model and a real Redis at once.
pub struct Model {
    pub twins: Twins,
    pub cache: RedisCache,
    now: AtomicI64,
}

impl Model {
    pub fn over(twins: Twins, bounds: Bounds) -> Self {
        let cache = RedisCache::over(Arc::new(twins.clone()), settings_at(String::new(), bounds));
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let now = AtomicI64::new(since_epoch.as_millis() as i64);
        cache.set_now(Timestamp(now.load(Ordering::Relaxed)));
        Self { twins, cache, now }
    }
}

impl Model {
    /// Lets time pass, and nothing happen.
    fn tick(&self, ms: i64) {
        let now = self.now.fetch_add(ms, Ordering::Relaxed) + ms;
        self.cache.set_now(Timestamp(now));
    }
}

impl Bench for Model {
    async fn with(bounds: Bounds) -> Self {
        Self::over(Twins::start().await, bounds)
    }

    fn cache(&self) -> Arc<dyn ResultCache> {
        Arc::new(self.cache.clone())
    }

    fn pass(&self, ms: u64) -> BoxFuture<'_, ()> {
        self.tick(ms as i64);
        async move {
            self.cache.sweep(true).await;
            self.twins.hold_the_same().await;
        }
        .boxed()
    }
}

/// What they answered otherwise than each other fails the test.
impl Drop for Model {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.twins.agreed();
        }
    }
}

mod contract {
    crate::keeps_the_contract!(Model, flavor = "current_thread");
}
