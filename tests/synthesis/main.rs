//! Answers that a language model writes, over HTTP: the real program, and a model's server of the tests' own that is paced
//! by hand, breaks off, lies, repeats itself or says nothing.
//!
//! Whatever it does there is a result, and nothing in that is anything but what subagents said. Which sentence stands
//! verification is decided and tested in `domain/synthesis`. With it the client of models alone, and a judge of that client: programs of
//! their own would build the harness again.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod broken;
mod budget;
mod cancelling;
mod chain;
mod checked;
mod cuts;
mod deleted;
mod drafts;
mod evidence;
mod explained;
mod extractive;
mod given_up;
#[path = "../harness/mod.rs"]
mod harness;
mod injected;
mod kept;
#[path = "../language_model/mod.rs"]
mod language_model;
#[path = "../llmock/mod.rs"]
mod llmock;
#[path = "../harness/model_server.rs"]
mod model_server;
mod mouths;
#[allow(dead_code, reason = "only what spans are called is asked for")]
#[path = "../telemetry/names.rs"]
mod names;
#[path = "../harness/otlp_receiver.rs"]
mod otlp_receiver;
mod plain;
mod prompts;
mod read;
#[path = "../harness/redis_server.rs"]
mod redis_server;
mod repairs;
#[allow(dead_code, reason = "replicas need all of it")]
#[path = "../replicas/scene.rs"]
mod replica_scene;
mod requests;
mod restart;
mod scene;
mod secrets;
mod servers;
mod streaming;
mod tables;
mod taken_back;
mod tenants;
mod told;
mod traced;
#[allow(dead_code, reason = "traces of plans need all of it")]
#[path = "../telemetry/tree.rs"]
mod tree;
