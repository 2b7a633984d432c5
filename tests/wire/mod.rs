//! The wire as snapshots to be reviewed: events, frames and problem documents, each as its text, in the order of its
//! fields. What differs from run to run (times, cursors, trace ids, latencies) is named instead.
//!
//! `INSTA_UPDATE=always cargo test --test service wire::` writes them anew.

mod answers;
mod events;
mod frames;
mod problems;
