//! What the service tells of itself, as those read it who look after it: spans at a collector, metrics, and the log.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod collector;
mod content;
mod figures;
#[path = "../harness/mod.rs"]
mod harness;
mod log;
mod metrics;
mod names;
mod off;
#[path = "../harness/otlp_receiver.rs"]
mod otlp_receiver;
mod protocols;
#[path = "../harness/redis_server.rs"]
mod redis_server;
mod sampling;
mod scene;
mod story;
mod survives;
mod tree;
