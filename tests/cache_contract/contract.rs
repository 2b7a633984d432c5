//! The suite, by subject.

pub mod append;
pub mod archived;
pub mod expiry;
pub mod trimming;
pub mod windows;
