//! Readers who don't read: they cost the service a bounded part of its memory, the others nothing, and themselves only
//! what a later event replaces.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../harness/mod.rs"]
mod harness;

mod coalescing;
mod stalled;
