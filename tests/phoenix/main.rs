//! A viewer of others for the service's traces. It is large, so this isn't part of a plain run of the tests (`test = false` in
//! Cargo.toml): `scripts/test --full` installs the viewer and runs it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "the scene is that of tests/telemetry, which has more uses for it")]

#[path = "../harness/mod.rs"]
mod harness;
#[path = "../telemetry/names.rs"]
mod names;
#[path = "../harness/otlp_receiver.rs"]
mod otlp_receiver;
#[path = "../harness/redis_server.rs"]
mod redis_server;
#[path = "../telemetry/scene.rs"]
mod scene;
#[path = "../telemetry/tree.rs"]
mod tree;
mod viewer;
