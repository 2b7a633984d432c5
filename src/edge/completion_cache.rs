//! Implementations of the [`CompletionCache`](crate::engine::ports::completion_cache::CompletionCache) port.

mod memory;

pub use memory::{MemoryCompletions, MemoryCompletionsSettings};
