//! What the engine needs from outside, as contracts.

pub mod result_cache;
