//! Subagents that are called: the real service calls real agents (the simulator, and peers from their registries), and what
//! comes of it is read through HTTP.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adapters;
mod api_answers;
mod breakers;
mod cards;
mod configured;
mod contract;
mod conversations;
mod credentials;
mod deadlines;
mod endings;
mod flapping;
#[path = "../harness/mod.rs"]
mod harness;
mod hosts;
mod peers;
mod protocols;
#[path = "../harness/redis_server.rs"]
mod redis_server;
#[allow(dead_code, reason = "replicas need all of it")]
#[path = "../replicas/scene.rs"]
mod replica_scene;
mod replicas;
mod restart;
mod retries;
mod safety;
mod scene;
mod shadow;
mod tasks;
mod webhook;
