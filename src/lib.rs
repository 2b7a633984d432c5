//! Tributary: many agents in, one ordered, replayable stream out.

pub mod bootstrap;
pub mod config;
pub mod domain;
pub mod edge;
pub mod lifecycle;
