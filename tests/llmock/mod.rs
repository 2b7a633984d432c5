//! PyPI's llmock: a server of both APIs that breaks on demand, watches how its client copes, and says what it did wrong.
//!
//! It is installed with the other peers (tests/invoke/peers). First the client is judged alone, then the whole service.

mod client;
mod judge;
#[allow(dead_code, reason = "there are other peers")]
#[path = "../invoke/peers/process.rs"]
mod process;
mod service;
