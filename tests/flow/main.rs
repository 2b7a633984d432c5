//! A plan through HTTP, from the directive to the end of the stream, as its planner, its subagents and its readers
//! meet it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../harness/mod.rs"]
mod harness;

mod directives;
mod endings;
mod ends_of_streams;
mod filters;
mod forgetting;
mod idempotency;
mod old_clients;
mod plan;
mod quiet;
mod representations;
mod rotation;
mod session_stream;
mod starts;
mod streaming_in;
mod telemetry;
mod tree;
mod unknown;
mod verdicts;
mod views;
