//! Implementations of the [`ResultCache`](crate::engine::ports::result_cache::ResultCache) port.

mod memory;

pub use memory::{MemoryCache, MemorySettings};
