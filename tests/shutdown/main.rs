//! SIGTERM: readers leave with their place, bodies are answered, nothing that was acknowledged is missing, and the
//! process ends inside its window.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../harness/mod.rs"]
mod harness;

mod readers;
mod requests;
