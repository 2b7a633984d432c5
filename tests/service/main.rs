//! The service through HTTP, as planners, subagents and readers meet it. One program for several subjects: each of its own
//! would build the harness again.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../flow/mod.rs"]
mod flow;
#[path = "../harness/mod.rs"]
mod harness;
#[path = "../limits/mod.rs"]
mod limits;
#[path = "../harness/otlp_receiver.rs"]
mod otlp_receiver;
#[path = "../posts/mod.rs"]
mod posts;
#[path = "../reconnect/mod.rs"]
mod reconnect;
#[path = "../security/mod.rs"]
mod security;
#[path = "../shutdown/mod.rs"]
mod shutdown;
#[path = "../slow_reader/mod.rs"]
mod slow_reader;
#[path = "../wire/mod.rs"]
mod wire;
