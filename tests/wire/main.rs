//! The wire as snapshots to be reviewed: events, frames and problem documents, each as its text, in the order of its
//! fields. What differs from run to run (times, cursors, trace ids, latencies) is named instead.
//!
//! `INSTA_UPDATE=always cargo test --test wire` writes them anew.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../harness/mod.rs"]
mod harness;

mod answers;
mod events;
mod frames;
mod problems;
