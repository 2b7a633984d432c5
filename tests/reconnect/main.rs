//! Readers who come back: no hole, no double, and a verdict where history can't be continued.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../harness/mod.rs"]
mod harness;

mod cuts;
mod expired;
mod seam;
mod trimmed;
mod verdicts;
