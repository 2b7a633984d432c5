//! The session's state machine under random lists of commands, against a model that was written from `DESIGN.md` alone,
//! and by example, edge by edge.

#![allow(clippy::wildcard_enum_match_arm, reason = "tests look for one variant; another fails them")]
#![allow(clippy::unwrap_used, reason = "a test may")]

mod commands;
mod examples;
#[path = "../fixtures/mod.rs"]
mod fixtures;
mod invariants;
mod model;
mod telling;
