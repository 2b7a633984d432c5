//! Tributary: many agents in, one ordered, replayable stream out.

pub mod config;
pub mod domain;
pub mod edge;
