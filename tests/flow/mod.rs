//! A plan through HTTP, from the directive to the end of the stream, as its planner, its subagents and its readers
//! meet it.

mod directives;
mod endings;
mod ends_of_streams;
mod filters;
mod forgetting;
mod idempotency;
mod old_clients;
mod plan;
mod quiet;
mod races;
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
