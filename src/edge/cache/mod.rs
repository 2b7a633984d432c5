//! Implementations of the [`ResultCache`](crate::engine::ports::result_cache::ResultCache) port.

mod memory;
mod redis;

use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;
pub use memory::{MemoryCache, MemorySettings};
pub use redis::{ConnectError, PIECE_BYTES, RedisAddress, RedisCache, RedisServer, RedisSettings};
#[cfg(debug_assertions)]
pub use redis::{ModelLine, ModelServer, ModelSubscription};

/// After a step's deadline its data stays at least this long, in milliseconds.
const AFTER_DEADLINE_MS: u64 = 300_000;

/// Until when a session's data stays at least.
fn keep_until(state: &SessionState) -> Timestamp {
    state.last_deadline().map(|at| at.plus_ms(AFTER_DEADLINE_MS)).unwrap_or_default()
}
