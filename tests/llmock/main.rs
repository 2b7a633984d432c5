//! PyPI's llmock: a server of both APIs that breaks on demand, watches how its client copes, and says what it did wrong.
//!
//! It is installed with the other peers (tests/invoke/peers). First the client is judged alone, then the whole service.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
#[path = "../harness/mod.rs"]
mod harness;
mod judge;
#[path = "../harness/model_server.rs"]
mod model_server;
#[allow(dead_code, reason = "there are other peers")]
#[path = "../invoke/peers/process.rs"]
mod process;
#[allow(dead_code, reason = "the scene is that of tests/synthesis, which has more uses for it")]
#[path = "../synthesis/scene.rs"]
mod scene;
mod service;
