//! What the engine needs from outside, as contracts.

pub mod analytics;
pub mod archive;
pub mod result_cache;
pub mod wake_index;
