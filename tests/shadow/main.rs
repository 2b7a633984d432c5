//! Shadow mode over HTTP: the monolith's answer before and after our step's end, with an archive and without one, and
//! the contract of what keeps it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
#[allow(dead_code, reason = "an archive needs all of it")]
#[path = "../archive/contract/shadow.rs"]
mod contract;
#[path = "../fixtures/mod.rs"]
mod fixtures;
#[path = "../harness/mod.rs"]
mod harness;
mod keeping;
mod memory;
mod reading;
mod scene;
