//! What the engine needs from outside, as contracts.

pub mod result_cache;
pub mod wake_index;
