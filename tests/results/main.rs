//! Results over HTTP: what a step comes to while it runs and when it has ended, in every form, and results, syntheses,
//! answers and trees without a plan.
//!
//! Only what is on the wire counts here: which sentence is a duplicate, and where a text is cut, is decided and tested in
//! `domain`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod aggregations;
mod agreement;
mod answers;
mod browser;
mod compositions;
mod failures;
mod filters;
mod formats;
#[path = "../harness/mod.rs"]
mod harness;
mod headed;
mod inert;
mod markers;
mod originals;
mod plan_trees;
mod quotations;
#[path = "../harness/redis_server.rs"]
mod redis_server;
mod references;
mod refused;
#[allow(dead_code, reason = "replicas need all of it")]
#[path = "../replicas/scene.rs"]
mod replica_scene;
mod rows;
mod scene;
mod shapes;
mod sources;
mod steps;
mod stored;
mod strangers;
mod syntheses;
mod trees;
