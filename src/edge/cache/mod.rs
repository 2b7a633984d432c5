//! Implementations of the [`ResultCache`](crate::engine::ports::result_cache::ResultCache) port.

mod memory;
mod redis;

pub use memory::{MemoryCache, MemorySettings};
pub use redis::{ConnectError, PIECE_BYTES, RedisAddress, RedisCache, RedisServer, RedisSettings};
#[cfg(debug_assertions)]
pub use redis::{ModelLine, ModelServer, ModelSubscription};
