//! `/openapi.json` against the running service: it is valid, it lists what there is, and what it says is true.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../harness/mod.rs"]
mod harness;

mod answers;
mod described;
mod docs;
mod document;
mod frames;
mod routes;
mod scene;
mod schema;
mod schemathesis;
