//! Signing in, from outside: who may do what, and what the others learn from being refused.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../auth/mod.rs"]
mod auth;
#[path = "../harness/mod.rs"]
mod harness;
#[path = "../harness/otlp_receiver.rs"]
mod otlp_receiver;
#[path = "../harness/redis_server.rs"]
mod redis_server;

mod browsers;
mod cookies;
mod cors;
mod everyone;
mod expiry;
mod issuer;
mod keys;
mod operations;
mod processes;
mod rates;
mod scene;
mod secrets;
mod sockets;
mod tokens;
mod walls;
mod walls_of_operations;
