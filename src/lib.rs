//! Tributary: many agents in, one ordered, replayable stream out.

pub mod domain;
pub mod edge;
pub mod engine;
